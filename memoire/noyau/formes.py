"""Corps de l'API de la mémoire longue : formes strictes, sœurs de celles de `horizon.noyau.formes`."""

from datetime import datetime
from typing import Annotated, Literal

from msgspec import Meta, Struct

from horizon.noyau.evenements import Contenu, Identifiant, Plateforme, Visibilite
from horizon.noyau.formes import Personne

SOURCES_MAX = 20
Fiabilite = Annotated[int, Meta(ge=0, le=100)]
Categorie = Annotated[str, Meta(min_length=1, max_length=12, pattern=r"^[a-z]+(?![\s\S])")]
Texte = Contenu
"""Lu jusqu'à 8 000 points de code : c'est le Noyau qui refuse ce qui dépasse 280, par un motif et non par une faute."""
Jeton = Annotated[str, Meta(min_length=1, max_length=1000)]


class MessageDesigne(Struct, frozen=True):
    """Un message, désigné par sa plateforme et son identifiant."""

    plateforme: Plateforme
    id: Identifiant


class EspaceDOrigine(Struct, frozen=True):
    """Lieu où la demande est née, sur la plateforme de la Personne."""

    id: Identifiant
    visibilite: Visibilite


Sources = Annotated[list[MessageDesigne | Identifiant], Meta(max_length=SOURCES_MAX)]


class DemandeSouvenir(Struct, frozen=True):
    """Corps de `POST souvenirs/`. Une source sans plateforme est sur celle de la Personne."""

    personne: Personne
    origine: Literal["demande", "proposition", "regle"]
    contenu: Texte
    categorie: Categorie | None = None
    fiabilite: Fiabilite = 100
    sources: Sources = []
    espace: EspaceDOrigine | None = None


class DemandeObservation(Struct, frozen=True):
    """Corps de `POST souvenirs/observations/`."""

    personne: Personne
    categorie: Categorie
    sens: Literal["concordance", "contradiction"]
    fiabilite: Fiabilite
    reference: Identifiant
    contenu: Texte | None = None
    espace: EspaceDOrigine | None = None


class DemandeValidation(Struct, frozen=True):
    """Corps de `POST validations/`."""

    personne: Personne
    jeton: Jeton
    accepte: bool


class DemandeCorrection(Struct, frozen=True):
    """Corps de `POST corrections/`. Dite en privé, elle rend le souvenir privé ; sans espace, il garde sa portée."""

    personne: Personne
    categorie: Categorie
    contenu: Texte
    nouvelle_categorie: Categorie | None = None
    espace: EspaceDOrigine | None = None


class DemandeHypothese(Struct, frozen=True):
    """Corps de `POST hypotheses/`."""

    personne: Personne
    texte: Texte
    espace: EspaceDOrigine
    sources: Sources


class SouvenirRendu(Struct, frozen=True):
    """Réponse d'une écriture acceptée, conservée ou observée."""

    statut: str
    categorie: str
    remplace: bool = False


class ValidationRequise(Struct, frozen=True):
    """Réponse 202 : rien n'est retenu avant l'accord. `jeton` nul : un Super administrateur tranchera ; absent :
    réponse rejouée par sa clé d'idempotence."""

    statut: str
    avertissement: str
    expire_le: datetime
    validation: Literal["personne", "sa"]
    categorie_sensible: str | None
    regle: str | None
    jeton: str | None = None


class SouvenirRefuse(Struct, frozen=True):
    """Réponse 422 : un motif stable et sa phrase, jamais le texte."""

    code: str
    message: str
    statut: str
    motif: str
    categorie_sensible: str | None
    regle: str | None
    champs: list[str] = []


class HypotheseRendue(Struct, frozen=True):
    """Réponse de `POST hypotheses/`."""

    statut: str
    expire_le: datetime


FORMES = (
    DemandeSouvenir,
    DemandeObservation,
    DemandeValidation,
    DemandeCorrection,
    DemandeHypothese,
    SouvenirRendu,
    ValidationRequise,
    SouvenirRefuse,
    HypotheseRendue,
)
