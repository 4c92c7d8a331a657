"""Catégories : dix, un libellé que seul un Super administrateur change, une version à la fois."""

import re
from functools import partial
from html import unescape
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils.timezone import now

from horizon.models import Trace
from horizon.models.audit import Action
from horizon.noyau.decision import Acteur
from horizon.services.erreurs import Conflit, Refus
from memoire.models import LibelleCategorie
from memoire.noyau.categories import CATEGORIES
from memoire.selectors import categories as selecteur
from memoire.services import categories as service
from tests.pages.conftest import Ouvrir
from tests.pages.longue import ensemble

HTMX = {"HX-Request": "true"}
ADRESSE = "/categories/reussite/"
CHLOE = Acteur("utilisateur", "1")
pytestmark = pytest.mark.django_db


@pytest.fixture
def sa(ouvrir: Ouvrir) -> Client:
    return ouvrir("sa")


def texte(reponse: Any) -> str:
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", reponse.content.decode())))


@pytest.mark.exigence("LT-09", "LT-12")
def test_les_dix_avec_leur_definition(sa: Client) -> None:
    page = texte(sa.get(reverse("categories")))
    for categorie in CATEGORIES.values():
        assert categorie.libelle in page
        assert categorie.code in page
    assert len(CATEGORIES) == 10
    assert "Il y en a 10, ni plus ni moins" in page
    assert "2 au moins, distinctes" in page


@pytest.mark.exigence("LT-09")
@pytest.mark.parametrize("entetes", [{}, HTMX])
def test_renommer_puis_retablir(entetes: dict[str, str], sa: Client) -> None:
    reponse = sa.post(ADRESSE, {"libelle": " Haut   fait ", "version": "0"}, headers=entetes)
    assert reponse.status_code == (200 if entetes else 303)
    assert selecteur.libelles()["reussite"] == "Haut fait"
    assert "Le libellé est" in texte(reponse if entetes else sa.get(ADRESSE))
    assert "Haut fait" in texte(sa.get(reverse("categories")))
    assert len(selecteur.toutes()) == 10
    sa.post(ADRESSE, {"libelle": "", "version": "1", "action": "retablir"}, headers=entetes)
    assert selecteur.une("reussite").libelle == "Réussite"
    traces = Trace.objects.filter(action=Action.LIBELLE_CHANGE, objet_nature="categorie", objet_id="reussite")
    assert traces.count() == 2
    assert "Haut fait" not in str(list(traces.values()))


@pytest.mark.exigence("LT-09", "UX-02")
@pytest.mark.parametrize("entetes", [{}, HTMX])
def test_version_perimee_expliquee(entetes: dict[str, str], sa: Client) -> None:
    sa.post(ADRESSE, {"libelle": "Haut fait", "version": "0"})
    reponse = sa.post(ADRESSE, {"libelle": "Prouesse", "version": "0"}, headers=entetes)
    assert reponse.status_code == 409
    page = texte(reponse)
    assert "Rien n’a été enregistré" in page
    assert re.search(r"Chloé a changé ce libellé .* c’est maintenant « Haut fait »", page)
    assert 'name="version" value="1"' in reponse.content.decode()
    assert 'value="Prouesse"' in reponse.content.decode()
    assert selecteur.libelles()["reussite"] == "Haut fait"


@pytest.mark.exigence("LT-09")
@pytest.mark.parametrize(
    "libelle",
    ["", "   ", "x" * 41, "\u202eabc", "\u200b", "\u3164", "a\u0007", "Préférence", "  préférence", "a\x00b"],
)
def test_libelle_irrecevable(libelle: str, sa: Client) -> None:
    corps = b"version=0&libelle=" + b"".join(b"%%%02X" % o for o in libelle.encode("utf-8", "surrogatepass"))
    reponse = sa.post(ADRESSE, corps, content_type="application/x-www-form-urlencoded")
    assert reponse.status_code == 422
    assert 'aria-invalid="true"' in reponse.content.decode()
    assert not LibelleCategorie.objects.exists()


@pytest.mark.parametrize("version", ["", "-1", "x", "9" * 30])
def test_version_illisible(version: str, sa: Client) -> None:
    assert sa.post(ADRESSE, {"libelle": "Prouesse", "version": version}).status_code == 422


@pytest.mark.exigence("LT-09", "SR-08")
def test_libelle_hostile_inerte_partout(sa: Client) -> None:
    hostile = "<img src=x onerror=alert(1)>"
    sa.post(ADRESSE, {"libelle": hostile, "version": "0"})
    assert selecteur.libelles()["reussite"] == hostile
    for adresse in (reverse("categories"), ADRESSE, reverse("noyau")):
        assert "<img" not in sa.get(adresse).content.decode()


def test_fragment_egale_page_fraiche(sa: Client) -> None:
    def nu(reponse: Any) -> str:
        corps = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", reponse.content.decode())
        return re.sub(r"\s+", " ", corps).strip()

    assert nu(sa.get(ADRESSE, headers=HTMX)) in nu(sa.get(ADRESSE))


def test_categorie_inconnue(sa: Client) -> None:
    assert sa.get("/categories/onzieme/").status_code == 404
    with pytest.raises(Refus) as refus:
        service.renommer("onzieme", "Onzième", version=0, par=CHLOE, maintenant=now())
    assert refus.value.statut == 404


@pytest.mark.exigence("LT-09")
def test_la_base_refuse_une_onzieme() -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        LibelleCategorie.objects.create(code="onzieme", libelle="Onzième")


@pytest.mark.exigence("LT-09")
def test_le_meme_libelle_est_sans_effet() -> None:
    service.renommer("reussite", "Réussite", version=0, par=CHLOE, maintenant=now())
    assert not LibelleCategorie.objects.exists()
    assert not Trace.objects.filter(action=Action.LIBELLE_CHANGE).exists()


@pytest.mark.exigence("LT-09")
@pytest.mark.parametrize("role", ["capitaine", "membre"])
def test_les_autres_roles_n_y_entrent_pas(role: str, ouvrir: Ouvrir) -> None:
    client = ouvrir(role)
    for adresse in (reverse("categories"), ADRESSE, reverse("noyau"), reverse("vigilances"), "/vigilances/1/"):
        reponse = client.get(adresse)
        assert reponse.status_code == 403
        assert "atégorie" not in texte(reponse)
    assert client.post(ADRESSE, {"libelle": "Prouesse", "version": "0"}).status_code == 403
    assert not LibelleCategorie.objects.exists()


def essayer(libelle: str, version: int) -> bool:
    try:
        service.renommer("reussite", libelle, version=version, par=CHLOE, maintenant=now())
    except Conflit:
        return False
    return True


@pytest.mark.django_db(transaction=True)
@pytest.mark.exigence("LT-09", "UX-02")
def test_huit_renommages_simultanes_un_seul_passe() -> None:
    rendus = ensemble([partial(essayer, f"Libellé {n}", 0) for n in range(8)])
    assert rendus.count(True) == 1
    assert LibelleCategorie.objects.get().version == 1
    assert Trace.objects.filter(action=Action.LIBELLE_CHANGE).count() == 1
