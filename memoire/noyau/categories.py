"""Les dix catégories de la mémoire longue : en donnée, en nombre fixe (LT-01, LT-12). Python pur.

Le code et la définition sont ici ; seul le libellé se change, par un Super administrateur (LT-09).
"""

from dataclasses import dataclass
from enum import StrEnum


class Origine(StrEnum):
    """Qui propose d'écrire (LT-04). Toutes passent par le même Noyau."""

    DEMANDE = "demande"
    PROPOSITION = "proposition"
    REGLE = "regle"
    SA = "sa"


@dataclass(frozen=True, slots=True)
class Categorie:
    """Une catégorie : ce qu'elle accueille, d'où, et combien d'observations distinctes il lui faut.

    `indices` : mots dont la présence y range une demande faite sans catégorie, dans l'ordre du tableau.
    """

    code: str
    libelle: str
    definition: str
    origines: frozenset[Origine] = frozenset(Origine)
    observations_minimales: int = 1
    indices: tuple[str, ...] = ()


DEMANDE_SEULE = frozenset({Origine.DEMANDE})
SANS_INFERENCE = frozenset({Origine.DEMANDE, Origine.REGLE, Origine.SA})

CATEGORIES = {
    c.code: c
    for c in (
        Categorie(
            "rencontre",
            "Première rencontre",
            "Comment la Personne est arrivée à La Tanière et ce qui s’est dit ce jour-là.",
            indices=("rencontre", "arrivé", "arrivée", "découvert", "premier live", "premier direct", "première fois"),
        ),
        Categorie(
            "plaisanterie",
            "Plaisanterie partagée",
            "Une blague ou un jeu de mots qui revient entre la Personne et P.O.U.B.E.L.L.E.",
            indices=("blague", "plaisanterie", "vanne", "surnom", "running gag", "jeu de mots"),
        ),
        Categorie(
            "confidence",
            "Confidence choisie",
            "Ce que la Personne demande elle-même de retenir d’elle. Jamais déduit.",
            origines=DEMANDE_SEULE,
            indices=("confidence", "secret", "entre nous", "ne le dis"),
        ),
        Categorie(
            "evenement",
            "Moment vécu",
            "Un raid, un direct ou une soirée que la Personne a vécu avec l’équipage.",
            indices=("raid", "soirée", "événement", "anniversaire", "marathon", "tournoi", "était là", "étais là"),
        ),
        Categorie(
            "reussite",
            "Réussite",
            "Un exploit, une victoire ou un défi relevé par la Personne.",
            indices=("réussi", "gagné", "battu", "victoire", "exploit", "record", "fini", "terminé", "platine"),
        ),
        Categorie(
            "habitude",
            "Habitude de bord",
            "Ce que la Personne fait souvent ici, vu plusieurs fois.",
            observations_minimales=2,
            indices=("habitude", "toujours", "chaque", "souvent", "d’habitude", "tous les", "toutes les"),
        ),
        Categorie(
            "taniere",
            "Rôle à La Tanière",
            "La place que la Personne tient dans l’équipage, telle qu’elle la raconte.",
            indices=("équipage", "tanière", "vaisseau", "mon rôle", "poste", "pont", "capitaine"),
        ),
        Categorie(
            "reference",
            "Référence commune",
            "Une œuvre, une citation ou un clin d’œil que la Personne et l’équipage partagent.",
            origines=SANS_INFERENCE,
            indices=("référence", "citation", "réplique", "film", "série", "livre", "chanson", "clin d’œil"),
        ),
        Categorie(
            "preference",
            "Préférence",
            "Ce que la Personne aime ou n’aime pas : jeux, musiques, plats, façons de parler.",
            indices=("aime", "adore", "préfère", "déteste", "favori", "favorite", "préféré", "préférée"),
        ),
        Categorie("autre", "Autre souvenir", "Ce qui compte pour la Personne et n’entre dans aucune autre catégorie."),
    )
}
NOMBRE = 10
LONGUEUR_MAX = 280
"""Points de code d'un souvenir (LT-02)."""
