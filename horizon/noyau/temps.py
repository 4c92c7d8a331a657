"""Le temps commun à tout le Poste : tolérance d'horloge, fenêtre de trois mois. Python pur.

La fenêtre est écrite ici et nulle part ailleurs : une requête reçoit sa borne en paramètre, elle ne la recalcule pas.
"""

from calendar import monthrange
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

AVANCE_TOLEREE = timedelta(minutes=5)
"""Décalage d'horloge admis entre la plateforme et nous."""

PARIS = ZoneInfo("Europe/Paris")
FENETRE_MOIS = 3


def trop_en_avance(instant: datetime, maintenant: datetime) -> bool:
    """Vrai si l'instant annoncé dépasse la tolérance d'horloge."""
    return instant > maintenant + AVANCE_TOLEREE


def trois_mois_avant(instant: datetime) -> datetime:
    """Le même instant trois mois calendaires plus tôt, en UTC (ST-01). Une observation compte si elle lui est
    strictement postérieure.

    L'heure d'horloge de Paris est gardée, le jour borné à la fin du mois visé (31 mai → 28 ou 29 février).
    """
    local = instant.astimezone(PARIS)
    annee, mois = divmod(local.year * 12 + local.month - 1 - FENETRE_MOIS, 12)
    jour = min(local.day, monthrange(annee, mois + 1)[1])
    avant = local.replace(year=annee, month=mois + 1, day=jour)
    # Heure de Paris inexistante ou double, aux changements d'heure : la plus tardive des deux lectures, comme
    # PostgreSQL ; la fenêtre la plus courte l'emporte.
    return max(avant.replace(fold=pli).astimezone(UTC) for pli in (0, 1))
