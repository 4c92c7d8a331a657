"""Modèles de la mémoire : à court terme (`court`), à long terme (`longue`)."""

from memoire.models.court import Barriere, CompteurEntree, Interaction
from memoire.models.longue import (
    DecisionNoyau,
    Hypothese,
    LibelleCategorie,
    Proposition,
    Source,
    Souvenir,
    Temoin,
    VerrouOubli,
)

__all__ = [
    "Barriere",
    "CompteurEntree",
    "DecisionNoyau",
    "Hypothese",
    "Interaction",
    "LibelleCategorie",
    "Proposition",
    "Source",
    "Souvenir",
    "Temoin",
    "VerrouOubli",
]
