"""Modèles de la mémoire à court terme."""

from memoire.models.court import Barriere, CompteurEntree, Interaction

__all__ = ["Barriere", "CompteurEntree", "Interaction"]
