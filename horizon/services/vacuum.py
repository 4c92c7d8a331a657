"""VACUUM suit un oubli : ce qu'il a effacé quitte les pages mortes à la passe suivante (DR-09)."""

from datetime import datetime, timedelta

import structlog
from django.db import DatabaseError, connection

from horizon import participants
from horizon.models import Battement, Oubli

journal = structlog.get_logger(__name__)
VERROU = 0x484F5203
RECOUVREMENT = timedelta(minutes=1)
"""Un oubli récent est suivi par chaque passe pendant ce temps : une lecture en cours retient ses lignes mortes."""
_NOM = "vacuum"


def suivre_les_oublis(maintenant: datetime) -> bool:
    """Passe VACUUM si un oubli a effacé depuis la passe précédente ; vrai si c'était nécessaire et que c'est fait."""
    dernier = Battement.objects.filter(nom=_NOM).values_list("vu_le", flat=True).first()
    recents = Oubli.objects.all() if dernier is None else Oubli.objects.filter(le__gt=dernier - RECOUVREMENT)
    if not recents.exists() or not passer():
        return False
    Battement.objects.update_or_create(nom=_NOM, defaults={"vu_le": maintenant})
    return True


def passer() -> bool:
    """VACUUM des tables où un oubli efface. Une passe à la fois, et jamais dans une transaction ; faux si elle n'a pas
    pu aller au bout, la suivante reprendra."""
    if connection.in_atomic_block:
        return False
    with connection.cursor() as curseur:
        curseur.execute("SELECT pg_try_advisory_lock(%s)", [VERROU])
        if not curseur.fetchone()[0]:
            return False
        try:
            for table in sorted({t for p in participants.tous() for t in p.tables}):
                curseur.execute(f"VACUUM (SKIP_LOCKED) {connection.ops.quote_name(table)}")
        except DatabaseError as erreur:
            journal.error("vacuum_interrompu", erreur=type(erreur).__name__)
            return False
        finally:
            curseur.execute("SELECT pg_advisory_unlock(%s)", [VERROU])
    return True
