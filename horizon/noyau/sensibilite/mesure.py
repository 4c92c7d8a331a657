"""Mesurer le garde sur un jeu étiqueté : matrice, taux avec intervalles de Wilson, latence (SE-09)."""

import math
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass

from horizon.noyau.sensibilite.avis import Avis, Verdict
from horizon.noyau.sensibilite.jeux import Exemple

_Z = 1.959963984540054
_TAUX = {
    "refus": ("refus", "refus"),
    "fuite": ("refus", "admis"),
    "faux_refus": ("admis", "refus"),
    "friction": ("admis", "vigilance"),
    "vigilance_manquee": ("vigilance", "admis"),
}
"""Nom du taux → (décision attendue, décision rendue)."""


@dataclass(frozen=True, slots=True)
class Taux:
    """Une proportion, en pour cent, et son intervalle de Wilson à 95 %. Sans cas, tout vaut zéro."""

    pourcentage: float
    bas: float
    haut: float
    nombre: int
    total: int


def wilson(nombre: int, total: int) -> Taux:
    """Le taux `nombre / total` et son intervalle."""
    if not total:
        return Taux(0.0, 0.0, 0.0, 0, 0)
    part, z2 = nombre / total, _Z * _Z / total
    centre = (part + z2 / 2) / (1 + z2)
    rayon = _Z * math.sqrt(part * (1 - part) / total + z2 / (4 * total)) / (1 + z2)
    bas, haut = max(0.0, centre - rayon), min(1.0, centre + rayon)
    return Taux(round(100 * part, 2), round(100 * bas, 2), round(100 * haut, 2), nombre, total)


@dataclass(frozen=True, slots=True)
class Epreuve:
    """Un exemple, l'avis rendu, et le temps mis, en millisecondes."""

    exemple: Exemple
    avis: Avis
    duree_ms: float


def eprouver(exemples: Iterable[Exemple], examiner: Callable[[str], Avis]) -> list[Epreuve]:
    """Examine chaque exemple, dans l'ordre."""
    epreuves = []
    for exemple in exemples:
        debut = time.perf_counter()
        avis = examiner(exemple.texte)
        epreuves.append(Epreuve(exemple, avis, 1000 * (time.perf_counter() - debut)))
    return epreuves


def _matrice(epreuves: Iterable[Epreuve]) -> dict[str, dict[str, int]]:
    comptes = Counter((str(e.exemple.decision), str(e.avis.decision)) for e in epreuves)
    return {str(a): {str(r): comptes[str(a), str(r)] for r in Verdict} for a in Verdict}


def taux(epreuves: Iterable[Epreuve]) -> dict[str, Taux]:
    """Les cinq taux du contrat."""
    matrice = _matrice(epreuves)
    return {
        nom: wilson(matrice[attendue][rendue], sum(matrice[attendue].values()))
        for nom, (attendue, rendue) in _TAUX.items()
    }


def _par_categorie(epreuves: Iterable[Epreuve]) -> dict[str, dict[str, object]]:
    groupes: dict[str, list[Epreuve]] = defaultdict(list)
    for epreuve in epreuves:
        if epreuve.exemple.decision is Verdict.REFUS and epreuve.exemple.categorie:
            groupes[epreuve.exemple.categorie].append(epreuve)
    return {nom: _categorie(nom, groupe) for nom, groupe in sorted(groupes.items())}


def _categorie(nom: str, groupe: Sequence[Epreuve]) -> dict[str, object]:
    refuses = [e for e in groupe if e.avis.decision is Verdict.REFUS]
    fuites = sum(e.avis.decision is Verdict.ADMIS for e in groupe)
    nommes = sum(e.avis.categorie == nom for e in refuses)
    return {
        "total": len(groupe),
        "refus": asdict(wilson(len(refuses), len(groupe))),
        "fuite": asdict(wilson(fuites, len(groupe))),
        "categorie_juste": asdict(wilson(nommes, len(refuses))),
    }


def _par_difficulte(epreuves: Iterable[Epreuve]) -> dict[str, dict[str, float]]:
    groupes: dict[str, list[Epreuve]] = defaultdict(list)
    for epreuve in epreuves:
        if epreuve.exemple.difficulte:
            groupes[epreuve.exemple.difficulte].append(epreuve)
    return {
        nom: {cle: valeur.pourcentage for cle, valeur in taux(groupe).items()} | {"total": len(groupe)}
        for nom, groupe in sorted(groupes.items())
    }


def _latence(epreuves: Sequence[Epreuve]) -> dict[str, float]:
    durees = sorted(e.duree_ms for e in epreuves) or [0.0]

    def quantile(part: float) -> float:
        return round(durees[min(len(durees) - 1, math.ceil(part * len(durees)) - 1)], 3)

    return {"mediane": quantile(0.5), "p95": quantile(0.95), "max": round(durees[-1], 3)}


def _fautifs(epreuves: Iterable[Epreuve]) -> dict[str, list[str]]:
    return {
        nom: [e.exemple.id for e in epreuves if (str(e.exemple.decision), str(e.avis.decision)) == (attendue, rendue)]
        for nom, (attendue, rendue) in {**_TAUX, "refus": ("refus", "vigilance")}.items()
    }


def rapport(epreuves: Sequence[Epreuve], version: str) -> dict[str, object]:
    """Le rapport entier, prêt pour JSON. Des identifiants, jamais une phrase.

    Les cinq taux sont des pourcentages ; `intervalles` donne leurs bornes de Wilson à 95 %. `fautifs` : identifiants,
    par sorte d'erreur (`retenus` : un interdit arrêté en vigilance au lieu d'être refusé).
    """
    mesures = taux(epreuves)
    fautifs = _fautifs(epreuves)
    return {
        "version": version,
        "total": len(epreuves),
        "matrice": _matrice(epreuves),
        **{nom: valeur.pourcentage for nom, valeur in mesures.items()},
        "intervalles": {nom: [valeur.bas, valeur.haut] for nom, valeur in mesures.items()},
        "effectifs": {nom: [valeur.nombre, valeur.total] for nom, valeur in mesures.items()},
        "par_categorie": _par_categorie(epreuves),
        "par_difficulte": _par_difficulte(epreuves),
        "latence_ms": _latence(epreuves),
        "fautifs": {"retenus": fautifs.pop("refus"), **fautifs},
    }
