"""Where the processes of a machine count together: METRICS_DIR.

Each counts in files of a folder of its own, which it holds locked while it lives. So a process
that has ended, however it did, is known by its folder.
"""

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

from ginservice.environment import env

METRICS_DIR = env.str("METRICS_DIR", default="")


@contextmanager
def alone(shared: Path) -> Iterator[Path]:
    """Who makes, reads or adds up what is in the shared folder does so alone."""
    with (shared / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield shared


def held(folder: Path) -> int | None:
    """The folder locked, until the number is closed; None if somebody else holds it."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return descriptor


def own_folder(shared: Path) -> tuple[Path, int | None]:
    """A new folder in the shared one, and what keeps it locked: also by those forked from here."""
    shared.mkdir(mode=0o700, parents=True, exist_ok=True)
    with alone(shared):
        folder = Path(tempfile.mkdtemp(dir=shared))
        return folder, held(folder)


if METRICS_DIR:  # prometheus_client asks the environment when it is imported
    try:
        OWN, LOCK = own_folder(Path(METRICS_DIR))
    except OSError as error:
        raise ImproperlyConfigured(f"METRICS_DIR cannot be written: {error}") from None
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(OWN)
