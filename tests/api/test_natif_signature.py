"""Notifications que Twitch envoie lui-même : la signature ouvre, et rien d'autre."""

import hashlib
import json
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils.timezone import now

from horizon.models import Livraison, Parametre, Trace
from horizon.services.purge import passer
from memoire.models import Interaction
from tests.api.natives import CHAINE, SECRET, SOIR, charge, entetes, signature
from tests.fabriques import Banc, configurer_salon, creer_banc, iso

ADRESSE = "/api/v1/evenements/twitch/"
RECENT = "2026-05-02T20:40:00.500000000Z"


@pytest.fixture
def banc(db: None, settings: Any) -> Any:
    settings.TWITCH_EVENTSUB_SECRET = SECRET
    with time_machine.travel(SOIR, tick=False):
        configurer_salon(CHAINE)
        yield creer_banc()


def brut(nom: str) -> bytes:
    """Le corps tel que Twitch l'écrit : serré, accents en clair."""
    return json.dumps(charge(nom), ensure_ascii=False, separators=(",", ":")).encode()


def livrer(banc: Banc, corps: bytes, signe: str | None = None, **champs: str) -> Any:
    """Livre un webhook, bien signé sauf si `signe` est donné."""
    tetes = entetes(**({"quand": RECENT} | champs))
    ident, quand = tetes["Twitch-Eventsub-Message-Id"], tetes["Twitch-Eventsub-Message-Timestamp"]
    tetes["Twitch-Eventsub-Message-Signature"] = signature(corps, ident, quand) if signe is None else signe
    return banc.client.post(ADRESSE, corps, content_type="application/json", headers=tetes)


@pytest.mark.exigence("CT-01", "CT-15")
def test_bien_signee_sans_cle(banc: Banc) -> None:
    reponse = livrer(banc, brut("t18_webhook"))
    assert (reponse.status_code, reponse.json()["resultats"][0]["statut"]) == (200, "memorise")
    assert banc.dits("81000001", {"id": CHAINE, "visibilite": "public"}) == ["range le balai 🧹"]
    assert reponse.json()["resultats"][0]["expire_le"] == "2026-05-03T20:40:00.500000Z"


@pytest.mark.exigence("SR-05")
def test_signatures_fausses(banc: Banc) -> None:
    corps = brut("t18_webhook")
    reecrit = json.dumps(json.loads(corps)).encode()
    fausses = {
        "corps réécrit": signature(reecrit, "11v-1", RECENT),
        "horodatage rogné": signature(corps, "11v-1", "2026-05-02T20:40:00.5Z"),
        "autre secret": signature(corps, "11v-1", RECENT, "autre"),
        "autre identifiant": signature(corps, "11v-2", RECENT),
        "sans préfixe": signature(corps, "11v-1", RECENT).removeprefix("sha256="),
        "vide": "",
        "accentuée": "sha256=é",
    }
    for nom, fausse in fausses.items():
        reponse = livrer(banc, corps, fausse)
        assert (reponse.status_code, reponse.json()["code"]) == (403, "signature"), nom
    assert livrer(banc, corps + b" ", signature(corps, "11v-1", RECENT)).status_code == 403
    assert not Interaction.objects.exists()
    assert not Livraison.objects.exists()


@pytest.mark.exigence("SR-05")
def test_sans_secret_configure_rien_n_est_recevable(banc: Banc, settings: Any) -> None:
    settings.TWITCH_EVENTSUB_SECRET = ""
    corps = brut("t18_webhook")
    assert livrer(banc, corps, signature(corps, "11v-1", RECENT, "")).status_code == 403


@pytest.mark.exigence("SR-05")
def test_ni_cle_ni_signature(banc: Banc) -> None:
    nue = banc.client.post(ADRESSE, brut("t18_webhook"), content_type="application/json", headers=entetes())
    assert (nue.status_code, nue.headers["WWW-Authenticate"]) == (401, "Bearer")
    # Une signature n'ouvre que cette adresse.
    corps, tetes = brut("t18_webhook"), entetes(quand=RECENT)
    tetes["Twitch-Eventsub-Message-Signature"] = signature(corps, "11v-1", RECENT)
    for chemin in ("evenements/", "evenements/discord/", "contexte/"):
        reponse = banc.client.post(f"/api/v1/{chemin}", corps, content_type="application/json", headers=tetes)
        assert reponse.status_code == 401
    # Une clé fausse n'est pas rattrapée par une bonne signature.
    tetes["Authorization"] = "Bearer hz_faux_faux"
    assert banc.client.post(ADRESSE, corps, content_type="application/json", headers=tetes).status_code == 401


@pytest.mark.exigence("SR-05")
def test_horodatage_trop_vieux(banc: Banc) -> None:
    corps = brut("t18_webhook")
    juste, vieux = iso(SOIR - timedelta(minutes=10)), iso(SOIR - timedelta(minutes=10, seconds=1))
    reponse = livrer(banc, corps, quand=vieux)
    assert (reponse.status_code, reponse.json()["code"]) == (403, "perimee")
    assert livrer(banc, corps, quand=juste).status_code == 200
    assert livrer(banc, corps, quand="avant-hier").status_code == 400
    # Un relais n'a pas cet âge à tenir : une suppression en retard vaut mieux qu'une suppression perdue.
    assert banc.poster("evenements/twitch/", charge("t08_suppression")).status_code == 200


@pytest.mark.exigence("CT-08", "SR-10")
def test_redelivree_sans_effet(banc: Banc) -> None:
    corps = brut("t18_webhook")
    livrer(banc, corps)
    Interaction.objects.all().delete()
    redelivree = livrer(banc, corps)
    assert (redelivree.status_code, redelivree.json()["resultats"][0]["statut"]) == (200, "doublon")
    assert not Interaction.objects.exists()
    assert livrer(banc, corps, ident="11v-2").json()["resultats"][0]["statut"] == "memorise"
    assert livrer(banc, corps, ident="11v-3").json()["resultats"][0]["statut"] == "doublon"
    assert Livraison.objects.filter(cle=hashlib.sha256(b"11v-1").hexdigest()).exists()
    passer(maintenant=now() + timedelta(hours=1, seconds=1), par="commande")
    assert not Livraison.objects.exists()


@pytest.mark.exigence("SR-10")
def test_une_livraison_qui_echoue_pourra_etre_redelivree(banc: Banc) -> None:
    fautive = json.loads(brut("t18_webhook"))
    fautive["event"]["message"]["text"] = 7
    assert livrer(banc, json.dumps(fautive).encode()).status_code == 400
    assert livrer(banc, brut("t18_webhook")).json()["resultats"][0]["statut"] == "memorise"


def test_defi_rendu_tel_quel(banc: Banc) -> None:
    reponse = livrer(banc, brut("t19_defi"), genre="webhook_callback_verification")
    assert (reponse.status_code, reponse.content) == (200, b"defi-invente-lavande-77")
    assert reponse.headers["Content-Type"] == "text/plain"
    corps = brut("t19_defi")
    assert livrer(banc, corps, signature(corps, "11v-1", RECENT, "autre")).status_code == 403
    assert not Interaction.objects.exists()


@pytest.mark.exigence("CT-13", "SR-12")
def test_revocation_alerte_une_seule_fois(banc: Banc, caplog: Any) -> None:
    for _ in range(2):
        assert livrer(banc, brut("t20_revocation"), genre="revocation").status_code == 200
    trace = Trace.objects.get(action="abonnement_revoque")
    assert (trace.objet_nature, trace.objet_id, trace.motif) == (
        "abonnement",
        "channel.chat.message",
        "authorization_revoked",
    )
    assert trace.acteur_nature == "systeme"
    assert sum("abonnement_revoque" in ligne for ligne in caplog.messages) == 1


@pytest.mark.exigence("SR-12")
def test_revocation_inconnue_ou_relayee_reste_en_vocabulaire_ferme(banc: Banc) -> None:
    relayee = {
        "metadata": {"message_id": "r-1", "message_type": "revocation", "message_timestamp": RECENT},
        "payload": {"subscription": {"type": "canari", "status": "canari"}},
    }
    for _ in range(2):
        assert banc.poster("evenements/twitch/", relayee).status_code == 200
    trace = Trace.objects.get(action="abonnement_revoque")
    assert (trace.objet_id, trace.motif, trace.acteur_nature) == ("autre", "autre", "bot")


@pytest.mark.exigence("CT-15")
def test_webhook_relaye_par_un_bot_avec_ses_en_tetes(banc: Banc) -> None:
    corps = charge("t18_webhook")
    sans = banc.poster("evenements/twitch/", corps)
    assert (sans.status_code, sans.json()["champs"]) == (400, [{"chemin": "message_timestamp", "code": "manquant"}])
    avec = banc.poster("evenements/twitch/", corps, **entetes(quand=RECENT))
    assert avec.json()["resultats"][0]["statut"] == "memorise"
    # La même charge renvoyée par un relais se reconnaît à l'identifiant du message.
    assert banc.poster("evenements/twitch/", corps, **entetes()).json()["resultats"][0]["statut"] == "doublon"


@pytest.mark.exigence("SR-11")
def test_les_notifications_signees_n_usent_pas_le_debit_d_une_adresse(banc: Banc) -> None:
    Parametre.objects.create(cle="debit_adresse", valeur=2)
    corps = brut("t18_webhook")
    assert [livrer(banc, corps, ident=f"v{n}").status_code for n in range(4)] == [200] * 4
    assert [livrer(banc, corps, "sha256=faux").status_code for _ in range(3)] == [403, 403, 429]


@pytest.mark.exigence("SR-08")
def test_corps_signe_trop_gros(banc: Banc) -> None:
    assert livrer(banc, b" " * (6 * 1024 * 1024 + 1)).status_code == 413
