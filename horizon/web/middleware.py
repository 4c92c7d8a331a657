"""Deux gardes : les en-têtes de toute réponse (la plus externe), les politiques d’accès (la plus interne).

Entre elles, la barre oblique finale, ajoutée aux pages seules.
"""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.middleware.common import CommonMiddleware
from django.utils.cache import patch_vary_headers

from horizon.web import acces, politiques

Suite = Callable[[HttpRequest], HttpResponse]

ENTETES = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()",
}
ATTENTE = "60"
"""Secondes annoncées avec un 429 qui n'en dit pas davantage."""


class Entetes:
    """Pose les en-têtes de sûreté sur 100 % des réponses, erreurs comprises (SR-06, SR-07)."""

    def __init__(self, get_response: Suite) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        reponse = self.get_response(request)
        for nom, valeur in ENTETES.items():
            reponse.headers.setdefault(nom, valeur)
        if not request.path_info.startswith(settings.STATIC_URL):
            reponse.headers["Cache-Control"] = "no-store"
        if reponse.headers.get("Content-Type", "").startswith("text/html"):
            patch_vary_headers(reponse, ["HX-Request"])
        if reponse.status_code == 429:
            reponse.headers.setdefault("Retry-After", ATTENTE)
        return reponse


class Politiques:
    """Refuse toute vue dont la politique n'est pas déclarée, ou que la personne n'a pas le droit d'ouvrir (SR-03)."""

    def __init__(self, get_response: Suite) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, vue: Any, args: Any, kwargs: Any) -> HttpResponse | None:
        """None laisse passer ; une réponse (ou PermissionDenied) arrête là."""
        politique = politiques.de(request.resolver_match) if request.resolver_match else None
        if politique is None:
            raise PermissionDenied
        return None if politique.par_cle else acces.filtrer(request, politique)


class Commun(CommonMiddleware):
    """Ajoute sa barre oblique finale à l'adresse d'une page, jamais à celle de l'API : un client suivrait la
    redirection par un GET sans corps, et son envoi serait perdu sans le dire."""

    def should_redirect_with_slash(self, request: HttpRequest) -> bool:
        return not request.path_info.startswith("/api/") and super().should_redirect_with_slash(request)
