"""L'entraînement du modèle, en Python pur : mêmes phrases, mêmes poids, à l'octet près.

Une régression à trois classes apprise par descente AdaGrad, exemples dans un ordre fixe tiré d'une graine. Rien ici ne
tourne en production : `manage.py entrainer_sensibilite` écrit `donnees/modele.json`, que `modele.py` relit.
"""

import math
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from horizon.noyau.sensibilite.regles import reglement
from horizon.noyau.sensibilite.traits import familles
from horizon.noyau.sensibilite.vues import demasquer

GRAINE = 20261201
PASSES = 12
ELAN = 0.5
PAS = 0.01
RARETE = 2
MARGE = 6
TAILLE_CATEGORIE = 400

CLASSES = ("admis", "vigilance", "refus")


@dataclass(frozen=True, slots=True)
class Phrase:
    """Un exemple étiqueté. `auteur` : le fichier d'où il vient, pour juger sur un auteur laissé de côté."""

    texte: str
    decision: str
    categorie: str = ""
    auteur: str = ""


Vecteur = list[tuple[list[int], float]]


def traits_de(texte: str) -> tuple[set[str], set[str], set[str]]:
    """Les familles de traits d'un texte, comme le moteur les calcule."""
    jetons = demasquer(texte)
    return familles(jetons, reglement().chercher(jetons))


def vocabulaire(textes: Iterable[Iterable[set[str]]]) -> dict[str, int]:
    """Les traits vus dans au moins `RARETE` textes, numérotés dans l'ordre alphabétique."""
    comptes = Counter(trait for groupes in textes for groupe in groupes for trait in groupe)
    return {trait: rang for rang, trait in enumerate(sorted(t for t, n in comptes.items() if n >= RARETE))}


def vectoriser(groupes: Iterable[set[str]], rangs: dict[str, int]) -> Vecteur:
    """Par famille : les rangs connus, triés, et la norme de la famille."""
    return [
        (sorted(rangs[trait] for trait in groupe if trait in rangs), 1 / math.sqrt(len(groupe) or 1))
        for groupe in groupes
    ]


def _parts(notes: Sequence[float]) -> list[float]:
    haut = max(notes)
    exponentielles = [math.exp(note - haut) for note in notes]
    total = sum(exponentielles)
    return [part / total for part in exponentielles]


class Descente:
    """Les poids en cours d'apprentissage, une liste par classe."""

    def __init__(self, traits: int) -> None:
        self.poids = [[0.0] * traits for _ in CLASSES]
        self.carres = [[1e-2] * traits for _ in CLASSES]
        self.biais = [0.0] * len(CLASSES)

    def noter(self, vecteur: Vecteur) -> list[float]:
        """Une note par classe."""
        notes = list(self.biais)
        for rangs, norme in vecteur:
            for classe, poids in enumerate(self.poids):
                notes[classe] += norme * sum([poids[rang] for rang in rangs])
        return notes

    def corriger(self, vecteur: Vecteur, attendue: int, importance: float) -> None:
        """Un pas de descente sur un exemple."""
        parts = _parts(self.noter(vecteur))
        for classe, part in enumerate(parts):
            erreur = importance * (part - (classe == attendue))
            self.biais[classe] -= 0.02 * erreur
            poids, carres = self.poids[classe], self.carres[classe]
            for rangs, norme in vecteur:
                pente = erreur * norme
                carre = pente * pente
                for rang in rangs:
                    carres[rang] += carre
                    poids[rang] -= ELAN * pente / math.sqrt(carres[rang])


def apprendre(vecteurs: Sequence[Vecteur], classes: Sequence[int], traits: int) -> Descente:
    """Les poids après `PASSES` passages. Chaque classe pèse autant, quel que soit son nombre d'exemples."""
    effectifs = Counter(classes)
    importances = {classe: len(classes) / (len(CLASSES) * nombre) for classe, nombre in effectifs.items()}
    descente, ordre = Descente(traits), list(range(len(vecteurs)))
    hasard = random.Random(GRAINE)
    for _ in range(PASSES):
        hasard.shuffle(ordre)
        for rang in ordre:
            descente.corriger(vecteurs[rang], classes[rang], importances[classes[rang]])
    return descente
