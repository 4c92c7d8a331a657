"""Ce qui entre, ce qui est exclu, ce qui va expirer : des nombres par plateforme, jamais additionnés entre elles."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Max, Min, Sum

from horizon.noyau.motifs import PLATEFORMES
from memoire.models import CompteurEntree, Interaction

HEURES = 24


@dataclass(slots=True)
class Entrees:
    """Une plateforme sur vingt-quatre tranches d'une heure, la dernière étant l'heure en cours."""

    plateforme: str
    par_heure: list[int] = field(default_factory=lambda: [0] * HEURES)
    statuts: Counter[str] = field(default_factory=Counter)
    motifs: Counter[str] = field(default_factory=Counter)
    dernier: datetime | None = None
    vivantes: int = 0
    prochaine: datetime | None = None

    @property
    def heure_en_cours(self) -> int:
        return self.par_heure[-1]

    @property
    def memorises(self) -> int:
        return self.statuts["memorise"]

    @property
    def exclus(self) -> int:
        return self.statuts["exclu"]

    @property
    def recus(self) -> int:
        """Éléments reçus, quel qu'en soit le sort."""
        return self.statuts.total()

    @property
    def motifs_tries(self) -> list[tuple[str, int]]:
        return self.motifs.most_common()

    @property
    def statuts_tries(self) -> list[tuple[str, int]]:
        return self.statuts.most_common()


def entrees(maintenant: datetime) -> list[Entrees]:
    """Les entrées de chaque plateforme, celles sans aucune entrée comprises, dans un ordre fixe."""
    par_plateforme = {p: Entrees(p) for p in PLATEFORMES}
    for ligne in _compteurs(debut_de_fenetre(maintenant)):
        if cible := par_plateforme.get(ligne["plateforme"]):
            _ajouter(cible, ligne, maintenant)
    for ligne in _vivantes(maintenant):
        cible = par_plateforme[ligne["plateforme"]]
        cible.vivantes, cible.prochaine = ligne["nombre"], ligne["prochaine"]
    return list(par_plateforme.values())


def debut_de_fenetre(maintenant: datetime) -> datetime:
    """Début de la première des vingt-quatre tranches."""
    return tranche(maintenant) - timedelta(hours=HEURES - 1)


def tranche(maintenant: datetime) -> datetime:
    """Début de l'heure en cours (les compteurs sont tenus par heure)."""
    return maintenant.replace(minute=0, second=0, microsecond=0)


def _compteurs(depuis: datetime) -> Iterable[Mapping[str, Any]]:
    lignes = CompteurEntree.objects.filter(heure__gte=depuis).values("plateforme", "heure", "statut", "motif")
    return lignes.annotate(total=Sum("nombre"), vu=Max("dernier")).order_by()


def _vivantes(maintenant: datetime) -> Iterable[Mapping[str, Any]]:
    vivantes = Interaction.objects.filter(etat=Interaction.Etat.VIVANTE, expire_a__gt=maintenant)
    return vivantes.values("plateforme").annotate(nombre=Count("pk"), prochaine=Min("expire_a")).order_by()


def _ajouter(cible: Entrees, ligne: Mapping[str, Any], maintenant: datetime) -> None:
    statut, total = ligne["statut"], ligne["total"]
    cible.statuts[statut] += total
    if cible.dernier is None or ligne["vu"] > cible.dernier:
        cible.dernier = ligne["vu"]
    if statut == "exclu":
        cible.motifs[ligne["motif"]] += total
    if statut == "memorise":
        rang = int((ligne["heure"] - debut_de_fenetre(maintenant)).total_seconds() // 3600)
        if 0 <= rang < HEURES:
            cible.par_heure[rang] += total


def exclusions_par_espace(depuis: datetime) -> dict[int, list[tuple[str, int]]]:
    """Par espace, les motifs d'exclusion depuis `depuis`, du plus fréquent au plus rare."""
    comptes: defaultdict[int, Counter[str]] = defaultdict(Counter)
    lignes = CompteurEntree.objects.filter(heure__gte=depuis, statut="exclu", espace__isnull=False)
    for espace, motif, total in lignes.values_list("espace_id", "motif").annotate(total=Sum("nombre")).order_by():
        comptes[espace][motif] += total
    return {espace: compte.most_common() for espace, compte in comptes.items()}


def dernieres_entrees() -> dict[int, datetime]:
    """Par espace, l'instant du dernier message mémorisé encore compté."""
    lignes = CompteurEntree.objects.filter(statut="memorise", espace__isnull=False)
    return dict(lignes.values_list("espace_id").annotate(vu=Max("dernier")).order_by())
