"""Une passe d'expiration : chaque participant efface ce qui a expiré. Ne dépend ni de la file ni du LLM (NO-04)."""

from datetime import datetime

import structlog
from django.db import DatabaseError

from horizon import participants
from horizon.models import Battement
from horizon.services import vacuum

journal = structlog.get_logger(__name__)


def passer(*, maintenant: datetime, par: str) -> int:
    """Fait une passe et note le battement de `par` (« boucle », « worker » ou « commande »).

    La panne d'un participant n'empêche pas les autres de purger ; elle est relancée à la fin. Rend le nombre de
    contenus effacés.
    """
    effaces, panne = 0, None
    for participant in participants.tous():
        try:
            effaces += participant.purger(maintenant)
        except DatabaseError as erreur:
            journal.error("purge_interrompue", participant=participant.nom)
            panne = erreur
    if panne is not None:
        raise panne
    vacuum.suivre_les_oublis(maintenant)
    battre(par, maintenant)
    return effaces


def battre(nom: str, maintenant: datetime) -> None:
    """Note qu'un traitement périodique vient de passer."""
    Battement.objects.update_or_create(nom=nom, defaults={"vu_le": maintenant})
