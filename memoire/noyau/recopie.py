"""Reconnaître un texte qui n'est pas un souvenir : la recopie d'un message, une donnée globale déguisée (LT-06)."""

import re
import unicodedata
from collections.abc import Iterable

MOTS_COMMUNS = 12
_MOT = re.compile(r"[^\W_]+")
_GLOBALE = re.compile(
    # Un énoncé entier : « est niveau 12 », « a le grade de lieutenant ». Un niveau de jeu réussi reste un exploit.
    r"^(?!.*\b(?:battu|fini|finit|reussi|reussit|termine|gagne)\b)(?:\w+ ){0,4}"
    r"(?:niveau|level|lvl|rang|grade)(?: (?:est|actuel|a|de|au))*(?: \w+)?$"
    r"|\b\d+ (?:xp|exp|points? d experience|succes)\b|\b(?:xp|exp) (?:est |a |de )?\d+\b"
    r"|^(?:\w+ ){0,2}(?:statut|proximite|confiance relationnelle)\b(?: \S+){0,4}$"
)


def mots(texte: str) -> list[str]:
    """Les mots d'un texte, sans casse, accents, ponctuation ni caractères invisibles, qui en couperaient un en deux."""
    plat = unicodedata.normalize("NFKD", texte.casefold())
    return _MOT.findall("".join(c for c in plat if not unicodedata.combining(c) and unicodedata.category(c) != "Cf"))


def recopie(texte: str, sources: Iterable[str]) -> bool:
    """Vrai si le texte reprend mot pour mot un message source : entier s'il compte plus de douze mots, ou par douze
    mots consécutifs."""
    siens = mots(texte)
    suites = {tuple(siens[i : i + MOTS_COMMUNS]) for i in range(len(siens) - MOTS_COMMUNS + 1)}
    for source in sources:
        autres = mots(source)
        if any(tuple(autres[i : i + MOTS_COMMUNS]) in suites for i in range(len(autres) - MOTS_COMMUNS + 1)):
            return True
    return False


def meme_sens(un: str, autre: str) -> bool:
    """Vrai si deux textes ont les mêmes mots dans le même ordre, à la casse et aux accents près."""
    return mots(un) == mots(autre)


def donnee_globale(texte: str) -> bool:
    """Vrai si le texte énonce un niveau, un grade, de l'XP ou un statut : une donnée actuelle, jamais un souvenir."""
    return bool(_GLOBALE.search(" ".join(mots(texte))))
