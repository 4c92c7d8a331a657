"""Notifications que Twitch envoie lui-même : signées, donc sans clé de bot.

La signature couvre l'identifiant, l'horodatage tel qu'il fut envoyé et les octets bruts du corps, dans cet ordre ; rien
n'est relu ni réécrit avant de la vérifier.
"""

import hashlib
import hmac
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import msgspec
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from horizon.api.authentification import Portee
from horizon.api.debit import compter_echec
from horizon.noyau.evenements import Identifiant, Instant
from horizon.services.erreurs import Refus

AGE_ADMIS = timedelta(minutes=10)
IDENTIFIANT, HORODATAGE, SIGNATURE = (f"Twitch-Eventsub-Message-{n}" for n in ("Id", "Timestamp", "Signature"))


@dataclass(frozen=True, slots=True)
class Signee:
    """Tient lieu de clé : la signature est bonne."""


class SignatureEventSub(BaseAuthentication):
    """Signature EventSub, examinée en l'absence de clé. Fausse, ou sans secret configuré : 403."""

    def authenticate(self, request: Request) -> tuple[AnonymousUser, Signee] | None:
        if SIGNATURE not in request.headers or request.META.get("HTTP_AUTHORIZATION"):
            return None
        if not _exacte(request):
            compter_echec(request)
            raise Refus("signature", "La signature de cette notification n’est pas valable.", 403)
        return AnonymousUser(), Signee()


def _exacte(request: Request) -> bool:
    secret = settings.TWITCH_EVENTSUB_SECRET.encode()
    corps = request.data if isinstance(request.data, bytes) else b""
    signe = _entete(request, IDENTIFIANT) + _entete(request, HORODATAGE) + corps
    attendue = b"sha256=" + hmac.new(secret, signe, hashlib.sha256).hexdigest().encode()
    return hmac.compare_digest(attendue, _entete(request, SIGNATURE)) and bool(secret)


def _entete(request: Request, nom: str) -> bytes:
    # WSGI décode les en-têtes en latin-1 : l'inverse rend les octets envoyés.
    return request.headers.get(nom, "").encode("latin-1", "replace")


class PorteeOuSignature(Portee):
    """Une clé de la portée voulue, ou une notification signée."""

    def has_permission(self, request: Request, view: Any) -> bool:
        return isinstance(request.auth, Signee) or super().has_permission(request, view)


def livraison(request: Request) -> tuple[str | None, datetime | None]:
    """(identifiant, instant) des en-têtes d'une notification par webhook ; lève une faute de msgspec."""
    identifiant, horodatage = request.headers.get(IDENTIFIANT), request.headers.get(HORODATAGE)
    return (
        None if identifiant is None else msgspec.convert(identifiant, Identifiant),
        None if horodatage is None else msgspec.convert(horodatage, Instant),
    )


def refuser_si_perimee(instant: datetime | None, maintenant: datetime) -> None:
    """Une notification signée de plus de dix minutes peut être rejouée par un tiers : 403."""
    if instant is None or instant < maintenant - AGE_ADMIS:
        raise Refus("perimee", "Cette notification est trop ancienne.", 403)
