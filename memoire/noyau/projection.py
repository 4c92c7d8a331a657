"""Projeter des récents dans un budget : les plus anciens partent d'abord (DV-11). Python pur."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from horizon.noyau.jetons import compter


@dataclass(frozen=True, slots=True)
class Recent:
    """Un échange projetable, né dans l'espace de destination."""

    contenu: str
    auteur: str
    emis_le: datetime
    reponse_a: str | None


def tenir(recents: Iterable[Recent], budget: int) -> tuple[list[Recent], int]:
    """Garde les plus récents tant que le budget de tokens tient ; rend (du plus ancien au plus récent, reste).

    S'arrête au premier qui déborde : sauter un message pour en garder un plus vieux trouerait la conversation.
    """
    gardes: list[Recent] = []
    for recent in recents:
        cout = compter(recent.contenu)
        if cout > budget:
            break
        budget -= cout
        gardes.append(recent)
    return gardes[::-1], budget
