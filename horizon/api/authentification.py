"""Qui appelle : une clé de bot, et ce qu'elle ouvre. Refus par défaut."""

from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.utils.timezone import now
from rest_framework import exceptions
from rest_framework.authentication import BaseAuthentication
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from horizon.api.debit import compter_echec
from horizon.models import Bot
from horizon.services.bots import reconnaitre


class CleDeBot(BaseAuthentication):
    """`Authorization: Bearer CLÉ` ; le bot est dans `request.auth`, jamais dans `request.user`."""

    def authenticate(self, request: Request) -> tuple[AnonymousUser, Bot] | None:
        entete = request.META.get("HTTP_AUTHORIZATION", "")
        if not entete:
            return None
        schema, _, cle = entete.partition(" ")
        bot = reconnaitre(cle.strip(), maintenant=now()) if schema.lower() == "bearer" else None
        if bot is None:
            compter_echec(request)
            raise exceptions.AuthenticationFailed
        return AnonymousUser(), bot

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


class Portee(BasePermission):
    """Exige une clé, et la portée que la vue déclare. `portee = None` : toute clé ; `""` : même sans clé."""

    def has_permission(self, request: Request, view: Any) -> bool:
        portee = getattr(view, "portee", None)
        if portee == "":
            return True
        if not isinstance(request.auth, Bot):
            compter_echec(request)
            raise exceptions.NotAuthenticated
        return portee is None or portee in request.auth.portees
