"""La confiance : observations, contradictions, remplacement ; le barème reste une table."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoire.models import Souvenir
from memoire.noyau import confiance
from memoire.noyau.categories import Origine
from tests.fabriques import SALON, Banc
from tests.longue.gestes import ADORE, INTERDIT, certitude, memoriser, observer, proposer, retenus

CENT = st.integers(0, 100)


@pytest.mark.exigence("CF-02", "CF-06")
def test_une_concordance_renforce_sans_toucher_au_contenu(banc: Banc, ada: Any, dit: Any) -> None:
    proposer(banc, ADORE, [dit("un bon platformer et je suis bien")], fiabilite=50)
    rendu = observer(banc, "concordance", "obs-1")
    assert (rendu.status_code, rendu.json()["statut"]) == (200, "renforce")
    apres = Souvenir.objects.get()
    assert (apres.confiance, apres.contenu) == (60, ADORE)
    assert observer(banc, "concordance", "obs-1").json()["statut"] == "deja_vu"
    assert Souvenir.objects.get().confiance == 60


@pytest.mark.exigence("CF-03", "CF-08", "DV-13")
def test_une_contradiction_affaiblit_d_abord_et_interdit_le_mot_sur(banc: Banc, ada: Any) -> None:
    memoriser(banc)
    assert certitude(banc) == "sur"
    assert observer(banc, "contradiction", "obs-1", fiabilite=30).json()["statut"] == "affaibli"
    assert Souvenir.objects.get().confiance == 80
    assert certitude(banc) == "probable"
    assert retenus(banc)["preference"] == ADORE
    observer(banc, "concordance", "obs-2")
    assert certitude(banc) == "sur"


@pytest.mark.exigence("CF-04", "CF-08")
def test_des_contradictions_repetees_finissent_par_remplacer(banc: Banc, ada: Any) -> None:
    memoriser(banc)
    nouveau = "adore les jeux de rôle"
    statuts = [
        observer(banc, "contradiction", f"obs-{n}", fiabilite=90, contenu=nouveau, espace=SALON).json()["statut"]
        for n in range(3)
    ]
    assert statuts == ["affaibli", "remplace", "affaibli"]
    assert retenus(banc) == {"preference": nouveau}


@pytest.mark.exigence("CF-04", "SE-01")
def test_une_contradiction_interdite_n_ecrit_rien(banc: Banc, ada: Any) -> None:
    memoriser(banc)
    for n in range(6):
        assert observer(banc, "contradiction", f"o{n}", fiabilite=100, contenu=INTERDIT).json()["statut"] == "affaibli"
    assert Souvenir.objects.get().contenu == ADORE


@pytest.mark.exigence("CF-07")
def test_une_observation_sans_fiabilite_ne_change_rien(banc: Banc, ada: Any) -> None:
    memoriser(banc)
    for n in range(3):
        observer(banc, "contradiction", f"o{n}", fiabilite=0, contenu="adore les jeux de rôle")
    souvenir = Souvenir.objects.get()
    assert (souvenir.confiance, souvenir.contradictions, certitude(banc)) == (90, 0, "sur")


@pytest.mark.exigence("CF-07")
def test_observer_une_categorie_vide_ou_inconnue_ne_change_rien(banc: Banc, ada: Any) -> None:
    memoriser(banc)
    assert observer(banc, "contradiction", "o1", "autre").json()["motif"] == "aucun_souvenir"
    assert observer(banc, "contradiction", "o1", "passion").json()["motif"] == "categorie_inconnue"
    assert Souvenir.objects.get().confiance == 90


@pytest.mark.exigence("CF-01")
@given(depart=CENT, fiabilite=CENT)
def test_le_bareme_reste_borne_et_monotone(depart: int, fiabilite: int) -> None:
    monte, descend = confiance.renforcer(depart, fiabilite), confiance.affaiblir(depart, fiabilite)
    assert 0 <= descend <= depart <= monte <= 100
    assert (monte > depart) == (fiabilite > 0 and depart < 100)
    assert (descend < depart) == (fiabilite > 0 and depart > 0)


@pytest.mark.exigence("CF-01", "CF-05", "CF-08")
@given(origine=st.sampled_from(Origine), fiabilite=CENT, restante=CENT, contradictions=st.integers(0, 5))
def test_une_demande_part_plus_haut_que_toute_proposition(
    origine: Origine, fiabilite: int, restante: int, contradictions: int
) -> None:
    assert confiance.initiale(origine, fiabilite) <= confiance.initiale(Origine.DEMANDE, 0)
    cede = confiance.peut_remplacer(restante, True, contradictions, fiabilite)
    assert not cede or (contradictions >= 2 and fiabilite > restante + confiance.ECART)
    assert confiance.certitude(restante, 1 + contradictions) != "sur"
