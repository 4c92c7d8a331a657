"""Le terrain du banc : un Poste complet dans un dossier neuf (base durable, file, web), sans démonstration."""

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.utils.timezone import now

from horizon.embarque import valkey
from horizon.models import Parametre
from horizon.noyau.decision import EXPLOITATION
from horizon.parametres import DEBIT_CLE
from horizon.services import bots, espaces
from horizon.superviseur.accueil import premiere_page
from horizon.superviseur.poste import web
from memoire.banc.matiere import ESPACE, peupler_comptes

MARQUE = "HORIZON_BANC"
SECONDES_DU_WEB = 60


def ailleurs(arguments: list[str]) -> int:
    """Rejoue la commande dans un dossier de données neuf, effacé à la fin ; rend son code de sortie."""
    with tempfile.TemporaryDirectory(prefix="banc-", ignore_cleanup_errors=True) as dossier:
        env = {k: v for k, v in os.environ.items() if k not in ("DATABASE_URL", "REDIS_URL", "HORIZON_HOTES")}
        env |= {"HORIZON_DONNEES": dossier, MARQUE: "1", "HORIZON_DEMO": "0"}
        return subprocess.run([sys.executable, "manage.py", "banc", *arguments], env=env, cwd=_racine()).returncode


def _racine() -> Path:
    return Path(settings.BASE_DIR)


def preparer(identites: int) -> str:
    """Migre, peuple les comptes, configure le salon ; rend la clé d'un bot sans plafond de débit qui compte."""
    valkey.assurer(settings.DONNEES)
    call_command("migrate", verbosity=0)
    espaces.configurer(
        plateforme="twitch",
        externe_id=ESPACE,
        visibilite="public",
        nom="Le pont",
        par=EXPLOITATION,
        maintenant=now(),
    )
    peupler_comptes(identites, now())
    Parametre.objects.update_or_create(cle=DEBIT_CLE.cle, defaults={"valeur": 10**9})
    _, cle = bots.creer(
        nom="banc", plateformes=["twitch"], portees=["evenements", "contexte"], par=EXPLOITATION, maintenant=now()
    )
    return cle


@contextmanager
def serveur() -> Iterator[int]:
    """Le web du Poste, lancé comme le lance `demarrer` ; rend son port."""
    with socket.socket() as libre:
        libre.bind(("127.0.0.1", 0))
        port = int(libre.getsockname()[1])
    journal = (settings.DONNEES / "web.log").open("w")
    env = {**os.environ, "DJANGO_SETTINGS_MODULE": "horizon.settings"}
    enfant = subprocess.Popen(
        [sys.executable, *web(port)], env=env, cwd=_racine(), stdout=journal, stderr=journal, start_new_session=True
    )
    try:
        limite = time.monotonic() + SECONDES_DU_WEB
        while not 200 <= premiere_page(port, "") < 400:
            if time.monotonic() > limite or enfant.poll() is not None:
                raise RuntimeError("le web du banc ne répond pas")
            time.sleep(0.1)
        yield port
    finally:
        os.killpg(enfant.pid, 15)
        enfant.wait(20)


def acces_direct() -> dict[str, Any]:
    """De quoi se connecter à la base sans Django."""
    parametres = connection.get_connection_params()
    return {cle: parametres[cle] for cle in ("host", "port", "user", "dbname") if cle in parametres}
