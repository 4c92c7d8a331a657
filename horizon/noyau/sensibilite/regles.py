"""Les règles et les indices, lus de `donnees/` : un fichier par catégorie, un motif par ligne.

Une règle a une **force** :
    absolu       refus, quel que soit le contexte (identifiants, adresses)
    fort         refus ; vigilance au mieux dans une fiction
    contextuel   ne tranche jamais seule : elle éclaire le modèle et retire au texte le bénéfice du doute
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from horizon.noyau.sensibilite.donnees import DOSSIER, charger_toml
from horizon.noyau.sensibilite.langage import Motif, Repertoire, Trouvaille, lire_motif
from horizon.noyau.sensibilite.vues import Jeton

FORCES = ("contextuel", "fort", "absolu")
EXPRESSIONS = "expression"
CADRES = "cadre"


@dataclass(frozen=True, slots=True)
class Regle:
    """Une règle d'un fichier de catégorie. `exemples` la déclenchent, `voisins` non : vérifié par la suite."""

    nom: str
    categorie: str
    force: str
    sens: str
    motifs: tuple[Motif, ...]
    exemples: tuple[str, ...]
    voisins: tuple[str, ...]


@dataclass(frozen=True)
class Reglement:
    """Tout ce que les fichiers disent, indexé pour être cherché en une passe."""

    regles: dict[str, Regle]
    repertoire: Repertoire
    radicaux: frozenset[str]
    courants: frozenset[str]

    def chercher(self, jetons: Sequence[Jeton]) -> list[Trouvaille]:
        """Règles, indices et expressions reconnus dans ces jetons."""
        return self.repertoire.chercher(jetons)


def _motifs(texte: str, listes: dict[str, list[str]]) -> tuple[Motif, ...]:
    return tuple(lire_motif(ligne, listes) for ligne in texte.splitlines() if ligne.strip())


def _regle(categorie: str, brut: dict[str, Any], listes: dict[str, list[str]]) -> Regle:
    return Regle(
        nom=brut["nom"],
        categorie=categorie,
        force=brut["force"],
        sens=brut["sens"],
        motifs=_motifs(brut["motifs"], listes),
        exemples=tuple(brut["exemples"]),
        voisins=tuple(brut["voisins"]),
    )


def _lire_regles(listes: dict[str, list[str]]) -> dict[str, Regle]:
    regles = {}
    for chemin in sorted((DOSSIER / "regles").glob("*.toml")):
        fichier = charger_toml(f"regles/{chemin.name}")
        for brut in fichier["regle"]:
            regles[brut["nom"]] = _regle(fichier["categorie"], brut, listes)
    return regles


def _radicaux(regles: dict[str, Regle]) -> frozenset[str]:
    """Les mots ou débuts de mot d'au moins six lettres qui suffisent à eux seuls à déclencher une règle forte."""
    seuls = (
        motif.places[0]
        for regle in regles.values()
        if regle.force != "contextuel"
        for motif in regle.motifs
        if len(motif.places) == 1
    )
    return frozenset(forme for place in seuls for forme in (*place.mots, *place.debuts) if len(forme) >= 6)


@lru_cache(maxsize=1)
def reglement() -> Reglement:
    """Le règlement, lu une fois par processus."""
    listes: dict[str, list[str]] = charger_toml("listes.toml")
    regles = _lire_regles(listes)
    repertoire = Repertoire()
    for regle in regles.values():
        for motif in regle.motifs:
            repertoire.ajouter(regle.nom, motif)
    for indice in charger_toml("indices.toml")["indice"]:
        for motif in _motifs(indice["motifs"], listes):
            repertoire.ajouter(indice["nom"], motif)
    relues = charger_toml("expressions.toml")
    for nom, cle in ((EXPRESSIONS, "motifs"), (CADRES, "cadres")):
        for motif in _motifs(relues[cle], listes):
            repertoire.ajouter(nom, motif)
    return Reglement(regles, repertoire, _radicaux(regles), frozenset(relues["courants"]))
