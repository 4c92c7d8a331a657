"""Décisions récentes du Noyau : des nombres et des phrases, jamais un texte ni une Personne."""

import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.db.models import F
from django.test import Client
from django.urls import reverse
from django.utils.timezone import now

from memoire.models import DecisionNoyau
from memoire.noyau.motifs import REFUS
from memoire.noyau.phrases import EFFETS, ORIGINES
from memoire.noyau.souvenirs import Effet
from tests.fabriques import Banc, configurer_salon, creer_banc, message
from tests.pages.conftest import Ouvrir
from tests.pages.longue import demander, revendiquer

HTMX = {"HX-Request": "true"}
pytestmark = pytest.mark.django_db


@pytest.fixture
def sa(ouvrir: Ouvrir) -> Client:
    return ouvrir("sa")


@pytest.fixture
def banc() -> Banc:
    configurer_salon()
    banc = creer_banc()
    banc.un(message())
    return banc


def texte(reponse: Any) -> str:
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", reponse.content.decode())))


@pytest.mark.exigence("LT-05", "DR-07")
def test_par_effet_motif_origine_et_categorie_sans_contenu(sa: Client, banc: Banc) -> None:
    demander(banc, "adore les CANARIS jaunes", "preference")
    revendiquer()
    demander(banc, "adore les CANARIS jaunes", "preference")
    demander(banc, "CANARI niveau 12", "reussite")
    reponse = sa.get(reverse("noyau"))
    page = texte(reponse)
    assert re.search(r"Écrit .* 1 33 %", page)
    assert REFUS["non_revendiquee"].split(" :")[0] in page
    assert "donnee_globale" in page
    assert "2 refus" in page
    assert "Demande de la Personne 3 1 2 0" in page
    assert "Préférence 2 1 1 0" in page
    assert "CANARI" not in reponse.content.decode()
    assert "Ada" not in page


def test_periodes_et_filtres(sa: Client, banc: Banc) -> None:
    revendiquer()
    demander(banc, "adore les canaris jaunes", "preference")
    DecisionNoyau.objects.update(heure=F("heure") - timedelta(days=2))
    assert "n’a rien eu à décider depuis 24 heures" in texte(sa.get(reverse("noyau")))
    assert "Demande de la Personne 1 1 0 0" in texte(sa.get(reverse("noyau"), {"periode": "7j"}))
    filtree = texte(sa.get(reverse("noyau"), {"periode": "7j", "categorie": "reussite"}))
    assert "Aucune décision ne répond à ces critères" in filtree
    DecisionNoyau.objects.update(heure=now() - timedelta(days=8))
    assert "depuis 7 jours" in texte(sa.get(reverse("noyau"), {"periode": "7j"}))


def test_criteres_illisibles(sa: Client) -> None:
    assert "Ces critères ne se lisent pas" in texte(sa.get(reverse("noyau"), {"periode": "an"}))


def test_echange_egale_page(sa: Client, banc: Banc) -> None:
    demander(banc, "adore les canaris jaunes", "preference")
    fragment = sa.get(reverse("noyau"), headers=HTMX).content.decode()
    assert "<html" not in fragment
    assert fragment.strip() in sa.get(reverse("noyau")).content.decode()


@pytest.mark.exigence("LT-05")
def test_chaque_effet_et_chaque_origine_se_disent() -> None:
    assert set(EFFETS) == {e.value for e in Effet}
    assert {"correction", "observation", "hypothese"} < set(ORIGINES)
