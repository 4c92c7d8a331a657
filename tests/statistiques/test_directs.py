"""Les directs : mêmes bornes quel que soit l'ordre ; le début du direct accompagne l'arrivée."""

import itertools
from datetime import timedelta
from typing import Any

import pytest
from django.utils.timezone import now

from horizon.models import Espace, Identite
from horizon.noyau.decision import EXPLOITATION
from horizon.services import espaces
from statistiques.models import Direct, Observation
from tests.fabriques import SALON, Banc, il_y_a, iso
from tests.statistiques.fabriques import arrivee, direct

DEBUT, FIN = il_y_a(hours=3), il_y_a(hours=1)


def bornes() -> list[tuple[str | None, str | None]]:
    return [(d.debut and iso(d.debut), d.fin and iso(d.fin)) for d in Direct.objects.order_by("identifiant")]  # type: ignore[misc]


@pytest.mark.exigence("ST-02", "SR-10")
def test_le_meme_direct_n_en_fait_qu_un(banc: Banc) -> None:
    suite = [direct(debut=DEBUT), direct(debut=DEBUT), direct(fin=FIN), direct(fin=FIN), direct(id="d2", debut=DEBUT)]
    assert [r["statut"] for r in banc.envoyer(*suite)] == ["compte", "ignore", "compte", "ignore", "compte"]
    assert {r["statut"] for r in banc.envoyer(*suite)} == {"ignore"}
    assert {r["id"] for r in banc.envoyer(*suite)} == {"d1", "d2"}
    assert bornes() == [(DEBUT, FIN), (DEBUT, None)]


@pytest.mark.exigence("ST-02", "SR-10")
def test_l_ordre_d_arrivee_est_sans_effet(banc: Banc) -> None:
    annonces = [
        direct(debut=DEBUT), direct(debut=il_y_a(hours=2.9)), direct(fin=FIN), direct(fin=il_y_a(hours=4)),
        direct(debut=DEBUT, fin=FIN),
    ]  # fmt: skip
    for rang, suite in enumerate(itertools.permutations(annonces, 5)):
        if rang % 12 == 0:
            for annonce in suite:
                banc.un(annonce | {"id": f"d{rang}"})
    assert set(bornes()) == {(DEBUT, FIN)}


@pytest.mark.exigence("SR-08")
@pytest.mark.parametrize("champs", [{}, {"debut": FIN, "fin": DEBUT}])
def test_un_direct_sans_borne_ou_a_rebours_est_fautif(banc: Banc, champs: dict[str, Any]) -> None:
    assert banc.un(direct(**champs))["statut"] == "invalide"
    assert not Direct.objects.exists()


@pytest.mark.exigence("ST-04", "CT-02")
def test_direct_ecarte(banc: Banc) -> None:
    issues = banc.envoyer(
        direct(debut=iso(now() + timedelta(minutes=6))),
        direct(debut=il_y_a(days=100)),
        direct(debut=DEBUT, espace={"id": "ailleurs", "visibilite": "public"}),
        direct(debut=DEBUT, plateforme="discord"),
    )
    assert [(r["statut"], r["motif"]) for r in issues] == [
        ("exclu", "futur"), ("ignore", None), ("exclu", "espace_non_configure"), ("ignore", None),
    ]  # fmt: skip
    espaces.fermer(espace_id=Espace.objects.get().pk, par=EXPLOITATION, maintenant=now())
    assert banc.un(direct(debut=DEBUT))["motif"] == "espace_ferme"
    assert not Direct.objects.exists()
    assert Espace.objects.count() == 1


@pytest.mark.exigence("ST-02")
def test_l_arrivee_garde_le_debut_de_son_direct(banc: Banc, ada: Identite) -> None:
    debut = now() - timedelta(hours=3)
    # Annoncé après l'arrivée, dans le même lot : le début est connu quand même.
    banc.envoyer(arrivee(direct="d1", instant=iso(debut + timedelta(minutes=10))), direct(debut=iso(debut)))
    ligne = Observation.objects.get()
    assert (ligne.instants, ligne.reperes) == ([debut + timedelta(minutes=10)], [debut])


@pytest.mark.exigence("ST-02")
def test_une_arrivee_dans_un_direct_inconnu_compte_sans_delai(banc: Banc, ada: Identite) -> None:
    banc.un(direct(id="d9", debut=DEBUT))
    assert banc.un(arrivee(direct="d1"))["statut"] == "compte"
    assert banc.un(arrivee(direct="d9", espace=SALON))["statut"] == "compte"
    reperes = [r for ligne in Observation.objects.all() for r in ligne.reperes or ()]
    assert sorted(r is None for r in reperes) == [False, True]
