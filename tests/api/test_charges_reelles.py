"""De vraies charges Twitch et Discord, portées dans la forme neutre comme le ferait un bot, de bout en bout."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import time_machine

from tests.fabriques import Banc, configurer_salon

CHARGES = Path(__file__).parent.parent / "charges"
SOIR = datetime(2026, 3, 14, 20, 24, tzinfo=UTC)


def charge(nom: str) -> dict[str, Any]:
    return json.loads((CHARGES / f"{nom}.json").read_text(encoding="utf-8"))


def depuis_twitch(brut: dict[str, Any]) -> dict[str, Any]:
    """Ce qu'un bot Twitch fait d'une notification de chat : les seuls champs du contrat."""
    e = brut["payload"]["event"]
    return {
        "type": "message", "plateforme": "twitch", "id": e["message_id"], "nature": "conversation",
        "espace": {"id": e["broadcaster_user_id"], "visibilite": "public"},
        "auteur": {"id": e["chatter_user_id"], "pseudonyme": e["chatter_user_name"]},
        "contenu": e["message"]["text"], "emis_le": brut["metadata"]["message_timestamp"],
        "reponse_a": e["reply"]["parent_message_id"] if e["reply"] else None,
    }  # fmt: skip


def depuis_discord(brut: dict[str, Any]) -> dict[str, Any]:
    """Ce qu'un bot Discord fait d'un événement du Gateway."""
    d = brut["d"]
    if brut["t"] == "MESSAGE_DELETE":
        return {"type": "suppression", "plateforme": "discord", "ids": [d["id"]]}
    return {
        "type": "message", "plateforme": "discord", "id": d["id"], "nature": "conversation",
        "espace": {"id": d["channel_id"], "visibilite": "public"},
        "auteur": {"id": d["author"]["id"], "pseudonyme": d["author"]["global_name"] or d["author"]["username"]},
        "contenu": d["content"], "emis_le": d["timestamp"],
        "reponse_a": d.get("message_reference", {}).get("message_id"),
    }  # fmt: skip


@pytest.fixture
def banc_des_deux(banc: Banc) -> Banc:
    configurer_salon("1100000000000000101", "discord")
    return banc


@pytest.mark.exigence("CT-01", "CT-15")
def test_charges_twitch(banc_des_deux: Banc) -> None:
    with time_machine.travel(SOIR, tick=False):
        recus = banc_des_deux.envoyer(
            *[depuis_twitch(charge(n)) for n in ("twitch_message", "twitch_reponse_commande", "twitch_action")]
        )
        assert [r["motif"] or r["statut"] for r in recus] == ["memorise", "commande", "memorise"]
        # L'émission porte des nanosecondes : l'expiration garde la microseconde.
        assert recus[0]["expire_le"] == "2026-03-15T20:15:07.299123Z"
        assert banc_des_deux.dits("70010001") == ["Bonsoir l'équipage, qui a repeint la soute en mauve ?"]
        assert banc_des_deux.dits("70010002") == ["range les pinceaux"]


@pytest.mark.exigence("CT-01", "CT-06", "CT-17")
def test_charges_discord(banc_des_deux: Banc) -> None:
    salon = {"id": "1100000000000000101", "visibilite": "public"}
    with time_machine.travel(SOIR, tick=False):
        banc_des_deux.envoyer(depuis_discord(charge("discord_message")), depuis_discord(charge("discord_reponse")))
        contexte = banc_des_deux.contexte("210000000000000011", salon, plateforme="discord")
        assert contexte["interlocuteur"]["pseudonyme"] == "Mélusine"
        assert [r["contenu"] for r in contexte["recent"]] == ["Le pot de mauve est vide, <@1310000000000000012> 🎨"]
        assert banc_des_deux.un(depuis_discord(charge("discord_suppression")))["nombre"] == 1
        assert banc_des_deux.dits("210000000000000011", salon, plateforme="discord") == []
        # La réponse d'autrui reste, sans copie de ce qu'elle citait.
        assert banc_des_deux.dits("210000000000000012", salon, plateforme="discord") == ["Il reste du vert."]
