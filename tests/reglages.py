"""Réglages des essais : ceux du Poste, dans l'environnement des essais.

pytest-django lit les réglages avant d'importer `conftest.py` : c'est ici que l'environnement doit être posé.
"""

import os

from tests import environnement

environnement.preparer()

from horizon.settings import *  # noqa: E402, F403
from horizon.settings import CACHES, REDIS_URL  # noqa: E402

if not os.environ.get("REDIS_URL"):
    # `cache.clear()` vide toute une base Valkey : chaque worker de xdist a la sienne (0 reste à la file).
    numero = 1 + int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % 15
    CACHES["default"]["LOCATION"] = f"{REDIS_URL}?db={numero}"
