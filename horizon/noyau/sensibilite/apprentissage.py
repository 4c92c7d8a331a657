"""L'entraînement du modèle, en Python pur : mêmes phrases, mêmes poids, à l'octet près.

Une régression à trois classes apprise par descente AdaGrad, exemples dans un ordre fixe tiré d'une graine. Rien ici ne
tourne en production : `manage.py entrainer_sensibilite` écrit `donnees/modele.json`, que `modele.py` relit.
"""

import json
import math
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace

from horizon.noyau.sensibilite.modele import Seuils
from horizon.noyau.sensibilite.regles import reglement
from horizon.noyau.sensibilite.traits import familles
from horizon.noyau.sensibilite.vues import demasquer

GRAINE = 20261201
PASSES = 20
ELAN = 0.1
PAS = 0.01
RARETE = 2
MARGE = 32
POIDS_ACCOLEE = 0.3
TAILLE_CATEGORIE = 400

SEUILS = Seuils(refus=0.6, refus_designe=0.4, refus_fiction=0.55, soupcon=0.25, admis=0.5, admis_sans_preuve=0.4)
"""Choisis sur les auteurs laissés de côté, jamais sur les phrases apprises (voir le README du paquet)."""

CLASSES = ("admis", "vigilance", "refus")


@dataclass(frozen=True, slots=True)
class Phrase:
    """Un exemple étiqueté. `auteur` : le fichier d'où il vient ; `importance` : ce qu'il pèse dans l'apprentissage."""

    texte: str
    decision: str
    categorie: str = ""
    auteur: str = ""
    importance: float = 1.0


Vecteur = list[tuple[list[int], float]]


def traits_de(texte: str) -> tuple[set[str], set[str], set[str]]:
    """Les familles de traits d'un texte, comme le moteur les calcule."""
    jetons = demasquer(texte)
    return familles(jetons, reglement().chercher(jetons))


_QUEUES = (
    " et joue à Zelda le soir",
    ", sinon il joue support dans Overwatch",
    " et farme des donjons avec son clan",
    ". Main paladin dans WoW",
    " mais adore les jeux de plateforme",
    " et collectionne les skins",
    ", fan de speedrun et de RPG",
    " et fait des raids avec la guilde le jeudi",
    " puis retourne jouer à Stardew Valley",
    ", en plus il joue un elfe mage",
    " et construit des châteaux dans Minecraft",
    ", toujours partant pour une partie de Mario Kart",
)
_LIAISONS = (" et ", ", ", ". ", " ; ", " mais ", " — ")


def augmenter(phrases: Sequence[Phrase]) -> list[Phrase]:
    """Chaque phrase, puis la même accolée à une phrase admise : ce qui est sensible le reste, quoi qu'on y ajoute.

    Sans cela, « … et joue à Minecraft » suffirait à faire passer une phrase interdite.
    """
    hasard = random.Random(GRAINE)
    admises = [phrase.texte for phrase in phrases if phrase.decision == "admis"]
    if not admises:
        return list(phrases)
    accolees = [_accoler(phrase, hasard.choice(admises), hasard) for phrase in phrases]
    queues = [
        replace(phrase, texte=phrase.texte.rstrip(". ") + hasard.choice(_QUEUES), importance=POIDS_ACCOLEE)
        for phrase in phrases
        if phrase.decision == "refus"
    ]
    return [*phrases, *accolees, *queues]


def _accoler(phrase: Phrase, autre: str, hasard: random.Random) -> Phrase:
    morceaux = [phrase.texte.rstrip(". "), autre.rstrip(". ")]
    if hasard.random() < 0.4:
        morceaux.reverse()
    return replace(phrase, texte=hasard.choice(_LIAISONS).join(morceaux), importance=POIDS_ACCOLEE)


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


def apprendre(
    vecteurs: Sequence[Vecteur], classes: Sequence[int], importances: Sequence[float], traits: int
) -> Descente:
    """Les poids après `PASSES` passages. Chaque classe pèse autant, quel que soit son nombre d'exemples."""
    effectifs = Counter(classes)
    classe_pese = {classe: len(classes) / (len(CLASSES) * nombre) for classe, nombre in effectifs.items()}
    descente, ordre = Descente(traits), list(range(len(vecteurs)))
    hasard = random.Random(GRAINE)
    for _ in range(PASSES):
        hasard.shuffle(ordre)
        for rang in ordre:
            descente.corriger(vecteurs[rang], classes[rang], importances[rang] * classe_pese[classes[rang]])
    return descente


def _entier(poids: float) -> int:
    return round(poids / PAS)


def _exporter_poids(descente: Descente, rangs: dict[str, int]) -> dict[str, list[int]]:
    """Les poids relatifs à `admis`, en multiples entiers de `PAS` ; les presque nuls ne sont pas gardés."""
    admis, vigilance, refus = descente.poids
    entiers = {
        trait: [_entier(refus[rang] - admis[rang]), _entier(vigilance[rang] - admis[rang])]
        for trait, rang in rangs.items()
    }
    return {trait: poids for trait, poids in entiers.items() if max(map(abs, poids)) >= MARGE}


def _exporter_categories(phrases: Sequence[Phrase], groupes: Sequence[Iterable[set[str]]]) -> dict[str, dict[str, int]]:
    """Pour chaque catégorie refusée, les mots et règles qui la distinguent, en dixièmes de logarithme."""
    refus = [
        (phrase.categorie, {t for groupe in vus for t in groupe if t.startswith(("r:", "m1:"))})
        for phrase, vus in zip(phrases, groupes, strict=True)
        if phrase.decision == "refus" and phrase.categorie
    ]
    effectifs = Counter(categorie for categorie, _ in refus)
    partout = Counter(trait for _, traits in refus for trait in traits)
    tables = {}
    for categorie, effectif in sorted(effectifs.items()):
        dedans = Counter(trait for nommee, traits in refus if nommee == categorie for trait in traits)
        notes = {
            trait: round(10 * math.log((nombre + 0.5) / (effectif + 1) * (len(refus) + 1) / (partout[trait] + 0.5)))
            for trait, nombre in dedans.items()
            if partout[trait] >= 3
        }
        meilleures = sorted(notes, key=lambda trait: (-notes[trait], trait))[:TAILLE_CATEGORIE]
        tables[categorie] = {trait: notes[trait] for trait in sorted(meilleures) if notes[trait] > 0}
    return tables


def entrainer(phrases: Sequence[Phrase], seuils: Seuils = SEUILS) -> dict[str, object]:
    """Le contenu de `modele.json` appris de ces phrases."""
    phrases = augmenter(phrases)
    groupes = [traits_de(phrase.texte) for phrase in phrases]
    rangs = vocabulaire(groupes)
    vecteurs = [vectoriser(vus, rangs) for vus in groupes]
    classes = [CLASSES.index(phrase.decision) for phrase in phrases]
    descente = apprendre(vecteurs, classes, [phrase.importance for phrase in phrases], len(rangs))
    admis, vigilance, refus = descente.biais
    return {
        "pas": PAS,
        "seuils": asdict(seuils),
        "biais": [_entier(refus - admis), _entier(vigilance - admis)],
        "categories": _exporter_categories(phrases, groupes),
        "poids": _exporter_poids(descente, rangs),
    }


def ecrire(modele: dict[str, object]) -> str:
    """Le JSON, une clé par ligne au premier niveau et clés triées : le même à l'octet près à chaque fois."""
    lignes = (
        f"{json.dumps(cle)}: {json.dumps(modele[cle], ensure_ascii=False, sort_keys=True, separators=(',', ':'))}"
        for cle in sorted(modele)
    )
    return "{\n" + ",\n".join(lignes) + "\n}\n"
