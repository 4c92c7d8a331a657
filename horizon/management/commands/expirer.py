"""`expirer [--boucle]` : une passe d'expiration, ou des passes sans fin, indépendantes de la file."""

import signal
import threading
from typing import Any

import structlog
from django.core.management.base import CommandParser
from django.db import DatabaseError, InterfaceError, connection
from django.utils.timezone import now

from horizon.management.base import Commande
from horizon.services import purge

journal = structlog.get_logger(__name__)
PERIODE = 15
"""Secondes entre deux passes : l'effacement physique tient en 60 s même si une passe échoue."""


class Command(Commande):
    help = "Efface ce qui a expiré ; le nombre d’effacements est seul sur la dernière ligne."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--boucle", action="store_true", help="sans fin, jusqu’à l’arrêt du processus")

    def agir(self, *, boucle: bool, **_: Any) -> str:
        if not boucle:
            return str(purge.passer(maintenant=now(), par="commande"))
        fin = threading.Event()
        for signe in (signal.SIGTERM, signal.SIGINT):
            signal.signal(signe, lambda *_: fin.set())
        while not fin.is_set():
            _passer_sans_tomber()
            fin.wait(PERIODE)
        return ""


def _passer_sans_tomber() -> None:
    """Une passe ; base absente, elle sera retentée : la boucle ne meurt pas d'une panne."""
    try:
        purge.passer(maintenant=now(), par="boucle")
    except (DatabaseError, InterfaceError, OSError) as erreur:
        journal.warning("passe_manquee", erreur=type(erreur).__name__)
        connection.close()
