"""Bots : créer une clé (montrée une fois), la révoquer, reconnaître celle qui se présente."""

import hashlib
import hmac
import secrets
from collections.abc import Collection
from datetime import datetime, timedelta

from django.db import transaction

from horizon.models import Bot
from horizon.models.audit import Action
from horizon.models.bots import PORTEES
from horizon.noyau.decision import Acteur
from horizon.noyau.motifs import PLATEFORMES
from horizon.services.audit import tracer
from horizon.services.erreurs import Refus

OCTETS_DE_CLE = 32
"""256 bits tirés au sort : une simple empreinte SHA-256 suffit, aucun dictionnaire ne la renverse."""

PAS_D_USAGE = timedelta(minutes=1)


def creer(
    *,
    nom: str,
    plateformes: Collection[str],
    portees: Collection[str],
    par: Acteur,
    maintenant: datetime,
    expire_le: datetime | None = None,
) -> tuple[Bot, str]:
    """Crée un bot et rend sa clé, qu'aucune lecture ne pourra plus rendre (SR-05)."""
    _verifier(nom, plateformes, portees, expire_le, maintenant)
    prefixe = secrets.token_hex(4)
    cle = f"hz_{prefixe}_{secrets.token_urlsafe(OCTETS_DE_CLE)}"
    with transaction.atomic():
        bot = Bot.objects.create(
            nom=nom,
            prefixe=prefixe,
            empreinte=_empreinte(cle),
            portees=[p for p in PORTEES if p in portees],
            plateformes=[p for p in PLATEFORMES if p in plateformes],
            cree_le=maintenant,
            expire_le=expire_le,
        )
        tracer(Action.BOT_CREE, par=par, objet="bot", objet_id=bot.pk, maintenant=maintenant)
    return bot, cle


def _verifier(
    nom: str, plateformes: Collection[str], portees: Collection[str], expire_le: datetime | None, maintenant: datetime
) -> None:
    if not nom.strip() or len(nom) > 60 or not nom.isprintable():
        raise Refus("nom", "Le nom d’un bot compte de 1 à 60 caractères imprimables.", 400)
    if not plateformes or not set(plateformes) <= set(PLATEFORMES):
        raise Refus("plateformes", f"Choisir au moins une plateforme parmi : {', '.join(PLATEFORMES)}.", 400)
    if not portees or not set(portees) <= set(PORTEES):
        raise Refus("portees", f"Choisir au moins une portée parmi : {', '.join(PORTEES)}.", 400)
    if expire_le is not None and expire_le <= maintenant:
        raise Refus("expire_le", "L’expiration d’une clé se place dans l’avenir.", 400)


def revoquer(*, bot_id: int, par: Acteur, maintenant: datetime) -> None:
    """Révoque une clé : l'appel suivant est refusé. Déjà révoquée : sans effet."""
    with transaction.atomic():
        if not Bot.objects.filter(pk=bot_id, revoque_le__isnull=True).update(revoque_le=maintenant):
            return
        tracer(Action.BOT_REVOQUE, par=par, objet="bot", objet_id=bot_id, maintenant=maintenant)


def reconnaitre(cle: str, *, maintenant: datetime) -> Bot | None:
    """Le bot de cette clé si elle est valable maintenant, sinon None. Note son usage au plus une fois par minute."""
    morceaux = cle.split("_", 2)
    if len(morceaux) != 3 or morceaux[0] != "hz" or not morceaux[1].isalnum() or not cle.isascii():
        return None
    bot = Bot.objects.filter(prefixe=morceaux[1][:12]).first()
    attendue = bot.empreinte if bot else _empreinte("")
    if not hmac.compare_digest(attendue, _empreinte(cle)) or bot is None:
        return None
    if bot.revoque_le is not None or (bot.expire_le is not None and bot.expire_le <= maintenant):
        return None
    if bot.dernier_usage is None or bot.dernier_usage < maintenant - PAS_D_USAGE:
        Bot.objects.filter(pk=bot.pk).update(dernier_usage=maintenant)
    return bot


def _empreinte(cle: str) -> str:
    return hashlib.sha256(cle.encode()).hexdigest()
