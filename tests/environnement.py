"""L'environnement des essais, posé avant tout import de Django : des données à part et une base sans fsync.

Chaque lancement de pytest prend le premier dossier libre de `.donnees-essais/` : deux lancements simultanés ne se
gênent pas, et un dossier resservi épargne l'initialisation de la base. Les essais n'arrêtent jamais l'application.
"""

import fcntl
import os
from itertools import count
from pathlib import Path

RACINE = Path(__file__).resolve().parent.parent
OPTIONS_PG = "-c fsync=off -c synchronous_commit=off -c full_page_writes=off"


def preparer() -> None:
    """Pose les variables d'environnement ; les workers de xdist héritent de celles du contrôleur."""
    if "HORIZON_ESSAIS" in os.environ:
        return
    os.environ["HORIZON_ESSAIS"] = "1"
    # Le pilote de navigateur tient une boucle asyncio ; les fixtures y appellent pourtant la base.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    os.environ["HORIZON_DONNEES"] = str(_dossier_libre())
    if not os.environ.get("DATABASE_URL"):
        os.environ["HORIZON_PG_OPTIONS"] = OPTIONS_PG


def _dossier_libre() -> Path:
    racine = RACINE / ".donnees-essais"
    racine.mkdir(mode=0o711, exist_ok=True)
    for numero in count():
        descripteur = os.open(racine / f"{numero}.verrou", os.O_RDWR | os.O_CREAT)
        try:
            # Jamais fermé : le noyau rend le verrou à la fin du processus.
            fcntl.flock(descripteur, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return racine / str(numero)
        except BlockingIOError:
            os.close(descripteur)
    raise AssertionError
