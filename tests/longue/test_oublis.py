"""Oublier : annoncer, confirmer, effacer partout, et ne rien laisser revenir."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.core.management import call_command
from django.utils.timezone import now

from horizon.models import Identite, Oubli, Trace
from memoire.models import Interaction, Proposition, Source, Souvenir, Temoin
from statistiques.models import Observation
from tests.fabriques import ADA, BILAL, SALON, Banc, creer_banc, il_y_a, iso, message, reponse
from tests.fouille import tout_le_texte
from tests.longue.conftest import ADA_DISCORD
from tests.longue.gestes import ADORE, DOUTEUX, annoncer, memoriser, oublier, personne, proposer, retenus

TOUT = {"tout": True}


@pytest.mark.exigence("DR-02", "DR-04")
def test_les_consequences_sont_chiffrees_avant_et_rien_n_est_efface(banc: Banc, ada: Any, dit: Any) -> None:
    dit("bonsoir"), dit("ça va ?")
    memoriser(banc)
    memoriser(banc, DOUTEUX, "autre")
    annonce = annoncer(banc, TOUT)
    assert annonce.status_code == 202
    attendues = {"souvenirs": 1, "propositions": 1, "interactions": 2, "observations": 2, "hypotheses": 0}
    consequences = annonce.json()["consequences"]
    assert attendues.items() <= consequences.items()
    assert consequences["syntheses"] == consequences["dossiers"] == consequences["blocs"] == 0
    assert len(banc.dits()) == 2
    assert retenus(banc) == {"preference": ADORE}


@pytest.mark.exigence("DR-02", "DR-09")
def test_oublier_tout_ne_laisse_rien_de_la_personne(banc: Banc, ada: Any, bilal: Any, dit: Any) -> None:
    question = dit("mon jeu préféré c'est Zibeline Racing")
    banc.un(reponse("Zibeline Racing, quel choix !", question))
    dit("Zibeline Racing aussi pour moi", auteur={"id": BILAL, "pseudonyme": "Bilal", "nature": "personne"})
    proposer(banc, "adore le jeu Zibeline Racing", [question], fiabilite=60)
    confirmation = oublier(banc, TOUT)
    assert confirmation.status_code == 200
    assert Trace.objects.filter(pk=confirmation.json()["trace"], action="oubli").exists()
    assert banc.dits() == []
    assert retenus(banc) == {}
    assert tout_le_texte().count("Zibeline") == 1
    assert banc.dits(BILAL) == ["Zibeline Racing aussi pour moi"]
    identite = Identite.objects.get(pk=ada.pk)
    assert (identite.epoque, identite.revendiquee_le is not None) == (1, True)
    assert not Observation.objects.filter(identite=ada).exists()
    assert not Temoin.objects.filter(identite=ada).exists()
    assert not Source.objects.exists()


@pytest.mark.exigence("DR-04", "DR-02")
def test_oublier_une_categorie_ou_un_message_ne_touche_que_cela(banc: Banc, ada: Any, dit: Any) -> None:
    premier, second = dit("premier"), dit("second")
    memoriser(banc)
    memoriser(banc, "adore les énigmes", "autre")
    memoriser(banc, DOUTEUX, "preference")
    oublier(banc, {"categorie": "preference"})
    assert retenus(banc) == {"autre": "adore les énigmes"}
    assert not Proposition.objects.exists()
    oublier(banc, {"message": {"plateforme": "twitch", "id": premier}})
    assert banc.dits() == ["second"]
    assert banc.un(message("premier", id=premier))["motif"] == "supprime_avant"
    assert Interaction.objects.get(message_id=second).contenu == "second"


@pytest.mark.exigence("DR-02", "DR-09")
def test_un_oubli_emporte_ce_qui_attendait_un_accord(banc: Banc, ada: Any) -> None:
    memoriser(banc, DOUTEUX, "autre")
    assert annoncer(banc, {"categorie": "preference"}).json()["consequences"]["propositions"] == 1
    oublier(banc, {"categorie": "preference"})
    assert "ada@exemple" not in tout_le_texte()


@pytest.mark.exigence("DR-04")
def test_on_n_oublie_pas_le_message_d_autrui(banc: Banc, ada: Any, dit: Any) -> None:
    de_bilal = dit("moi c'est Bilal", auteur={"id": BILAL, "pseudonyme": "Bilal", "nature": "personne"})
    annonce = annoncer(banc, {"message": {"plateforme": "twitch", "id": de_bilal}})
    assert annonce.json()["consequences"]["interactions"] == 0
    oublier(banc, {"message": {"plateforme": "twitch", "id": de_bilal}})
    assert banc.dits(BILAL) == ["moi c'est Bilal"]


@pytest.mark.exigence("DR-03")
def test_des_messages_anterieurs_ne_recreent_pas_l_oublie(banc: Banc, ada: Any, dit: Any) -> None:
    avant = dit("j'adore les jeux de plateforme", emis_le=il_y_a(minutes=5))
    memoriser(banc)
    oublier(banc, {"categorie": "preference"})
    assert proposer(banc, ADORE, [avant]).json()["motif"] == "oublie"
    assert memoriser(banc, sources=[avant]).json()["motif"] == "oublie"
    assert memoriser(banc, origine="regle", fiabilite=90).json()["motif"] == "oublie"
    assert proposer(banc, "adore les énigmes", [avant], "autre").status_code == 201
    apres = dit("les jeux de plateforme, toujours")
    assert proposer(banc, ADORE, [apres, avant]).json()["motif"] == "oublie"
    assert proposer(banc, ADORE, [apres]).status_code == 201


@pytest.mark.exigence("DR-03", "CT-06")
def test_apres_un_oubli_total_rien_d_anterieur_n_entre_plus(banc: Banc, ada: Any) -> None:
    oublier(banc, TOUT)
    tard = message("je traînais en route", emis_le=il_y_a(minutes=3))
    assert banc.un(tard)["motif"] == "supprime_avant"
    vieux = {"type": "participation", "plateforme": "twitch", "auteur": {"id": ADA}, "evenement": "raid", "id": "r1"}
    assert banc.un(vieux | {"instant": il_y_a(minutes=3)})["statut"] == "ignore"
    assert banc.un(message("me revoilà", emis_le=iso(now() + timedelta(seconds=1))))["statut"] == "memorise"


@pytest.mark.exigence("DR-02")
def test_le_jeton_ne_sert_qu_une_fois_et_dix_minutes(banc: Banc, ada: Any) -> None:
    jeton = annoncer(banc, TOUT).json()["jeton"]
    assert banc.poster("oublis/confirmation/", {"jeton": jeton}).status_code == 200
    assert banc.poster("oublis/confirmation/", {"jeton": jeton}).status_code == 410
    assert banc.poster("oublis/confirmation/", {"jeton": "faux"}).status_code == 410
    jeton = annoncer(banc, TOUT).json()["jeton"]
    with time_machine.travel(now() + timedelta(minutes=10, seconds=2), tick=False):
        assert banc.poster("oublis/confirmation/", {"jeton": jeton}).status_code == 410


@pytest.mark.exigence("DR-02", "DR-01")
def test_une_personne_inconnue_recoit_la_meme_reponse(banc: Banc, ada: Any) -> None:
    inconnue, connue = annoncer(banc, TOUT, personne("jamais-vue")), annoncer(banc, TOUT)
    assert inconnue.status_code == connue.status_code == 202
    assert inconnue.json().keys() == connue.json().keys()
    assert inconnue.json()["consequences"].keys() == connue.json()["consequences"].keys()
    assert banc.poster("oublis/confirmation/", {"jeton": inconnue.json()["jeton"]}).status_code == 200


def test_un_oubli_vise_une_seule_chose(banc: Banc, ada: Any) -> None:
    for cible in ({}, {"tout": False}, {"tout": True, "categorie": "autre"}, {"tous": True}):
        assert annoncer(banc, cible).status_code == 400
    assert annoncer(creer_banc("d", ("discord",)), TOUT).status_code == 403


@pytest.mark.exigence("DR-11")
def test_les_bots_apprennent_les_oublis_de_leurs_plateformes(banc: Banc, ada: Any) -> None:
    sur_discord = creer_banc("d", ("discord",))
    oublier(banc, {"categorie": "preference"})
    sur_twitch = creer_banc("t", ("twitch",))
    dits = sur_twitch.client.get("/api/v1/oublis/", headers={"Authorization": f"Bearer {sur_twitch.cle}"}).json()
    assert [(o["nature"], o["plateforme"], o["personne"], o["categorie"]) for o in dits["oublis"]] == [
        ("categorie", "twitch", ADA, "preference")
    ]
    suite = sur_twitch.client.get(
        f"/api/v1/oublis/?depuis={dits['suivant']}", headers={"Authorization": f"Bearer {sur_twitch.cle}"}
    ).json()
    assert suite == {"oublis": [], "suivant": dits["suivant"]}
    entetes = {"Authorization": f"Bearer {sur_discord.cle}"}
    with time_machine.travel(now() + timedelta(hours=2), tick=False):
        dits = sur_discord.client.get("/api/v1/oublis/", headers=entetes).json()["oublis"]
    assert [(o["plateforme"], o["personne"]) for o in dits] == [("discord", ADA_DISCORD)]
    assert sur_discord.client.get("/api/v1/oublis/?depuis=x", headers=entetes).status_code == 400


@pytest.mark.exigence("DR-11")
def test_deux_comptes_lies_n_ont_rien_en_commun_dans_la_liste(banc: Banc, ada: Any) -> None:
    oublier(banc, TOUT)
    entetes = {"Authorization": f"Bearer {banc.cle}"}
    with time_machine.travel(now() + timedelta(hours=2), tick=False):
        dits = banc.client.get("/api/v1/oublis/", headers=entetes).json()["oublis"]
    assert len(dits) == 2
    un, deux = dits
    assert set(un) == {"nature", "plateforme", "personne", "le"}
    assert un["le"] != deux["le"]


@pytest.mark.exigence("DR-10")
def test_une_base_restauree_rejoue_les_oublis_avant_d_etre_saine(banc: Banc, ada: Any, registre: Path) -> None:
    memoriser(banc)
    souvenir = Souvenir.objects.get()
    oublier(banc, {"categorie": "preference"})
    assert ADORE not in registre.read_text()
    # La restauration : le souvenir revient, la trace de l'oubli disparaît.
    Oubli.objects.all().delete()
    souvenir.pk = None
    souvenir.save(force_insert=True)
    assert banc.client.get("/api/v1/sante/").status_code == 503
    call_command("rejouer_oublis")
    assert retenus(banc) == {}
    assert banc.client.get("/api/v1/sante/").status_code == 200
    memoriser(banc)
    call_command("rejouer_oublis")
    assert retenus(banc) == {"preference": ADORE}


@pytest.mark.exigence("DR-10")
def test_un_registre_tronque_ou_illisible_n_empeche_pas_d_oublier(banc: Banc, ada: Any, registre: Path) -> None:
    registre.write_bytes(b'{"acte": "tronq')
    assert oublier(banc, TOUT).status_code == 200
    assert len(registre.read_bytes().splitlines()) == 2
    assert banc.client.get("/api/v1/sante/").status_code == 200


@pytest.mark.exigence("DR-10")
def test_sans_registre_possible_rien_n_est_oublie_a_moitie(banc: Banc, ada: Any, settings: Any, tmp_path: Path) -> None:
    memoriser(banc)
    settings.REGISTRE_DES_OUBLIS = str(tmp_path / "absent" / "oublis.registre")
    jeton = annoncer(banc, TOUT).json()["jeton"]
    assert banc.poster("oublis/confirmation/", {"jeton": jeton}).status_code == 503
    assert retenus(banc) == {"preference": ADORE}


@pytest.mark.exigence("DR-03")
def test_le_rejeu_d_une_demande_par_sa_cle_ne_ressuscite_rien(banc: Banc, ada: Any) -> None:
    corps = {"personne": personne(), "origine": "demande", "categorie": "autre", "contenu": ADORE, "espace": SALON}
    assert banc.poster("souvenirs/", corps, **{"Idempotency-Key": "k"}).status_code == 201
    oublier(banc, {"categorie": "autre"})
    assert banc.poster("souvenirs/", corps, **{"Idempotency-Key": "k"}).status_code == 201
    assert retenus(banc) == {}
