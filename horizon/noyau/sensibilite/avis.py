"""Ce que le garde rend, et les vocabulaires fermés qu'il emploie. Jamais le texte examiné."""

from dataclasses import dataclass
from enum import StrEnum

LONGUEUR_MAXIMALE = 4_000
"""Points de code au-delà desquels un texte est refusé sans être analysé."""


class Verdict(StrEnum):
    """`ADMIS` peut devenir un souvenir ; `VIGILANCE` demande une validation ; `REFUS` ne sera jamais gardé."""

    ADMIS = "admis"
    VIGILANCE = "vigilance"
    REFUS = "refus"

    @property
    def severite(self) -> int:
        """0 admis, 1 vigilance, 2 refus : une couche ne fait que monter."""
        return _SEVERITES[self.value]


_SEVERITES = {"admis": 0, "vigilance": 1, "refus": 2}


class Sensible(StrEnum):
    """Les catégories refusées quelle que soit la source (SE-01). La liste s'étend, ne se réduit jamais (SE-11)."""

    MEDICAL = "medical"
    ORIGINE = "origine"
    POLITIQUE = "politique"
    RELIGION = "religion"
    PHILOSOPHIE = "philosophie"
    SYNDICAT = "syndicat"
    SEXUALITE = "sexualite"
    GENETIQUE = "genetique"
    BIOMETRIE = "biometrie"
    LOCALISATION = "localisation"
    FINANCE = "finance"
    SECRET = "secret"  # noqa: S105 — un code de catégorie
    TIERS = "tiers"
    RUMEUR = "rumeur"


LIBELLES = {
    Sensible.MEDICAL: "Santé",
    Sensible.ORIGINE: "Origine réelle ou supposée",
    Sensible.POLITIQUE: "Opinion politique",
    Sensible.RELIGION: "Religion",
    Sensible.PHILOSOPHIE: "Conviction philosophique",
    Sensible.SYNDICAT: "Appartenance syndicale",
    Sensible.SEXUALITE: "Vie ou orientation sexuelle, identité de genre",
    Sensible.GENETIQUE: "Donnée génétique",
    Sensible.BIOMETRIE: "Donnée biométrique",
    Sensible.LOCALISATION: "Localisation précise",
    Sensible.FINANCE: "Situation financière",
    Sensible.SECRET: "Secret d’authentification ou identifiant officiel",
    Sensible.TIERS: "Information privée sur une autre personne",
    Sensible.RUMEUR: "Accusation ou rumeur",
}


class Origine(StrEnum):
    """D'où vient le texte. Le garde tranche de même pour toutes ; l'origine dit seulement de qui le texte parle."""

    DEMANDE = "demande"
    PROPOSITION = "proposition"
    REGLE = "regle"
    CORRECTION = "correction"
    COLLECTIF = "collectif"
    HYPOTHESE = "hypothese"
    SYNTHESE = "synthese"
    BLOC = "bloc"
    RECIT = "recit"


@dataclass(frozen=True, slots=True)
class Versions:
    """Empreintes courtes de ce qui a décidé. Deux `Versions` différentes : les souvenirs sont à relire (SE-11)."""

    moteur: str
    regles: str
    modele: str

    def __str__(self) -> str:
        return f"{self.moteur}.{self.regles}.{self.modele}"


@dataclass(frozen=True, slots=True)
class Avis:
    """L'avis du garde sur un texte, sans le texte (SE-02).

    `categorie` : un code de `Sensible`, vide si admis ou si la vigilance n'en désigne aucune.
    `regle` : l'identifiant stable de ce qui a tranché (`medical/maladies`, `identifiant/iban`, `modele`…).
    `vue` : le nom de la vue du texte qui a déclenché (`brute`, `plate`, `leet`…), vide si aucune.
    `positions` : bornes `(début, fin)` dans le texte d'origine, en points de code, quand la vue permet d'y revenir.
    `soupcon_de_refus` : cette vigilance est née d'un soupçon de refus ; la Personne seule ne peut la lever (SE-12).
    """

    decision: Verdict
    categorie: str = ""
    regle: str = ""
    vue: str = ""
    positions: tuple[tuple[int, int], ...] = ()
    versions: str = ""
    soupcon_de_refus: bool = False
