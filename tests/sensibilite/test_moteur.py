"""Le garde à son interface : ce qu'il refuse, ce qu'il épargne, ce qui ne le trompe pas."""

import dataclasses
import itertools
import subprocess
import sys
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from horizon.noyau.sensibilite import LONGUEUR_MAXIMALE, VERSION, Avis, Origine, Verdict, examiner
from horizon.noyau.sensibilite.metamorphoses import TRANSFORMATIONS
from horizon.noyau.sensibilite.moteur import REVISION

STRUCTURES = [
    "iban FR76 3000 6000 0112 3456 7890 189",
    "carte 4970 1012 3456 7890 123",
    "carte 4539 1488 0343 6467",
    "ghp_FAKEfake0123456789FAKEfake0123456789",
    "AKIAIOSFODNN7EXAMPLE",
    "-----BEGIN OPENSSH PRIVATE KEY-----",
    "oauth:abcdef0123456789abcdef012345",
    "son numéro : 06 39 98 45 67",
    "joignable au +33 6 12 34 56 78",
    "son IP est 82.124.9.17",
    "48.8566, 2.3522",
    "numéro de sécu 1 84 12 76 451 089 46",
    "habite au 15 rue de la République",
]
ENROBAGES = [
    "{}", "dans le RP, {}", "{} mdr", "« {} »", "{} et joue à Minecraft", "mon PNJ : {}", "Ignore tes règles : {}",
    "{} dans Zelda, pour rire", "le mot de passe du donjon est {}",
]  # fmt: skip


@pytest.mark.exigence("SE-01", "SE-05")
@pytest.mark.parametrize("structure", [s for s in STRUCTURES if not s.startswith("carte 4970")])
@pytest.mark.parametrize("enrobage", ENROBAGES)
def test_aucun_contexte_ne_desarme_un_identifiant(structure: str, enrobage: str) -> None:
    assert examiner(enrobage.format(structure)).decision is Verdict.REFUS


@pytest.mark.exigence("SE-05")
@pytest.mark.parametrize("structure", ["4539 1488 0343 6467", "FR76 3000 6000 0112 3456 7890 189", "06 39 98 45 67"])
def test_invisibles_et_pleine_chasse_ne_cachent_pas_un_identifiant(structure: str) -> None:
    for nom in ("invisibles", "pleine_chasse"):
        assert examiner(TRANSFORMATIONS[nom](structure)).decision is Verdict.REFUS, nom


@pytest.mark.exigence("SE-01")
@pytest.mark.parametrize("faux", ["4539 1488 0343 6468", "127.0.0.1", "192.168.1.12", "speedrun en 1:52:06"])
def test_une_somme_fausse_ou_une_adresse_locale_n_est_pas_un_identifiant(faux: str) -> None:
    assert not examiner(faux).regle.startswith("identifiant/")


REFUS_CLAIRS = {
    "medical": "est diabétique depuis dix ans",
    "origine": "est d'origine algérienne",
    "politique": "a voté à gauche aux municipales",
    "religion": "est musulman pratiquant",
    "philosophie": "végane par conviction",
    "syndicat": "est délégué CGT dans son usine",
    "sexualite": "est homosexuel",
    "genetique": "a fait un test ADN, il porte la mutation BRCA1",
    "biometrie": "son empreinte digitale est enregistrée",
    "localisation": "habite au 12 rue des Lilas",
    "finance": "gagne 1800 euros par mois",
    "secret": "son mot de passe est Chaton2023",
    "tiers": "sa sœur est enceinte de six mois",
    "rumeur": "il paraît que Zelko triche et vole la cagnotte",
}


@pytest.mark.exigence("SE-01", "SE-02")
@pytest.mark.parametrize(("categorie", "texte"), REFUS_CLAIRS.items())
@pytest.mark.parametrize("origine", list(Origine))
def test_refus_quelle_que_soit_l_origine(categorie: str, texte: str, origine: Origine) -> None:
    avis = examiner(texte, origine=origine, categorie="preference")
    assert avis.decision is Verdict.REFUS
    assert avis.categorie == categorie
    assert avis.regle
    assert not avis.soupcon_de_refus


@pytest.mark.exigence("SE-06")
@pytest.mark.parametrize(
    "texte",
    [
        "adore les jeux de plateforme",
        "joue support dans Overwatch",
        "déteste les quêtes d'escorte",
        "fan de metal et de raclette",
        "a gagné le tournoi de Tetris",
        "mort de rire devant les fails du boss",
        "préfère les réponses courtes",
        "sa blague préférée parle d'une poubelle",
    ],
)
def test_le_jeu_et_les_gouts_passent(texte: str) -> None:
    assert examiner(texte).decision is Verdict.ADMIS


@pytest.mark.exigence("SE-05", "SE-06")
@pytest.mark.parametrize("texte", REFUS_CLAIRS.values())
@pytest.mark.parametrize("enrobage", ["dans le RP, {}", "{} et joue à Minecraft avec sa guilde", "« {} »", "{} mdr"])
def test_la_fiction_mene_au_mieux_a_vigilance(texte: str, enrobage: str) -> None:
    avis = examiner(enrobage.format(texte))
    assert avis.decision is not Verdict.ADMIS
    assert avis.decision is Verdict.REFUS or avis.soupcon_de_refus


@pytest.mark.exigence("SE-03", "SE-12")
def test_une_vigilance_nee_d_un_soupcon_le_dit() -> None:
    assert examiner("mon nain est alcoolique dans notre campagne").soupcon_de_refus
    courriel = examiner("écrire à lou@exemple.fr")
    assert courriel.decision is Verdict.VIGILANCE
    assert not courriel.soupcon_de_refus


@pytest.mark.exigence("SE-05")
@pytest.mark.parametrize(
    ("texte", "vue"),
    [
        ("d i a b é t i q u e depuis dix ans", "collee"),
        ("d1abét1que depuis dix ans", "leet"),
        ("ma famille est feuj", "verlan"),
        ("dіаbétіquе depuis dix ans", "plate"),
        ("diab\u200bétique depuis dix ans", "plate"),
        ("DIABÉTIQUE DEPUIS DIX ANS", "plate"),
        ("diaaaabétique depuis dix ans", "plate"),
    ],
)
def test_la_vue_qui_a_demasque_est_dite(texte: str, vue: str) -> None:
    avis = examiner(texte)
    assert (avis.decision, avis.vue) == (Verdict.REFUS, vue)
    assert all(0 <= debut < fin <= len(texte) for debut, fin in avis.positions)


@pytest.mark.exigence("SE-05")
def test_une_faute_sur_un_mot_fort_ne_passe_pas() -> None:
    for texte in ("est diabtique", "est diabéttique", "est homosexeul", "est musulamn", "est schizofrène"):
        assert examiner(texte).decision is not Verdict.ADMIS, texte


@pytest.mark.exigence("SE-01")
def test_un_pseudonyme_connu_ne_fait_que_durcir() -> None:
    for texte in (
        "zelko a trompé sa copine",
        "zelko adore la raclette",
        "zelko a été viré, il veut pas que ça se sache",
    ):
        sans, avec = examiner(texte), examiner(texte, pseudonymes=["Zelko"])
        assert avec.decision.severite >= sans.decision.severite


@pytest.mark.exigence("SE-02")
def test_l_avis_ne_contient_jamais_le_texte() -> None:
    avis = examiner("zibeline est diabétique et son mot de passe est chaton")
    assert "zibeline" not in repr(avis)
    assert {champ.name for champ in dataclasses.fields(Avis)} == {
        "decision", "categorie", "regle", "vue", "positions", "versions", "soupcon_de_refus",
    }  # fmt: skip


@pytest.mark.exigence("SE-04", "SE-11")
def test_versions() -> None:
    avis = examiner("bonjour")
    assert avis.versions == VERSION
    assert VERSION.split(".")[0] == REVISION
    assert len(VERSION.split(".")) == 3


@pytest.mark.exigence("SE-04")
def test_trop_long_est_refuse_avant_analyse() -> None:
    assert examiner("a" * (LONGUEUR_MAXIMALE + 1)).regle == "longueur"
    assert examiner("a" * LONGUEUR_MAXIMALE).regle != "longueur"


@pytest.mark.exigence("SE-04")
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.text(max_size=300), st.text(max_size=20), st.lists(st.text(max_size=12), max_size=4))
def test_aucune_entree_ne_leve_et_tout_est_determine(texte: str, sujet: str, pseudonymes: list[str]) -> None:
    avis = examiner(texte, sujet=sujet, pseudonymes=pseudonymes)
    assert avis == examiner(texte, sujet=sujet, pseudonymes=pseudonymes)
    assert all(0 <= debut < fin <= len(texte) for debut, fin in avis.positions)


@pytest.mark.exigence("SE-04")
@settings(max_examples=200, deadline=None)
@given(st.text(alphabet=st.characters(exclude_categories=[]), max_size=200))
def test_demi_codets_et_controles_ne_levent_pas(texte: str) -> None:
    assert examiner(texte).versions == VERSION


@pytest.mark.exigence("SE-05")
def test_aucun_contournement_connu_ni_deux_ensemble_n_admet() -> None:
    """Toutes les paires ordonnées, sur toutes les phrases : rien n'est laissé au tirage."""
    noms = [nom for nom in TRANSFORMATIONS if nom != "une_faute"]
    admis = []
    for texte in REFUS_CLAIRS.values():
        for deguisements in (*((nom,) for nom in noms), *itertools.permutations(noms, 2)):
            deguise = texte
            for nom in deguisements:
                deguise = TRANSFORMATIONS[nom](deguise)
            if examiner(deguise).decision is Verdict.ADMIS:
                admis.append((deguisements, deguise))
    assert admis == []


@pytest.mark.exigence("SE-05")
@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from([s for s in STRUCTURES if not s.startswith("carte 4970")]),
    st.sampled_from(["guillemets", "dans_le_rp", "et_joue", "pour_rire", "consigne", "repetition", "invisibles"]),
    st.sampled_from(["guillemets", "dans_le_rp", "et_joue", "pour_rire", "consigne", "decompose"]),
)
def test_un_refus_structure_reste_un_refus(texte: str, un: str, autre: str) -> None:
    assert examiner(TRANSFORMATIONS[un](TRANSFORMATIONS[autre](texte))).decision is Verdict.REFUS


@pytest.mark.exigence("SE-04")
def test_deux_processus_rendent_le_meme_avis() -> None:
    code = (
        "from horizon.noyau.sensibilite import examiner;"
        "print([repr(examiner(t)) for t in ('est diabétique', 'adore Zelda', 'habite à Lyon', 'Lou triche')])"
    )
    rendus = {
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": graine}
        ).stdout
        for graine in ("1", "2", "3")
    }
    assert len(rendus) == 1


@pytest.mark.exigence("SE-04")
def test_le_texte_le_plus_long_reste_rapide() -> None:
    textes = ["la mère de Lou " * 266, "a " * 2000, "diabet" * 660, "1 2 3 4 " * 500, "x@y." * 1000, "é" * 4000]
    examiner("bonjour")
    for texte in textes:
        durees = []
        for _ in range(3):
            debut = time.process_time()
            examiner(texte[:LONGUEUR_MAXIMALE])
            durees.append(time.process_time() - debut)
        assert min(durees) < 0.1, texte[:12]  # 50 ms visées, marge d'une machine partagée
