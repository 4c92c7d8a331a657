"""Calendriers de beat : en intervalles, jamais en heure murale (un changement d'heure ne saute aucun passage)."""

from django_celery_beat.models import IntervalSchedule, PeriodicTask

CALENDRIERS = (
    ("Expiration", "horizon.expirer", 20),
    ("Relecture des souvenirs", "memoire.relire_souvenirs", 3600),
)
"""(nom, tâche, période en secondes)."""


def poser() -> None:
    """Crée ou remet à jour chaque calendrier ; les tâches en trop de beat lui-même ne sont pas touchées."""
    for nom, tache, secondes in CALENDRIERS:
        intervalle, _ = IntervalSchedule.objects.get_or_create(every=secondes, period=IntervalSchedule.SECONDS)
        PeriodicTask.objects.update_or_create(
            name=nom, defaults={"task": tache, "interval": intervalle, "enabled": True, "expire_seconds": 2 * secondes}
        )
