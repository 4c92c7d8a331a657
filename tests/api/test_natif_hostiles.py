"""Charges natives fautives : 400, jamais 5xx, jamais le contenu rendu."""

import copy
import json
from typing import Any

import pytest
import time_machine

from memoire.models import Interaction
from tests.api.natives import CHAINE, SALON, SOIR, charge
from tests.fabriques import Banc, configurer_salon, creer_banc

TWITCH, DISCORD = "evenements/twitch/", "evenements/discord/"


@pytest.fixture
def banc(db: None) -> Any:
    with time_machine.travel(SOIR, tick=False):
        configurer_salon(CHAINE)
        configurer_salon(SALON, "discord")
        yield creer_banc()


def avec(nom: str, chemin: str, valeur: Any) -> Any:
    """La charge dont un champ est remplacé ; `chemin` : clés séparées par des points."""
    corps = copy.deepcopy(charge(nom))
    *debut, fin = chemin.split(".")
    cible = corps
    for cle in debut:
        cible = cible[cle]
    cible[fin] = valeur
    return corps


def refusee(banc: Banc, adresse: str, corps: Any, statut: int = 400) -> None:
    reponse = banc.poster(adresse, corps)
    assert reponse.status_code == statut, reponse.content
    assert set(reponse.json()) == {"code", "message", "champs"}
    assert b"canari" not in reponse.content


@pytest.mark.exigence("SR-08", "CT-06")
@pytest.mark.parametrize("valeur", [7, 1.4975499237790844e18, None, "", " 12", "1\x002", "12\n", ["x"], {}, "x" * 129])
@pytest.mark.parametrize(
    ("adresse", "nom", "chemin"),
    [
        (TWITCH, "t01_message", "payload.event.message_id"),
        (TWITCH, "t01_message", "payload.event.chatter_user_id"),
        (TWITCH, "t01_message", "payload.event.broadcaster_user_id"),
        (TWITCH, "t03_reponse_commande", "payload.event.reply.parent_message_id"),
        (TWITCH, "t08_suppression", "payload.event.message_id"),
        (TWITCH, "t09_purge", "payload.event.target_user_id"),
        (TWITCH, "t17_bannissement", "payload.event.user_id"),
        (TWITCH, "t10_vidage", "payload.event.broadcaster_user_id"),
        (DISCORD, "d01_message", "d.id"),
        (DISCORD, "d01_message", "d.author.id"),
        (DISCORD, "d01_message", "d.channel_id"),
        (DISCORD, "d13_suppression", "d.id"),
        (DISCORD, "x01_fil_cree", "d.id"),
        (DISCORD, "x03_banni", "d.user.id"),
        (DISCORD, "d19_interaction", "d.id"),
    ],
)
def test_identifiant_fautif(banc: Banc, adresse: str, nom: str, chemin: str, valeur: Any) -> None:
    refusee(banc, adresse, avec(nom, chemin, valeur))
    assert not Interaction.objects.exists()


@pytest.mark.exigence("SR-08")
@pytest.mark.parametrize(
    ("adresse", "nom", "chemin", "valeur"),
    [
        (TWITCH, "t01_message", "payload.event.message.text", "canari\x00"),
        (TWITCH, "t01_message", "payload.event.message.text", None),
        (TWITCH, "t01_message", "payload.event.message", "canari"),
        (TWITCH, "t01_message", "payload.event", "canari"),
        (TWITCH, "t01_message", "payload.event", None),
        (TWITCH, "t01_message", "payload", {}),
        (TWITCH, "t01_message", "metadata", "canari"),
        (TWITCH, "t01_message", "metadata.message_timestamp", "2026-05-02T20:15:07"),
        (TWITCH, "t01_message", "metadata.message_timestamp", 17),
        (TWITCH, "t01_message", "payload.event.chatter_user_name", "canari\x00"),
        (TWITCH, "t18_webhook", "subscription", "canari"),
        (TWITCH, "t18_webhook", "event", "canari"),
        (TWITCH, "t15_direct_debut", "payload.event.started_at", "canari"),
        (DISCORD, "d01_message", "d.content", "canari\x00"),
        (DISCORD, "d01_message", "d.content", 7),
        (DISCORD, "d01_message", "d.content", "x" * 8001),
        (DISCORD, "d01_message", "d.timestamp", "hier"),
        (DISCORD, "d01_message", "d.type", "0"),
        (DISCORD, "d01_message", "d.flags", "canari"),
        (DISCORD, "d01_message", "d.author", None),
        (DISCORD, "d01_message", "d.author.bot", "canari"),
        (DISCORD, "d01_message", "d", None),
        (DISCORD, "d01_message", "d", ["canari"]),
        (DISCORD, "d10_modification", "d.edited_timestamp", "canari"),
        (DISCORD, "d14_suppression_en_lot", "d.ids", []),
        (DISCORD, "d14_suppression_en_lot", "d.ids", [149985]),
        (DISCORD, "d01_message", "t", 7),
    ],
)
def test_champ_fautif(banc: Banc, adresse: str, nom: str, chemin: str, valeur: Any) -> None:
    refusee(banc, adresse, avec(nom, chemin, valeur))


@pytest.mark.exigence("SR-08")
@pytest.mark.parametrize("adresse", [TWITCH, DISCORD])
@pytest.mark.parametrize("corps", [b"", b"{", b"[]", b"null", b"7", b'"canari"', b"{}", b"\xff", b"[" * 100_000])
def test_enveloppe_fautive(banc: Banc, adresse: str, corps: bytes) -> None:
    refusee(banc, adresse, corps)


@pytest.mark.exigence("SR-08")
@pytest.mark.parametrize(
    ("adresse", "nom", "mot"),
    [
        (TWITCH, "t01_message", "lavande"),
        (TWITCH, "t01_message", "Melusine_77"),
        (DISCORD, "d01_message", "mauve"),
        (DISCORD, "d10_modification", "plein"),
    ],
)
def test_demi_codet_isole(banc: Banc, adresse: str, nom: str, mot: str) -> None:
    refusee(banc, adresse, json.dumps(charge(nom)).replace(mot, "canari \\ud83d").encode())


@pytest.mark.exigence("SR-08", "CT-19")
@pytest.mark.parametrize(
    "requete", ["?nature=canari", "?nature=", "?interlocuteur=%00", "?interlocuteur=", "?reponse_a=a%20b"]
)
def test_etiquette_fautive(banc: Banc, requete: str) -> None:
    refusee(banc, TWITCH + requete, charge("t07_poubelle"))
    refusee(banc, DISCORD + requete, charge("d22_poubelle"))


@pytest.mark.exigence("CT-17")
@pytest.mark.parametrize(
    ("adresse", "corps"),
    [
        (DISCORD, {"t": "TYPING_START", "d": {"user_id": 7, "canari": "\x00"}}),
        (DISCORD, {"t": "PRESENCE_UPDATE", "d": "canari"}),
        (DISCORD, {"t": "MESSAGE_REACTION_ADD"}),
        (DISCORD, {"t": None, "op": 11}),
        (DISCORD, {"t": "CANARI", "d": [[[]]]}),
        (TWITCH, {"metadata": {"message_type": "session_keepalive"}, "payload": {}}),
        (TWITCH, {"metadata": {"subscription_type": "channel.follow"}, "payload": {"event": {"user_id": 7}}}),
        (TWITCH, {"subscription": {"type": "user.whisper.message"}, "event": {"whisper": {"text": "canari"}}}),
        (TWITCH, {"subscription": {"type": "canari"}, "event": "canari"}),
    ],
)
def test_type_hors_de_la_liste_blanche_ignore_sans_etre_lu(banc: Banc, adresse: str, corps: Any) -> None:
    reponse = banc.poster(adresse, corps)
    assert (reponse.status_code, [r["statut"] for r in reponse.json()["resultats"]]) == (200, ["ignore"])
    assert b"canari" not in reponse.content


@pytest.mark.exigence("CT-06")
def test_effacement_d_une_horloge_en_avance_n_est_pas_perdu(banc: Banc) -> None:
    banc.poster(TWITCH, charge("t04_action"))
    reponse = banc.poster(TWITCH, avec("t10_vidage", "metadata.message_timestamp", "2026-05-02T21:30:00Z"))
    assert reponse.json()["resultats"][0]["nombre"] == 1
