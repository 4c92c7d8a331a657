"""Vigilances qu'un Super administrateur doit trancher : tout, sauf le texte et la Personne (SE-12, DR-07)."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import F, QuerySet

from memoire.models import Proposition

LIMITE = 50


@dataclass(frozen=True, slots=True)
class Vigilance:
    """Ce qui s'en montre sans la révéler."""

    pk: int
    categorie: str
    corrige: str
    origine: str
    plateforme: str
    visibilite: str
    sensible: str
    regle: str
    creee_le: datetime
    expire_a: datetime


CHAMPS = tuple(Vigilance.__dataclass_fields__)


def a_trancher(maintenant: datetime) -> list[Vigilance]:
    """Les cinquante plus proches de leur terme."""
    return [_lue(ligne) for ligne in ouvertes(maintenant).order_by("expire_a", "pk").values_list(*CHAMPS)[:LIMITE]]


def une(proposition_id: int, maintenant: datetime) -> Vigilance | None:
    """Celle-ci, ou None si elle n'est plus à trancher."""
    ligne = ouvertes(maintenant).filter(pk=proposition_id).values_list(*CHAMPS).first()
    return _lue(ligne) if ligne else None


def nombre(maintenant: datetime) -> int:
    """Combien attendent."""
    return ouvertes(maintenant).count()


def prochaine_echeance(maintenant: datetime) -> datetime | None:
    """Terme de la plus pressée ; None si rien n'attend."""
    return ouvertes(maintenant).order_by("expire_a").values_list("expire_a", flat=True).first()


def ouvertes(maintenant: datetime) -> QuerySet[Proposition]:
    """Ni échues, ni rendues caduques par un oubli ou une fusion."""
    return Proposition.objects.filter(valide_par="sa", expire_a__gt=maintenant, epoque=F("identite__epoque"))


def _lue(ligne: tuple[object, ...]) -> Vigilance:
    return Vigilance(*ligne)  # type: ignore[arg-type]
