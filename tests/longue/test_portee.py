"""Liaison qu'on voudrait deviner, portée qu'on voudrait élargir, recopie qu'on voudrait cacher."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils.timezone import now

from horizon.models import Espace
from horizon.noyau.sensibilite import Avis, Verdict
from memoire.models import Proposition, Souvenir
from memoire.services import expiration
from tests.fabriques import BILAL, PRIVE, SALON, Banc, configurer_salon, creer_banc, il_y_a, message
from tests.fouille import tout_le_texte
from tests.longue.conftest import ADA_DISCORD
from tests.longue.gestes import DOUTEUX, annoncer, memoriser, observer, personne, proposer, retenus


@pytest.mark.exigence("DV-07", "LT-10")
def test_un_bot_n_invoque_pas_les_messages_d_une_plateforme_qu_il_n_a_pas(banc: Banc, ada: Any) -> None:
    sur_twitch = creer_banc("t", ("twitch",))
    ailleurs = [{"plateforme": "discord", "id": "d1"}]
    assert memoriser(sur_twitch, sources=ailleurs).status_code == 403
    corps = {"personne": personne(), "texte": "a l’air d’humeur joueuse", "espace": SALON, "sources": ailleurs}
    assert sur_twitch.poster("hypotheses/", corps).status_code == 403


@pytest.mark.exigence("DV-02", "DV-07")
def test_une_hypothese_ne_se_fonde_que_sur_sa_plateforme(banc: Banc, ada: Any) -> None:
    configurer_salon("s-discord", "discord")
    lieu = {"id": "s-discord", "visibilite": "public"}
    auteur = {"id": ADA_DISCORD, "pseudonyme": "Ada", "nature": "personne"}
    dit = banc.un(message("je joue ce soir", plateforme="discord", espace=lieu, auteur=auteur))
    corps = {
        "personne": personne(),
        "texte": "a l’air d’humeur joueuse",
        "espace": SALON,
        "sources": [{"plateforme": "discord", "id": dit["id"]}],
    }
    assert banc.poster("hypotheses/", corps).json()["motif"] == "source_absente"
    assert banc.contexte()["hypotheses"] == []


@pytest.mark.exigence("DV-07", "SE-03")
def test_un_jeton_ne_dit_pas_que_deux_comptes_sont_lies(banc: Banc, ada: Any, bilal: Any) -> None:
    jeton = memoriser(banc, DOUTEUX, "autre").json()["jeton"]
    accord = {"jeton": jeton, "accepte": True}
    sur_discord = banc.poster("validations/", accord | {"personne": personne(ADA_DISCORD, "discord")})
    autrui = banc.poster("validations/", accord | {"personne": personne(BILAL)})
    assert (sur_discord.status_code, sur_discord.content) == (autrui.status_code, autrui.content)
    rendu = banc.poster("validations/", accord | {"personne": personne()})
    assert (rendu.status_code, rendu.json()["categorie"]) == (201, "autre")
    assert Souvenir.objects.get().plateformes == ["twitch"]


@pytest.mark.exigence("DV-04", "LT-02")
def test_un_message_qu_on_ne_connait_plus_a_pu_etre_prive(banc: Banc, ada: Any) -> None:
    banc.remettre_avis()
    prive = banc.un(message("rien que pour toi", espace=PRIVE))["id"]
    with time_machine.travel(now() + timedelta(hours=25), tick=False):
        assert memoriser(banc, sources=[prive]).status_code == 201
        assert retenus(banc) == {}
    assert Souvenir.objects.get().visibilite == "prive"


@pytest.mark.exigence("CT-19", "DV-04")
def test_un_souvenir_ne_d_un_fil_dont_le_salon_est_prive_l_est_aussi(banc: Banc, ada: Any) -> None:
    configurer_salon("fil")
    configurer_salon("salon-prive", visibilite="prive")
    Espace.objects.filter(externe_id="fil").update(parent_externe="salon-prive")
    assert memoriser(banc, espace={"id": "fil", "visibilite": "public"}).status_code == 201
    assert Souvenir.objects.get().visibilite == "prive"


@pytest.mark.exigence("SE-10", "DR-05")
def test_une_correction_confirmee_n_ecrase_pas_la_categorie_occupee_depuis(banc: Banc, ada: Any) -> None:
    memoriser(banc)
    corps = {"personne": personne(), "categorie": "preference", "contenu": DOUTEUX, "nouvelle_categorie": "autre"}
    jeton = banc.poster("corrections/", corps).json()["jeton"]
    memoriser(banc, "adore les énigmes", "autre")
    accord = {"personne": personne(), "jeton": jeton, "accepte": True}
    assert banc.poster("validations/", accord).status_code == 409
    assert retenus(banc)["autre"] == "adore les énigmes"


@pytest.mark.exigence("CT-05", "CT-16")
def test_raccourcir_la_duree_raccourcit_ce_qui_s_y_fonde(banc: Banc, ada: Any, dit: Any) -> None:
    source = dit("bonsoir", emis_le=il_y_a(minutes=30))
    corps = {"personne": personne(), "texte": "a l’air d’humeur joueuse", "espace": SALON, "sources": [source]}
    assert banc.poster("hypotheses/", corps).status_code == 201
    expiration.raccourcir(timedelta(hours=1))
    with time_machine.travel(now() + timedelta(minutes=31), tick=False):
        assert banc.dits() == []
        assert banc.contexte()["hypotheses"] == []


@pytest.mark.exigence("LT-06")
def test_un_invisible_au_milieu_d_un_mot_ne_cache_pas_une_recopie(banc: Banc, ada: Any, dit: Any) -> None:
    phrase = "hier soir avec toute la bande on a fini le donjon de la zibeline"
    refus = proposer(banc, phrase.replace("soir", "so\u200bir").replace("donjon", "don\u00adjon"), [dit(phrase)])
    assert refus.json()["motif"] == "recopie"
    assert memoriser(banc, "est niv\u200beau 12").json()["motif"] == "donnee_globale"


@pytest.mark.exigence("DR-08")
def test_une_categorie_inventee_ne_s_ecrit_pas_dans_l_audit(banc: Banc, ada: Any) -> None:
    assert annoncer(banc, {"categorie": "zibeline"}).json()["code"] == "categorie_inconnue"
    assert "zibeline" not in tout_le_texte()


@pytest.mark.exigence("DV-04", "DR-05")
def test_corrige_en_prive_un_souvenir_n_est_plus_dit_en_public(banc: Banc, ada: Any) -> None:
    memoriser(banc)
    corps = {"personne": personne(), "categorie": "preference", "contenu": "adore les énigmes"}
    assert banc.poster("corrections/", corps | {"espace": SALON}).status_code == 201
    assert retenus(banc) == {"preference": "adore les énigmes"}
    prive = {"id": "dm-ada", "visibilite": "prive"}
    assert banc.poster("corrections/", corps | {"espace": prive}).status_code == 201
    assert retenus(banc) == {}
    assert banc.poster("corrections/", corps | {"espace": SALON}).status_code == 201
    assert retenus(banc) == {}


@pytest.mark.exigence("ID-09")
def test_en_pause_une_observation_ne_change_rien(banc: Banc, ada: Any) -> None:
    memoriser(banc)
    banc.poster("pauses/", {"personne": personne(), "espace": {"plateforme": "twitch", "id": SALON["id"]}})
    assert observer(banc, "contradiction", "o1", espace=SALON).json()["motif"] == "pause"
    assert observer(banc, "contradiction", "o1").status_code == 200
    banc.poster("pauses/", {"personne": personne()})
    assert observer(banc, "contradiction", "o2").json()["motif"] == "pause"


@pytest.mark.exigence("LT-08", "CT-05")
def test_une_proposition_n_attend_pas_plus_que_la_memoire_courte(banc: Banc, ada: Any, monkeypatch: Any) -> None:
    avis = Avis(Verdict.VIGILANCE, "medical", "modele", soupcon_de_refus=True)
    monkeypatch.setattr("memoire.services.souvenirs.examiner", lambda *_, **__: avis)
    memoriser(banc)
    expiration.raccourcir(timedelta(hours=1))
    proposition = Proposition.objects.get()
    assert proposition.expire_a - proposition.creee_le == timedelta(hours=1)
