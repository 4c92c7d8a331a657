"""Schéma OpenAPI : engendré des formes mêmes que l'API lit et écrit."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec
from django.http import HttpRequest, HttpResponse
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from drf_spectacular.views import SpectacularJSONAPIView

from horizon.noyau.evenements import LOT_MAX, Evenement, Identifiant, Instant, Resultat
from horizon.noyau.formes import ConfirmationOubli, DemandeContexte, DemandeOubli, DemandePause, Remise


class Lot(msgspec.Struct):
    """Corps de `POST evenements/`."""

    evenements: Annotated[list[Evenement], msgspec.Meta(min_length=1, max_length=LOT_MAX)]


class Resultats(msgspec.Struct):
    """Un résultat par événement, dans le même ordre."""

    resultats: list[Resultat]


class AbonnementEventSub(msgspec.Struct):
    type: str
    status: str = "enabled"


class MetadonneesEventSub(msgspec.Struct):
    message_id: Identifiant
    message_timestamp: Instant
    subscription_type: str
    message_type: str = "notification"


class ChargeEventSub(msgspec.Struct):
    event: dict[str, Any]


class NotificationWebsocket(msgspec.Struct):
    """Message du websocket EventSub, relayé tel quel."""

    metadata: MetadonneesEventSub
    payload: ChargeEventSub


class NotificationWebhook(msgspec.Struct):
    """Corps d'un webhook EventSub, avec ses en-têtes `Twitch-Eventsub-*` ; ni événement ni défi : révocation."""

    subscription: AbonnementEventSub
    event: dict[str, Any]


class Dispatch(msgspec.Struct):
    """Événement du Gateway Discord, relayé tel quel."""

    t: str
    d: dict[str, Any]


class ChampErreur(msgspec.Struct):
    chemin: str
    code: str


class Erreur(msgspec.Struct):
    """La forme unique d'une erreur."""

    code: str
    message: str
    champs: list[ChampErreur]


class Accuse(msgspec.Struct):
    """Ce qui fut fait, sans contenu."""

    statut: str


class ContexteInterlocuteur(msgspec.Struct):
    pseudonyme: str | None
    connaissance: Literal["insuffisamment_connue", "connue"]
    ancien_membre: bool


class ContexteRecent(msgspec.Struct):
    contenu: str
    auteur: Literal["personne", "poubelle"]
    origine: Literal["ici", "plateforme", "ailleurs"]
    instant: datetime | None
    reponse_a: str | None
    usage: Literal["exprimable", "ton"]


class ContexteRendu(msgspec.Struct):
    """Réponse de `POST contexte/`."""

    interlocuteur: ContexteInterlocuteur
    recent: list[ContexteRecent]
    hypotheses: list[dict[str, Any]]
    synthese: dict[str, Any] | None
    souvenirs: list[dict[str, Any]]
    globales: dict[str, Any]
    collective: list[dict[str, Any]]


class PointDeSante(msgspec.Struct):
    niveau: Literal["ok", "degrade", "panne"]
    phrase: str
    depuis: datetime | None


class Sante(msgspec.Struct, omit_defaults=True):
    """Réponse de `GET sante/` ; le détail n'est rendu qu'avec une clé."""

    etat: Literal["ok", "degrade", "panne"]
    retard_expiration_s: int | None = None
    points: dict[str, PointDeSante] = {}


class Consequences(msgspec.Struct):
    """Nombre d'éléments qu'un oubli effacerait, par nature."""

    souvenirs: int
    propositions: int
    hypotheses: int
    interactions: int
    observations: int
    syntheses: int
    dossiers: int
    blocs: int


class AnnonceOubli(msgspec.Struct):
    """Réponse de `POST oublis/`. Rejouée par sa clé d'idempotence, elle ne rend plus le jeton."""

    consequences: Consequences
    expire_le: datetime
    jeton: str | None = None


class OubliFait(msgspec.Struct):
    """Réponse de `POST oublis/confirmation/`."""

    trace: str


class OubliDit(msgspec.Struct, omit_defaults=True):
    """Un oubli, pour un compte d'une plateforme du bot."""

    nature: Literal["categorie", "message", "personne"]
    plateforme: str
    personne: str
    le: datetime
    categorie: str | None = None
    message: str | None = None


class Oublis(msgspec.Struct):
    """Réponse de `GET oublis/` ; `suivant` est le curseur à redonner."""

    oublis: list[OubliDit]
    suivant: str


FORMES: list[type] = [
    NotificationWebsocket,
    NotificationWebhook,
    Dispatch,
    Lot,
    Resultats,
    Erreur,
    Accuse,
    ContexteRendu,
    Sante,
    DemandeContexte,
    DemandePause,
    Remise,
    DemandeOubli,
    ConfirmationOubli,
    AnnonceOubli,
    OubliFait,
    Oublis,
]
"""Formes nommables dans `decrire` ; une app ajoute les siennes par `ajouter_formes`."""
SANS_REJEU = frozenset({"evenements", "evenements_twitch", "evenements_discord", "contexte"})
_REF = "#/components/schemas/{name}"
_IDENTIFIANT = msgspec.json.schema(Identifiant)
_ERREURS = {400: "forme", 401: "clé absente ou refusée", 403: "portée ou plateforme", 413: "trop gros", 429: "débit"}


def ajouter_formes(*formes: type) -> None:
    """Ajoute au schéma les formes d'une app."""
    FORMES.extend(formes)


def _ref(nom: str) -> dict[str, str]:
    return {"$ref": _REF.format(name=nom)}


_NATURE = {"type": "string", "enum": ["conversation", "commande", "annonce", "systeme"]}
ETIQUETTE = tuple(
    OpenApiParameter(nom, forme, OpenApiParameter.QUERY, required=False, description=sens)
    for nom, sens, forme in (
        ("nature", "Message de P.O.U.B.E.L.L.E. : ce qu’il est.", _NATURE),
        ("interlocuteur", "Message de P.O.U.B.E.L.L.E. : la Personne à qui il répond.", _IDENTIFIANT),
        ("reponse_a", "Message auquel il répond, quand la charge ne le dit pas.", _IDENTIFIANT),
    )
)


def decrire(
    nom: str,
    resume: str,
    *,
    corps: str | None = None,
    reponses: dict[int, str | None],
    parametres: Sequence[OpenApiParameter] = (),
    texte: str = "",
    methodes: Sequence[str] | None = None,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Attache sa description à une opération ; les formes sont celles de `FORMES`, désignées par leur nom.

    `methodes` : celles que décrit cet appel, quand une adresse en sert plusieurs. `texte` : ce que dit une réponse
    200 en texte brut, s'il en est une.
    """
    rendues: dict[Any, Any] = {
        statut: OpenApiResponse(response=_ref(forme) if forme else None, description="")
        for statut, forme in reponses.items()
    }
    if corps:
        rendues |= {s: OpenApiResponse(response=_ref("Erreur"), description=d) for s, d in _ERREURS.items()}
        rendues.setdefault(409, OpenApiResponse(response=_ref("Erreur"), description="conflit"))
        rendues.setdefault(422, OpenApiResponse(response=_ref("Erreur"), description="refus"))
        rendues[503] = OpenApiResponse(response=_ref("Erreur"), description="base indisponible")
    else:
        rendues.setdefault(401, OpenApiResponse(response=_ref("Erreur"), description="clé refusée"))
        rendues.setdefault(429, OpenApiResponse(response=_ref("Erreur"), description="débit"))
    if texte:
        rendues[200, "application/json"] = rendues.pop(200)
        rendues[200, "text/plain"] = OpenApiResponse(response=OpenApiTypes.STR, description=texte)
    forme = {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[\\x20-\\x7e]+$"}
    cle = OpenApiParameter(
        "Idempotency-Key", forme, OpenApiParameter.HEADER, required=False, description="Rejeu sûr, 24 h."
    )
    return extend_schema(
        operation_id=nom,
        methods=methodes,
        summary=resume,
        request={"application/json": _ref(corps)} if corps else None,
        responses=rendues,
        parameters=[*parametres, *([cle] if corps and nom not in SANS_REJEU else [])],
    )


_AUTRES_PREUVES: dict[str, list[dict[str, Any]]] = {"sante/": [{}], "evenements/twitch/": [{"eventsub": []}]}


class CleDeBotDecrite(OpenApiAuthenticationExtension):
    """Comment le schéma dit la clé de bot."""

    target_class = "horizon.api.authentification.CleDeBot"
    name = "cle"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer"}


class SignatureDecrite(OpenApiAuthenticationExtension):
    """Comment le schéma dit une notification signée par Twitch."""

    target_class = "horizon.api.eventsub.SignatureEventSub"
    name = "eventsub"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "apiKey", "in": "header", "name": "Twitch-Eventsub-Message-Signature"}


def composants(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """Ajoute au schéma les formes msgspec et la clé de bot."""
    _, formes = msgspec.json.schema_components(FORMES, ref_template=_REF)
    composants_ = result.setdefault("components", {})
    formes["NotificationTwitch"] = {"oneOf": [_ref("NotificationWebsocket"), _ref("NotificationWebhook")]}
    composants_.setdefault("schemas", {}).update(formes)
    for chemin, operations in result["paths"].items():
        for decrite in operations.values():
            if "requestBody" in decrite:
                decrite["requestBody"]["required"] = True
            decrite["security"] = [{"cle": []}, *_AUTRES_PREUVES.get(chemin.removeprefix("/api/v1/"), [])]
    return result


_vue = SpectacularJSONAPIView.as_view(authentication_classes=[], permission_classes=[], throttle_classes=[])


def schema(request: HttpRequest) -> HttpResponse:
    """Le schéma, lisible par tous : il ne décrit que des formes."""
    return _vue(request)
