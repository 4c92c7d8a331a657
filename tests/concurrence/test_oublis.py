"""Oublis, souvenirs et suppressions qui se croisent : rien de perdu pour les bots, rien d'interbloqué."""

import threading
import time
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils.timezone import now

from horizon.models import Compte
from horizon.noyau.decision import EXPLOITATION
from horizon.services.identites import revendiquer
from memoire.models import Souvenir
from tests.concurrence.test_courses import ensemble
from tests.fabriques import ADA, Banc, configurer_salon, creer_banc, message
from tests.longue.gestes import ADORE, DOUTEUX, annoncer, memoriser, oublier, personne

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def banc(transactional_db: None) -> Banc:
    configurer_salon()
    revendiquer(plateforme="twitch", externe_id=ADA, motif="essai", par=EXPLOITATION, maintenant=now())
    return creer_banc()


def _liste(banc: Banc, depuis: str = "") -> Any:
    return banc.client.get(f"/api/v1/oublis/?depuis={depuis}", headers={"Authorization": f"Bearer {banc.cle}"}).json()


@pytest.mark.exigence("DR-11")
def test_un_oubli_qui_attend_ses_verrous_est_dit_quand_meme(banc: Banc) -> None:
    """Un autre oubli, prononcé plus tard mais validé avant, ne fait pas passer le curseur au-dessus de lui."""
    jeton = annoncer(banc, {"tout": True}).json()["jeton"]
    fil = threading.Thread(target=_confirmer, args=(banc, jeton))
    with transaction.atomic():
        list(Compte.objects.select_for_update().filter(externe_id=ADA))
        fil.start()
        time.sleep(0.5)
        ensemble(lambda: oublier(Banc(banc.cle, banc.bot), {"tout": True}, personne("autre")))
        page = _hors_transaction(banc)
    fil.join(30)
    assert [o["personne"] for o in page["oublis"]] == ["autre"]
    assert [o["personne"] for o in _liste(banc, page["suivant"])["oublis"]] == [ADA]


def _confirmer(banc: Banc, jeton: str) -> None:
    try:
        assert Banc(banc.cle, banc.bot).poster("oublis/confirmation/", {"jeton": jeton}).status_code == 200
    finally:
        connection.close()


def _hors_transaction(banc: Banc) -> Any:
    return ensemble(lambda: _liste(Banc(banc.cle, banc.bot)))[0]


@pytest.mark.exigence("SR-02", "SE-10")
@pytest.mark.parametrize("tour", range(6))
def test_accord_contre_suppression_de_sa_source(banc: Banc, tour: int) -> None:
    source = banc.un(message("écris-moi quand tu veux"))["id"]
    jeton = memoriser(banc, DOUTEUX, "autre", sources=[source]).json()["jeton"]
    accord = {"personne": personne(), "jeton": jeton, "accepte": True}
    supprimer = {"type": "suppression", "plateforme": "twitch", "ids": [source]}
    rendu, _ = ensemble(
        lambda: Banc(banc.cle, banc.bot).poster("validations/", accord),
        lambda: Banc(banc.cle, banc.bot).un(supprimer),
    )
    assert rendu.status_code in (201, 410, 422)
    assert Souvenir.objects.count() == (rendu.status_code == 201)


@pytest.mark.exigence("SR-02", "DR-03")
@pytest.mark.parametrize("tour", range(6))
def test_oubli_contre_demandes_et_arrivees(banc: Banc, tour: int) -> None:
    memoriser(banc)
    jeton = annoncer(banc, {"tout": True}).json()["jeton"]
    avant = message("dit avant")
    rendus = ensemble(
        lambda: memoriser(Banc(banc.cle, banc.bot), ADORE),
        lambda: Banc(banc.cle, banc.bot).envoyer(avant),
        lambda: Banc(banc.cle, banc.bot).poster("oublis/confirmation/", {"jeton": jeton}),
        lambda: _sante(banc),
    )
    assert rendus[2].status_code == 200
    assert rendus[3] == 200
    assert banc.dits() == []


def _sante(banc: Banc) -> int:
    return Banc(banc.cle, banc.bot).client.get("/api/v1/sante/").status_code
