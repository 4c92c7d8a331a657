"""Une faute de frappe dans un mot fort : une lettre en moins, en trop, changée ou échangée. Au plus une vigilance."""

from collections.abc import Iterator
from functools import lru_cache

LONGUEUR = 6
"""Lettres d'un radical assez long pour qu'une faute ne le confonde pas avec un mot courant."""


def _amputes(mot: str) -> Iterator[str]:
    """Le mot, puis le mot privé de chacune de ses lettres sauf la première : fauter sur l'initiale change de mot."""
    yield mot
    for rang in range(1, len(mot)):
        yield mot[:rang] + mot[rang + 1 :]


@lru_cache(maxsize=2)
def _index(radicaux: frozenset[str]) -> frozenset[str]:
    return frozenset(ampute for radical in radicaux if len(radical) >= LONGUEUR for ampute in _amputes(radical))


def _longueurs(mot: str) -> range:
    return range(LONGUEUR - 1, len(mot) + 1)


def radical_approche(mot: str, radicaux: frozenset[str]) -> bool:
    """Vrai si le début de `mot` est à une faute d'un radical fort, sans en être un."""
    if len(mot) <= LONGUEUR or not mot.isalpha():
        return False
    index = _index(radicaux)
    return any(_proche(mot[:longueur], index) for longueur in _longueurs(mot))


def _proche(debut: str, index: frozenset[str]) -> bool:
    return debut in index or any(ampute in index for ampute in _amputes(debut))
