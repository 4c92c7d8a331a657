"""Décisions récentes du Noyau : des nombres par effet, motif, origine et catégorie. Ni texte, ni Personne."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db.models import Sum

from memoire.models import DecisionNoyau
from memoire.selectors.tableau import tranche

PERIODES = {"24h": timedelta(hours=24), "7j": timedelta(days=7)}
"""Périodes lisibles, tranche d'une heure en cours comprise ; au-delà de sept jours, plus rien n'est gardé."""
ECRITURES = frozenset({"accepte", "remplace"})


@dataclass(frozen=True, slots=True)
class Critere:
    """Ce qui est lu ; vide : tout."""

    periode: str = "24h"
    origine: str = ""
    categorie: str = ""


@dataclass(slots=True)
class Compte:
    """Une origine ou une catégorie : ce qu'elle a soumis, ce qui a été écrit, refusé, et le reste."""

    code: str
    total: int = 0
    ecrits: int = 0
    refuses: int = 0

    @property
    def autres(self) -> int:
        """Ni écrit ni refusé : en attente, renforcé, affaibli, conservé, déjà compté."""
        return self.total - self.ecrits - self.refuses


@dataclass(slots=True)
class Bilan:
    """Les décisions d'une période, du plus fréquent au plus rare."""

    total: int = 0
    effets: Counter[str] = field(default_factory=Counter)
    motifs: Counter[str] = field(default_factory=Counter)
    origines: dict[str, Compte] = field(default_factory=dict)
    categories: dict[str, Compte] = field(default_factory=dict)

    @property
    def refuses(self) -> int:
        return self.motifs.total()


def debut(periode: str, maintenant: datetime) -> datetime:
    """Début de la première tranche de la période."""
    return tranche(maintenant) - PERIODES[periode] + timedelta(hours=1)


def bilan(critere: Critere, maintenant: datetime) -> Bilan:
    """Le bilan de ce que le critère retient."""
    lignes = DecisionNoyau.objects.filter(heure__gte=debut(critere.periode, maintenant))
    if critere.origine:
        lignes = lignes.filter(origine=critere.origine)
    if critere.categorie:
        lignes = lignes.filter(categorie=critere.categorie)
    rendu = Bilan()
    groupes = lignes.values_list("effet", "motif", "origine", "categorie").annotate(n=Sum("nombre")).order_by()
    for effet, motif, origine, categorie, nombre in groupes:
        rendu.total += nombre
        rendu.effets[effet] += nombre
        if effet == "refuse":
            rendu.motifs[motif] += nombre
        _ajouter(rendu.origines, origine, effet, nombre)
        _ajouter(rendu.categories, categorie, effet, nombre)
    return rendu


def _ajouter(comptes: dict[str, Compte], code: str, effet: str, nombre: int) -> None:
    compte = comptes.setdefault(code, Compte(code))
    compte.total += nombre
    compte.ecrits += nombre if effet in ECRITURES else 0
    compte.refuses += nombre if effet == "refuse" else 0
