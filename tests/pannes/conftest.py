"""Un vrai Poste, tout entier, dans son propre dossier ; chaque essai tue ce qu'il veut."""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.exploitation.outils import RACINE, attendre, environnement, ferme, port_libre
from tests.pannes.poste import Poste


@pytest.fixture
def poste() -> Iterator[Poste]:
    donnees = Path(tempfile.mkdtemp(prefix="horizon-panne-", dir="/tmp"))
    donnees.chmod(0o711)
    port = port_libre()
    commande = [sys.executable, "manage.py", "demarrer", "--port", str(port), "--sans-demo"]
    # Les essais écrivent sans attendre le disque ; le Poste, lui, n'accorde que ce qui y est.
    env = environnement(donnees, HORIZON_PG_OPTIONS="")
    lance = subprocess.Popen(commande, env=env, cwd=RACINE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with ferme(lance):  # type: ignore[arg-type]
        vivant = Poste(donnees, port)
        assert attendre(vivant.debout, 60)
        vivant.preparer()
        yield vivant
        lance.terminate()
        lance.wait(30)
    shutil.rmtree(donnees, ignore_errors=True)
