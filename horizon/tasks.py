"""Tâches périodiques : minces, idempotentes, sans argument ni résultat."""

from celery import shared_task
from django.utils.timezone import now

from horizon.services import purge


@shared_task(name="horizon.expirer", ignore_result=True, time_limit=100)
def expirer() -> None:
    """Une passe d'expiration, et le signe de vie du worker."""
    purge.passer(maintenant=now(), par="worker")
