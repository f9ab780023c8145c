import pytest
from django.db import OperationalError

from ginservice import health


def test_a_process_that_answers_is_healthy(client):
    response = client.get("/healthz")

    assert response.status_code == 200
    assert response.json() == {"status": "ok"}


@pytest.mark.django_db
def test_a_service_with_its_database_and_broker_is_ready(client):
    response = client.get("/readyz")

    assert response.status_code == 200
    assert response.json() == {"status": "ok", "up": ["database", "broker"]}


@pytest.mark.django_db
def test_without_its_broker_the_service_is_not_ready_and_says_so(client, settings):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"

    response = client.get("/readyz")

    assert (response.status_code, response.json()["code"]) == (503, "not-ready")
    assert response.json()["down"] == ["broker"]
    assert response.json()["detail"] == "Down: broker."


def test_without_its_database_the_service_is_not_ready_and_says_so(client, monkeypatch):
    def refuse():
        raise OperationalError("connection refused")

    monkeypatch.setattr(health.connection, "cursor", refuse)
    monkeypatch.setattr(health, "broker_answers", lambda: True)

    response = client.get("/readyz")

    assert response.json()["down"] == ["database"]
    assert "refused" not in response.content.decode()


def test_nobody_writes_to_it(client):
    assert client.post("/healthz").status_code == 405
