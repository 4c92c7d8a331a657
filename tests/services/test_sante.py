"""La santé : beat se lit à ses propres envois, notés en base assez souvent pour qu'il ne passe pas pour mort."""

import time
from collections.abc import Iterator
from typing import Any

import pytest
from django.utils.timezone import now
from django_celery_beat.models import PeriodicTask
from django_celery_beat.schedulers import DatabaseScheduler

from horizon.celery import app
from horizon.selectors.sante import SILENCE_ADMIS, etat
from horizon.services import calendriers
from horizon.services.purge import battre
from horizon.tasks import expirer

pytestmark = pytest.mark.django_db


@pytest.fixture
def planificateur(monkeypatch: pytest.MonkeyPatch) -> Iterator[DatabaseScheduler]:
    """Le planificateur de beat tel que réglé, juste après une écriture en base, sans rien envoyer à la file."""
    calendriers.poser()
    monkeypatch.setattr("django_celery_beat.schedulers.close_old_connections", lambda: None)
    monkeypatch.setattr(expirer, "apply_async", lambda *a, **k: None)
    planificateur = DatabaseScheduler(app=app)
    planificateur._last_sync = time.monotonic()
    yield planificateur
    planificateur._finalize.cancel()


@pytest.mark.exigence("NO-04")
def test_chaque_envoi_de_beat_est_note_aussitot(planificateur: DatabaseScheduler) -> None:
    planificateur.apply_async(planificateur.schedule["Expiration"])
    vu = PeriodicTask.objects.get(name="Expiration").last_run_at
    assert vu is not None
    assert now() - vu < SILENCE_ADMIS / 2


@pytest.mark.exigence("NO-04")
def test_beat_silencieux_n_accuse_pas_le_worker() -> None:
    maintenant = now()
    battre("worker", maintenant)
    PeriodicTask.objects.update(last_run_at=maintenant - SILENCE_ADMIS * 2)
    points: dict[str, Any] = {p.nom: p for p in etat(maintenant).points}
    assert (points["worker"].niveau, points["beat"].niveau) == ("ok", "degrade")
    assert "d’eux-mêmes" in points["beat"].phrase
