"""Le Noyau de la mémoire longue, sans base : aucune entrée ne le fait lever, ses contrôles passent dans l'ordre."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horizon.noyau.sensibilite import Avis, Verdict
from memoire.noyau import confiance
from memoire.noyau.categories import CATEGORIES, Origine
from memoire.noyau.motifs import REFUS
from memoire.noyau.souvenirs import Candidature, Effet, Faits, Source, SouvenirConnu, juger, observer

MIDI = datetime(2026, 12, 1, 12, tzinfo=UTC)
INSTANTS = st.integers(-3, 3).map(lambda n: MIDI + timedelta(minutes=n))
TEXTES = st.one_of(st.text(max_size=300), st.sampled_from(["adore le thé", "est niveau 12", "", "\u200b", "x" * 281]))
CENT = st.integers(0, 100)
SOURCES = st.builds(
    Source,
    etat=st.sampled_from(["vivante", "supprimee", "inconnue"]),
    contenu=st.none() | TEXTES,
    emis_le=st.none() | INSTANTS,
    de_la_personne=st.booleans(),
    prive=st.booleans(),
)
CONNUS = st.builds(
    SouvenirConnu,
    contenu=TEXTES,
    confiance=CENT,
    contradictions=st.integers(0, 5),
    nee_d_une_demande=st.booleans(),
    gele=st.booleans(),
)
FAITS = st.builds(
    Faits,
    revendiquee=st.booleans(),
    en_pause=st.booleans(),
    oublie_avant=st.none() | INSTANTS,
    actuel=st.none() | CONNUS,
)
CANDIDATURES = st.builds(
    Candidature,
    origine=st.sampled_from(Origine),
    categorie=st.sampled_from([*CATEGORIES, "", "passion"]),
    contenu=TEXTES,
    fiabilite=CENT,
    sources=st.lists(SOURCES, max_size=4),
    validee=st.booleans(),
    correction=st.booleans(),
    soumise_le=st.none() | INSTANTS,
)
AVIS = st.builds(Avis, st.sampled_from(Verdict), st.just("medical"), st.just("essai"), soupcon_de_refus=st.booleans())
ADMIS = Avis(next(v for v in Verdict if v not in (Verdict.REFUS, Verdict.VIGILANCE)), "", "")
ETAPES = (
    {"non_revendiquee", "pause"},
    {"categorie_inconnue", "origine_non_admise"},
    {"sensible"},
    {"vide", "trop_long", "donnee_globale", "recopie"},
    {"source_supprimee", "source_d_autrui", "source_absente", "oublie"},
    {"gele", "fiabilite_insuffisante", "observations_insuffisantes"},
    {""},
)


def etape(motif: str) -> int:
    return next(rang for rang, motifs in enumerate(ETAPES) if motif in motifs)


@pytest.mark.exigence("LT-05")
@given(candidature=CANDIDATURES, faits=FAITS, avis=AVIS)
def test_aucune_entree_ne_leve_et_toute_issue_est_lisible(candidature: Candidature, faits: Faits, avis: Avis) -> None:
    issue = juger(candidature, faits, avis)
    assert 0 <= issue.confiance <= 100
    assert (issue.effet is Effet.REFUSE) == bool(issue.motif)
    assert not issue.motif or (issue.phrase and issue.phrase == REFUS[issue.motif])
    assert candidature.contenu.strip() not in issue.phrase or len(candidature.contenu.strip()) < 20
    assert (issue.effet is Effet.VALIDATION) == (issue.valide_par in ("personne", "sa"))
    assert issue.effet is not Effet.VALIDATION or (avis.decision is Verdict.VIGILANCE and not candidature.validee)
    assert not (issue.effet is Effet.ENREGISTRE and not faits.revendiquee)


@pytest.mark.exigence("LT-05")
@given(candidature=CANDIDATURES, faits=FAITS, avis=AVIS)
def test_lever_un_obstacle_mene_au_suivant(candidature: Candidature, faits: Faits, avis: Avis) -> None:
    """L'ordre : lever la cause d'un refus ne rend jamais un motif d'une étape antérieure."""
    avant = etape(juger(candidature, faits, avis).motif)
    leve = juger(
        candidature if avant > 1 else replace(candidature, categorie="autre", origine=Origine.DEMANDE),
        replace(faits, revendiquee=True, en_pause=False),
        avis if avant > 2 else ADMIS,
    )
    assert etape(leve.motif) >= min(avant, 2 if avant <= 1 else avant)
    if not faits.revendiquee or faits.en_pause:
        assert avant == 0
    elif candidature.categorie not in CATEGORIES:
        assert avant == 1
    elif candidature.origine in CATEGORIES[candidature.categorie].origines and avis.decision is Verdict.REFUS:
        assert avant == 2


SEVERITE = {Effet.ENREGISTRE: 0, Effet.RENFORCE: 0, Effet.CONSERVE: 0, Effet.VALIDATION: 1, Effet.REFUSE: 2}
DURETE = {Verdict.VIGILANCE: 1, Verdict.REFUS: 2}


@pytest.mark.exigence("SE-08", "SE-12")
@given(candidature=CANDIDATURES, faits=FAITS, un=AVIS, deux=AVIS)
def test_durcir_l_avis_n_assouplit_jamais(candidature: Candidature, faits: Faits, un: Avis, deux: Avis) -> None:
    doux, dur = sorted((un, deux), key=lambda a: (DURETE.get(a.decision, 0), a.soupcon_de_refus))
    avant, apres = juger(candidature, faits, doux), juger(candidature, faits, dur)
    assert SEVERITE[apres.effet] >= SEVERITE[avant.effet]
    if avant.effet is apres.effet is Effet.VALIDATION and avant.valide_par == "sa":
        assert apres.valide_par == "sa"


@pytest.mark.exigence("DR-03")
@given(candidature=CANDIDATURES, faits=FAITS, recul=st.integers(0, 3))
def test_rien_de_fonde_sur_l_oublie_ne_s_ecrit(candidature: Candidature, faits: Faits, recul: int) -> None:
    """Appel déjà en route à l'oubli, ou proposition dont un message le précède : jamais rien d'écrit."""
    oubli = replace(faits, oublie_avant=MIDI)
    ancien = MIDI - timedelta(minutes=recul)
    vieux = Source("vivante", "x", ancien, de_la_personne=True)
    en_route = replace(candidature, soumise_le=ancien)
    fondee = replace(candidature, sources=[*candidature.sources, vieux], origine=Origine.PROPOSITION)
    for essai in (en_route, fondee, replace(candidature, origine=Origine.DEMANDE, sources=[vieux])):
        assert juger(essai, oubli, ADMIS).effet is Effet.REFUSE
    neuve = Candidature(Origine.DEMANDE, "autre", "adore le thé", 100, soumise_le=MIDI + timedelta(seconds=1))
    assert juger(neuve, Faits(revendiquee=True, oublie_avant=MIDI), ADMIS).effet is Effet.ENREGISTRE


@pytest.mark.exigence("CF-08", "DR-12", "CF-05")
@given(candidature=CANDIDATURES, faits=FAITS, avis=AVIS)
def test_ce_qui_ecrase_en_a_le_droit(candidature: Candidature, faits: Faits, avis: Avis) -> None:
    issue, actuel = juger(candidature, faits, avis), faits.actuel
    if issue.effet is not Effet.ENREGISTRE or actuel is None:
        return
    if candidature.origine in (Origine.PROPOSITION, Origine.REGLE):
        assert not actuel.gele
        assert candidature.fiabilite > actuel.confiance + confiance.ECART
        assert not actuel.nee_d_une_demande or actuel.contradictions >= confiance.CONTRADICTIONS_POUR_CEDER
        assert issue.confiance <= candidature.fiabilite
    elif actuel.gele:
        assert candidature.origine is Origine.DEMANDE


@pytest.mark.exigence("LT-12", "LT-10")
@given(candidature=CANDIDATURES, faits=FAITS)
def test_une_proposition_admise_a_ses_appuis(candidature: Candidature, faits: Faits) -> None:
    if juger(candidature, faits, ADMIS).effet is Effet.REFUSE:
        return
    assert all(s.etat != "supprimee" and (s.etat != "vivante" or s.de_la_personne) for s in candidature.sources)
    if candidature.origine is Origine.PROPOSITION:
        assert len(candidature.sources) >= CATEGORIES[candidature.categorie].observations_minimales
        assert all(s.etat == "vivante" for s in candidature.sources)
        assert candidature.categorie not in ("confidence", "reference")


@pytest.mark.exigence("CF-01", "CF-06")
@given(sens=st.sampled_from(["concordance", "contradiction"]), fiabilite=CENT, faits=FAITS, vue=st.booleans())
def test_une_observation_reste_dans_son_role(sens: str, fiabilite: int, faits: Faits, vue: bool) -> None:
    issue = observer(sens, fiabilite, faits, vue)
    assert 0 <= issue.confiance <= 100
    if not faits.revendiquee or faits.en_pause or faits.actuel is None or faits.actuel.gele:
        assert issue.effet is Effet.REFUSE
    elif vue:
        assert (issue.effet, issue.confiance) == (Effet.DEJA_VU, faits.actuel.confiance)
    else:
        assert issue.effet is (Effet.RENFORCE if sens == "concordance" else Effet.AFFAIBLIT)


@pytest.mark.exigence("CF-01")
def test_le_bareme_ecrit() -> None:
    """Les valeurs de la table de `memoire/README.md` : en changer une se décide, ne s'oublie pas."""
    assert {o.value: c for o, c in confiance.INITIALES.items()} == {
        "demande": 90, "sa": 80, "regle": 70, "proposition": 60,
    }  # fmt: skip
    assert (confiance.CORRECTION, confiance.ECART, confiance.FIABILITE_MINIMALE) == (95, 15, 40)
    assert confiance.affaiblir(90, 60) == 70
    assert confiance.renforcer(50, 80) == 60
    mots = {c: confiance.certitude(c, 0) for c in (0, 39, 40, 69, 70, 100)}
    assert list(mots.values()) == ["incertain", "incertain", "probable", "probable", "sur", "sur"]
    assert [confiance.certitude(c, 1) for c in (100, 69)] == ["probable", "incertain"]


@pytest.mark.exigence("LT-05")
@pytest.mark.parametrize(
    ("candidature", "avis", "motif"),
    [
        (Candidature(Origine.DEMANDE, "autre", "x" * 281, 100, [Source("supprimee")]), ADMIS, "trop_long"),
        (
            Candidature(Origine.DEMANDE, "autre", "x" * 281, 100),
            Avis(Verdict.REFUS, "medical", "essai"),
            "sensible",
        ),
        (Candidature(Origine.PROPOSITION, "autre", "adore le thé", 10), ADMIS, "source_absente"),
        (Candidature(Origine.PROPOSITION, "passion", "x" * 281, 10), ADMIS, "categorie_inconnue"),
        (Candidature(Origine.PROPOSITION, "confidence", "adore", 90), Avis(Verdict.REFUS, "m"), "origine_non_admise"),
    ],
)  # fmt: skip
def test_le_premier_obstacle_donne_le_motif(candidature: Candidature, avis: Avis, motif: str) -> None:
    assert juger(candidature, Faits(revendiquee=True), avis).motif == motif


@pytest.mark.exigence("DR-12")
@pytest.mark.parametrize("origine", [o for o in Origine if o is not Origine.DEMANDE])
def test_seule_la_personne_ecrit_sur_un_souvenir_conteste(origine: Origine) -> None:
    faits = Faits(revendiquee=True, actuel=SouvenirConnu("adore le thé", 10, 5, False, gele=True))
    vive = Source("vivante", "x", MIDI, de_la_personne=True)
    assert juger(Candidature(origine, "autre", "adore le café", 100, [vive]), faits, ADMIS).motif == "gele"
