"""The Celery application: how a task reaches a worker."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ginservice.settings")

app = Celery("ginservice")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
