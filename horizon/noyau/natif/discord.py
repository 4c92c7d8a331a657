"""Événements du Gateway Discord, ramenés aux événements neutres. Python pur.

L'absence de `guild_id` ne dit pas qu'un message est privé (un message éphémère n'en porte pas) : seul `channel_type` le
dit. Un type de message hors de {0, 19} n'est jamais une parole.
"""

from collections.abc import Callable
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Raw, Struct

from horizon.noyau.evenements import (
    IDS_MAX,
    Auteur,
    Contenu,
    Espace,
    Exclusion,
    Identifiant,
    Instant,
    Message,
    Modification,
    Pseudonyme,
    Reference,
    Suppression,
    Visibilite,
)
from horizon.noyau.natif import SANS_ETIQUETTE, Etiquette, Fil, Traduction

PAROLES = (0, 19)
COMMANDES = (20, 23)
FIL_CREE, POINTEUR_DE_FIL = 18, 21
DIFFUSE, SOURCE_SUPPRIMEE, EPHEMERE, EN_ATTENTE, VOCAL, TRANSFERE = 2, 8, 64, 128, 8192, 16384
MP, GROUPE, FIL_PRIVE = 1, 3, 12
FILS = (10, 11, FIL_PRIVE)
ABSENT = Raw()


class Dispatch(Struct):
    """Événement du Gateway ; `d` n'est lu que si le type `t` est pris."""

    t: str | None
    d: Raw = ABSENT


def traduire(corps: bytes, etiquette: Etiquette = SANS_ETIQUETTE) -> Traduction:
    """Événements neutres d'un dispatch ; un type hors de la liste blanche n'est pas lu. Lève une faute de msgspec."""
    dispatch = msgspec.json.decode(corps, type=Dispatch)
    traducteur = _TRADUCTEURS.get(dispatch.t or "")
    return traducteur(bytes(dispatch.d), etiquette) if traducteur else Traduction()


# --- Messages


class _Auteur(Struct):
    id: Identifiant
    username: Pseudonyme = ""
    global_name: Pseudonyme | None = None
    bot: bool = False
    system: bool = False


class _Renvoi(Struct):
    type: int = 0
    message_id: Identifiant | None = None
    channel_id: Identifiant | None = None


class _Fil(Struct):
    id: Identifiant
    type: int = 11
    parent_id: Identifiant | None = None


class _Lieu(Struct, kw_only=True):
    """Ce qu'un message, nouveau ou modifié, dit de lui-même hors de son texte."""

    id: Identifiant
    channel_id: Identifiant
    channel_type: int | None = None
    flags: int | None = None
    webhook_id: Identifiant | None = None
    interaction_metadata: Raw = ABSENT
    interaction: Raw = ABSENT
    message_reference: _Renvoi | None = None
    message_snapshots: Raw = ABSENT
    thread: _Fil | None = None


class _Cree(_Lieu, kw_only=True):
    type: int
    author: _Auteur
    content: Contenu
    timestamp: Instant
    embeds: list[Raw] | None = None
    referenced_message: Raw = ABSENT


class _Modifie(_Lieu, kw_only=True):
    type: int | None = None
    content: Contenu | None = None
    edited_timestamp: Instant | None = None


def _creer(brut: bytes, etiquette: Etiquette) -> Traduction:
    lu = msgspec.json.decode(brut, type=_Cree)
    traduction = Traduction(fils=_fils_du_message(lu))
    if lu.type == POINTEUR_DE_FIL:
        return traduction
    motif = _motif(lu, lu.type) or ("systeme" if lu.author.system else "")
    traduction.evenements.append(_exclusion(lu, motif) if motif else _message(lu, etiquette))
    if parent := _parent_supprime(lu):
        traduction.evenements.append(Suppression("discord", [parent], _salon(lu)))
    return traduction


def _parent_supprime(lu: _Cree) -> str | None:
    """Le message auquel celui-ci répond, s'il fut supprimé : Discord le dit nul ; absent, on n'en sait rien."""
    nul = lu.type == 19 and bytes(lu.referenced_message) == b"null"
    return lu.message_reference.message_id if nul and lu.message_reference else None


def _motif(lu: _Lieu, type_: int) -> str:
    """Pourquoi ce message n'est pas une parole, sans en lire le texte. Un webhook se reconnaît avant son auteur, dont
    l'identifiant est celui du webhook ; la réponse à une commande et la diffusion passent aussi par un webhook."""
    flags, renvoi = lu.flags or 0, lu.message_reference
    regles = (
        (type_ in COMMANDES or flags & (EPHEMERE | EN_ATTENTE) or _repond_a_une_commande(lu), "commande"),
        (flags & DIFFUSE, "annonce"),
        (lu.webhook_id is not None, "webhook"),
        (type_ not in PAROLES, "systeme"),
        (flags & TRANSFERE or _present(lu.message_snapshots) or (renvoi and renvoi.type == 1), "citation"),
        (lu.channel_type == FIL_PRIVE, "fil_prive"),
        (lu.channel_type == GROUPE, "groupe_prive"),
        (flags & VOCAL, "vide"),
    )
    return next((motif for vrai, motif in regles if vrai), "")


def _repond_a_une_commande(lu: _Lieu) -> bool:
    return _present(lu.interaction_metadata) or _present(lu.interaction)


def _present(brut: Raw) -> bool:
    return bytes(brut) not in (b"", b"null")


def _message(lu: _Cree, etiquette: Etiquette) -> Message:
    poubelle = lu.author.bot and etiquette.nature is not None
    interlocuteur = etiquette.interlocuteur if poubelle else None
    nature: Literal["personne", "bot", "poubelle"] = "poubelle" if poubelle else "bot" if lu.author.bot else "personne"
    return Message(
        id=lu.id,
        plateforme="discord",
        espace=_lieu(lu, interlocuteur),
        auteur=Auteur(lu.author.id, lu.author.global_name or lu.author.username, nature),
        contenu=lu.content,
        emis_le=lu.timestamp,
        # Un message de P.O.U.B.E.L.L.E. fait d'encarts est une diffusion, quoi qu'en dise l'étiquette (CT-03).
        nature="annonce" if poubelle and lu.embeds else etiquette.nature,
        interlocuteur=Reference(interlocuteur) if interlocuteur else None,
        reponse_a=_reponse_a(lu, etiquette),
    )


def _reponse_a(lu: _Cree, etiquette: Etiquette) -> str | None:
    if lu.type == 19 and lu.message_reference:
        return lu.message_reference.message_id
    return etiquette.reponse_a


def _lieu(lu: _Cree, interlocuteur: str | None) -> Espace:
    """Un message privé a deux participants : la Personne et P.O.U.B.E.L.L.E., quel que soit celui qui parle."""
    if lu.channel_type != MP:
        return _salon(lu)
    autre = lu.author.id if interlocuteur else "poubelle"
    return Espace(lu.channel_id, "prive", [interlocuteur or lu.author.id, autre])


def _salon(lu: _Lieu) -> Espace:
    return Espace(lu.channel_id, _visibilite(lu.channel_type))


def _visibilite(type_de_salon: int | None) -> Visibilite:
    return "prive" if type_de_salon in (MP, GROUPE, FIL_PRIVE) else "public"


def _exclusion(lu: _Lieu, motif: str) -> Exclusion:
    return Exclusion("discord", motif, lu.id, _salon(lu))


def _modifier(brut: bytes, _: Etiquette) -> Traduction:
    """Une modification porte un texte et sa date ; sans l'un ou l'autre, c'est un aperçu de lien qui se charge."""
    lu = msgspec.json.decode(brut, type=_Modifie)
    fils = _fils_du_message(lu)
    if (lu.flags or 0) & SOURCE_SUPPRIMEE:
        return Traduction([Suppression("discord", [lu.id], _salon(lu))], fils)
    if lu.content is None or lu.edited_timestamp is None:
        return Traduction(fils=fils)
    motif = _motif(lu, 0 if lu.type is None else lu.type)
    if motif:
        return Traduction([_exclusion(lu, motif)], fils)
    return Traduction([Modification(lu.id, "discord", _salon(lu), lu.content, lu.edited_timestamp)], fils)


class _Supprime(Struct):
    id: Identifiant
    channel_id: Identifiant
    guild_id: Identifiant | None = None


def _supprimer(brut: bytes, _: Etiquette) -> Traduction:
    lu = msgspec.json.decode(brut, type=_Supprime)
    return Traduction([Suppression("discord", [lu.id], _lieu_supprime(lu))])


class _Supprimes(Struct):
    ids: Annotated[list[Identifiant], Meta(min_length=1, max_length=IDS_MAX)]
    channel_id: Identifiant
    guild_id: Identifiant | None = None


def _supprimer_en_lot(brut: bytes, _: Etiquette) -> Traduction:
    lu = msgspec.json.decode(brut, type=_Supprimes)
    return Traduction([Suppression("discord", lu.ids, _lieu_supprime(lu))])


def _lieu_supprime(lu: _Supprime | _Supprimes) -> Espace:
    return Espace(lu.channel_id, "public" if lu.guild_id else "prive")


# --- Fils et salons


def _fils_du_message(lu: _Cree | _Modifie) -> list[Fil]:
    """Fil que ce message fait connaître : il l'ouvre, l'annonce dans son salon, ou en est le premier message."""
    renvoi = lu.message_reference
    if lu.thread is not None:
        return _fil(lu.thread, lu.channel_id)
    if renvoi is None or renvoi.channel_id is None:
        return []
    if lu.type == POINTEUR_DE_FIL:
        return [Fil(lu.channel_id, renvoi.channel_id, lu.channel_type == FIL_PRIVE)]
    return [Fil(renvoi.channel_id, lu.channel_id, prive=False)] if lu.type == FIL_CREE else []


def _fil(lu: _Fil, parent: str | None = None) -> list[Fil]:
    """Le parent d'un salon ordinaire est sa catégorie : seul un fil a un salon."""
    parent = lu.parent_id or parent
    return [Fil(lu.id, parent, lu.type == FIL_PRIVE)] if lu.type in FILS and parent and parent != lu.id else []


def _noter_fil(brut: bytes, _: Etiquette) -> Traduction:
    return Traduction(fils=_fil(msgspec.json.decode(brut, type=_Fil)))


class _Fils(Struct):
    threads: Annotated[list[_Fil], Meta(max_length=5000)] = []


def _noter_fils(brut: bytes, _: Etiquette) -> Traduction:
    lu = msgspec.json.decode(brut, type=_Fils)
    return Traduction(fils=[fil for un in lu.threads for fil in _fil(un)])


def _supprimer_salon(brut: bytes, _: Etiquette) -> Traduction:
    """Un fil ou un salon supprimé emporte ce qui y fut dit, et cela seulement : le message d'où part un fil porte le
    même identifiant que lui, mais appartient au salon."""
    lu = msgspec.json.decode(brut, type=_Fil)
    return Traduction(fils=_fil(lu), salon_supprime=Espace(lu.id, _visibilite(lu.type)))


# --- Le reste


class _Banni(Struct):
    user: _Auteur


def _bannir(brut: bytes, _: Etiquette) -> Traduction:
    """Un bannissement efface les messages du compte (CT-12) ; il ne dit ni le salon ni l'instant."""
    return Traduction(banni=msgspec.json.decode(brut, type=_Banni).user.id)


class _Interaction(Struct):
    id: Identifiant


def _interagir(brut: bytes, _: Etiquette) -> Traduction:
    """Commande, bouton, formulaire : ni options, ni jeton ne sont lus."""
    return Traduction([Exclusion("discord", "commande", msgspec.json.decode(brut, type=_Interaction).id)])


_TRADUCTEURS: dict[str, Callable[[bytes, Etiquette], Traduction]] = {
    "MESSAGE_CREATE": _creer,
    "MESSAGE_UPDATE": _modifier,
    "MESSAGE_DELETE": _supprimer,
    "MESSAGE_DELETE_BULK": _supprimer_en_lot,
    "THREAD_CREATE": _noter_fil,
    "THREAD_UPDATE": _noter_fil,
    "THREAD_LIST_SYNC": _noter_fils,
    "GUILD_CREATE": _noter_fils,
    "THREAD_DELETE": _supprimer_salon,
    "CHANNEL_DELETE": _supprimer_salon,
    "GUILD_BAN_ADD": _bannir,
    "INTERACTION_CREATE": _interagir,
}
