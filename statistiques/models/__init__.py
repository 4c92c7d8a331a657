"""Modèles des statistiques : observations sans contenu, marques d'unicité, directs."""

from statistiques.models.directs import Direct
from statistiques.models.observations import Marque, Observation

__all__ = ["Direct", "Marque", "Observation"]
