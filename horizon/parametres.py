"""Paramètres : ce que l'équipage peut régler, avec unité, bornes et valeur initiale.

Les apps déclarent les leurs au démarrage. Lire un paramètre ne dépend pas d'un cache : la valeur rendue est celle que
voit la transaction en cours.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Definition:
    """Un paramètre entier borné : bornes comprises, `sensible` exige une réauthentification."""

    cle: str
    libelle: str
    aide: str
    unite: str
    initiale: int
    minimum: int
    maximum: int
    sensible: bool = False

    def recevable(self, valeur: int) -> bool:
        return self.minimum <= valeur <= self.maximum


_definitions: dict[str, Definition] = {}


def declarer(definition: Definition) -> Definition:
    """Ajoute un paramètre au catalogue et le rend."""
    _definitions[definition.cle] = definition
    return definition


def definition(cle: str) -> Definition:
    """La définition d'un paramètre ; KeyError s'il n'est pas déclaré."""
    return _definitions[cle]


def toutes() -> list[Definition]:
    """Les définitions, dans l'ordre de déclaration."""
    return list(_definitions.values())


DEBIT_CLE = declarer(
    Definition(
        cle="debit_cle",
        libelle="Appels par clé",
        aide="Au-delà, l’API répond 429 et dit quand revenir.",
        unite="appels par minute",
        initiale=30_000,
        minimum=60,
        maximum=600_000,
    )
)
AGE_DES_SAUVEGARDES = declarer(
    Definition(
        cle="age_des_sauvegardes",
        libelle="Âge de la plus vieille sauvegarde",
        aide="Une sauvegarde plus vieille ne doit plus exister : les oublis plus anciens ne seraient plus rejoués.",
        unite="jours",
        initiale=35,
        minimum=1,
        maximum=400,
        sensible=True,
    )
)
DEBIT_ADRESSE = declarer(
    Definition(
        cle="debit_adresse",
        libelle="Appels sans clé valable, par adresse",
        aide="Freine qui essaie des clés au hasard.",
        unite="appels par minute",
        initiale=120,
        minimum=10,
        maximum=10_000,
    )
)
IDENTITE_OUBLIEE = declarer(
    Definition(
        cle="identite_sans_donnee",
        libelle="Identité non revendiquée sans donnée",
        aide="Supprimée ce nombre de jours après sa dernière interaction.",
        unite="jours",
        initiale=30,
        minimum=1,
        maximum=365,
    )
)
