"""Une seule forme d'erreur : `{"code", "message", "champs"}`, sans jamais reproduire ce qui fut soumis."""

from typing import Any

import structlog
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError, InterfaceError
from django.http import Http404
from rest_framework import exceptions
from rest_framework.response import Response

from horizon.api.corps import TropGros
from horizon.noyau.evenements import Champ
from horizon.services.erreurs import Refus

journal = structlog.get_logger(__name__)

_PHRASES: dict[type[Exception], tuple[int, str, str]] = {
    exceptions.NotAuthenticated: (401, "cle_absente", "Une clé de bot est exigée."),
    exceptions.AuthenticationFailed: (401, "cle_refusee", "Cette clé est fausse, expirée ou révoquée."),
    exceptions.PermissionDenied: (403, "interdit", "Cette clé n’ouvre pas cette opération."),
    PermissionDenied: (403, "interdit", "Cette clé n’ouvre pas cette opération."),
    exceptions.NotFound: (404, "introuvable", "Cette adresse n’existe pas."),
    Http404: (404, "introuvable", "Cette adresse n’existe pas."),
    exceptions.MethodNotAllowed: (405, "methode", "Cette méthode n’est pas admise ici."),
    exceptions.Throttled: (429, "debit", "Trop d’appels : revenir plus tard."),
    TropGros: (413, "trop_gros", "Le corps de la requête est trop gros."),
}


class CorpsFautif(Exception):
    """Corps illisible ou mal formé (400) : chemins et codes, jamais les valeurs."""

    def __init__(self, message: str, champs: list[Champ] | None = None) -> None:
        super().__init__("corps_fautif")
        self.message = message
        self.champs = champs or []


def corps(code: str, message: str, champs: list[Champ] | None = None) -> dict[str, Any]:
    """La forme unique d'une erreur."""
    return {"code": code, "message": message, "champs": [{"chemin": c.chemin, "code": c.code} for c in champs or []]}


def traduire(erreur: Exception, contexte: dict[str, Any]) -> Response:
    """Traduit toute exception d'une vue d'API ; une erreur inattendue est un 500 sans détail, journalisé sans texte."""
    if isinstance(erreur, CorpsFautif):
        return Response(corps("forme", erreur.message, erreur.champs), 400)
    if isinstance(erreur, Refus):
        return Response(corps(erreur.code, erreur.message), erreur.statut)
    for classe, (statut, code, message) in _PHRASES.items():
        if isinstance(erreur, classe):
            return Response(corps(code, message), statut, headers=_entetes(erreur))
    if isinstance(erreur, DatabaseError | InterfaceError):
        journal.error("base_indisponible", erreur=type(erreur).__name__)
        return Response(
            corps("indisponible", "La base de données ne répond pas : réessayer."), 503, headers={"Retry-After": "5"}
        )
    journal.error("erreur_inattendue", exc_info=erreur)
    return Response(corps("interne", "Une erreur inattendue est survenue."), 500)


def _entetes(erreur: Exception) -> dict[str, str]:
    if isinstance(erreur, exceptions.Throttled):
        return {"Retry-After": str(max(1, int(getattr(erreur, "wait", None) or 1)))}
    entete = getattr(erreur, "auth_header", None)
    return {"WWW-Authenticate": entete} if entete else {}
