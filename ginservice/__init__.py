"""The service's frame: settings, addresses, errors, and the processes that run it."""

from ginservice.celery import app as celery_app

__all__ = ["celery_app"]
