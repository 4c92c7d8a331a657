"""Le tri et les durées : propriétés tenues sur des entrées quelconques."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from horizon.noyau import texte
from horizon.noyau.evenements import Auteur, Espace, Message
from horizon.noyau.jetons import compter
from horizon.noyau.lieux import LieuConnu
from horizon.noyau.motifs import EXCLUSIONS
from memoire.noyau.expiration import VIE_MAXIMALE, duree_annoncee, expiration
from memoire.noyau.projection import Recent, tenir
from memoire.noyau.tri import Faits, motif_du_texte, texte_dit, trier

INSTANT = datetime(2026, 11, 30, 12, tzinfo=UTC)
PUBLIC = LieuConnu("public", "memorise")
NATURES = ["personne", "bot", "poubelle", "webhook", "systeme"]
ETIQUETTES = [None, "conversation", "commande", "annonce", "systeme"]
instants = st.datetimes(datetime(2020, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 — le fuseau vient après
durees = st.integers(1, 24).map(lambda h: timedelta(hours=h))


def un_message(contenu: str = "bonsoir", **champs: object) -> Message:
    base = {
        "id": "m1", "plateforme": "twitch", "espace": Espace("1", "public"), "auteur": Auteur("77"),
        "contenu": contenu, "emis_le": INSTANT, "nature": "conversation",
    }  # fmt: skip
    return Message(**(base | champs))  # type: ignore[arg-type]


@pytest.mark.exigence("CT-03")
@settings(max_examples=600)
@given(
    contenu=st.just("bonsoir") | st.text(max_size=60),
    auteur=st.just("personne") | st.sampled_from(NATURES),
    etiquette=st.just("conversation") | st.sampled_from(ETIQUETTES),
    visibilite=st.sampled_from(["public", "prive"]),
    participants=st.none() | st.lists(st.sampled_from(["77", "88", "poubelle", "p1"]), max_size=4),
    lieu=st.just(PUBLIC) | st.none() | st.builds(
        LieuConnu, st.sampled_from(["public", "prive"]), st.sampled_from(["inconnu", "memorise", "retire"]),
        st.booleans(), st.sampled_from([None, "77", "88"]),
    ),
    compte=st.sampled_from([None, "personne", "bot", "poubelle"]),
    pause=st.booleans(),
)  # fmt: skip
def test_le_tri_decide_toujours_et_n_admet_que_l_admissible(
    contenu, auteur, etiquette, visibilite, participants, lieu, compte, pause
) -> None:
    recu = un_message(
        contenu, auteur=Auteur("77", nature=auteur), nature=etiquette, espace=Espace("1", visibilite, participants)
    )
    decision = trier(recu, Faits(lieu, compte, frozenset({"p1"})), en_pause=pause)
    assert decision.admis == (decision.code == "")
    assert decision.admis or (decision.code in EXCLUSIONS and decision.texte == "")
    if not decision.admis:
        return
    assert not pause
    assert auteur in ("personne", "poubelle")
    assert compte != "bot"
    assert etiquette in (None, "conversation")
    assert not (compte == "poubelle" and auteur == "personne")
    assert lieu is None or not lieu.ferme
    prive = visibilite == "prive" or (lieu is not None and lieu.visibilite == "prive")
    if prive:
        assert participants is not None
        assert len(set(participants)) == 2
    else:
        assert lieu is not None
        assert lieu.configuration == "memorise"


@pytest.mark.exigence("ID-10", "CT-19")
@pytest.mark.parametrize(
    ("recu", "compte", "code"),
    [
        (un_message(), "bot", "bot"),
        (un_message(), "poubelle", "non_etiquete"),
        (un_message(plateforme="twitch", auteur=Auteur("274598607")), None, "anonyme"),
        (un_message(auteur=Auteur("77", nature="poubelle")), "personne", "non_etiquete"),
        (un_message(auteur=Auteur("77", nature="poubelle")), None, ""),
    ],
)
def test_le_serveur_durcit_l_etiquette(recu: Message, compte: str | None, code: str) -> None:
    assert trier(recu, Faits(PUBLIC, compte)).code == code


@pytest.mark.exigence("CT-15")
@given(
    prefixe=st.text(alphabet="\u200b\u2060\ufeff\u00a0 \t\u034f\U000e0000", max_size=5),
    mot=st.from_regex(r"[!/]\w{1,10}", fullmatch=True),
)
def test_une_commande_cachee_reste_une_commande(prefixe: str, mot: str) -> None:
    assert motif_du_texte(prefixe + mot, en_reponse=False) == "commande"
    assert motif_du_texte(f"@Capucine_42 {prefixe}{mot}", en_reponse=True) == "commande"
    assert motif_du_texte(f"@Capucine_42 {mot}", en_reponse=False) == ""


@pytest.mark.exigence("CT-15")
@given(st.text(max_size=80))
def test_le_texte_garde_est_celui_qui_fut_dit(contenu: str) -> None:
    decision = trier(un_message(contenu), Faits(PUBLIC, None))
    if decision.admis:
        assert decision.texte == texte_dit(contenu)
    if not contenu.startswith("\x01ACTION "):
        assert texte_dit(contenu) == contenu


@pytest.mark.exigence("CT-03")
@given(st.text(alphabet=st.characters(categories=["Cf", "Cc", "Zs", "Zl", "Zp"])))
def test_rien_de_visible_est_vide(contenu: str) -> None:
    assert texte.illisible(contenu)
    assert motif_du_texte(contenu, en_reponse=False) == "vide"


@pytest.mark.exigence("CT-04", "CT-05")
@given(emis_le=instants, ecart=st.timedeltas(timedelta(minutes=-5), timedelta(days=2)), duree=durees)
def test_l_expiration_ne_depasse_ni_l_emission_ni_la_reception(emis_le, ecart, duree) -> None:
    recu_le = emis_le + ecart
    fin = expiration(emis_le, recu_le, duree)
    assert fin <= emis_le + duree
    assert fin <= recu_le + duree <= recu_le + VIE_MAXIMALE


@pytest.mark.exigence("CT-05")
@given(emis_le=instants, changements=st.lists(st.tuples(instants, durees), max_size=6), premiere=durees)
def test_la_duree_annoncee_est_la_plus_courte_depuis_l_emission(emis_le, changements, premiere) -> None:
    suite = [*sorted(changements, reverse=True), (datetime.min.replace(tzinfo=UTC), premiere)]
    en_vigueur = next(d for quand, d in suite if quand <= emis_le)
    attendue = min([en_vigueur, *(d for quand, d in suite if quand > emis_le)])
    assert duree_annoncee(emis_le, suite) == attendue


@pytest.mark.exigence("DV-11")
@given(st.lists(st.text(max_size=40), max_size=30), st.integers(0, 300))
def test_le_budget_n_est_jamais_depasse(textes: list[str], budget: int) -> None:
    recents = [Recent(t, "personne", INSTANT, None) for t in textes]
    gardes, reste = tenir(recents, budget)
    assert sum(compter(r.contenu) for r in gardes) + reste == budget
    assert reste >= 0
    assert gardes[::-1] == recents[: len(gardes)]


@given(st.text(max_size=60), st.text(max_size=60))
def test_le_compte_de_tokens_croit_avec_le_texte(debut: str, fin: str) -> None:
    assert 0 <= compter(debut) <= compter(f"{debut} {fin}")
    assert compter(debut) <= len(debut.encode("utf-8", "surrogatepass"))


@pytest.mark.exigence("SR-08")
@given(st.text())
def test_gardable_dit_ce_que_la_base_accepte(contenu: str) -> None:
    assert texte.gardable(contenu) == ("\x00" not in contenu and not any("\ud800" <= c <= "\udfff" for c in contenu))
