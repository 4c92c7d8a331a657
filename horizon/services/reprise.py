"""Rejouer une transaction que la base a sacrifiée pour départager deux actes croisés (SR-10)."""

import random
import time
from collections.abc import Callable
from typing import TypeVar

import structlog
from django.db import DatabaseError, OperationalError, connection

journal = structlog.get_logger(__name__)
ESSAIS = 5
ATTENTE = 0.05
"""Secondes au plus avant le premier nouvel essai ; doublées à chaque fois, tirées au sort."""
_CONCURRENCE = {"40P01", "40001"}
R = TypeVar("R")


def concurrence(erreur: DatabaseError) -> bool:
    """Vrai si la base n'a annulé la transaction que parce qu'une autre la croisait."""
    return getattr(erreur.__cause__, "sqlstate", None) in _CONCURRENCE


def rejouer(acte: Callable[[], R]) -> R:
    """Mène `acte`, qui ouvre sa transaction ; sacrifié par la base, il repasse. Dans une transaction déjà ouverte,
    c'est à qui l'a ouverte de repasser."""
    for essai in range(ESSAIS):
        try:
            return acte()
        except OperationalError as erreur:
            if essai == ESSAIS - 1 or connection.in_atomic_block or not concurrence(erreur):
                raise
            journal.info("acte_rejoue", essai=essai + 1)
            time.sleep(random.uniform(0, ATTENTE * 2**essai))
    raise AssertionError("inatteignable")
