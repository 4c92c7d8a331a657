"""Tuer net, au milieu : tout ce qui fut accordé est là, tout ce qui fut supprimé ne revient pas (SR-10, CT-06)."""

import time

import pytest

from tests.exploitation.outils import attendre
from tests.pannes.poste import Flot, Poste, message, suppression

pytestmark = pytest.mark.lent


@pytest.mark.exigence("SR-10", "CT-06", "CT-08")
@pytest.mark.parametrize("motif", ["postgres", "granian", "valkey", "celery -A horizon worker"])
def test_tuer_au_milieu_des_envois_et_des_suppressions(poste: Poste, motif: str) -> None:
    with Flot(poste) as flot:
        for _ in range(3):
            avant = len(flot.acceptes)
            assert attendre(lambda vus=avant: len(flot.acceptes) > vus + 40, 30)  # type: ignore[misc]
            poste.tuer(motif)
            time.sleep(1)
            assert attendre(poste.debout, 60)
    lignes = poste.lignes()
    perdus = {ident for ident in flot.acceptes - flot.supprimes if lignes.get(ident) != "vivante"}
    revenus = {ident for ident in flot.supprimes if lignes.get(ident) != "supprimee"}
    assert not perdus
    assert not revenus
    assert len(flot.acceptes) > 100
    if motif == "postgres":
        assert flot.refus
    rejoues = poste.insister(*[message(ident) for ident in sorted(flot.supprimes)[:400]])
    assert {r["motif"] for r in rejoues} == {"supprime_avant"}


@pytest.mark.exigence("SR-10", "CT-04", "NO-05")
@pytest.mark.parametrize("motif", ["postgres", "expirer --boucle", "celery -A horizon worker"])
def test_tuer_au_milieu_d_une_expiration(poste: Poste, motif: str) -> None:
    """Mille messages expirent ensemble pendant qu'on tue ce qui les efface : aucun ne reste, aucun vivant ne part."""
    ages = 24 * 3600 - 12
    for debut in range(0, 2000, 400):
        resultats = poste.insister(*[message(f"vieux{n}", ages) for n in range(debut, debut + 400)])
        assert {r["statut"] for r in resultats} == {"memorise"}
    poste.insister(*[message(f"jeune{n}") for n in range(50)], suppression("jeune0", "jamais-vu"))
    for _ in range(4):
        poste.tuer(motif)
        time.sleep(4)
    assert attendre(poste.debout, 60)
    assert attendre(lambda: not [i for i in poste.lignes() if i.startswith("vieux")], 60)
    lignes = poste.lignes()
    assert {i for i, etat in lignes.items() if etat == "vivante"} == {f"jeune{n}" for n in range(1, 50)}
    assert (lignes["jeune0"], lignes["jamais-vu"]) == ("supprimee", "supprimee")
    assert {r["motif"] for r in poste.insister(*[message(f"vieux{n}", ages + 60) for n in range(9)])} == {"expire"}


@pytest.mark.exigence("SR-10", "CT-06", "CT-14")
def test_tout_tuer_pendant_une_suppression_en_lot(poste: Poste) -> None:
    """Une suppression coupée est entière ou absente ; renvoyée, elle l'emporte sur tout ce qui tardait."""
    ids = [f"lot{n}" for n in range(3000)]
    for debut in range(0, 3000, 500):
        poste.insister(*[message(i) for i in ids[debut : debut + 500]])
    import threading

    coupee: list[object] = []
    fil = threading.Thread(target=lambda: coupee.append(poste.envoyer(suppression(*ids))))
    fil.start()
    time.sleep(0.02)
    poste.tuer("postgres")
    fil.join(60)
    assert attendre(poste.debout, 60)
    etats = set(poste.lignes().values())
    assert etats == ({"supprimee"} if coupee[0] else etats & {"vivante", "supprimee"})
    assert len(etats) == 1
    assert poste.insister(suppression(*ids))[0]["statut"] == "supprime"
    assert {r["motif"] for r in poste.insister(*[message(i) for i in ids[:500]])} == {"supprime_avant"}
    assert set(poste.lignes().values()) == {"supprimee"}
