"""Un banc où Ada a fait reconnaître ses comptes ; Bilal, non."""

import pytest
from django.core.cache import caches

from horizon.api.debit import oublier_les_plafonds
from horizon.models import Identite
from tests.fabriques import Banc, configurer_salon, creer_banc
from tests.statistiques.fabriques import revendiquer


@pytest.fixture(autouse=True)
def debit_neuf() -> None:
    """Chaque essai part avec des compteurs de débit à zéro."""
    oublier_les_plafonds()
    caches["default"].clear()


@pytest.fixture
def banc(db: None) -> Banc:
    configurer_salon()
    return creer_banc()


@pytest.fixture
def ada(banc: Banc) -> Identite:
    return revendiquer()
