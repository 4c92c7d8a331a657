"""Une Personne revendiquée, et ce qu'un bot soumet pour elle au Noyau."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any, TypeVar

from django.db import connection
from django.utils.timezone import now

from horizon.noyau.decision import EXPLOITATION
from horizon.services import identites
from memoire.models import Proposition
from tests.fabriques import ADA, Banc
from tests.longue.gestes import memoriser

T = TypeVar("T")
VIGILANCE = "mon nain est alcoolique dans notre campagne"
"""Un texte que le garde soupçonne sans pouvoir le refuser."""


def revendiquer(qui: str = ADA) -> None:
    """Ada a prouvé son compte."""
    identites.revendiquer(plateforme="twitch", externe_id=qui, motif="essai", par=EXPLOITATION, maintenant=now())


def demander(banc: Banc, contenu: str, categorie: str) -> Any:
    """La réponse de l'API à une demande d'Ada."""
    return memoriser(banc, contenu, categorie)


def vigilance(banc: Banc, contenu: str = VIGILANCE, categorie: str = "taniere") -> Proposition:
    """Une vigilance née d'un soupçon, à trancher."""
    reponse = demander(banc, contenu, categorie)
    assert (reponse.status_code, reponse.json()["validation"]) == (202, "sa"), reponse.content
    return Proposition.objects.latest("pk")


def ensemble(actes: list[Callable[[], T]]) -> list[T]:
    """Lance des actes en même temps, chacun sur sa connexion ; rend ce qu'ils ont rendu."""
    depart = Barrier(len(actes))

    def courir(acte: Callable[[], T]) -> T:
        depart.wait()
        try:
            return acte()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(actes)) as fils:
        return list(fils.map(courir, actes))
