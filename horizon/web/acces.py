"""Portes du Poste : connexion, rôle, second facteur, authentification récente (SR-03, SR-04)."""

import time
from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlencode, urlsplit

from allauth.account import app_settings as reglages_comptes
from allauth.account.authentication import get_authentication_records
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.urls import reverse
from django_htmx.http import HttpResponseClientRedirect

from horizon.models import Utilisateur
from horizon.noyau.decision import Acteur
from horizon.web.politiques import ANONYME, LECTURE, Politique

Vue = Callable[..., HttpResponse]
PREUVES = frozenset({"password", "mfa"})


def filtrer(request: HttpRequest, politique: Politique) -> HttpResponse | None:
    """None si l'accès est permis ; sinon une redirection, ou PermissionDenied (403 sans détail)."""
    concernes = politique.lecture | politique.ecriture
    # Une page ouverte à tous ne regarde pas la session : elle s'ouvre même quand la base ne répond plus.
    public = ANONYME in concernes and politique.sans_second_facteur
    if not public and not request.user.is_authenticated and ANONYME not in concernes:
        return aller(request, "account_login", retour=retour_de(request))
    compte = None if public or not request.user.is_authenticated else utilisateur(request)
    if compte and compte.role not in concernes:
        raise PermissionDenied
    if request.method not in politique.servies():
        return HttpResponseNotAllowed(politique.servies())
    return _exiger(request, politique, compte) if compte else None


def _exiger(request: HttpRequest, politique: Politique, compte: Utilisateur) -> HttpResponse | None:
    """Le rôle pour cette méthode, puis le second facteur."""
    if compte.role not in politique.admis(request.method or ""):
        raise PermissionDenied
    if politique.sans_second_facteur or second_facteur_en_regle(compte):
        return None
    return aller(request, "mfa_activate_totp")


def utilisateur(request: HttpRequest) -> Utilisateur:
    """Le compte connecté ; PermissionDenied s'il n'y en a pas."""
    if not request.user.is_authenticated:
        raise PermissionDenied
    return request.user


def acteur(request: HttpRequest) -> Acteur:
    """Le compte connecté, tel que les services le notent dans l'audit."""
    return Acteur("utilisateur", str(utilisateur(request).pk))


def second_facteur_en_regle(compte: Utilisateur) -> bool:
    """Vrai si le compte a son second facteur, si son rôle n’en demande pas, ou si c’est un compte de démonstration."""
    return (settings.DEMO and compte.demonstration) or not compte.conduit or second_facteur_actif(compte)


def second_facteur_actif(compte: Utilisateur) -> bool:
    """Vrai si une application d'authentification est enregistrée."""
    return Authenticator.objects.filter(user_id=compte.pk, type=Authenticator.Type.TOTP).exists()


def authentification_recente(request: HttpRequest) -> bool:
    """Vrai si la personne a prouvé son identité (connexion comprise) il y a moins de cinq minutes."""
    preuves = [p for p in get_authentication_records(request, request.user) if p.get("method") in PREUVES]
    return bool(preuves) and time.time() - preuves[-1]["at"] < reglages_comptes.REAUTHENTICATION_TIMEOUT


def reauthentifie(vue: Vue) -> Vue:
    """Exige une authentification récente. Un POST refusé n'est jamais gardé en session : on revient à la page."""

    @wraps(vue)
    def gardee(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if authentification_recente(request):
            return vue(request, *args, **kwargs)
        return aller(request, "account_reauthenticate", retour=request.get_full_path())

    return gardee


def echange(request: HttpRequest) -> bool:
    """Vrai si htmx demande un fragment plutôt qu'une page."""
    return bool(getattr(request, "htmx", False))


def retour_de(request: HttpRequest) -> str:
    """Page où revenir ensuite : celle demandée, ou celle d'où part l'échange ; jamais l'URL d'un acte."""
    if echange(request):
        return urlsplit(request.htmx.current_url_abs_path or "").path  # type: ignore[attr-defined]
    return request.get_full_path() if request.method in LECTURE else ""


def aller(request: HttpRequest, nom: str, *, retour: str = "") -> HttpResponse:
    """Redirection vers une page nommée, que la demande vienne d'un navigateur ou de HTMX."""
    suite = f"?{urlencode({'next': retour})}" if retour else ""
    return rediriger(request, reverse(nom) + suite)


def rediriger(request: HttpRequest, url: str) -> HttpResponse:
    """303 pour un formulaire, 302 pour une lecture, `HX-Redirect` pour un échange."""
    if echange(request):
        return HttpResponseClientRedirect(url)
    reponse = HttpResponseRedirect(url)
    reponse.status_code = 302 if request.method in LECTURE else 303
    return reponse
