"""Bots et état de leurs clés."""

from dataclasses import dataclass
from datetime import datetime

from horizon.models import Bot


@dataclass(frozen=True, slots=True)
class LigneBot:
    """Un bot et l'état de sa clé maintenant : `active`, `expiree` ou `revoquee`."""

    bot: Bot
    etat: str


def liste(maintenant: datetime) -> list[LigneBot]:
    """Tous les bots, clés actives d'abord, puis du plus récent au plus ancien."""
    lignes = [LigneBot(b, etat(b, maintenant)) for b in Bot.objects.order_by("-cree_le", "-pk")]
    return sorted(lignes, key=lambda ligne: ligne.etat != "active")


def etat(bot: Bot, maintenant: datetime) -> str:
    """État de la clé d'un bot."""
    if bot.revoque_le is not None:
        return "revoquee"
    return "expiree" if bot.expire_le is not None and bot.expire_le <= maintenant else "active"
