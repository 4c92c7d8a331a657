"""Les fichiers de règles : lisibles, et chacune avec ce qu'elle vise et ce qu'elle épargne."""

import pytest

from horizon.noyau.sensibilite import Sensible
from horizon.noyau.sensibilite.donnees import DOSSIER
from horizon.noyau.sensibilite.langage import MotifFautif, lire_motif
from horizon.noyau.sensibilite.regles import FORCES, Regle, reglement
from horizon.noyau.sensibilite.vues import demasquer

REGLES = list(reglement().regles.values())


def reconnues(texte: str) -> set[str]:
    return {trouvaille.nom for trouvaille in reglement().chercher(demasquer(texte))}


@pytest.mark.exigence("SE-04")
@pytest.mark.parametrize("regle", REGLES, ids=lambda regle: regle.nom)
def test_chaque_regle_a_ses_exemples_et_ses_voisins(regle: Regle) -> None:
    assert len(regle.exemples) >= 2
    assert len(regle.voisins) >= 2
    for exemple in regle.exemples:
        assert regle.nom in reconnues(exemple), exemple
    for voisin in regle.voisins:
        assert regle.nom not in reconnues(voisin), voisin


@pytest.mark.exigence("SE-01")
def test_chaque_categorie_a_son_fichier_et_une_regle() -> None:
    assert {chemin.stem for chemin in (DOSSIER / "regles").glob("*.toml")} == {str(s) for s in Sensible}
    assert {regle.categorie for regle in REGLES} == {str(s) for s in Sensible}
    assert {regle.force for regle in REGLES} <= set(FORCES)


@pytest.mark.exigence("SE-11")
def test_la_liste_des_categories_ne_se_reduit_pas() -> None:
    assert {
        "medical", "origine", "politique", "religion", "philosophie", "syndicat", "sexualite", "genetique", "biometrie",
        "localisation", "finance", "secret", "tiers", "rumeur",
    } <= {str(s) for s in Sensible}  # fmt: skip


@pytest.mark.parametrize("source", ["", "~ mot", "mot ~", "@inconnue mot", "mot| autre"])
def test_un_motif_fautif_est_dit(source: str) -> None:
    with pytest.raises(MotifFautif):
        lire_motif(source, {})


@pytest.mark.parametrize(
    ("source", "texte", "attendu"),
    [
        ("diabet*", "diabétique", True),
        ("diabet*", "le prédiabète", False),
        ("gagne ~ euros", "gagne 1800 euros", True),
        ("gagne ~ euros", "gagne trop et encore bien plus de euros", False),
        ("habite #", "habite 12", True),
        ("chez @nom", "il vit chez Lou", True),
        ("chez @nom", "il vit chez lui", False),
        ("a|en voté", "a voté", False),
    ],
)
def test_le_langage_des_motifs(source: str, texte: str, attendu: bool) -> None:
    from horizon.noyau.sensibilite.langage import Repertoire

    repertoire = Repertoire()
    repertoire.ajouter("essai", lire_motif(source, {}))
    assert bool(repertoire.chercher(demasquer(texte))) is attendu
