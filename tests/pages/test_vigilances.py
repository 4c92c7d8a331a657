"""Vigilances : rien ne se lit sans finalité ni trace ; un SA tranche une fois, le Noyau garde le dernier mot."""

import io
import logging
import re
from datetime import timedelta
from functools import partial
from html import unescape
from typing import Any

import pytest
import time_machine
from django.db.models import F
from django.test import Client
from django.urls import reverse
from django.utils.timezone import now

from horizon.journaux import configurer
from horizon.models import Identite, Trace, Utilisateur
from horizon.models.audit import Action
from horizon.noyau.decision import Acteur
from horizon.noyau.motifs import CONSULTATIONS
from horizon.services.erreurs import Refus
from memoire.models import Proposition, Souvenir
from memoire.services import validations
from tests.fabriques import Banc, configurer_salon, creer_banc, message
from tests.pages.conftest import Ouvrir, prouver
from tests.pages.longue import VIGILANCE, ensemble, revendiquer, vigilance

HTMX = {"HX-Request": "true"}
ENTETES = [{}, HTMX]
MOT = "alcoolique"
pytestmark = pytest.mark.django_db


@pytest.fixture
def banc() -> Banc:
    configurer_salon()
    banc = creer_banc()
    banc.un(message())
    revendiquer()
    return banc


@pytest.fixture
def posee(banc: Banc) -> Proposition:
    return vigilance(banc)


@pytest.fixture
def sa(ouvrir: Ouvrir) -> Client:
    return ouvrir("sa")


def texte(reponse: Any) -> str:
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", reponse.content.decode())))


def adresse(proposition: Proposition) -> str:
    return reverse("vigilance", args=[proposition.pk])


def reveler(client: Client, proposition: Proposition, finalite: str = "securite", **options: Any) -> Any:
    return client.post(adresse(proposition), {"acte": "reveler", "finalite": finalite}, **options)


def lecture(reponse: Any) -> str:
    trouve = re.search(r'name="lecture" value="([^"]+)"', reponse.content.decode())
    assert trouve
    return trouve.group(1)


def retenir(client: Client, proposition: Proposition, **options: Any) -> Any:
    preuve = lecture(reveler(client, proposition))
    return client.post(adresse(proposition), {"acte": "retenir", "lecture": preuve}, **options)


# --- Lire


@pytest.mark.exigence("DR-07", "SE-12")
def test_la_liste_dit_tout_sauf_le_texte_et_la_personne(sa: Client, posee: Proposition) -> None:
    reponse = sa.get(reverse("vigilances"))
    page = texte(reponse)
    for dit in ("Rôle à La Tanière", "Demande de la Personne", "Twitch", "S’efface sans décision", "dans 23"):
        assert dit in page, dit
    assert posee.regle in page
    for client_page in (reponse, sa.get(adresse(posee)), sa.get(reverse("tableau")), sa.get(reverse("audit"))):
        assert MOT not in client_page.content.decode()
        assert "Ada" not in texte(client_page)
    assert not Trace.objects.filter(action=Action.VIGILANCE_CONSULTEE).exists()


@pytest.mark.exigence("DR-07", "DR-08", "DR-14")
@pytest.mark.parametrize("entetes", ENTETES)
def test_reveler_trace_la_finalite_et_ne_laisse_rien(entetes: dict[str, str], sa: Client, posee: Proposition) -> None:
    reponse = reveler(sa, posee, headers=entetes)
    assert reponse.status_code == 200
    assert VIGILANCE in reponse.content.decode()
    assert reponse.headers["Cache-Control"] == "no-store"
    assert "Location" not in reponse.headers
    assert MOT not in str(reponse.headers) + str(reponse.cookies) + str(dict(sa.session))
    trace = Trace.objects.get(action=Action.VIGILANCE_CONSULTEE)
    assert (trace.finalite, trace.motif, trace.objet_nature) == ("securite", "taniere", "identite")
    assert trace.objet_id == str(posee.identite_id)
    assert MOT not in str(list(Trace.objects.values()))
    assert MOT not in sa.get(adresse(posee), headers=entetes).content.decode()
    assert "securite" in texte(sa.get(reverse("audit")))


@pytest.mark.exigence("DR-07")
@pytest.mark.parametrize("entetes", ENTETES)
@pytest.mark.parametrize("finalite", ["", "curiosite", "validation", "SECURITE"])
def test_sans_finalite_de_la_liste_rien_ne_se_lit(
    finalite: str, entetes: dict[str, str], sa: Client, posee: Proposition
) -> None:
    reponse = reveler(sa, posee, finalite, headers=entetes)
    assert reponse.status_code == 422
    assert "Choisir une finalité" in texte(reponse)
    assert MOT not in reponse.content.decode()
    assert not Trace.objects.filter(action=Action.VIGILANCE_CONSULTEE).exists()


@pytest.mark.exigence("DR-14")
def test_les_finalites_sont_celles_de_la_liste_fermee(sa: Client, posee: Proposition) -> None:
    assert set(CONSULTATIONS) == {"acces", "correction", "effacement", "securite", "anomalie"}
    for finalite in CONSULTATIONS:
        assert reveler(sa, posee, finalite).status_code == 200


@pytest.mark.exigence("DR-07")
def test_un_texte_hostile_reste_inerte(sa: Client, banc: Banc) -> None:
    posee = vigilance(banc)
    Proposition.objects.filter(pk=posee.pk).update(contenu='<img src=x onerror=alert(1)><a hx-get="/">')
    corps = reveler(sa, posee).content.decode()
    assert "<img" not in corps
    assert "<bdi hx-disable>&lt;img" in corps


@pytest.mark.exigence("DR-07", "SR-12")
def test_le_journal_ne_voit_pas_le_texte(sa: Client, posee: Proposition) -> None:
    configurer({})
    tampon, racine = io.StringIO(), logging.getLogger()
    manieur = racine.handlers[0]
    assert isinstance(manieur, logging.StreamHandler)
    ancien = manieur.setStream(tampon)
    try:
        retenir(sa, posee)
    finally:
        manieur.setStream(ancien)
    assert MOT not in tampon.getvalue()


@pytest.mark.exigence("SR-04")
@pytest.mark.parametrize("acte", ["reveler", "retenir", "refuser"])
def test_reauthentification_exigee(acte: str, ouvrir: Ouvrir, posee: Proposition) -> None:
    corps = {"acte": acte, "finalite": "securite"}
    reponse = ouvrir("sa", recente=False).post(adresse(posee), corps)
    assert reponse.status_code == 303
    assert reponse.headers["Location"].startswith(reverse("account_reauthenticate"))
    assert Proposition.objects.filter(pk=posee.pk).exists()
    assert not Trace.objects.filter(action=Action.VIGILANCE_CONSULTEE).exists()


@pytest.mark.exigence("DR-07", "SE-12")
@pytest.mark.parametrize("role", ["capitaine", "membre"])
def test_les_autres_roles_ne_lisent_ni_ne_tranchent(role: str, ouvrir: Ouvrir, posee: Proposition) -> None:
    client = ouvrir(role)
    for acte in ("reveler", "retenir", "refuser"):
        reponse = client.post(adresse(posee), {"acte": acte, "finalite": "securite"})
        assert reponse.status_code == 403
        assert MOT not in reponse.content.decode()
    assert Proposition.objects.filter(pk=posee.pk).exists()


# --- Trancher


@pytest.mark.exigence("SE-12")
@pytest.mark.parametrize("entetes", ENTETES)
def test_retenir(entetes: dict[str, str], sa: Client, posee: Proposition) -> None:
    reponse = retenir(sa, posee, headers=entetes)
    assert reponse.status_code == (200 if entetes else 303)
    page = texte(reponse if entetes else sa.get(reverse("vigilances")))
    assert "Retenue" in page
    assert "Plus rien à trancher" in page or not entetes
    souvenir = Souvenir.objects.get()
    assert (souvenir.categorie, souvenir.contenu, souvenir.visibilite) == ("taniere", VIGILANCE, "public")
    assert not Proposition.objects.exists()
    assert Trace.objects.get(action=Action.VIGILANCE_TRANCHEE).motif == "taniere admise"


@pytest.mark.exigence("SE-12")
@pytest.mark.parametrize("entetes", ENTETES)
def test_refuser_meme_sans_lire(entetes: dict[str, str], sa: Client, posee: Proposition) -> None:
    reponse = sa.post(adresse(posee), {"acte": "refuser", "finalite": ""}, headers=entetes)
    assert reponse.status_code == (200 if entetes else 303)
    assert "Refusée" in texte(reponse if entetes else sa.get(reverse("vigilances")))
    assert not Souvenir.objects.exists()
    assert not Proposition.objects.exists()


@pytest.mark.exigence("SE-12")
@pytest.mark.parametrize("preuve", ["", "x", "autre"])
def test_nul_ne_retient_sans_avoir_lu(preuve: str, sa: Client, banc: Banc, posee: Proposition) -> None:
    if preuve == "autre":
        preuve = lecture(reveler(sa, vigilance(banc)))
    reponse = sa.post(adresse(posee), {"acte": "retenir", "lecture": preuve})
    assert reponse.status_code == 422
    assert "Lire le texte avant" in texte(reponse)
    assert not Souvenir.objects.exists()


@pytest.mark.exigence("SE-12")
@pytest.mark.parametrize(("secondes", "statut"), [(599, 303), (601, 422)])
def test_une_lecture_ne_vaut_que_dix_minutes(secondes: int, statut: int, sa: Client, posee: Proposition) -> None:
    preuve = lecture(reveler(sa, posee))
    with time_machine.travel(now() + timedelta(seconds=secondes), tick=False):
        prouver(sa, Utilisateur.objects.get(role="sa"))
        assert sa.post(adresse(posee), {"acte": "retenir", "lecture": preuve}).status_code == statut


@pytest.mark.exigence("SE-12", "UX-02")
@pytest.mark.parametrize("entetes", ENTETES)
def test_double_clic_un_seul_effet(entetes: dict[str, str], sa: Client, posee: Proposition) -> None:
    preuve = lecture(reveler(sa, posee))
    sa.post(adresse(posee), {"acte": "retenir", "lecture": preuve})
    suite = sa.post(adresse(posee), {"acte": "retenir", "lecture": preuve}, headers=entetes)
    assert suite.status_code == 410
    assert "n’est plus à trancher" in texte(suite)
    assert Souvenir.objects.count() == 1
    assert Trace.objects.filter(action=Action.VIGILANCE_TRANCHEE).count() == 1


@pytest.mark.exigence("SE-12")
@pytest.mark.parametrize("acte", ["reveler", "retenir", "refuser", "lire"])
@pytest.mark.parametrize("perte", ["echue", "caduque"])
def test_echue_ou_caduque(perte: str, acte: str, sa: Client, posee: Proposition) -> None:
    preuve = lecture(reveler(sa, posee))
    if perte == "echue":
        Proposition.objects.update(expire_a=now())
    else:
        Identite.objects.filter(pk=posee.identite_id).update(epoque=F("epoque") + 1)
    assert "Rien à trancher" in texte(sa.get(reverse("vigilances")))
    corps = {"acte": acte, "finalite": "securite", "lecture": preuve}
    reponse = sa.get(adresse(posee)) if acte == "lire" else sa.post(adresse(posee), corps)
    assert reponse.status_code == 410
    assert "n’est plus à trancher" in texte(reponse)
    assert MOT not in reponse.content.decode()
    assert not Souvenir.objects.exists()


@pytest.mark.exigence("SE-12", "SE-03")
@pytest.mark.parametrize("entetes", ENTETES)
def test_le_noyau_rejoue_ses_controles(entetes: dict[str, str], sa: Client, banc: Banc, posee: Proposition) -> None:
    preuve = lecture(reveler(sa, posee))
    Proposition.objects.update(contenu="est diabétique depuis dix ans")
    reponse = sa.post(adresse(posee), {"acte": "retenir", "lecture": preuve}, headers=entetes)
    page = texte(reponse if entetes else sa.get(reverse("vigilances")))
    assert "Le Noyau a refusé au moment de retenir" in page
    assert "donnée sensible" in page
    assert "diabétique" not in page
    assert not Souvenir.objects.exists()


@pytest.mark.exigence("SE-12")
def test_ce_que_la_personne_doit_valider_n_y_est_pas(sa: Client, posee: Proposition) -> None:
    Proposition.objects.update(valide_par="personne")
    assert "Rien à trancher" in texte(sa.get(reverse("vigilances")))
    assert reveler(sa, posee).status_code == 410


@pytest.mark.exigence("SE-12")
def test_le_tableau_du_sa_compte_ce_qui_attend(sa: Client, posee: Proposition, ouvrir: Ouvrir) -> None:
    assert "1 vigilance à trancher" in texte(sa.get(reverse("tableau")))
    assert "vigilance à trancher" not in texte(ouvrir("capitaine").get(reverse("tableau")))
    sa.post(adresse(posee), {"acte": "refuser"})
    assert "vigilance à trancher" not in texte(sa.get(reverse("tableau")))


def essayer(pk: int, accepte: bool) -> int:
    """200, ou le statut du refus."""
    try:
        validations.trancher(pk, accepte, par=Acteur("utilisateur", "1"), maintenant=now())
    except Refus as refus:
        return refus.statut
    return 200


@pytest.mark.django_db(transaction=True)
@pytest.mark.exigence("SE-12", "UX-02")
def test_huit_decisions_simultanees_une_seule_compte(banc: Banc) -> None:
    pk = vigilance(banc).pk
    rendus = ensemble([partial(essayer, pk, bool(n % 2)) for n in range(8)])
    assert sorted(rendus) == [200] + [410] * 7
    assert Trace.objects.filter(action=Action.VIGILANCE_TRANCHEE).count() == 1
    assert Souvenir.objects.count() <= 1
    assert not Proposition.objects.exists()
