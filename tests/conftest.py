"""Ce que toute la suite partage : base et file embarquées, réseau fermé, navigateur."""

import ipaddress
import os
import socket
from pathlib import Path
from typing import Any

import pytest

from horizon.embarque import postgres, valkey
from horizon.embarque.processus import ErreurEmbarquee

CHROMIUM = Path("/usr/bin/chromium")
OPTIONS_CHROMIUM = [
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-gpu",
]


# --- Base et file : démarrées par le contrôleur seul, les workers de xdist s'en servent.


def pytest_configure(config: pytest.Config) -> None:
    _fermer_reseau()
    if not _lance_des_essais(config):
        return
    from django.conf import settings

    try:
        if not os.environ.get("DATABASE_URL"):
            postgres.assurer(settings.DONNEES)
        if not os.environ.get("REDIS_URL"):
            valkey.assurer(settings.DONNEES)
    except ErreurEmbarquee as erreur:
        pytest.exit(str(erreur), returncode=1)


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        valkey.arreter()
        postgres.arreter()


def _lance_des_essais(config: pytest.Config) -> bool:
    inertes = ("help", "version", "collectonly", "markers", "showfixtures", "show_fixtures_per_test")
    return not hasattr(config, "workerinput") and not any(config.getoption(nom, False) for nom in inertes)


# --- Réseau : boucle locale et sockets Unix seulement.


class ReseauInterdit(RuntimeError):
    """Un essai a voulu sortir de la machine."""


def _fermer_reseau() -> None:
    relier, resoudre = socket.socket.connect, socket.getaddrinfo

    def connect(prise: socket.socket, adresse: Any) -> None:
        if prise.family in {socket.AF_INET, socket.AF_INET6} and not _locale(adresse[0]):
            raise ReseauInterdit(f"connexion refusée vers {adresse[0]}")
        relier(prise, adresse)

    def getaddrinfo(hote: Any, *arguments: Any, **options: Any) -> Any:
        if not _locale(hote):
            raise ReseauInterdit(f"résolution refusée de {hote}")
        return resoudre(hote, *arguments, **options)

    # `socket` n'offre pas d'autre prise : une classe et une fonction remplacées pour tout le processus.
    setattr(socket.socket, "connect", connect)  # noqa: B010 (mypy refuse d'assigner une méthode)
    setattr(socket, "getaddrinfo", getaddrinfo)  # noqa: B010


def _locale(hote: Any) -> bool:
    nom = hote.decode() if isinstance(hote, bytes) else hote
    if nom in {None, "", "localhost"}:
        return True
    try:
        return ipaddress.ip_address(nom).is_loopback
    except ValueError:
        return False


# --- Journal d'audit : son déclencheur refuse le vidage, dont les essais à vraies transactions ont besoin pour finir.


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> None:
    """Lève le seul refus de vidage ; l'essai qui le vérifie le remet. Modifier et supprimer restent refusés."""
    from django.db import connection

    with django_db_blocker.unblock(), connection.cursor() as curseur:
        curseur.execute(
            "SELECT tgname FROM pg_trigger WHERE tgrelid = 'horizon_trace'::regclass AND tgname LIKE '%pas_de_vidage%'"
        )
        curseur.execute(f"ALTER TABLE horizon_trace DISABLE TRIGGER {curseur.fetchone()[0]}")


# --- Registre des oublis : un fichier par essai, hors de la base comme en vrai.


@pytest.fixture(autouse=True)
def registre(tmp_path: Path, settings: Any) -> Path:
    settings.REGISTRE_DES_OUBLIS = str(tmp_path / "oublis.registre")
    return tmp_path / "oublis.registre"


# --- Navigateur : le Chromium de la machine ; sans lui, ces essais sont sautés et le disent.


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    bac_a_sable = ["--no-sandbox"] if os.geteuid() == 0 else []
    return {**browser_type_launch_args, "executable_path": str(CHROMIUM), "args": [*OPTIONS_CHROMIUM, *bac_a_sable]}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if CHROMIUM.exists():
        return
    saut = pytest.mark.skip(reason=f"Chromium absent ({CHROMIUM}) : `apt-get install chromium` pour lancer cet essai")
    for essai in items:
        if essai.get_closest_marker("navigateur") or "page" in getattr(essai, "fixturenames", ()):
            essai.add_marker(saut)
