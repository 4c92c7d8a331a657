"""Notifications EventSub de Twitch, par webhook ou par websocket, ramenées aux événements neutres. Python pur.

L'événement de chat ne porte pas son heure d'émission : la seule horloge est celle de la notification.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

import msgspec
from msgspec import Raw, Struct

from horizon.noyau.evenements import (
    Auteur,
    Contenu,
    Direct,
    Espace,
    Exclusion,
    Identifiant,
    Instant,
    Message,
    Participation,
    Pseudonyme,
    PurgeAuteur,
    Recu,
    Reference,
    Suppression,
    Vidage,
)
from horizon.noyau.natif import SANS_ETIQUETTE, ChargeFautive, Etiquette, Traduction

STATUTS_DE_REVOCATION = frozenset(
    {
        "authorization_revoked",
        "user_removed",
        "notification_failures_exceeded",
        "version_removed",
        "moderator_removed",
        "chat_user_banned",
    }
)
_BADGE_DE_BOT = "bot-badge"


class _Abonnement(Struct):
    """Abonnement qui a produit la notification."""

    type: str
    status: str = "enabled"


class _Metadonnees(Struct):
    """Enveloppe du websocket."""

    message_type: str = "notification"
    message_id: Identifiant | None = None
    message_timestamp: Instant | None = None
    subscription_type: str | None = None


class _Charge(Struct):
    """Abonnement et événement ; l'événement n'est lu que si son type est pris."""

    subscription: _Abonnement | None = None
    event: Raw = Raw()


class _Corps(Struct):
    """Les deux formes à la fois : enveloppe du websocket, ou corps d'un webhook."""

    metadata: _Metadonnees | None = None
    payload: _Charge | None = None
    subscription: _Abonnement | None = None
    event: Raw = Raw()
    challenge: str | None = None


@dataclass(frozen=True, slots=True)
class Notification:
    """Une notification lue. `genre` : `session` pour ce que le websocket dit de lui-même."""

    genre: Literal["notification", "defi", "revocation", "session"]
    type: str = ""
    id: str | None = None
    instant: datetime | None = None
    statut: str = ""
    defi: str = ""
    evenement: bytes = b""


def lire(corps: bytes, *, id: str | None = None, instant: datetime | None = None) -> Notification:
    """La notification d'un corps ; `id` et `instant` : ceux des en-têtes d'un webhook. Lève une faute de msgspec, ou
    `ChargeFautive`."""
    lu = msgspec.json.decode(corps, type=_Corps)
    if lu.metadata is not None:
        return _du_websocket(lu.metadata, lu.payload or _Charge())
    if lu.challenge is not None:
        return Notification("defi", id=id, instant=instant, defi=lu.challenge)
    if lu.subscription is None:
        raise ChargeFautive("subscription")
    # Le genre se lit dans le corps, que la signature couvre, et non dans un en-tête qu'elle ne couvre pas.
    genre = _genre(lu.event, lu.subscription)
    return Notification(
        genre, lu.subscription.type, id, instant, statut=lu.subscription.status, evenement=bytes(lu.event)
    )


def _genre(evenement: Raw, abonnement: _Abonnement) -> Literal["notification", "revocation"]:
    if bytes(evenement):
        return "notification"
    if abonnement.status == "enabled":
        raise ChargeFautive("event")
    return "revocation"


def _du_websocket(metadonnees: _Metadonnees, charge: _Charge) -> Notification:
    abonnement = charge.subscription or _Abonnement(metadonnees.subscription_type or "")
    commun = (metadonnees.subscription_type or abonnement.type, metadonnees.message_id, metadonnees.message_timestamp)
    if metadonnees.message_type == "revocation":
        return Notification("revocation", *commun, statut=abonnement.status)
    if metadonnees.message_type != "notification":
        return Notification("session")
    if not commun[0]:
        raise ChargeFautive("metadata.subscription_type")
    if not bytes(charge.event):
        raise ChargeFautive("payload.event")
    return Notification("notification", *commun, evenement=bytes(charge.event))


def abonnement_revoque(notification: Notification) -> tuple[str, str]:
    """(type, statut) d'une révocation, ramenés à un vocabulaire fermé : ils iront dans une trace et un journal."""
    type_ = notification.type if notification.type in TYPES_PRIS else "autre"
    return type_, notification.statut if notification.statut in STATUTS_DE_REVOCATION else "autre"


def traduire(notification: Notification, etiquette: Etiquette = SANS_ETIQUETTE) -> Traduction:
    """Événements neutres d'une notification ; un type hors de la liste blanche n'est pas lu."""
    traducteur = _TRADUCTEURS.get(notification.type) if notification.genre == "notification" else None
    return Traduction(traducteur(notification, etiquette) if traducteur else [])


# --- Le chat


class _Badge(Struct):
    set_id: str = ""


class _Texte(Struct):
    text: Contenu


class _Reponse(Struct):
    parent_message_id: Identifiant


class _MessageDeChat(Struct):
    broadcaster_user_id: Identifiant
    chatter_user_id: Identifiant
    message_id: Identifiant
    message: _Texte
    chatter_user_name: Pseudonyme = ""
    reply: _Reponse | None = None
    source_broadcaster_user_id: Identifiant | None = None
    badges: list[_Badge] | None = None


def _message(notification: Notification, etiquette: Etiquette) -> list[Recu]:
    lu = msgspec.json.decode(notification.evenement, type=_MessageDeChat)
    espace = _chaine(lu.broadcaster_user_id)
    if lu.source_broadcaster_user_id not in (None, lu.broadcaster_user_id):
        return [Exclusion("twitch", "autre_chaine", lu.message_id, espace)]
    message = Message(
        id=lu.message_id,
        plateforme="twitch",
        espace=espace,
        auteur=Auteur(lu.chatter_user_id, lu.chatter_user_name, _nature(lu, etiquette)),
        contenu=lu.message.text,
        emis_le=_instant(notification),
        nature=etiquette.nature,
        interlocuteur=Reference(etiquette.interlocuteur) if etiquette.interlocuteur else None,
        reponse_a=lu.reply.parent_message_id if lu.reply else etiquette.reponse_a,
    )
    return [message]


def _nature(lu: _MessageDeChat, etiquette: Etiquette) -> Literal["personne", "bot", "poubelle"]:
    """Twitch ne dit pas qui est un bot : l'étiquette, puis l'insigne, simple indice ; le serveur en sait plus."""
    if etiquette.nature is not None:
        return "poubelle"
    return "bot" if any(b.set_id == _BADGE_DE_BOT for b in lu.badges or ()) else "personne"


class _Avis(Struct):
    broadcaster_user_id: Identifiant
    message_id: Identifiant
    chatter_user_id: Identifiant | None = None
    chatter_is_anonymous: bool = False


def _avis(notification: Notification, _: Etiquette) -> list[Recu]:
    """Réabonnement, annonce, cadeau… : jamais une parole, même quand la Personne y a joint un texte (CT-15)."""
    lu = msgspec.json.decode(notification.evenement, type=_Avis)
    anonyme = lu.chatter_is_anonymous or lu.chatter_user_id is None
    return [Exclusion("twitch", "anonyme" if anonyme else "annonce", lu.message_id, _chaine(lu.broadcaster_user_id))]


class _Suppression(Struct):
    broadcaster_user_id: Identifiant
    message_id: Identifiant


def _suppression(notification: Notification, _: Etiquette) -> list[Recu]:
    lu = msgspec.json.decode(notification.evenement, type=_Suppression)
    return [Suppression("twitch", [lu.message_id], _chaine(lu.broadcaster_user_id))]


class _PurgeDeChat(Struct):
    broadcaster_user_id: Identifiant
    target_user_id: Identifiant


def _purge(notification: Notification, _: Etiquette) -> list[Recu]:
    lu = msgspec.json.decode(notification.evenement, type=_PurgeDeChat)
    return [_purger(lu.broadcaster_user_id, lu.target_user_id, notification)]


class _Bannissement(Struct):
    broadcaster_user_id: Identifiant
    user_id: Identifiant


def _bannissement(notification: Notification, _: Etiquette) -> list[Recu]:
    """Exclusion, temporaire ou non : les messages partent ; ni raison, ni durée, ni modérateur (CT-12)."""
    lu = msgspec.json.decode(notification.evenement, type=_Bannissement)
    return [_purger(lu.broadcaster_user_id, lu.user_id, notification)]


def _purger(chaine: str, compte: str, notification: Notification) -> PurgeAuteur:
    return PurgeAuteur("twitch", _chaine(chaine), Reference(compte), notification.instant)


class _Chaine(Struct):
    broadcaster_user_id: Identifiant


def _vidage(notification: Notification, _: Etiquette) -> list[Recu]:
    lu = msgspec.json.decode(notification.evenement, type=_Chaine)
    return [Vidage("twitch", _chaine(lu.broadcaster_user_id), notification.instant)]


# --- Le direct


class _Debut(Struct):
    broadcaster_user_id: Identifiant
    id: Identifiant
    started_at: Instant
    type: str = "live"


def _debut(notification: Notification, _: Etiquette) -> list[Recu]:
    lu = msgspec.json.decode(notification.evenement, type=_Debut)
    if lu.type != "live":
        return []
    return [Direct("twitch", _chaine(lu.broadcaster_user_id), lu.id, debut=lu.started_at)]


def _fin(notification: Notification, _: Etiquette) -> list[Recu]:
    """La fin ne nomme pas son direct : son identifiant vient de son instant, et se répète sans se dédoubler."""
    lu = msgspec.json.decode(notification.evenement, type=_Chaine)
    fin = _instant(notification)
    return [Direct("twitch", _chaine(lu.broadcaster_user_id), f"fin-{fin.astimezone(UTC):%Y%m%dT%H%M%SZ}", fin=fin)]


class _Raid(Struct):
    from_broadcaster_user_id: Identifiant


def _raid(notification: Notification, _: Etiquette) -> list[Recu]:
    """Participation de qui mène le raid. Sans identifiant de notification, deux annonces compteraient deux fois."""
    lu = msgspec.json.decode(notification.evenement, type=_Raid)
    if notification.id is None:
        return []
    auteur = Reference(lu.from_broadcaster_user_id)
    return [Participation("twitch", auteur, "raid", notification.id, _instant(notification))]


def _chaine(identifiant: str) -> Espace:
    return Espace(identifiant, "public")


def _instant(notification: Notification) -> datetime:
    if notification.instant is None:
        raise ChargeFautive("message_timestamp")
    return notification.instant


_TRADUCTEURS: dict[str, Callable[[Notification, Etiquette], list[Recu]]] = {
    "channel.chat.message": _message,
    "channel.chat.notification": _avis,
    "channel.chat.message_delete": _suppression,
    "channel.chat.clear_user_messages": _purge,
    "channel.chat.clear": _vidage,
    "channel.ban": _bannissement,
    "channel.raid": _raid,
    "stream.online": _debut,
    "stream.offline": _fin,
}
TYPES_PRIS = frozenset(_TRADUCTEURS)
