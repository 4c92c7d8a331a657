"""Espaces, avec ce qui y entre et ce qui en est exclu."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, QuerySet

from horizon.models import Espace
from horizon.noyau.motifs import PLATEFORMES
from memoire.models import Interaction
from memoire.selectors import tableau

ECHANGE_PRIVE = {"visibilite": Espace.Visibilite.PRIVE, "configuration": Espace.Configuration.INCONNU}


@dataclass(frozen=True, slots=True)
class LigneEspace:
    """Un espace et sa journée. `etat` : `memorise`, `ferme`, `retire` ou `inconnu`."""

    espace: Espace
    etat: str
    dernier: datetime | None
    exclusions: list[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class EspacesDePlateforme:
    """Les espaces d'une plateforme, et le nombre d'échanges privés, qui ne sont jamais listés."""

    plateforme: str
    lignes: list[LigneEspace]
    prives: int


def par_plateforme(*, depuis: datetime) -> list[EspacesDePlateforme]:
    """Espaces configurés, retirés ou vus en public, par plateforme ; exclusions comptées depuis `depuis`."""
    lignes = _lignes(_listables(), depuis)
    return [EspacesDePlateforme(p, [x for x in lignes if x.espace.plateforme == p], _prives(p)) for p in PLATEFORMES]


def ligne(espace_id: int, *, depuis: datetime) -> LigneEspace | None:
    """Un seul espace de la liste, ou None s'il n'y figure pas."""
    return next(iter(_lignes(_listables().filter(pk=espace_id), depuis)), None)


def vivantes_dans(espace_id: int, maintenant: datetime) -> int:
    """Nombre d'interactions encore vivantes dans un espace."""
    return Interaction.objects.filter(
        espace_id=espace_id, etat=Interaction.Etat.VIVANTE, expire_a__gt=maintenant
    ).count()


def _listables() -> QuerySet[Espace]:
    """Un échange privé que personne n'a configuré n'est pas un lieu à administrer : le lister dirait qui écrit. Un fil
    suit son salon."""
    fils = ~Q(parent_externe="") & Q(configuration=Espace.Configuration.INCONNU)
    return Espace.objects.exclude(**ECHANGE_PRIVE).exclude(fils).order_by("plateforme", "nom", "externe_id")


def _prives(plateforme: str) -> int:
    return Espace.objects.filter(plateforme=plateforme, parent_externe="", **ECHANGE_PRIVE).count()


def _lignes(espaces: QuerySet[Espace], depuis: datetime) -> list[LigneEspace]:
    exclusions = tableau.exclusions_par_espace(depuis)
    dernieres = tableau.dernieres_entrees()
    return [LigneEspace(e, _etat(e), dernieres.get(e.pk), exclusions.get(e.pk, [])) for e in espaces]


def _etat(espace: Espace) -> str:
    memorise = espace.configuration == Espace.Configuration.MEMORISE
    return "ferme" if memorise and espace.ferme_le is not None else espace.configuration
