"""Comptes du Poste vus d'allauth : inscription fermée, phrases françaises, réauthentification à notre façon."""

from typing import Any, ClassVar

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import context
from allauth.mfa.recovery_codes.views import download_recovery_codes
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse

from horizon.web.acces import authentification_recente


class AdaptateurComptes(DefaultAccountAdapter):
    """Un compte ne naît que d'un acte d'exploitation (`creer_acces`) : l'inscription est fermée."""

    error_messages: ClassVar[dict[str, Any]] = {
        **DefaultAccountAdapter.error_messages,
        "account_inactive": "Ce compte est désactivé.",
        "username_password_mismatch": "Nom de connexion ou mot de passe inexact.",
        "incorrect_password": "Mot de passe inexact.",
        "incorrect_code": "Code inexact ou déjà utilisé.",
        "enter_current_password": "Mot de passe actuel inexact.",
        "too_many_login_attempts": "Trop d’essais manqués. Réessayez dans quelques minutes.",
        "rate_limited": "Trop d’essais. Réessayez dans quelques minutes.",
        "invalid_password_reset": "Ce lien d’activation ne vaut plus.",
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def is_ajax(self, request: HttpRequest) -> bool:
        """Jamais : sans cela, allauth répond en JSON à qui le demande par un en-tête."""
        return False

    def is_reauthentication_required(self, *, app: str, **kwargs: Any) -> bool:
        """La règle du Poste remplace celle d'allauth, qui ne compte pas la connexion comme une preuve."""
        return not authentification_recente(context.request)

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("tableau")


class AdaptateurOAuth(DefaultSocialAccountAdapter):
    """Fermé : la connexion par Twitch ou Discord viendra avec la revendication d'une Identité."""

    def is_open_for_signup(self, request: HttpRequest, sociallogin: Any) -> bool:
        return False

    def is_auto_signup_allowed(self, request: HttpRequest, sociallogin: Any) -> bool:
        return False


def codes_de_secours(request: HttpRequest) -> HttpResponse:
    """Les codes de secours en fichier texte, sous un nom français."""
    reponse: HttpResponse = download_recovery_codes(request)
    reponse.headers["Content-Disposition"] = 'attachment; filename="codes-de-secours.txt"'
    return reponse


def absente(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
    """Étape qu'allauth nomme et que le Poste n'ouvre pas."""
    raise Http404
