"""Espaces atteints par un acte de la plateforme qui n'en nomme aucun, ou qui en emporte d'autres."""

from django.db.models import Q

from horizon.models import Espace


def fils_du_salon(plateforme: str, salon: str) -> list[str]:
    """Identifiants des fils connus d'un salon."""
    return list(
        Espace.objects.filter(plateforme=plateforme, parent_externe=salon)
        .order_by("externe_id")
        .values_list("externe_id", flat=True)
    )


def espaces_publics(plateforme: str) -> list[str]:
    """Identifiants des espaces publics où un message a pu être gardé : configurés un jour, ou fils d'un salon."""
    touches = ~Q(configuration=Espace.Configuration.INCONNU) | ~Q(parent_externe="")
    return list(
        Espace.objects.filter(touches, plateforme=plateforme, visibilite=Espace.Visibilite.PUBLIC)
        .order_by("externe_id")
        .values_list("externe_id", flat=True)
    )
