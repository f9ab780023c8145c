"""Postgres and Valkey for the tests that ask for a database; the others start nothing.

With DATABASE_URL or REDIS_URL in the environment, that one is used.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import django
import hypothesis
import psutil
import pytest
from django.conf import settings

from ginservice.embedded import addresses, postgres, valkey

LEFT_BEHIND = Path(tempfile.gettempdir()).resolve()
DATA_DIR = LEFT_BEHIND / f"ginservice-tests-{os.getpid()}"

os.environ["DJANGO_SETTINGS_MODULE"] = "ginservice.settings"
os.environ["SECRET_KEY"] = "of the tests, known to everybody and used nowhere else"
os.environ["DATA_DIR"] = str(DATA_DIR)
os.environ["THROTTLES"] = "0"  # but in the tests that are about them
# Settings are read before the servers run: they must find the addresses these will have.
addresses.reserve(DATA_DIR)
# Runs side by side would close each other's temporary folders to Postgres, which root's tests
# start as another user: pytest takes the rights of others away from the folder that all share.
os.environ["PYTEST_DEBUG_TEMPROOT"] = str(DATA_DIR)
django.setup()  # conftest files further down import models
hypothesis.settings.register_profile("without a clock", deadline=None)
hypothesis.settings.load_profile("without a clock")
# A real hash takes a tenth of a second on purpose. The services of tests/e2e make real ones.
settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: the tests of whole processes mostly wait."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes() -> None:
    """Each of the processes that share the tests reads settings and starts servers of its own."""
    del os.environ["DJANGO_SETTINGS_MODULE"]


@pytest.fixture(scope="session")
def servers() -> None:
    """Postgres (in memory as far as it goes) and Valkey, at the addresses of the settings."""
    for folder in LEFT_BEHIND.glob("ginservice-tests-*"):
        pid = int(folder.name.rpartition("-")[2])
        with suppress(FileNotFoundError):  # of a run that has just ended
            if folder.stat().st_uid == os.geteuid() and not psutil.pid_exists(pid):
                remove(folder)  # of a run that was killed
    if not os.environ.get("DATABASE_URL"):
        postgres.start(DATA_DIR, lasting=False)
        assert addresses.postgres_url(DATA_DIR) == settings.DATABASE_URL, "run again: port taken"
    if not os.environ.get("REDIS_URL"):
        valkey.start(DATA_DIR)
        assert addresses.valkey_url(DATA_DIR) == settings.REDIS_URL, "run again: port taken"


@pytest.fixture(scope="session")
def django_db_modify_db_settings(servers: None) -> None:
    """pytest-django asks for this before it makes the test database."""


@pytest.fixture
def house(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The ASGI application on a loop of its own, for who listens."""
    from tests.listening import House

    one = House(monkeypatch)
    yield one
    one.end()


def pytest_unconfigure() -> None:
    remove(DATA_DIR)


def remove(data_dir: Path) -> None:
    """Stop what runs on a folder of the tests, and delete it."""
    valkey.stop(data_dir)
    postgres.stop(data_dir)
    shutil.rmtree(data_dir, ignore_errors=True)
