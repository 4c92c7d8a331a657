"""Charges natives : ce que Twitch et Discord envoient, ramené aux événements neutres. Python pur.

Les formes lues sont tolérantes (un champ inconnu est sauté sans être gardé) mais strictes sur ce qu'elles lisent : un
identifiant passé en nombre est une faute, pas une conversion. Un type absent de la liste blanche n'est pas lu du tout.
"""

from dataclasses import dataclass, field
from typing import Literal

from msgspec import Struct

from horizon.noyau.evenements import Espace, Identifiant, Recu


class Etiquette(Struct, frozen=True):
    """Ce que le bot dit d'un message de P.O.U.B.E.L.L.E., que la charge native ne dit pas (CT-19)."""

    nature: Literal["conversation", "commande", "annonce", "systeme"] | None = None
    interlocuteur: Identifiant | None = None
    reponse_a: Identifiant | None = None


SANS_ETIQUETTE = Etiquette()


@dataclass(frozen=True, slots=True)
class Fil:
    """Un fil et le salon où il est né : de quoi savoir s'il est mémorisable."""

    id: str
    parent: str
    prive: bool


@dataclass(slots=True)
class Traduction:
    """Une charge ramenée au neutre ; rien : la charge est sans effet.

    `banni` : compte à purger dans tous les espaces publics de la plateforme. `salon_supprime` : espace à vider avec ses
    fils. Ces deux-là demandent de connaître les espaces, ce que la traduction ignore.
    """

    evenements: list[Recu] = field(default_factory=list)
    fils: list[Fil] = field(default_factory=list)
    banni: str | None = None
    salon_supprime: Espace | None = None


class ChargeFautive(Exception):
    """La charge n'a pas ce que son type exige ; `chemin` : le champ en cause, jamais sa valeur."""

    def __init__(self, chemin: str) -> None:
        super().__init__("charge_fautive")
        self.chemin = chemin
