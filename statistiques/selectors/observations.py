"""Lectures des observations."""

from collections.abc import Collection
from uuid import UUID

from statistiques.models import Observation


def identites_observees(identites: Collection[UUID]) -> set[UUID]:
    """Identités de la liste dont une observation est encore en table, même sortie de la fenêtre."""
    lignes = Observation.objects.filter(identite_id__in=list(identites))
    return set(lignes.values_list("identite_id", flat=True).distinct())


def nombre_d_observations(identite: UUID) -> int:
    """Instants observés d'une Identité, toutes mesures et plateformes confondues : ce qu'un oubli effacerait."""
    lignes = Observation.objects.filter(identite=identite).values_list("instants__len", flat=True)
    return sum(nombre or 0 for nombre in lignes)
