"""Les événements que les bots envoient : formes strictes, lues par msgspec.

Chaque événement est une union discriminée par `type`. Une valeur d'un autre type que celui annoncé (un nombre à la
place d'un identifiant, une date sans fuseau) est une faute, jamais une conversion : un identifiant Discord passé en
nombre flottant aurait perdu ses derniers chiffres, et sa suppression raterait le message.
"""

from datetime import datetime
from typing import Annotated, Literal

from msgspec import Meta, Struct

LOT_MAX = 500
CONTENU_MAX = 8000
IDS_MAX = 5000

Plateforme = Literal["twitch", "discord", "web"]
Visibilite = Literal["public", "prive"]
_FIN = r"(?![\s\S])"
"""Fin de texte : `$` laisserait passer un saut de ligne final."""
MOTIF_IDENTIFIANT = rf"^[^\s\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]+{_FIN}"
Identifiant = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=128,
        pattern=MOTIF_IDENTIFIANT,
        description="Identifiant de la plateforme, toujours en chaîne, jamais rogné.",
    ),
]
Pseudonyme = Annotated[str, Meta(max_length=100, pattern=rf"^[^\x00]*{_FIN}")]
Contenu = Annotated[str, Meta(max_length=CONTENU_MAX, pattern=rf"^[^\x00]*{_FIN}")]
Code = Annotated[str, Meta(pattern=rf"^[a-z0-9_.:-]{{1,64}}{_FIN}")]
Instant = Annotated[datetime, Meta(tz=True)]


class Espace(Struct, frozen=True):
    """Lieu de conversation ; `participants` ne sert qu'en privé (`poubelle` ou identifiants réels)."""

    id: Identifiant
    visibilite: Visibilite
    participants: Annotated[list[Identifiant], Meta(max_length=100)] | None = None


class Auteur(Struct, frozen=True):
    """Compte qui parle, tel que la plateforme le désigne."""

    id: Identifiant
    pseudonyme: Pseudonyme = ""
    nature: Literal["personne", "bot", "poubelle", "webhook", "systeme"] = "personne"


class Reference(Struct, frozen=True):
    """Compte désigné par son seul identifiant sur la plateforme de l'événement."""

    id: Identifiant


class Contexte(Struct, frozen=True, forbid_unknown_fields=True):
    """Contexte fonctionnel d'un message : schéma fermé et borné (CT-17)."""

    direct: Identifiant | None = None
    fil: Identifiant | None = None
    evenement: Identifiant | None = None
    jeu: Pseudonyme | None = None


class Message(Struct, frozen=True, tag="message", tag_field="type"):
    """Un message reçu. `nature` absente : conversation pour une Personne, non étiqueté pour P.O.U.B.E.L.L.E."""

    id: Identifiant
    plateforme: Plateforme
    espace: Espace
    auteur: Auteur
    contenu: Contenu
    emis_le: Instant
    nature: Literal["conversation", "commande", "annonce", "systeme"] | None = None
    interlocuteur: Reference | None = None
    reponse_a: Identifiant | None = None
    contexte: Contexte | None = None
    action: Code | None = None
    resultat: Annotated[str, Meta(max_length=200, pattern=rf"^[^\x00]*{_FIN}")] | None = None


class Modification(Struct, frozen=True, tag="modification", tag_field="type"):
    """Nouveau texte d'un message ; l'ordre se juge sur `modifie_le`, pas sur l'arrivée."""

    id: Identifiant
    plateforme: Plateforme
    espace: Espace
    contenu: Contenu
    modifie_le: Instant


class Suppression(Struct, frozen=True, tag="suppression", tag_field="type"):
    """Messages supprimés sur la plateforme, connus de nous ou non."""

    plateforme: Plateforme
    ids: Annotated[list[Identifiant], Meta(min_length=1, max_length=IDS_MAX)]
    espace: Espace | None = None


class PurgeAuteur(Struct, frozen=True, tag="purge_auteur", tag_field="type"):
    """Tous les messages d'un compte dans un espace, jusqu'à un instant (par défaut : maintenant)."""

    plateforme: Plateforme
    espace: Espace
    auteur: Reference
    jusqu_a: Instant | None = None


class Vidage(Struct, frozen=True, tag="vidage", tag_field="type"):
    """Tous les messages d'un espace, ceux de P.O.U.B.E.L.L.E. compris, jusqu'à un instant."""

    plateforme: Plateforme
    espace: Espace
    jusqu_a: Instant | None = None


class Releve(Struct, frozen=True, tag="releve", tag_field="type"):
    """Après une coupure : les messages encore présents entre deux instants ; les absents sont retirés (CT-13)."""

    plateforme: Plateforme
    espace: Espace
    depuis: Instant
    jusqu_a: Instant
    ids_vivants: Annotated[list[Identifiant], Meta(max_length=IDS_MAX)]


class Coupure(Struct, frozen=True, tag="coupure", tag_field="type"):
    """Coupure sans relevé possible : tout ce qui fut émis avant sa fin dans l'espace est retiré (CT-13)."""

    plateforme: Plateforme
    espace: Espace
    debut: Instant
    fin: Instant


class Direct(Struct, frozen=True, tag="direct", tag_field="type"):
    """Début ou fin d'un direct (l'un des deux) ; le même direct annoncé deux fois n'en fait qu'un."""

    plateforme: Plateforme
    espace: Espace
    id: Identifiant
    debut: Instant | None = None
    fin: Instant | None = None


class Arrivee(Struct, frozen=True, tag="arrivee", tag_field="type"):
    """Arrivée reconnue d'un compte dans un direct."""

    plateforme: Plateforme
    espace: Espace
    auteur: Reference
    instant: Instant
    direct: Identifiant


class Presence(Struct, frozen=True, tag="presence", tag_field="type"):
    """Présence reconnue d'un compte entre deux instants."""

    plateforme: Plateforme
    espace: Espace
    auteur: Reference
    debut: Instant
    fin: Instant


class Participation(Struct, frozen=True, tag="participation", tag_field="type"):
    """Participation d'un compte à un raid, un défi ou un autre événement."""

    plateforme: Plateforme
    auteur: Reference
    evenement: Code
    id: Identifiant
    instant: Instant


class ActiviteWeb(Struct, frozen=True, tag="activite_web", tag_field="type"):
    """Passage d'un compte sur une page, désignée par un code fermé."""

    plateforme: Plateforme
    auteur: Reference
    instant: Instant
    page: Code


Evenement = (
    Message
    | Modification
    | Suppression
    | PurgeAuteur
    | Vidage
    | Releve
    | Coupure
    | Direct
    | Arrivee
    | Presence
    | Participation
    | ActiviteWeb
)


class Exclusion(Struct, frozen=True):
    """Ce qu'une charge native apporte d'inadmissible, reconnu avant d'en lire le texte : compté, jamais gardé (CT-03).

    Absente de `Evenement` : aucun corps neutre ne la désigne.
    """

    plateforme: Plateforme
    motif: str
    id: str | None = None
    espace: Espace | None = None


Recu = Evenement | Exclusion
"""Ce qu'un lot peut contenir, une fois lu."""


def espace_de(evenement: Recu) -> Espace | None:
    """L'espace d'un événement, s'il en désigne un."""
    return getattr(evenement, "espace", None)


class Avis(Struct, frozen=True, omit_defaults=False):
    """Avis de première interaction privée : à remettre à la Personne, puis à attester par son jeton (CT-09)."""

    texte: str
    duree: str
    jeton: str


class Champ(Struct, frozen=True):
    """Champ fautif : chemin dans le corps reçu et code de faute, jamais la valeur."""

    chemin: str
    code: str


class Resultat(Struct, kw_only=True):
    """Ce qu'un événement a produit. `nombre` : effacements demandés et faits ; `a_supprimer` : réponses de
    P.O.U.B.E.L.L.E. que le bot doit retirer de la plateforme."""

    id: str | None = None
    statut: Literal["memorise", "exclu", "doublon", "modifie", "supprime", "ignore", "compte", "invalide"]
    motif: str | None = None
    expire_le: datetime | None = None
    avis: Avis | None = None
    a_supprimer: list[str] = []
    nombre: int | None = None
    champs: list[Champ] = []
