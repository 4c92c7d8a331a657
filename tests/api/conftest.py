"""Un banc prêt à parler : bot toutes portées, salon public configuré."""

import pytest
from django.core.cache import caches

from horizon.api.debit import oublier_les_plafonds
from tests.fabriques import Banc, configurer_salon, creer_banc


@pytest.fixture(autouse=True)
def debit_neuf() -> None:
    """Chaque essai part avec des compteurs de débit à zéro."""
    oublier_les_plafonds()
    caches["default"].clear()


@pytest.fixture
def banc(db: None) -> Banc:
    configurer_salon()
    return creer_banc()
