"""Vigilance, accords, corrections, gel."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils.timezone import now

from horizon.noyau.decision import EXPLOITATION
from horizon.noyau.sensibilite import Avis, Verdict
from horizon.services.erreurs import Refus
from memoire.models import Proposition, Souvenir
from memoire.services import validations
from tests.fabriques import ADA, BILAL, Banc
from tests.fouille import tout_le_texte
from tests.longue.gestes import ADORE, DOUTEUX, INTERDIT, memoriser, oublier, personne, proposer, retenus


def repondre(banc: Banc, jeton: str, accepte: bool = True, qui: str = ADA) -> Any:
    return banc.poster("validations/", {"personne": personne(qui), "jeton": jeton, "accepte": accepte})


@pytest.mark.exigence("SE-03", "SE-10")
def test_une_vigilance_attend_un_accord_a_usage_unique(banc: Banc, ada: Any) -> None:
    attente = memoriser(banc, DOUTEUX, "autre")
    assert attente.status_code == 202
    corps = attente.json()
    assert corps["validation"] == "personne"
    assert "ada@exemple" not in attente.content.decode()
    assert retenus(banc) == {}
    assert repondre(banc, corps["jeton"]).status_code == 201
    assert retenus(banc) == {"autre": DOUTEUX}
    assert repondre(banc, corps["jeton"]).status_code == 410


@pytest.mark.exigence("SE-03")
def test_sans_reponse_ou_refusee_rien_n_est_garde(banc: Banc, ada: Any) -> None:
    refuse = memoriser(banc, DOUTEUX, "autre").json()["jeton"]
    assert repondre(banc, refuse, accepte=False).status_code == 204
    assert "ada@exemple" not in tout_le_texte()
    oublie = memoriser(banc, DOUTEUX, "autre").json()["jeton"]
    with time_machine.travel(now() + timedelta(minutes=11), tick=False):
        assert repondre(banc, oublie).status_code == 410
        from horizon.services import purge

        purge.passer(maintenant=now(), par="commande")
        assert "ada@exemple" not in tout_le_texte()
    assert not Souvenir.objects.exists()


@pytest.mark.exigence("SE-03", "SE-10")
def test_le_jeton_ne_vaut_que_pour_sa_personne_et_son_epoque(banc: Banc, ada: Any, bilal: Any) -> None:
    jeton = memoriser(banc, DOUTEUX, "autre").json()["jeton"]
    assert repondre(banc, jeton, qui=BILAL).status_code == 410
    oublier(banc, {"categorie": "preference"})
    assert repondre(banc, jeton).status_code == 410
    assert not Souvenir.objects.exists()


@pytest.mark.exigence("SE-10", "CT-16")
def test_a_l_accord_le_noyau_rejoue_ses_controles(banc: Banc, ada: Any, dit: Any) -> None:
    source = dit("écris-moi quand tu veux")
    jeton = proposer(banc, DOUTEUX, [source], "autre").json()["jeton"]
    banc.un({"type": "suppression", "plateforme": "twitch", "ids": [source]})
    assert repondre(banc, jeton).status_code == 410
    jeton = memoriser(banc, DOUTEUX, "autre").json()["jeton"]
    banc.poster("pauses/", {"personne": personne()})
    refus = repondre(banc, jeton)
    assert (refus.status_code, refus.json()["motif"]) == (422, "pause")
    assert not Proposition.objects.exists()


@pytest.fixture
def soupcon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Un garde qui soupçonne un refus sans l'affirmer."""
    avis = Avis(Verdict.VIGILANCE, "medical", "modele", soupcon_de_refus=True)
    monkeypatch.setattr("memoire.services.souvenirs.examiner", lambda *_, **__: avis)


@pytest.mark.exigence("SE-12")
def test_un_soupcon_de_refus_ne_se_valide_pas_seul(banc: Banc, ada: Any, soupcon: None) -> None:
    attente = memoriser(banc).json()
    assert (attente["validation"], attente["jeton"]) == ("sa", None)
    proposition = Proposition.objects.get()
    rendu = validations.trancher(proposition.pk, True, par=EXPLOITATION, maintenant=now())
    assert rendu is not None
    assert Souvenir.objects.get().contenu == ADORE
    with pytest.raises(Refus):
        validations.trancher(proposition.pk, True, par=EXPLOITATION, maintenant=now())


@pytest.mark.exigence("SE-12")
def test_un_sa_peut_refuser_et_rien_ne_reste(banc: Banc, ada: Any, soupcon: None) -> None:
    memoriser(banc)
    assert validations.trancher(Proposition.objects.get().pk, False, par=EXPLOITATION, maintenant=now()) is None
    assert not Proposition.objects.exists()
    assert not Souvenir.objects.exists()


def corriger(banc: Banc, contenu: str, categorie: str = "preference", **champs: Any) -> Any:
    return banc.poster("corrections/", {"personne": personne(), "categorie": categorie, "contenu": contenu} | champs)


@pytest.mark.exigence("DR-05", "DR-01", "LT-03")
def test_corriger_ecrase_date_et_recalcule(banc: Banc, ada: Any, dit: Any) -> None:
    proposer(banc, "adore le jeu Zibeline Racing", [dit("quel jeu")], fiabilite=50)
    assert corriger(banc, ADORE).status_code == 201
    souvenir = Souvenir.objects.get()
    assert (souvenir.contenu, souvenir.confiance, souvenir.origine) == (ADORE, 95, "demande")
    assert "Zibeline" not in tout_le_texte()


@pytest.mark.exigence("DR-05")
def test_corriger_change_de_categorie_ou_se_heurte_a_une_autre(banc: Banc, ada: Any) -> None:
    memoriser(banc)
    memoriser(banc, "adore les énigmes", "autre")
    assert corriger(banc, ADORE, nouvelle_categorie="autre").status_code == 409
    assert retenus(banc) == {"preference": ADORE, "autre": "adore les énigmes"}
    assert corriger(banc, "adore les puzzles", nouvelle_categorie="habitude").status_code == 201
    assert retenus(banc) == {"habitude": "adore les puzzles", "autre": "adore les énigmes"}
    assert corriger(banc, ADORE).json()["motif"] == "aucun_souvenir"


@pytest.mark.exigence("DR-12", "DR-05")
def test_une_correction_refusee_gele_l_ancien(banc: Banc, ada: Any, dit: Any) -> None:
    memoriser(banc)
    assert corriger(banc, INTERDIT).status_code == 422
    assert retenus(banc) == {}
    gele = proposer(banc, "adore les jeux de rôle", [dit("un jdr ce soir ?")], fiabilite=100)
    assert gele.json()["motif"] == "gele"
    assert memoriser(banc, "adore les jeux de rôle").status_code == 201
    assert retenus(banc) == {"preference": "adore les jeux de rôle"}
