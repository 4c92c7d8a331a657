"""Thème clair, sombre ou celui du système : un témoin (cookie), aucune ligne en base, aucun stockage du navigateur."""

from datetime import timedelta

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from horizon.web.acces import rediriger

TEMOIN = "theme"
THEMES = {"auto": "Système", "clair": "Clair", "sombre": "Sombre"}
DUREE = timedelta(days=365)


def choisi(request: HttpRequest) -> str:
    """Le thème choisi, « auto » à défaut."""
    voulu = request.COOKIES.get(TEMOIN, "")
    return voulu if voulu in THEMES else "auto"


@require_POST
def changer(request: HttpRequest) -> HttpResponse:
    """Garde le thème choisi et revient à la page d'où l'on vient."""
    voulu = request.POST.get("theme", "")
    reponse = rediriger(request, _retour(request))
    reponse.set_cookie(
        TEMOIN,
        voulu if voulu in THEMES else "auto",
        max_age=DUREE,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )
    return reponse


def _retour(request: HttpRequest) -> str:
    suite = request.POST.get("suite", "")
    sure = url_has_allowed_host_and_scheme(suite, allowed_hosts=None)
    return suite if sure and suite.startswith("/") else reverse("tableau")
