"""Un oubli coupé net par `kill -9`, une base restaurée pour de vrai : l'avant ou l'après, et rien ne revient."""

import os
import signal
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.utils.timezone import now

from horizon.embarque import binaires, postgres
from horizon.models import Compte, Oubli
from horizon.noyau.decision import EXPLOITATION
from horizon.services.identites import revendiquer
from memoire.models import Interaction, Souvenir
from statistiques.models import Observation
from tests.fabriques import ADA, Banc, configurer_salon, creer_banc, message
from tests.longue.gestes import ADORE, annoncer, memoriser, oublier, personne

pytestmark = pytest.mark.django_db(transaction=True)
RACINE = Path(__file__).resolve().parents[2]
TOUT = {"tout": True}
AMORCE = """
import os, signal, sys
import django
from django.conf import settings
settings.DATABASES["default"]["NAME"] = os.environ["BASE"]
settings.REGISTRE_DES_OUBLIS = os.environ["REGISTRE"]
django.setup()
from django.test import Client
from horizon import registre
from horizon.services import oublis
def mourir(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)
def puis_mourir(vrai):
    return lambda *a, **k: (vrai(*a, **k), mourir())
def poster(chemin, corps):
    tetes = {"Authorization": "Bearer " + os.environ["CLE"]}
    return Client(HTTP_HOST="localhost").post("/api/v1/" + chemin, corps, "application/json", headers=tetes)
"""
ETAPES = {
    "avant d'effacer": "oublis._appliquer = mourir",
    "avant le registre": "registre.inscrire = mourir",
    "au milieu du registre": """
def moitie(cible):
    with open(registre.chemin(), "ab") as fichier:
        fichier.write(registre._ecrire.encode(cible)[:40])
    mourir()
registre.inscrire = moitie
""",
    "après le registre": "registre.inscrire = puis_mourir(registre.inscrire)",
    "après la validation": "oublis.confirmer = puis_mourir(oublis.confirmer)",
}


@pytest.fixture
def banc(transactional_db: None) -> Banc:
    configurer_salon()
    revendiquer(plateforme="twitch", externe_id=ADA, motif="essai", par=EXPLOITATION, maintenant=now())
    return creer_banc()


def lancer(programme: str, registre: Path, base: str = "", cle: str = "") -> subprocess.CompletedProcess[str]:
    """Un vrai processus, sur la base de l'essai ou une autre."""
    env = {
        **os.environ,
        "BASE": base or str(connection.settings_dict["NAME"]),
        "REGISTRE": str(registre),
        "CLE": cle,
        "DJANGO_SETTINGS_MODULE": "tests.reglages",
    }
    return subprocess.run(
        [sys.executable, "-c", AMORCE + programme], env=env, cwd=RACINE, capture_output=True, text=True, timeout=60
    )


def sante(banc: Banc) -> int:
    return banc.client.get("/api/v1/sante/").status_code


def restes() -> tuple[int, int, int]:
    vivantes = Interaction.objects.filter(etat="vivante")
    return Souvenir.objects.count(), vivantes.count(), Observation.objects.count()


@pytest.mark.exigence("DR-02", "DR-10", "SR-10")
@pytest.mark.parametrize("etape", ETAPES)
def test_tue_net_un_oubli_est_entier_ou_absent(banc: Banc, registre: Path, etape: str) -> None:
    banc.un(message("bonsoir"))
    memoriser(banc)
    avant = restes()
    assert min(avant) > 0
    jeton = annoncer(banc, TOUT).json()["jeton"]
    corps = {"jeton": jeton}
    fini = lancer(f"{ETAPES[etape]}\nposter('oublis/confirmation/', {corps!r})", registre, cle=banc.cle)
    assert fini.returncode == -signal.SIGKILL, fini.stderr
    valide, inscrit = etape == "après la validation", etape in ("après le registre", "après la validation")
    assert restes() == ((0, 0, 0) if valide else avant)
    assert sante(banc) == (503 if inscrit and not valide else 200)
    if inscrit and not valide:
        call_command("rejouer_oublis")
        assert restes() == (0, 0, 0)
        assert sante(banc) == 200
        assert Oubli.objects.count() == 1
    # Le bot, sans réponse, renvoie sa confirmation.
    assert banc.poster("oublis/confirmation/", corps).status_code == (410 if inscrit else 200)
    assert restes() == (0, 0, 0)
    assert sante(banc) == 200


@pytest.mark.exigence("DR-10")
def test_une_confirmation_coupee_puis_renvoyee_se_suffit(banc: Banc, registre: Path) -> None:
    """Sans rejeu : le même jeton nomme le même acte, la santé revient d'elle-même."""
    memoriser(banc)
    corps = {"jeton": annoncer(banc, TOUT).json()["jeton"]}
    lancer(f"{ETAPES['après le registre']}\nposter('oublis/confirmation/', {corps!r})", registre, cle=banc.cle)
    assert sante(banc) == 503
    assert banc.poster("oublis/confirmation/", corps).status_code == 200
    assert sante(banc) == 200
    assert restes()[0] == 0


def outil(nom: str, base: str, *arguments: str) -> None:
    acces = postgres.parametres(settings.DONNEES)
    adresse = ["-h", acces.hote, "-p", str(acces.port), "-U", acces.utilisateur, "-d", base]
    subprocess.run([str(binaires.trouver(settings.DONNEES) / nom), *adresse, *arguments], check=True)


@pytest.fixture
def restauree() -> Iterator[str]:
    """Une base neuve, où restaurer."""
    nom = f"restauree_{uuid.uuid4().hex[:8]}"
    with connection.cursor() as curseur:
        curseur.execute(f"CREATE DATABASE {nom}")
    yield nom
    with connection.cursor() as curseur:
        curseur.execute(f"DROP DATABASE {nom} WITH (FORCE)")


JUGER = """
from django.core.management import call_command
from memoire.models import Interaction, Souvenir
from statistiques.models import Observation
def dire():
    vivantes = Interaction.objects.filter(etat="vivante")
    souvenirs = sorted(Souvenir.objects.values_list("categorie", flat=True))
    statut = Client(HTTP_HOST="localhost").get("/api/v1/sante/").status_code
    print("LU", statut, souvenirs, vivantes.count(), Observation.objects.count())
dire()
call_command("rejouer_oublis")
dire()
"""


@pytest.mark.exigence("DR-10", "DR-09")
def test_une_sauvegarde_restauree_ne_ressuscite_rien(
    banc: Banc, registre: Path, restauree: str, tmp_path: Path
) -> None:
    """`pg_dump`, puis liaison et oublis, puis restauration : la liaison est perdue, les oublis non."""
    deuxieme = {"id": "99", "pseudonyme": "Ada bis"}
    vieux = message("ici Ada", id="vieux")
    banc.envoyer(vieux, message("là aussi", auteur=deuxieme), message("garde", id="vise"))
    memoriser(banc)
    memoriser(banc, "adore les énigmes", "autre")
    revendiquer(plateforme="twitch", externe_id="88", motif="essai", par=EXPLOITATION, maintenant=now())
    memoriser(banc, ADORE, personne=personne("88"))
    memoriser(banc, "adore le thé", "autre", personne=personne("88"))
    sauvegarde = tmp_path / "sauvegarde.dump"
    outil("pg_dump", str(connection.settings_dict["NAME"]), "-Fc", "-f", str(sauvegarde))
    revendiquer(
        plateforme="twitch", externe_id=ADA, motif="essai", par=EXPLOITATION, maintenant=now(), lier=[("twitch", "99")]
    )
    assert oublier(banc, TOUT).status_code == 200
    assert oublier(banc, {"categorie": "autre"}, personne("88")).status_code == 200
    assert len(registre.read_bytes().splitlines()) == 2
    assert ADORE not in registre.read_text()
    assert Compte.objects.filter(externe_id="99").exists()
    outil("pg_restore", restauree, str(sauvegarde))
    # Un bot renvoie ce qu'il avait, et ce que la base n'a jamais connu d'un compte oublié.
    lot = {"evenements": [vieux, vieux | {"id": "jamais-vu"}, vieux | {"id": "x", "auteur": deuxieme}]}
    renvoi = f"""
rendu = poster("evenements/", {lot!r}).json()["resultats"]
print("RENVOI", [r["motif"] for r in rendu])
"""
    lu = lancer(JUGER + renvoi, registre, base=restauree, cle=banc.cle)
    lignes = [ligne for ligne in lu.stdout.splitlines() if ligne.startswith("LU")]
    assert lignes[0].startswith("LU 503 ['autre', 'autre', 'preference', 'preference'] 3"), lu.stdout + lu.stderr
    assert lignes[1] == "LU 200 ['preference'] 0 0"
    assert "RENVOI ['supprime_avant', 'supprime_avant', 'supprime_avant']" in lu.stdout
