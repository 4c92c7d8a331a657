"""Application Celery : les tâches ne reçoivent que des identifiants et ne rendent rien (SR-12)."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "horizon.settings")
app = Celery("horizon")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
