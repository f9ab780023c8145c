"""The service's frame: settings, addresses, errors, and the processes that run it."""

from ginservice.celery import app as celery_app

__version__ = "0.1.0"
__all__ = ["__version__", "celery_app"]
