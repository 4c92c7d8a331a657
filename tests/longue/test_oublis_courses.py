"""Courses contre l'oubli, registre, liste dite aux bots : rien ne revient, rien ne se perd, rien ne relie."""

from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from django.core.management import call_command
from django.utils.timezone import now

from horizon.models import Compte, Oubli
from horizon.noyau.decision import EXPLOITATION
from horizon.services import oublis
from horizon.services.identites import revendiquer
from memoire.models import Souvenir
from memoire.noyau.categories import Origine
from memoire.services.souvenirs import Ecriture, enregistrer
from tests.fabriques import ADA, Banc, il_y_a, message
from tests.longue.conftest import ADA_DISCORD
from tests.longue.gestes import ADORE, annoncer, memoriser, oublier, personne, retenus

TOUT = {"tout": True}


def _liste(banc: Banc, depuis: str = "") -> Any:
    entetes = {"Authorization": f"Bearer {banc.cle}"}
    return banc.client.get(f"/api/v1/oublis/?depuis={depuis}", headers=entetes).json()


@pytest.mark.exigence("SR-02", "DR-03")
def test_ce_qui_s_ecrit_pendant_que_l_oubli_attend_part_aussi(banc: Banc, ada: Any, dit: Any) -> None:
    jeton = annoncer(banc, TOUT).json()["jeton"]
    confirme_le = now() - timedelta(seconds=2)
    dit("glissé pendant l'attente", emis_le=il_y_a(seconds=3))
    memoriser(banc)
    oublis.confirmer(jeton, plateformes=["twitch"], par=EXPLOITATION, maintenant=confirme_le)
    assert banc.dits() == []
    assert retenus(banc) == {}


@pytest.mark.exigence("SR-02", "DR-03")
def test_une_demande_commencee_avant_l_oubli_n_ecrit_plus(banc: Banc, ada: Any) -> None:
    commencee = now()
    oublier(banc, {"categorie": "preference"})
    ecriture = Ecriture(("twitch", ADA), Origine.DEMANDE, "preference", ADORE)
    assert enregistrer(ecriture, par=EXPLOITATION, maintenant=commencee).issue.motif == "oublie"
    assert not Souvenir.objects.exists()
    assert memoriser(banc).status_code == 201


@pytest.mark.exigence("DR-03")
def test_l_oubli_d_un_compte_encore_inconnu_vaut_pour_ses_messages_en_route(banc: Banc) -> None:
    assert oublier(banc, TOUT).status_code == 200
    assert banc.un(message("j'étais en route", emis_le=il_y_a(minutes=1)))["motif"] == "supprime_avant"


@pytest.mark.exigence("DR-10", "SR-02")
def test_un_oubli_que_la_base_refuse_n_est_pas_au_registre(banc: Banc, ada: Any, registre: Path) -> None:
    jeton = annoncer(banc, TOUT).json()["jeton"]
    with mock.patch.object(oublis.Oubli.objects, "bulk_create", side_effect=RuntimeError), pytest.raises(RuntimeError):
        oublis.confirmer(jeton, plateformes=["twitch"], par=EXPLOITATION, maintenant=now())
    assert not registre.exists() or registre.read_bytes() == b""
    assert banc.client.get("/api/v1/sante/").status_code == 200


@pytest.mark.exigence("DR-10")
def test_une_inscription_coupee_echoue(banc: Banc, ada: Any) -> None:
    jeton = annoncer(banc, TOUT).json()["jeton"]
    with mock.patch("horizon.registre.os.write", return_value=3):
        assert banc.poster("oublis/confirmation/", {"jeton": jeton}).status_code == 503


@pytest.mark.exigence("DR-10")
def test_le_rejeu_oublie_dans_chaque_identite_que_la_restauration_a_separee(banc: Banc, ada: Any) -> None:
    oublier(banc, TOUT)
    # La restauration précède la liaison : le compte Discord y a sa propre Identité, et un souvenir.
    Oubli.objects.all().delete()
    Compte.objects.filter(externe_id=ADA_DISCORD).delete()
    autre = revendiquer(plateforme="discord", externe_id=ADA_DISCORD, motif="essai", par=EXPLOITATION, maintenant=now())
    ecriture = Ecriture(("discord", ADA_DISCORD), Origine.DEMANDE, "preference", ADORE)
    enregistrer(ecriture, par=EXPLOITATION, maintenant=now())
    Souvenir.objects.filter(identite=autre).update(enregistre_le=now() - timedelta(days=1))
    call_command("rejouer_oublis")
    assert not Souvenir.objects.exists()


@pytest.mark.exigence("DR-11")
def test_le_curseur_des_oublis_ne_dit_pas_que_deux_comptes_sont_lies(banc: Banc, ada: Any) -> None:
    oublier(banc, TOUT)
    Oubli.objects.filter(plateforme="discord").update(dit_le=now())
    page = _liste(banc)
    assert page["suivant"].endswith(".1")
    assert _liste(banc, page["suivant"]) == {"oublis": [], "suivant": page["suivant"]}


@pytest.mark.exigence("DR-11")
def test_les_oublis_dits_au_meme_instant_se_lisent_page_a_page(banc: Banc, monkeypatch: Any) -> None:
    monkeypatch.setattr("horizon.selectors.oublis.PAGE", 2)
    for n in range(5):
        oublier(banc, TOUT, personne(f"p{n}"))
    Oubli.objects.update(dit_le=now())
    lus, depuis = [], ""
    while (page := _liste(banc, depuis))["oublis"]:
        lus += [o["personne"] for o in page["oublis"]]
        depuis = page["suivant"]
    assert lus == [f"p{n}" for n in range(5)]
