"""Tâches de la mémoire : minces, idempotentes, sans argument ni résultat."""

from celery import shared_task
from django.utils.timezone import now

from horizon.noyau.decision import SYSTEME
from memoire.services import entretien


@shared_task(name="memoire.relire_souvenirs", ignore_result=True, time_limit=100)
def relire_souvenirs() -> None:
    """Relit les souvenirs qu'une ancienne version du garde avait admis (SE-11)."""
    entretien.relire(par=SYSTEME, maintenant=now())
