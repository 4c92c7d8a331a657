"""hypothesis sur les trois voies d'entrée : jamais de 5xx, un résultat par élément, le contenu jamais reproduit."""

import copy
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from horizon.api.debit import oublier_les_plafonds
from horizon.models import Parametre
from horizon.parametres import DEBIT_CLE
from memoire.models import Interaction
from tests.api.natives import ATTENDUS, charge, entetes
from tests.fabriques import ADA, SALON, Banc, configurer_salon, creer_banc, message

CANARI = "genettevairon8841"
REGLAGES = settings(
    max_examples=120, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
TEXTES = st.text(st.characters(exclude_categories=[]), max_size=40).map(lambda t: t + CANARI)
FEUILLES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTES
ARBRES = st.recursive(
    FEUILLES, lambda e: st.lists(e, max_size=3) | st.dictionaries(TEXTES, e, max_size=3), max_leaves=8
)
VALEURS = ARBRES | st.sampled_from([SALON, {"id": ADA}, "2026-11-30T20:00:00Z", "twitch", "x", "poubelle", "public"])
CLES = [
    *sorted(message()),
    *("ids", "jusqu_a", "modifie_le", "depuis", "ids_vivants", "debut", "fin", "instant", "direct", "page"),
    *("evenement", "interlocuteur", "contexte", "action", "resultat"),
]
TYPES = (
    "message", "modification", "suppression", "purge_auteur", "vidage", "releve", "coupure", "direct", "arrivee",
    "presence", "participation", "activite_web",
)  # fmt: skip
EVENEMENTS = st.builds(
    lambda genre, champs: message() | {"type": genre, "ids": ["x"]} | champs,
    st.sampled_from(TYPES),
    st.dictionaries(st.sampled_from(CLES), VALEURS, max_size=4),
)
NATIVES = [nom for nom in ATTENDUS if not isinstance(charge(nom), list) and "evenements" not in charge(nom)]


@st.composite
def natives(tirer: Any) -> tuple[str, Any]:
    """Une vraie charge dont un à trois endroits sont remplacés par n'importe quoi."""
    nom = tirer(st.sampled_from(NATIVES))
    corps = charge(nom)
    for _ in range(tirer(st.integers(1, 3))):
        cible = corps
        while isinstance(cible, dict) and cible:
            cle = tirer(st.sampled_from(sorted(cible)))
            if not isinstance(cible[cle], dict) or tirer(st.booleans()):
                cible[cle] = copy.deepcopy(tirer(VALEURS))
                break
            cible = cible[cle]
    return nom, corps


@pytest.fixture
def banc(db: None) -> Banc:
    Parametre.objects.create(cle=DEBIT_CLE.cle, valeur=DEBIT_CLE.maximum)
    oublier_les_plafonds()
    configurer_salon()
    banc = creer_banc()
    banc.client.raise_request_exception = False
    return banc


@contextmanager
def exemple() -> Iterator[None]:
    """Ce qu'un exemple laisse en base est défait avant le suivant."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.mark.exigence("SR-08", "SR-12")
@REGLAGES
@given(lot=st.lists(EVENEMENTS | ARBRES, min_size=1, max_size=6))
def test_evenements(banc: Banc, lot: list[Any]) -> None:
    with exemple():
        rendue = banc.poster("evenements/", json.dumps({"evenements": lot}).encode())
        assert rendue.status_code == 200, rendue.content[:300]
        resultats = rendue.json()["resultats"]
        assert len(resultats) == len(lot)
        for resultat in resultats:
            assert CANARI not in json.dumps({k: v for k, v in resultat.items() if k not in {"id", "a_supprimer"}})
            assert set(resultat) >= {"id", "statut", "motif"}


@pytest.mark.exigence("SR-08")
@REGLAGES
@given(lot=st.lists(EVENEMENTS | ARBRES, min_size=1, max_size=5))
def test_un_voisin_fautif_n_ecarte_personne(banc: Banc, lot: list[Any]) -> None:
    """Le message sain placé en tête entre, quoi que le suive ; il est gardé tant que rien ne le retire."""
    with exemple():
        rendue = banc.poster("evenements/", json.dumps({"evenements": [message(id="sain"), *lot]}).encode())
        assert rendue.json()["resultats"][0]["statut"] == "memorise"
        assert Interaction.objects.filter(message_id="sain").exists()


@pytest.mark.exigence("SR-08", "SR-12")
@REGLAGES
@given(brut=st.binary(max_size=300) | ARBRES.map(lambda a: json.dumps(a).encode()))
def test_octets_quelconques(banc: Banc, brut: bytes) -> None:
    with exemple():
        for adresse in ("evenements/", "evenements/twitch/", "evenements/discord/"):
            rendue = banc.poster(adresse, brut)
            assert rendue.status_code in {200, 400}, (adresse, rendue.content[:300])
            assert CANARI not in rendue.content.decode()


@pytest.mark.exigence("SR-08", "SR-12", "CT-17")
@REGLAGES
@given(tiree=natives())
def test_charges_natives(banc: Banc, tiree: tuple[str, Any]) -> None:
    with exemple():
        nom, corps = tiree
        adresse = f"evenements/{'twitch' if nom[0] == 't' else 'discord'}/"
        rendue = banc.poster(adresse, json.dumps(corps).encode(), **(entetes() if "subscription" in corps else {}))
        assert rendue.status_code in {200, 400}, rendue.content[:300]
        if rendue.status_code == 400:
            assert CANARI not in rendue.content.decode()
        elif rendue["Content-Type"] == "application/json":
            for resultat in rendue.json()["resultats"]:
                assert CANARI not in str({k: v for k, v in resultat.items() if k not in {"id", "a_supprimer"}})
