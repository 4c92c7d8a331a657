"""Ce qui vaut pour toute l'API : clés, portées, formes d'erreur, débit, rejeu, schéma."""

import json
from datetime import timedelta, timezone
from typing import Any

import pytest
import time_machine
from django.core.cache import caches
from django.core.cache.backends.redis import RedisCache
from django.utils.timezone import now
from redis.exceptions import RedisError

from horizon.api.debit import oublier_les_plafonds
from horizon.models import Bot, Parametre, Pause, ReponseGardee
from horizon.noyau.decision import EXPLOITATION
from horizon.services import bots
from memoire.models import Interaction
from tests.fabriques import ADA, Banc, creer_banc, message

CONTEXTE = {
    "destination": {"plateforme": "twitch", "espace": {"id": "900100", "visibilite": "public"}},
    "interlocuteur": {"id": ADA},
    "budget_tokens": 1000,
    "prestataire": "local",
}
PAUSE = {"personne": {"plateforme": "twitch", "id": ADA}}


def forme_d_erreur(reponse: Any) -> str:
    """Vérifie la forme unique d'une erreur et rend son code."""
    corps = reponse.json()
    assert set(corps) == {"code", "message", "champs"}
    assert all(set(c) == {"chemin", "code"} for c in corps["champs"])
    return corps["code"]


@pytest.mark.exigence("SR-05")
def test_cle_absente_fausse_revoquee_ou_expiree(banc: Banc) -> None:
    bonne = banc.cle
    for mauvaise in ("", "x", f"{bonne}x", bonne[:-1], "hz_é_é", f"hz_{banc.bot.prefixe}_faux", "hz_a\0b_c"):
        banc.cle = mauvaise
        reponse = banc.poster("contexte/", CONTEXTE)
        assert (reponse.status_code, reponse.headers["WWW-Authenticate"]) == (401, "Bearer")
        forme_d_erreur(reponse)
    banc.cle = bonne
    assert banc.poster("contexte/", CONTEXTE).status_code == 200
    bots.revoquer(bot_id=banc.bot.pk, par=EXPLOITATION, maintenant=now())
    assert banc.poster("contexte/", CONTEXTE).status_code == 401
    bot, cle = bots.creer(
        nom="court", plateformes=["twitch"], portees=["contexte"], par=EXPLOITATION, maintenant=now(),
        expire_le=now() + timedelta(hours=1),
    )  # fmt: skip
    provisoire = Banc(cle, bot)
    assert provisoire.poster("contexte/", CONTEXTE).status_code == 200
    with time_machine.travel(now() + timedelta(hours=1, seconds=1)):
        assert provisoire.poster("contexte/", CONTEXTE).status_code == 401


@pytest.mark.exigence("SR-05")
def test_la_cle_n_est_gardee_nulle_part_et_porte_assez_de_hasard(banc: Banc) -> None:
    from tests.fouille import tout_le_texte

    secret = banc.cle.split("_", 2)[2]
    assert len(secret) * 6 >= 190
    assert secret not in tout_le_texte()
    banc.envoyer(message())
    assert Bot.objects.get().dernier_usage is not None


@pytest.mark.exigence("ID-06", "SR-05")
@pytest.mark.parametrize(
    ("chemin", "corps", "portee"),
    [
        ("evenements/", {"evenements": [message()]}, "evenements"),
        ("avis/remise/", {"jeton": "x"}, "evenements"),
        ("contexte/", CONTEXTE, "contexte"),
        ("pauses/", PAUSE, "droits"),
        ("pauses/fin/", PAUSE, "droits"),
    ],
)
def test_portee_exigee(db: None, chemin: str, corps: Any, portee: str) -> None:
    autres = {"evenements", "contexte", "droits"} - {portee}
    refuse = creer_banc(portees=autres).poster(chemin, corps)
    assert (refuse.status_code, forme_d_erreur(refuse)) == (403, "interdit")
    assert creer_banc(portees=[portee]).poster(chemin, corps).status_code != 403


@pytest.mark.exigence("ID-06")
def test_plateforme_que_le_bot_n_a_pas(banc: Banc) -> None:
    discord = creer_banc(plateformes=("discord",))
    assert discord.un(message())["motif"] == "plateforme_interdite"
    for chemin, corps in (("contexte/", CONTEXTE), ("pauses/", PAUSE), ("pauses/fin/", PAUSE)):
        reponse = discord.poster(chemin, corps)
        assert (reponse.status_code, forme_d_erreur(reponse)) == (403, "plateforme_interdite")
    assert not Interaction.objects.exists()


@pytest.mark.exigence("SR-08")
@pytest.mark.parametrize(
    "corps",
    [b"", b"{", b"[]", b"null", b'{"evenements": []}', b'{"evenements": {}}', b'{"evenement": [{}]}', b"\xff\xfe",
     b'{"evenements": ' + b"[" * 100_000, json.dumps({"evenements": [{}] * 501}).encode(),
     b'{"evenements": [' + b"9" * 5000],
)  # fmt: skip
def test_enveloppe_fausse(banc: Banc, corps: bytes) -> None:
    reponse = banc.poster("evenements/", corps)
    assert (reponse.status_code, forme_d_erreur(reponse)) == (400, "forme")


@pytest.mark.exigence("SR-08")
@pytest.mark.parametrize(
    ("chemin", "corps", "champ"),
    [
        ("evenements/", {}, "evenements"),
        ("contexte/", {c: v for c, v in CONTEXTE.items() if c != "prestataire"}, "prestataire"),
        ("contexte/", CONTEXTE | {"interlocuteur": {}}, "interlocuteur.id"),
        ("pauses/", {"personne": {"id": ADA}}, "personne.plateforme"),
    ],
)
def test_champ_manquant_est_nomme(banc: Banc, chemin: str, corps: Any, champ: str) -> None:
    reponse = banc.poster(chemin, corps)
    assert (reponse.status_code, reponse.json()["champs"]) == (400, [{"chemin": champ, "code": "manquant"}])


@pytest.mark.exigence("SR-08", "SR-12")
def test_une_valeur_hors_bornes_le_dit(banc: Banc) -> None:
    corps = {
        "destination": {"plateforme": "twitch", "espace": {"id": "1", "visibilite": "public"}},
        "interlocuteur": {"id": "77"},
        "prestataire": "local",
    }
    for budget, code in ((99, "hors_bornes"), (8001, "hors_bornes"), ("mille", "forme")):
        champs = banc.poster("contexte/", corps | {"budget_tokens": budget}).json()["champs"]
        assert champs == [{"chemin": "budget_tokens", "code": code}]


def test_le_nom_du_champ_manquant_ne_vient_jamais_du_corps(banc: Banc) -> None:
    imite = banc.un(message(type="Object missing required field `canari`"))
    assert (imite["motif"], imite["champs"]) == ("type_inconnu", [{"chemin": "type", "code": "forme"}])
    sans = message()
    del sans["emis_le"]
    assert banc.un(sans)["champs"] == [{"chemin": "emis_le", "code": "manquant"}]


@pytest.mark.exigence("SR-08")
def test_sans_barre_oblique_finale_l_envoi_n_est_pas_redirige(banc: Banc) -> None:
    """Suivie, une redirection deviendrait un GET sans corps : le client croirait avoir envoyé."""
    reponse = banc.poster("evenements", {"evenements": [message()]})
    assert (reponse.status_code, forme_d_erreur(reponse)) == (404, "introuvable")
    assert "barre oblique" in reponse.json()["message"]
    assert banc.client.get("/espaces").status_code == 301


@pytest.mark.exigence("SR-08")
def test_corps_trop_gros(banc: Banc) -> None:
    reponse = banc.poster("evenements/", b" " * (6 * 1024 * 1024 + 1))
    assert (reponse.status_code, forme_d_erreur(reponse)) == (413, "trop_gros")


@pytest.mark.exigence("SR-08", "SR-12")
def test_element_fautif_n_empeche_pas_les_autres_et_n_est_pas_reproduit(banc: Banc) -> None:
    fautifs: list[Any] = [
        {"type": "message", "canari": "canari"},
        message("canari", id=123),
        message("canari", id=1.4975499237790844e18),
        message("canari", id=" 12"),
        message("canari", id="12\n"),
        message("canari", id="12\u200b"),
        message("canari", id=""),
        message("canari", emis_le="2026-11-30T20:00:00"),
        message("canari", emis_le="hier"),
        message("canari", emis_le="0001-01-01T00:00:00+23:59"),
        message("canari \x00"),
        message("x" * 8001),
        message("canari", plateforme="canari"),
        message("canari", auteur={"id": "1", "nature": "canari"}),
        message("canari", espace="canari"),
        {"type": "canari", "plateforme": "twitch"},
        "canari",
        None,
        [[]],
    ]
    resultats = banc.envoyer(message("bon"), *fautifs, message("bon aussi"))
    assert [r["statut"] for r in resultats] == ["memorise", *["invalide"] * len(fautifs), "memorise"]
    assert "canari" not in json.dumps(resultats)
    assert resultats[16]["motif"] == "type_inconnu"
    assert banc.dits() == ["bon", "bon aussi"]


@pytest.mark.exigence("CT-04")
def test_decalage_horaire_extreme(banc: Banc) -> None:
    lointain = now().astimezone(timezone(timedelta(hours=23, minutes=59))).isoformat()
    assert banc.un(message("vison", emis_le=lointain))["statut"] == "memorise"


@pytest.mark.exigence("SR-08")
@pytest.mark.parametrize("corps", [b'{"evenements": [{"x": NaN}]}', '{"evenements": [{}]}'.encode("utf-16")])
def test_json_qui_n_en_est_pas(banc: Banc, corps: bytes) -> None:
    assert banc.poster("evenements/", corps).status_code == 400


@pytest.mark.exigence("SR-08")
@pytest.mark.parametrize("cle", ["", "é", "x" * 201, "a\tb"])
def test_cle_d_idempotence_malformee(banc: Banc, cle: str) -> None:
    assert banc.poster("pauses/", PAUSE, **{"Idempotency-Key": cle}).status_code == 400


@pytest.mark.exigence("SR-08")
def test_demi_codet_isole_n_ecarte_que_lui(banc: Banc) -> None:
    brut = json.dumps({"evenements": [message("bon"), message("PIEGE"), message("bon aussi")]})
    reponse = banc.poster("evenements/", brut.replace("PIEGE", "hermine \\ud83d").encode())
    assert [r["statut"] for r in reponse.json()["resultats"]] == ["memorise", "invalide", "memorise"]
    pseudo = json.dumps({"evenements": [message("x", auteur={"id": ADA, "pseudonyme": "PIEGE"})]})
    reponse = banc.poster("evenements/", pseudo.replace("PIEGE", "\\udc00").encode())
    assert reponse.json()["resultats"][0]["statut"] == "invalide"


@pytest.mark.exigence("CT-06", "SR-08")
def test_identifiants_au_dela_de_2_puissance_53(banc: Banc) -> None:
    banc.envoyer(message("vison un", id="1497549923779084388"), message("vison deux", id="1497549923779084389"))
    banc.un({"type": "suppression", "plateforme": "twitch", "ids": ["1497549923779084388"]})
    assert banc.dits() == ["vison deux"]


@pytest.mark.exigence("SR-11")
def test_debit_par_cle(banc: Banc) -> None:
    Parametre.objects.create(cle="debit_cle", valeur=3)
    with time_machine.travel(now().replace(second=30), tick=False):
        assert [banc.poster("contexte/", CONTEXTE).status_code for _ in range(4)] == [200, 200, 200, 429]
        reponse = banc.poster("contexte/", CONTEXTE)
        assert (forme_d_erreur(reponse), reponse.headers["Retry-After"]) == ("debit", "30")
        assert creer_banc("autre").poster("contexte/", CONTEXTE).status_code == 200
    with time_machine.travel(now() + timedelta(minutes=2)):
        assert banc.poster("contexte/", CONTEXTE).status_code == 200


@pytest.mark.exigence("SR-11")
def test_debit_par_adresse_sans_cle_valable(banc: Banc) -> None:
    Parametre.objects.create(cle="debit_adresse", valeur=2)
    banc.cle = "hz_faux_faux"
    assert [banc.poster("contexte/", CONTEXTE).status_code for _ in range(3)] == [401, 401, 429]


@pytest.mark.exigence("SR-10", "SR-11")
def test_file_absente_le_debit_compte_localement(banc: Banc, monkeypatch: pytest.MonkeyPatch) -> None:
    def en_panne(*_: object, **__: object) -> None:
        raise RedisError

    caches["default"].repli.clear()  # type: ignore[attr-defined]
    for operation in ("add", "incr", "has_key", "clear"):
        monkeypatch.setattr(RedisCache, operation, en_panne)
    Parametre.objects.create(cle="debit_cle", valeur=2)
    oublier_les_plafonds()
    with time_machine.travel(now().replace(second=30), tick=False):
        assert [banc.poster("contexte/", CONTEXTE).status_code for _ in range(3)] == [200, 200, 429]
        assert banc.client.get("/api/v1/sante/").json() == {"etat": "degrade"}


@pytest.mark.exigence("ID-09", "SR-12")
def test_idempotency_key(banc: Banc) -> None:
    cle = {"Idempotency-Key": "k1"}
    assert banc.poster("pauses/", PAUSE, **cle).status_code == 201
    Pause.objects.all().delete()
    rejouee = banc.poster("pauses/", PAUSE, **cle)
    assert (rejouee.status_code, rejouee.json()) == (201, {"statut": "suspendue"})
    assert not Pause.objects.exists()
    autre = banc.poster("pauses/", PAUSE | {"espace": {"plateforme": "twitch", "id": "900100"}}, **cle)
    assert (autre.status_code, forme_d_erreur(autre)) == (409, "cle_reutilisee")
    assert creer_banc("autre").poster("pauses/", PAUSE, **cle).status_code == 201
    ReponseGardee.objects.update(expire_a=now())
    assert banc.poster("pauses/", PAUSE, **cle).status_code == 201
    assert Pause.objects.count() == 1
    # Une faute ne se garde pas : corrigée, la même clé sert.
    assert banc.poster("pauses/", {}, **{"Idempotency-Key": "k2"}).status_code == 400
    assert banc.poster("pauses/fin/", PAUSE, **{"Idempotency-Key": "k2"}).status_code == 204
    assert banc.poster("pauses/fin/", PAUSE, **{"Idempotency-Key": "k2"}).status_code == 204


def test_contexte_neutre_pour_un_inconnu_et_un_prestataire_inconnu(banc: Banc) -> None:
    banc.un(message("bonsoir"))
    vide: dict[str, Any] = {
        "interlocuteur": {"pseudonyme": None, "connaissance": "insuffisamment_connue", "ancien_membre": False},
        "recent": [], "hypotheses": [], "synthese": None, "souvenirs": [], "globales": {}, "collective": [],
    }  # fmt: skip
    assert banc.contexte("jamais-vue") == vide
    assert banc.contexte(prestataire="ailleurs") == vide
    assert banc.dits(espace={"id": "jamais-vu", "visibilite": "prive"}) == []


@pytest.mark.exigence("DV-11")
def test_le_budget_est_tenu_et_les_plus_anciens_partent(banc: Banc) -> None:
    from horizon.noyau.jetons import compter

    banc.envoyer(*[message(f"ligne numéro {n} du journal de bord") for n in range(40)])
    gardes = banc.dits(budget_tokens=100)
    assert 0 < sum(map(compter, gardes)) <= 100
    assert gardes == [f"ligne numéro {n} du journal de bord" for n in range(40 - len(gardes), 40)]
    for hors in (99, 8001, "1000", None):
        assert banc.poster("contexte/", CONTEXTE | {"budget_tokens": hors}).status_code == 400
    sans = {k: v for k, v in CONTEXTE.items() if k != "prestataire"}
    assert banc.poster("contexte/", sans).status_code == 400


def test_cout_constant_du_contexte_et_du_lot(banc: Banc, django_assert_max_num_queries: Any) -> None:
    banc.envoyer(*[message(f"l{n}", auteur={"id": f"p{n}", "pseudonyme": f"P{n}"}) for n in range(100)])
    with django_assert_max_num_queries(6):
        banc.contexte()
    with django_assert_max_num_queries(23):
        banc.envoyer(*[message(f"k{n}", auteur={"id": f"p{n}", "pseudonyme": f"P{n}"}) for n in range(200)])


@pytest.mark.exigence("SR-09")
def test_le_schema_decrit_exactement_les_adresses(banc: Banc) -> None:
    from horizon.api.urls import urlpatterns
    from memoire.api.urls import urlpatterns as de_la_memoire

    schema = banc.client.get("/api/v1/schema/").json()
    adresses = {f"/api/v1/{p.pattern}" for p in (*urlpatterns, *de_la_memoire)} - {"/api/v1/schema/"}
    assert set(schema["paths"]) == adresses
    references = set(json.dumps(schema).split('"#/components/schemas/')[1:])
    assert {r.split('"')[0] for r in references} <= set(schema["components"]["schemas"])


def test_adresse_et_methode_inconnues(banc: Banc) -> None:
    assert forme_d_erreur(banc.client.get("/api/v1/rien/")) == "introuvable"
    reponse = banc.client.get("/api/v1/evenements/", headers={"Authorization": f"Bearer {banc.cle}"})
    assert (reponse.status_code, forme_d_erreur(reponse)) == (405, "methode")


@pytest.mark.exigence("SR-10")
def test_base_absente_sante_le_dit_et_l_api_repond_503(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from django.db import OperationalError
    from django.db.backends.base.base import BaseDatabaseWrapper

    def en_panne(*_: object) -> None:
        raise OperationalError

    monkeypatch.setattr(BaseDatabaseWrapper, "ensure_connection", en_panne)
    reponse = client.get("/api/v1/sante/")
    assert (reponse.status_code, reponse.json()) == (503, {"etat": "panne"})
    avec_cle = {"Authorization": "Bearer hz_abcdef01_secret"}
    assert client.post("/api/v1/contexte/", b"{}", content_type="application/json", headers=avec_cle).status_code == 503
