"""La même notification signée livrée plusieurs fois au même instant n'a qu'un effet."""

import json
from collections.abc import Callable
from typing import Any

import pytest
import time_machine
from django.test import Client

from horizon.models import Trace
from tests.api.natives import CHAINE, SECRET, SOIR, charge, entetes, signature
from tests.concurrence.test_courses import ensemble
from tests.fabriques import configurer_salon

pytestmark = pytest.mark.django_db(transaction=True)


def livrer(corps: bytes) -> Callable[[], str]:
    tetes = entetes()
    ident, quand = tetes["Twitch-Eventsub-Message-Id"], tetes["Twitch-Eventsub-Message-Timestamp"]
    tetes["Twitch-Eventsub-Message-Signature"] = signature(corps, ident, quand)

    def acte() -> str:
        reponse = Client().post("/api/v1/evenements/twitch/", corps, content_type="application/json", headers=tetes)
        return reponse.json()["resultats"][0]["statut"]

    return acte


@pytest.mark.exigence("CT-08")
@pytest.mark.parametrize(("nom", "effet"), [("t18_webhook", "memorise"), ("t20_revocation", "ignore")])
def test_livraisons_simultanees(transactional_db: None, settings: Any, nom: str, effet: str) -> None:
    settings.TWITCH_EVENTSUB_SECRET = SECRET
    with time_machine.travel(SOIR, tick=False):
        configurer_salon(CHAINE)
        statuts = ensemble(*[livrer(json.dumps(charge(nom)).encode())] * 8)
    assert sorted(statuts) == sorted([*["doublon"] * 7, effet])
    assert Trace.objects.filter(action="abonnement_revoque").count() == (effet == "ignore")
