"""Ménage des fondations : réponses gardées expirées, anciens pseudonymes, Identités et espaces vides (ID-05, ID-08)."""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Max, Q

from horizon import participants
from horizon.models import Battement, Compte, Espace, Identite, Livraison, Pause, ReponseGardee, Utilisateur
from horizon.parametres import IDENTITE_OUBLIEE
from horizon.selectors import parametres
from horizon.services import oublis
from horizon.services.identites import effacer_anciens_pseudonymes

LOT = 500
PERIODE = timedelta(hours=1)
"""Chercher ce qui est vide parcourt des tables entières : une fois par heure suffit à des délais en jours."""


def purger(maintenant: datetime) -> None:
    """Une passe de ménage ; la recherche de ce qui est vide n'a lieu qu'une fois par heure."""
    ReponseGardee.objects.filter(expire_a__lte=maintenant).delete()
    Livraison.objects.filter(expire_a__lte=maintenant).delete()
    oublis.menage(maintenant)
    effacer_anciens_pseudonymes()
    dernier = Battement.objects.filter(nom="menage").values_list("vu_le", flat=True).first()
    if dernier is None or abs(maintenant - dernier) >= PERIODE:
        supprimer_identites_vides(maintenant)
        supprimer_espaces_vides()
        Battement.objects.update_or_create(nom="menage", defaults={"vu_le": maintenant})


def identites_tenues(identites: Iterable[UUID]) -> set[UUID]:
    """Identités qu'une pause ou un accès au Poste oblige à garder."""
    liste = list(identites)
    pauses = Pause.objects.filter(identite_id__in=liste).values_list("identite_id", flat=True)
    acces = Utilisateur.objects.filter(identite_id__in=liste).values_list("identite_id", flat=True)
    return {*pauses, *(a for a in acces if a)}


def supprimer_identites_vides(maintenant: datetime) -> int:
    """Supprime les Identités non revendiquées, muettes depuis le délai, que rien ne détient plus (ID-08)."""
    limite = maintenant - timedelta(days=parametres.valeur(IDENTITE_OUBLIEE))
    return sum(_supprimer_lot(muettes, limite) for muettes in _muettes(limite))


def _muettes(limite: datetime) -> Iterator[list[UUID]]:
    """Lots d'Identités non revendiquées muettes, par clé croissante : un lot tenu n'arrête pas les suivants."""
    apres = UUID(int=0)
    while lot := list(
        Identite.objects.filter(revendiquee_le__isnull=True, creee_le__lt=limite, pk__gt=apres)
        .annotate(derniere=Max("comptes__derniere_interaction"))
        .filter(Q(derniere__isnull=True) | Q(derniere__lt=limite))
        .order_by("pk")
        .values_list("pk", flat=True)[:LOT]
    ):
        apres = lot[-1]
        yield lot


def _supprimer_lot(muettes: list[UUID], limite: datetime) -> int:
    """Sous le verrou exclusif des comptes, qui arrête l'ingestion le temps de revérifier ; un compte tenu par un
    message en cours d'arrivée garde son Identité."""
    with transaction.atomic():
        comptes = list(
            Compte.objects.select_for_update(skip_locked=True).filter(identite_id__in=muettes).order_by("pk")
        )
        recents = {c.identite_id for c in comptes if c.derniere_interaction and c.derniere_interaction >= limite}
        libres = {pk for pk in muettes if pk not in recents} - participants.detenues(muettes)
        vus = {c.pk for c in comptes}
        echappes = Compte.objects.filter(identite_id__in=libres).exclude(pk__in=vus)
        libres -= {pk for pk in echappes.values_list("identite_id", flat=True) if pk}
        supprimees = Identite.objects.filter(pk__in=libres, revendiquee_le__isnull=True).delete()[1]
        return supprimees.get("horizon.Identite", 0)


def supprimer_espaces_vides() -> int:
    """Supprime les espaces non configurés auxquels plus rien n'est attaché : un échange privé éteint ne laisse pas
    la trace de qui parlait. Un fil garde sa ligne : elle seule dit de quel salon il dépend."""
    effaces, apres = 0, 0
    while lot := list(
        Espace.objects.filter(
            configuration=Espace.Configuration.INCONNU, parent_externe="", pauses__isnull=True, pk__gt=apres
        )
        .order_by("pk")
        .values_list("pk", flat=True)[:LOT]
    ):
        apres = lot[-1]
        with transaction.atomic():
            verrouilles = list(
                Espace.objects.select_for_update(skip_locked=True).filter(pk__in=lot).values_list("pk", flat=True)
            )
            tenus = set().union(*(p.tient_espaces(verrouilles) for p in participants.tous()))
            effaces += (
                Espace.objects.filter(pk__in=set(verrouilles) - tenus, pauses__isnull=True)
                .delete()[1]
                .get("horizon.Espace", 0)
            )
    return effaces
