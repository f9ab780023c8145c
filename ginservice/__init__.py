"""The service's frame: settings, addresses, errors, and the processes that run it."""

import os

# The bots' networks are small: threads of numpy would cost other processes more than they save.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from ginservice.celery import app as celery_app

__version__ = "0.1.0"
__all__ = ["__version__", "celery_app"]
