"""Déclarer une opération d'API : méthode, portée, et rejeu sûr par `Idempotency-Key`."""

import functools
import hashlib
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils.timezone import now
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from horizon.api.erreurs import CorpsFautif
from horizon.models import Bot, ReponseGardee
from horizon.noyau.decision import Acteur
from horizon.services.erreurs import Conflit, Refus
from horizon.services.reprise import rejouer

Vue = Callable[..., Any]
GARDE = timedelta(hours=24)
JAMAIS_REJOUES = frozenset({"jeton", "avis"})


def operation(
    *methodes: str,
    portee: str | None,
    rejouable: bool = False,
    authentification: Sequence[type] = (),
    permissions: Sequence[type] = (),
) -> Callable[[Vue], Any]:
    """Fait d'une fonction une vue d'API. `portee` : voir `authentification.Portee`. Sans `authentification` ni
    `permissions` : une clé de bot de cette portée."""

    def decorer(fonction: Vue) -> Any:
        vue = api_view(list(methodes))(_rejouer(fonction) if rejouable else fonction)
        vue.cls.portee = portee  # type: ignore[attr-defined]
        if authentification:
            vue.cls.authentication_classes = authentification
            vue.cls.permission_classes = permissions
        return vue

    return decorer


def acteur(request: Request) -> Acteur:
    """Le bot appelant, comme acteur d'une trace."""
    return Acteur("bot", str(bot(request).pk))


def bot(request: Request) -> Bot:
    """Le bot authentifié de la requête."""
    assert isinstance(request.auth, Bot)
    return request.auth


def exiger_plateforme(request: Request, *plateformes: str) -> None:
    """`Refus` 403 si le bot n'agit pas sur l'une de ces plateformes."""
    if not set(plateformes) <= set(bot(request).plateformes):
        raise Refus("plateforme_interdite", "Ce bot n’agit pas sur cette plateforme.", 403)


def _rejouer(fonction: Vue) -> Vue:
    """Même clé et même corps : même réponse, un seul effet. Autre corps : 409. La ligne est posée dans la transaction
    de l'effet : un second appel simultané attend le premier, puis rejoue sa réponse. Un appel que la base sacrifie à
    un autre repasse, sans que le bot le sache."""

    @functools.wraps(fonction)
    def enveloppe(request: Request, *args: Any, **kwargs: Any) -> Response:
        cle = request.META.get("HTTP_IDEMPOTENCY_KEY")
        if request.method == "GET":
            return fonction(request, *args, **kwargs)
        if cle is None:
            return rejouer(lambda: fonction(request, *args, **kwargs))
        if not (1 <= len(cle) <= 200 and cle.isascii() and cle.isprintable()):
            raise CorpsFautif("La clé d’idempotence compte de 1 à 200 caractères ASCII imprimables.")

        def une_fois() -> Response:
            with transaction.atomic():
                return _une_seule_fois(fonction, request, cle, *args, **kwargs)

        return rejouer(une_fois)

    return enveloppe


def _une_seule_fois(fonction: Vue, request: Request, cle: str, *args: Any, **kwargs: Any) -> Response:
    octets = request.data if isinstance(request.data, bytes) else b""
    corps = hashlib.sha256(request.path.encode() + b"\n" + octets).hexdigest()
    empreinte = hashlib.sha256(cle.encode()).hexdigest()
    ReponseGardee.objects.filter(bot=bot(request), cle=empreinte, expire_a__lte=now()).delete()
    gardee, neuve = ReponseGardee.objects.get_or_create(
        bot=bot(request), cle=empreinte, defaults={"corps": corps, "expire_a": now() + GARDE}
    )
    if not neuve:
        if gardee.corps != corps:
            raise Conflit("cle_reutilisee", "Cette clé d’idempotence a déjà servi pour un autre corps.")
        return Response(gardee.reponse or None, gardee.statut)
    reponse = fonction(request, *args, **kwargs)
    gardee.statut = reponse.status_code
    gardee.reponse = {k: v for k, v in (reponse.data or {}).items() if k not in JAMAIS_REJOUES}
    gardee.save(update_fields=["statut", "reponse"])
    return reponse
