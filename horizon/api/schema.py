"""Schéma OpenAPI : engendré des formes mêmes que l'API lit et écrit."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, Literal

import msgspec
from django.http import HttpRequest, HttpResponse
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from drf_spectacular.views import SpectacularJSONAPIView

from horizon.noyau.evenements import Evenement, Resultat
from horizon.noyau.formes import DemandeContexte, DemandePause, Remise


class Lot(msgspec.Struct):
    """Corps de `POST evenements/`."""

    evenements: list[Evenement]


class Resultats(msgspec.Struct):
    """Un résultat par événement, dans le même ordre."""

    resultats: list[Resultat]


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


FORMES = (Lot, Resultats, Erreur, Accuse, ContexteRendu, Sante, DemandeContexte, DemandePause, Remise)
_REF = "#/components/schemas/{name}"
_ERREURS = {400: "forme", 401: "clé absente ou refusée", 403: "portée ou plateforme", 413: "trop gros", 429: "débit"}


def _ref(nom: str) -> dict[str, str]:
    return {"$ref": _REF.format(name=nom)}


def decrire(
    nom: str, resume: str, *, corps: str | None = None, reponses: dict[int, str | None]
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Attache sa description à une opération ; les formes sont celles de `FORMES`, désignées par leur nom."""
    rendues: dict[int, Any] = {
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
    cle = OpenApiParameter(
        "Idempotency-Key", str, OpenApiParameter.HEADER, required=False, description="Rejeu sûr, 24 h."
    )
    return extend_schema(
        operation_id=nom,
        summary=resume,
        request={"application/json": _ref(corps)} if corps else None,
        responses=rendues,
        parameters=[cle] if corps and nom not in ("evenements", "contexte") else [],
    )


class CleDeBotDecrite(OpenApiAuthenticationExtension):
    """Comment le schéma dit la clé de bot."""

    target_class = "horizon.api.authentification.CleDeBot"
    name = "cle"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer"}


def composants(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """Ajoute au schéma les formes msgspec et la clé de bot."""
    _, formes = msgspec.json.schema_components(FORMES, ref_template=_REF)
    composants_ = result.setdefault("components", {})
    composants_.setdefault("schemas", {}).update(formes)
    for chemin, operations in result["paths"].items():
        for decrite in operations.values():
            decrite["security"] = [{"cle": []}, {}] if chemin.endswith("/sante/") else [{"cle": []}]
    return result


_vue = SpectacularJSONAPIView.as_view(authentication_classes=[], permission_classes=[], throttle_classes=[])


def schema(request: HttpRequest) -> HttpResponse:
    """Le schéma, lisible par tous : il ne décrit que des formes."""
    return _vue(request)
