"""Le modèle linéaire figé, lu en Python pur : deux poids entiers par trait, les seuils dans le même fichier.

Il ne voit que des traits, ne lit rien d'autre que `donnees/modele.json`, et ne sert qu'à durcir une décision.
"""

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from horizon.noyau.sensibilite.donnees import DOSSIER

FICHIER = "modele.json"


@dataclass(frozen=True, slots=True)
class Seuils:
    """Ce qui sépare les décisions, en probabilité. Écrits par l'entraînement, à côté des poids.

    `refus` : refusé ; `refus_designe` : refusé quand une règle forte, un tiers ou une rumeur désigne une catégorie ;
    `refus_fiction` : le même, quand la phrase parle aussi d'un jeu ou d'une fiction ;
    `soupcon` : probabilité de refus qui donne à une vigilance son soupçon ; `admis` : au-delà, plus admis ;
    `admis_sans_preuve` : au-delà, plus admis si rien d'inoffensif n'est reconnu ou si une règle contextuelle l'est.
    """

    refus: float
    refus_designe: float
    refus_fiction: float
    soupcon: float
    admis: float
    admis_sans_preuve: float


@dataclass(frozen=True, slots=True)
class Jugement:
    """Probabilités rendues par le modèle : `refus`, et `reserve` = tout sauf admis."""

    refus: float
    reserve: float


@dataclass(frozen=True)
class Modele:
    """`poids` : trait → (refus, vigilance), relatifs à admis, en multiples de `pas`."""

    pas: float
    biais: tuple[int, int]
    poids: dict[str, Sequence[int]]
    categories: dict[str, dict[str, int]]
    seuils: Seuils

    def juger(self, familles: Iterable[set[str]]) -> Jugement:
        """Le jugement d'un texte. Somme d'entiers par famille : le même nombre dans tous les ordres."""
        refus, vigilance = self.biais[0] * self.pas, self.biais[1] * self.pas
        for famille in familles:
            connus = [self.poids[trait] for trait in famille if trait in self.poids]
            norme = self.pas / math.sqrt(len(famille) or 1)
            refus += sum(poids[0] for poids in connus) * norme
            vigilance += sum(poids[1] for poids in connus) * norme
        haut = max(refus, vigilance, 0.0)
        parts = math.exp(-haut), math.exp(vigilance - haut), math.exp(refus - haut)
        total = sum(parts)
        return Jugement(refus=parts[2] / total, reserve=(parts[1] + parts[2]) / total)

    def designer(self, familles: Iterable[set[str]]) -> str:
        """La catégorie la plus proche d'un texte que le modèle refuse : une indication, pas une preuve."""
        notes = dict.fromkeys(sorted(self.categories), 0)
        for famille in familles:
            for categorie, poids in self.categories.items():
                notes[categorie] += sum(poids.get(trait, 0) for trait in famille)
        return max(notes, key=lambda categorie: notes[categorie], default="")


def lire_modele(brut: dict[str, Any]) -> Modele:
    """Le modèle que décrit ce JSON."""
    refus, vigilance = brut["biais"]
    return Modele(
        pas=brut["pas"],
        biais=(refus, vigilance),
        poids=brut["poids"],
        categories=brut["categories"],
        seuils=Seuils(**brut["seuils"]),
    )


@lru_cache(maxsize=1)
def modele() -> Modele:
    """Le modèle livré, lu une fois par processus."""
    return lire_modele(json.loads((DOSSIER / FICHIER).read_text(encoding="utf-8")))
