"""Réponses d'erreur : des pages qui ne demandent rien à la base, et du JSON sous `/api/`."""

import sys

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils.cache import patch_vary_headers

from horizon.web.theme import choisi

CODES = {
    400: ("demande", "La demande est illisible."),
    403: ("interdit", "Accès refusé."),
    404: ("introuvable", "Cette adresse n’existe pas ; celles de l’API finissent par une barre oblique."),
    405: ("methode", "Cette méthode n’est pas admise ici."),
    500: ("panne", "Le Poste a rencontré une panne."),
    503: ("indisponible", "Le Poste ne joint plus sa base ; réessayez dans un instant."),
}
PANNES = (OperationalError, InterfaceError)
ATTENTE = "10"


def rendre(request: HttpRequest, statut: int, gabarit: str = "") -> HttpResponse:
    """La page (ou le JSON) d'un statut d'erreur. Sans processeur de contexte : ni session, ni base."""
    if request.path_info.startswith("/api/"):
        code, message = CODES[statut]
        return JsonResponse({"code": code, "message": message, "champs": []}, status=statut)
    page = render_to_string(gabarit or f"{statut}.html", {"theme": choisi(request)})
    reponse = HttpResponse(page, status=statut)
    patch_vary_headers(reponse, ["Cookie"])
    return reponse


def demande_illisible(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """400."""
    return rendre(request, 400)


def interdit(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """403, sans jamais dire pourquoi."""
    return rendre(request, 403)


def introuvable(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """404, la même qu'un objet n'existe pas ou ne vous regarde pas."""
    return rendre(request, 404)


def panne(request: HttpRequest) -> HttpResponse:
    """503 si la base ne répond pas (elle revient seule), 500 sinon."""
    if not isinstance(sys.exc_info()[1], PANNES):
        return rendre(request, 500)
    reponse = rendre(request, 503)
    reponse.headers["Retry-After"] = ATTENTE
    return reponse


def csrf(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403 d'un formulaire trop vieux ou venu d'ailleurs."""
    return rendre(request, 403, "403_csrf.html")
