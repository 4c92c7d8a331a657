"""Lectures des observations."""

from collections.abc import Collection
from uuid import UUID

from statistiques.models import Observation


def identites_observees(identites: Collection[UUID]) -> set[UUID]:
    """Identités de la liste dont une observation est encore en table, même sortie de la fenêtre."""
    lignes = Observation.objects.filter(identite_id__in=list(identites))
    return set(lignes.values_list("identite_id", flat=True).distinct())
