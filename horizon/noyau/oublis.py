"""Ce qu'un oubli vise, et comment il s'écrit au registre. Python pur (DR-02, DR-04, DR-10)."""

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from msgspec import Struct

NATURES = ("categorie", "message", "personne")
CONSEQUENCES = (
    "souvenirs",
    "propositions",
    "hypotheses",
    "interactions",
    "observations",
    "syntheses",
    "dossiers",
    "blocs",
)
"""Natures de données dont un oubli annonce le nombre, zéro compris : la réponse a la même forme pour tous."""


class Cible(Struct, frozen=True, omit_defaults=True):
    """Un oubli prononcé. `comptes` : (plateforme, identifiant externe) touchés ; `identite` nulle : inconnue.

    C'est aussi une ligne du registre : des identifiants et une date, aucun contenu.
    """

    acte: UUID
    le: datetime
    nature: str
    comptes: tuple[tuple[str, str], ...]
    identite: UUID | None = None
    categorie: str = ""
    plateforme: str = ""
    message_id: str = ""


def additionner(*comptes: Mapping[str, int]) -> dict[str, int]:
    """Somme par nature, toutes présentes."""
    total = dict.fromkeys(CONSEQUENCES, 0)
    for compte in comptes:
        for nature, nombre in compte.items():
            total[nature] += nombre
    return total
