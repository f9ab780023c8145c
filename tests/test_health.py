import pytest
from django.db import OperationalError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from games.services import repairs
from ginservice import health
from tests.games.people import refused


@pytest.fixture(autouse=True)
def not_asked_yet():
    health.seen.clear()


def down(client):
    return refused(client.get("/readyz"), 503, "not-ready")["down"]


def test_a_process_that_answers_is_healthy(client):
    response = client.get("/healthz")

    assert response.status_code == 200
    assert response.json() == {"status": "ok"}


@pytest.mark.django_db
def test_a_service_with_all_it_needs_is_ready(client):
    response = client.get("/readyz")

    assert response.status_code == 200
    up = ["database", "migrations", "bot_turns", "broker"]
    assert response.json() == {"status": "ok", "up": up}


@pytest.mark.django_db
def test_without_its_broker_the_service_is_not_ready_and_says_so(client, settings):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"

    assert down(client) == ["broker"]
    assert client.get("/readyz").json()["detail"] == "Down: broker."


def test_without_its_database_the_service_is_not_ready_and_says_so(client, monkeypatch):
    def refuse(*_):
        raise OperationalError("connection refused")

    monkeypatch.setattr(health, "MigrationExecutor", refuse)
    monkeypatch.setattr(health, "queue_lengths", dict)

    assert down(client) == ["database"]
    assert "refused" not in client.get("/readyz").content.decode()


def test_a_database_that_went_away_later_is_missed_too(client, monkeypatch, db):
    def refuse():
        raise OperationalError("connection refused")

    assert client.get("/readyz").status_code == 200
    monkeypatch.setattr(repairs, "waiting", refuse)

    assert down(client) == ["database"]


def test_a_database_that_lacks_a_migration_is_not_ready_until_it_has_it(client, db):
    record = MigrationRecorder(connection)
    [newest] = MigrationLoader(connection).graph.leaf_nodes("games")
    record.record_unapplied(*newest)
    assert down(client) == ["migrations"]

    record.record_applied(*newest)
    assert client.get("/readyz").status_code == 200


def test_a_database_migrated_for_newer_code_is_ready(client, db):
    MigrationRecorder(connection).record_applied("games", "9999_of_the_next_release")

    assert client.get("/readyz").status_code == 200


def test_nobody_writes_to_it(client):
    assert client.post("/healthz").status_code == 405
