"""Hypothèses : pour le ton, le temps de leurs sources, jamais un diagnostic."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils.timezone import now

from memoire.models import Hypothese
from tests.fabriques import SALON, Banc, il_y_a
from tests.longue.gestes import personne


def supposer(banc: Banc, texte: str, sources: list[str]) -> Any:
    corps = {"personne": personne(), "texte": texte, "espace": SALON, "sources": sources}
    return banc.poster("hypotheses/", corps)


@pytest.mark.exigence("CT-10")
def test_une_hypothese_sert_au_ton_et_meurt_avec_sa_plus_ancienne_source(banc: Banc, dit: Any) -> None:
    vieille = dit("je suis lessivé", emis_le=il_y_a(hours=23))
    rendu = supposer(banc, "a l’air d’humeur joueuse", [vieille, dit("mais on joue")])
    assert rendu.status_code == 201
    assert banc.contexte()["hypotheses"] == [{"texte": "a l’air d’humeur joueuse", "usage": "ton"}]
    with time_machine.travel(now() + timedelta(hours=1, seconds=1), tick=False):
        assert banc.contexte()["hypotheses"] == []


@pytest.mark.exigence("CT-10", "CT-16")
@pytest.mark.parametrize("acte", ["suppression", "modification"])
def test_une_source_retiree_emporte_l_hypothese(banc: Banc, dit: Any, acte: str) -> None:
    source = dit("allez on joue")
    supposer(banc, "a l’air d’humeur joueuse", [source])
    if acte == "suppression":
        banc.un({"type": "suppression", "plateforme": "twitch", "ids": [source]})
    else:
        corps = {"type": "modification", "plateforme": "twitch", "espace": SALON, "id": source, "contenu": "bof"}
        assert banc.un(corps | {"modifie_le": il_y_a(seconds=-1)})["statut"] == "modifie"
    assert banc.contexte()["hypotheses"] == []
    assert not Hypothese.objects.exists()


@pytest.mark.exigence("CT-10")
def test_un_diagnostic_ou_une_source_absente_est_refuse(banc: Banc, dit: Any) -> None:
    source = dit("ça va pas fort")
    refus = supposer(banc, "fait sans doute une dépression", [source])
    assert (refus.status_code, refus.json()["motif"]) == (422, "diagnostic")
    assert supposer(banc, "a l’air joueuse", []).json()["motif"] == "source_absente"
    assert supposer(banc, "a l’air joueuse", ["jamais-vu"]).json()["motif"] == "source_absente"
    assert not Hypothese.objects.exists()
