"""Projeter des récents dans un budget : les plus anciens partent d'abord (DV-11). Python pur."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from horizon.noyau.jetons import compter
from memoire.noyau.confiance import certitude


@dataclass(frozen=True, slots=True)
class Recent:
    """Un échange projetable, né dans l'espace de destination."""

    contenu: str
    auteur: str
    emis_le: datetime
    reponse_a: str | None


@dataclass(frozen=True, slots=True)
class SouvenirLu:
    """Un souvenir projetable, avec ce dont se tire sa certitude."""

    categorie: str
    contenu: str
    confiance: int
    contradictions: int


def tenir_souvenirs(lus: Iterable[SouvenirLu], budget: int) -> tuple[list[dict[str, str]], int]:
    """Les plus sûrs d'abord, tant que le budget tient ; rendus sans aucun nombre interne (DV-13)."""
    gardes: list[dict[str, str]] = []
    for lu in lus:
        cout = compter(lu.contenu)
        if cout <= budget:
            budget -= cout
            gardes.append(
                {
                    "categorie": lu.categorie,
                    "contenu": lu.contenu,
                    "certitude": certitude(lu.confiance, lu.contradictions),
                    "usage": "exprimable",
                }
            )
    return gardes, budget


def tenir_hypotheses(textes: Iterable[str], budget: int) -> tuple[list[dict[str, str]], int]:
    """Les plus récentes d'abord, pour le ton seulement (CT-10)."""
    gardes: list[dict[str, str]] = []
    for texte in textes:
        cout = compter(texte)
        if cout <= budget:
            budget -= cout
            gardes.append({"texte": texte, "usage": "ton"})
    return gardes, budget


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


def dire_recent(recent: Recent) -> dict[str, object]:
    """Un récent tel que le contexte le rend."""
    return {
        "contenu": recent.contenu,
        "auteur": recent.auteur,
        "origine": "ici",
        "instant": recent.emis_le,
        "reponse_a": recent.reponse_a,
        "usage": "exprimable",
    }
