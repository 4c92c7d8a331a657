"""La page d'essai du garde : décision, règle, vue ; rien gardé, rien journalisé."""

import logging

import pytest
from django.test import Client
from django.urls import reverse

from horizon.models import Trace
from tests.pages.conftest import Ouvrir

PHRASE = "zibeline est diabétique depuis dix ans"
pytestmark = pytest.mark.django_db


@pytest.fixture
def sa(ouvrir: Ouvrir) -> Client:
    return ouvrir("sa")


@pytest.mark.exigence("SE-02", "SE-04")
def test_decision_regle_et_vue(sa: Client) -> None:
    page = sa.post(reverse("garde"), {"texte": PHRASE}).content.decode()
    assert "<strong>Refus.</strong>" in page
    assert "medical/maladies" in page
    assert "Santé" in page
    assert page.count("zibeline") == 1


@pytest.mark.exigence("SE-03", "SE-06")
@pytest.mark.parametrize(
    ("phrase", "attendu"), [("adore les jeux de plateforme", "Admis"), ("écrire à lou@exemple.fr", "Vigilance")]
)
def test_les_deux_autres_decisions(phrase: str, attendu: str, sa: Client) -> None:
    assert f"<strong>{attendu}.</strong>" in sa.post(reverse("garde"), {"texte": phrase}).content.decode()


@pytest.mark.exigence("SE-05")
def test_la_vue_dit_le_deguisement(sa: Client) -> None:
    page = sa.post(reverse("garde"), {"texte": "d i a b é t i q u e depuis dix ans"}).content.decode()
    assert "les lettres espacées, réunies" in page


@pytest.mark.exigence("SR-12")
def test_rien_garde_rien_journalise(sa: Client, caplog: pytest.LogCaptureFixture) -> None:
    avant = Trace.objects.count()
    with caplog.at_level(logging.DEBUG):
        reponse = sa.post(reverse("garde"), {"texte": PHRASE})
    assert Trace.objects.count() == avant
    assert "zibeline" not in caplog.text
    assert "zibeline" not in str(dict(sa.session)) + str(reponse.headers) + str(sa.cookies)


@pytest.mark.exigence("UX-04")
def test_vide_est_une_faute_expliquee(sa: Client) -> None:
    reponse = sa.post(reverse("garde"), {"texte": ""})
    assert reponse.status_code == 422
    assert "Écrire une phrase." in reponse.content.decode()


@pytest.mark.exigence("SE-04")
def test_trop_long_est_refuse_sans_analyse(sa: Client) -> None:
    page = sa.post(reverse("garde"), {"texte": "a" * 4_001}).content.decode()
    assert "refusé sans analyse" in page


@pytest.mark.exigence("UX-01")
def test_le_fragment_est_un_morceau_de_la_page(sa: Client) -> None:
    entiere = sa.post(reverse("garde"), {"texte": PHRASE}).content.decode()
    fragment = sa.post(reverse("garde"), {"texte": PHRASE}, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in fragment
    assert fragment.split("<section", 2)[2].strip() in entiere
