"""schemathesis : l'API entière contre le schéma qu'elle sert, toutes vérifications (SR-09)."""

import json
from typing import Any

import pytest
import schemathesis
from django.core.cache import cache
from django.test import Client
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import CHECKS, load_all_checks

from horizon.api.debit import oublier_les_plafonds
from horizon.api.urls import urlpatterns
from horizon.models import Parametre
from horizon.parametres import DEBIT_ADRESSE, DEBIT_CLE
from horizon.wsgi import application
from tests.fabriques import Banc, configurer_salon, creer_banc

load_all_checks()
OPERATIONS = sorted(str(motif.pattern) for motif in urlpatterns if motif.name != "schema")
EXCEPTIONS = {
    "evenements/": {"negative_data_rejection": "un élément fautif est rendu « invalide » : il n'écarte pas les autres"},
    "evenements/twitch/": {
        "negative_data_rejection": "un type hors de la liste blanche est « ignore » sans être lu ; les champs des "
        "plateformes changent sans nous"
    },
    "evenements/discord/": {"negative_data_rejection": "comme Twitch"},
    "avis/remise/": {"positive_data_acceptance": "un jeton bien formé mais non signé par nous est refusé : 410"},
    "oublis/": {
        "positive_data_acceptance": "une cible vise une seule de trois choses, ce que le schéma ne dit pas : 400"
    },
    "oublis/confirmation/": {"positive_data_acceptance": "comme l'avis : un jeton non signé par nous est refusé, 410"},
    "sante/": {"ignored_auth": "l'état est lisible sans clé : une clé fausse y est refusée, son absence non"},
}
"""Les seules vérifications que l'API ne tient pas, et pourquoi elle ne le doit pas."""
REGLAGES = settings(
    max_examples=60,
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],
)


@pytest.fixture
def banc(transactional_db: None) -> Banc:
    for definition in (DEBIT_CLE, DEBIT_ADRESSE):
        Parametre.objects.update_or_create(cle=definition.cle, defaults={"valeur": definition.maximum})
    oublier_les_plafonds()
    cache.clear()
    configurer_salon()
    return creer_banc()


def operation(nom: str) -> Any:
    schema = schemathesis.openapi.from_dict(Client().get("/api/v1/schema/").json())
    schema.app = application
    return schema[f"/api/v1/{nom}"]["GET" if nom == "sante/" else "POST"]


@pytest.mark.exigence("SR-09", "SR-08")
@pytest.mark.parametrize(
    # `sante/` ne prend ni corps ni paramètre : rien n'y peut être faux.
    ("nom", "mode"),
    [
        (nom, mode)
        for nom in OPERATIONS
        for mode in GenerationMode
        if (nom, mode) != ("sante/", GenerationMode.NEGATIVE)
    ],
)
def test_l_api_tient_son_schema(banc: Banc, nom: str, mode: GenerationMode) -> None:
    visee = operation(nom)
    ecartees = [verif for verif in CHECKS.get_all() if verif.__name__ in EXCEPTIONS.get(nom, {})]
    statuts = set()

    @REGLAGES
    @given(cas=visee.as_strategy(generation_mode=mode))
    def essayer(cas: Any) -> None:
        reponse = cas.call_and_validate(
            headers={"Authorization": f"Bearer {banc.cle}"}, excluded_checks=ecartees or None
        )
        statuts.add(reponse.status_code)

    essayer()
    assert statuts


@pytest.mark.exigence("SR-09")
def test_le_schema_dit_la_clef_le_corps_et_chaque_statut(db: None) -> None:
    schema = Client().get("/api/v1/schema/").json()
    for chemin, operations in schema["paths"].items():
        for decrite in operations.values():
            assert decrite["security"], chemin
            assert {"401", "429"} <= set(decrite["responses"]), chemin
            assert decrite.get("requestBody", {"required": True})["required"], chemin
    assert "additionalProperties" in json.dumps(schema["components"]["schemas"]["Contexte"])
