"""Corps des autres opérations de l'API : formes strictes, sœurs de celles des événements."""

from typing import Annotated

from msgspec import Meta, Struct

from horizon.noyau.evenements import Identifiant, Plateforme, Visibilite

BUDGET_MIN = 100
BUDGET_MAX = 8000


class Personne(Struct, frozen=True):
    """Un compte désigné par sa plateforme et son identifiant."""

    plateforme: Plateforme
    id: Identifiant


class EspaceDesigne(Struct, frozen=True):
    """Un espace désigné par sa plateforme et son identifiant."""

    plateforme: Plateforme
    id: Identifiant


class EspaceDestination(Struct, frozen=True):
    """Espace où le contexte sera dit."""

    id: Identifiant
    visibilite: Visibilite


class Destination(Struct, frozen=True):
    """Où le contexte sera dit : plateforme et espace."""

    plateforme: Plateforme
    espace: EspaceDestination


class Interlocuteur(Struct, frozen=True):
    """Compte de l'interlocuteur, sur la plateforme de destination."""

    id: Identifiant


class DemandeContexte(Struct, frozen=True):
    """Corps de `POST contexte/`."""

    destination: Destination
    interlocuteur: Interlocuteur
    budget_tokens: Annotated[int, Meta(ge=BUDGET_MIN, le=BUDGET_MAX)]
    prestataire: Annotated[str, Meta(min_length=1, max_length=64)]


class Remise(Struct, frozen=True):
    """Corps de `POST avis/remise/`."""

    jeton: Annotated[str, Meta(min_length=1, max_length=1000)]


class DemandePause(Struct, frozen=True):
    """Corps de `POST pauses/` et `pauses/fin/` ; sans espace : partout."""

    personne: Personne
    espace: EspaceDesigne | None = None


class MessageVise(Struct, frozen=True):
    """Un message, désigné par sa plateforme et son identifiant."""

    plateforme: Plateforme
    id: Identifiant


class CibleOubli(Struct, frozen=True, forbid_unknown_fields=True):
    """Ce qu'un oubli vise : une seule de ces trois choses."""

    categorie: Annotated[str, Meta(pattern=r"^[a-z]{1,12}(?![\s\S])")] | None = None
    message: MessageVise | None = None
    tout: bool = False


class DemandeOubli(Struct, frozen=True):
    """Corps de `POST oublis/`."""

    personne: Personne
    cible: CibleOubli


class ConfirmationOubli(Struct, frozen=True):
    """Corps de `POST oublis/confirmation/`."""

    jeton: Annotated[str, Meta(min_length=1, max_length=1000)]
