"""Le rapport de mesure, la lecture des jeux, et le garde-fou de non-régression."""

import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from horizon.noyau.sensibilite import VERSION, Verdict, examiner
from horizon.noyau.sensibilite.apprentissage import Phrase, ecrire, entrainer
from horizon.noyau.sensibilite.donnees import DOSSIER
from horizon.noyau.sensibilite.jeux import JeuIllisible, lire_jeu, lire_lignes
from horizon.noyau.sensibilite.mesure import eprouver, rapport, wilson
from horizon.noyau.sensibilite.metamorphoses import TRANSFORMATIONS, conserver

JEUX = Path(__file__).parent.parent / "donnees" / "sensibilite"
TSV = "texte\tdecision\tcategorie\nest diabétique\trefus\tmedical\nadore Zelda\tADMIS\t-\n"


def evaluer(chemin: Path, *options: str) -> str:
    sortie = StringIO()
    call_command("evaluer_sensibilite", str(chemin), *options, stdout=sortie)
    return sortie.getvalue()


@pytest.fixture
def ecrire_jeu(tmp_path: Path) -> Callable[[str], Path]:
    def faire(contenu: str) -> Path:
        chemin = tmp_path / "jeu.tsv"
        chemin.write_text(contenu, encoding="utf-8")
        return chemin

    return faire


@pytest.mark.exigence("SE-09")
@pytest.mark.parametrize(
    "contenu",
    [
        TSV,
        TSV.replace("texte", "text").replace("categorie", "category"),
        "\ufeff" + TSV,
        TSV.replace("\n", "\r\n"),
        "difficulty\tdecision\tinconnue\ttext\nfacile\tREFUS\tx\test diabétique\n-\tadmis\ty\tadore Zelda\n\n",
    ],
)
def test_les_colonnes_viennent_dans_tous_les_ordres(contenu: str, ecrire_jeu: Callable[[str], Path]) -> None:
    resultat = json.loads(evaluer(ecrire_jeu(contenu), "--json"))
    assert resultat["total"] == 2
    assert (resultat["refus"], resultat["fuite"], resultat["faux_refus"], resultat["friction"]) == (100, 0, 0, 0)
    assert resultat["version"] == VERSION


@pytest.mark.exigence("SE-09")
@pytest.mark.parametrize("contenu", ["", "a\tb\n", "texte\tdecision\nx\tpeut-être\n"])
def test_un_jeu_illisible_est_dit_sans_la_phrase(contenu: str, ecrire_jeu: Callable[[str], Path]) -> None:
    with pytest.raises(CommandError):
        evaluer(ecrire_jeu(contenu))


@pytest.mark.exigence("SE-09", "SR-12")
def test_le_rapport_nomme_des_identifiants_jamais_des_phrases(ecrire_jeu: Callable[[str], Path]) -> None:
    jeu = "id\ttexte\tdecision\nz1\tzibeline est diabétique\tadmis\nz2\tzibeline adore Zelda\trefus\n"
    for options in ((), ("--json",)):
        rendu = evaluer(ecrire_jeu(jeu), *options)
        assert "zibeline" not in rendu
        assert "z1" in rendu
        assert "z2" in rendu


@pytest.mark.exigence("SE-09")
def test_wilson() -> None:
    assert wilson(0, 0).pourcentage == 0
    taux = wilson(90, 100)
    assert (taux.pourcentage, taux.bas, taux.haut) == (90.0, 82.56, 94.48)


def test_une_ligne_sans_decision_est_situee() -> None:
    with pytest.raises(JeuIllisible, match="Ligne 3"):
        lire_lignes(["texte\tdecision", "a\tadmis", "b"])


@pytest.mark.exigence("SE-04")
def test_l_entrainement_est_reproductible_a_l_octet() -> None:
    phrases = [Phrase(e.texte, str(e.decision), e.categorie) for e in lire_jeu(JEUX / "naturel.tsv")]
    assert ecrire(entrainer(phrases)) == ecrire(entrainer(phrases))


@pytest.mark.lent
@pytest.mark.exigence("SE-04")
def test_le_modele_livre_vient_du_jeu_du_depot(tmp_path: Path) -> None:
    call_command("entrainer_sensibilite", sortie=tmp_path / "modele.json", stdout=StringIO())
    assert (tmp_path / "modele.json").read_bytes() == (DOSSIER / "modele.json").read_bytes()


@pytest.mark.exigence("SE-04")
def test_le_modele_reste_petit() -> None:
    assert (DOSSIER / "modele.json").stat().st_size < 2_000_000


PLANCHERS = json.loads((Path(__file__).parent / "planchers.json").read_text(encoding="utf-8"))


@pytest.mark.exigence("SE-09")
@pytest.mark.parametrize("jeu", sorted(PLANCHERS["jeux"]))
def test_non_regression(jeu: str) -> None:
    """Sur des phrases apprises : un garde-fou contre un recul, pas une mesure de ce que vaut le garde."""
    mesure = rapport(eprouver(lire_jeu(JEUX / f"{jeu}.tsv"), examiner), VERSION)
    for nom, borne in PLANCHERS["jeux"][jeu].items():
        valeur = mesure[nom]
        assert isinstance(valeur, float)
        assert valeur >= borne if nom == "refus" else valeur <= borne, (nom, valeur, borne)
    latence = mesure["latence_ms"]
    assert isinstance(latence, dict)
    assert latence["p95"] < 25  # 5 ms visées, marge d'une machine partagée


@pytest.mark.exigence("SE-05")
@pytest.mark.parametrize("nom", TRANSFORMATIONS)
def test_metamorphose(nom: str) -> None:
    """Part des refus qui le restent, et part jamais admise, une fois déguisés."""
    textes = [
        e.texte for jeu in ("naturel", "lot_c") for e in lire_jeu(JEUX / f"{jeu}.tsv") if e.decision is Verdict.REFUS
    ]
    refus, retenus = conserver(textes, examiner, nom)
    plancher = PLANCHERS["metamorphoses"][nom]
    assert refus.pourcentage >= plancher[0], refus
    assert retenus.pourcentage >= plancher[1], retenus
