"""Ménage des fondations : réponses gardées expirées, anciens pseudonymes, Identités sans donnée (ID-05, ID-08)."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Max, Q

from horizon import participants
from horizon.models import Compte, Espace, Identite, Livraison, Pause, ReponseGardee, Utilisateur
from horizon.parametres import IDENTITE_OUBLIEE
from horizon.selectors import parametres
from horizon.services.identites import effacer_anciens_pseudonymes

LOT = 500


def purger(maintenant: datetime) -> None:
    """Une passe de ménage, bornée."""
    ReponseGardee.objects.filter(expire_a__lte=maintenant).delete()
    Livraison.objects.filter(expire_a__lte=maintenant).delete()
    effacer_anciens_pseudonymes()
    supprimer_identites_vides(maintenant)


def identites_tenues(identites: Iterable[UUID]) -> set[UUID]:
    """Identités qu'une pause ou un accès au Poste oblige à garder."""
    liste = list(identites)
    pauses = Pause.objects.filter(identite_id__in=liste).values_list("identite_id", flat=True)
    acces = Utilisateur.objects.filter(identite_id__in=liste).values_list("identite_id", flat=True)
    return {*pauses, *(a for a in acces if a)}


def supprimer_identites_vides(maintenant: datetime) -> int:
    """Supprime les Identités non revendiquées, muettes depuis le délai, que rien ne détient plus (ID-08)."""
    limite = maintenant - timedelta(days=parametres.valeur(IDENTITE_OUBLIEE))
    muettes = list(
        Identite.objects.filter(revendiquee_le__isnull=True, creee_le__lt=limite)
        .annotate(derniere=Max("comptes__derniere_interaction"))
        .filter(Q(derniere__isnull=True) | Q(derniere__lt=limite))
        .order_by("pk")
        .values_list("pk", flat=True)[:LOT]
    )
    if not muettes:
        return 0
    with transaction.atomic():
        # Le verrou exclusif des comptes arrête l'ingestion le temps de revérifier : un message arrivé entre-temps tient
        # son compte, et l'Identité reste.
        comptes = list(
            Compte.objects.select_for_update(skip_locked=True).filter(identite_id__in=muettes).order_by("pk")
        )
        recents = {c.identite_id for c in comptes if c.derniere_interaction and c.derniere_interaction >= limite}
        libres = {pk for pk in muettes if pk not in recents} - participants.detenues(muettes)
        vus = {c.pk for c in comptes}
        verrouilles = set(
            Compte.objects.filter(identite_id__in=libres).exclude(pk__in=vus).values_list("identite_id", flat=True)
        )
        libres -= {pk for pk in verrouilles if pk}
        Espace.objects.filter(
            interlocuteur__identite_id__in=libres, configuration=Espace.Configuration.INCONNU
        ).delete()
        return (
            Identite.objects.filter(pk__in=libres, revendiquee_le__isnull=True).delete()[1].get("horizon.Identite", 0)
        )
