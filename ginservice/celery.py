"""The Celery application: how a task reaches a worker, and its line in the log."""

import os
from typing import Any

import structlog
from celery import Celery
from celery.signals import celeryd_init, setup_logging
from django.dispatch import receiver
from django_structlog.celery.signals import bind_extra_task_metadata
from django_structlog.celery.steps import DjangoStructLogInitStep

from ginservice import broker
from ginservice.start import check_settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ginservice.settings")

broker.survive_its_death()
app = Celery("ginservice")
app.on_configure.connect(check_settings)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.steps["worker"].add(DjangoStructLogInitStep)


@setup_logging.connect
def keep_logging(**_: Any) -> None:
    """That somebody listens is enough: Celery leaves the log as Django's settings made it."""


@celeryd_init.connect
def give_way(options: dict[str, Any], **_: Any) -> None:
    """A worker that only analyses does so with what processors others leave."""
    if options.get("queues") in ("analysis", ["analysis"]):
        os.nice(10)


@receiver(bind_extra_task_metadata)
def bind_task_name(task: Any, **_: Any) -> None:
    structlog.contextvars.bind_contextvars(task=task.name)
