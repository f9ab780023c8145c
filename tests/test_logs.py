import io
import json
import logging
import subprocess
import sys

import pytest
import structlog
from asgiref.sync import async_to_sync
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError
from django.test import AsyncClient, Client

from ginservice import logs
from ginservice.celery import app
from players import services
from players.models import Player


@pytest.fixture
def lines(monkeypatch):
    """Every line that the service would print while the test runs, parsed."""
    out = io.StringIO()
    handler = next(h for h in logging.getLogger().handlers if h.get_name() == "out")
    monkeypatch.setattr(handler, "stream", out)
    return lambda: [json.loads(line) for line in out.getvalue().splitlines()]


def test_a_request_is_one_line(client, lines):
    response = client.get("/api/v1/games")

    [line] = lines()
    assert line.pop("ms") >= 0
    assert line.pop("at").endswith("Z")
    assert line == {
        "event": "request_finished",
        "level": "info",
        "logger": "django_structlog.middlewares.request",
        "method": "GET",
        "path": "/api/v1/games",
        "status": 200,
        "request_id": response["X-Request-ID"],
    }


def test_whoever_asks_whether_all_is_well_leaves_a_line_only_if_it_is_not(client, lines, db):
    assert client.get("/healthz").status_code == 200
    assert client.get("/readyz").status_code == 200
    assert client.get("/metrics").status_code == 200
    assert not lines()

    client.post("/healthz")
    assert [line["status"] for line in lines()] == [405]


@pytest.mark.parametrize(
    "where",
    [
        "games.views.matches.filtered",
        "django.contrib.sessions.middleware.SessionMiddleware.process_response",
    ],
)
def test_a_database_that_is_away_is_one_line_and_no_crash(client, lines, db, monkeypatch, where):
    """Be it missed by a view or by a middleware."""

    def refuse(*_):
        raise OperationalError("connection refused")

    client.raise_request_exception = False
    monkeypatch.setattr(where, refuse)

    response = client.get("/api/v1/matches")

    assert (response.status_code, response["Retry-After"]) == (503, "1")
    assert response.json()["code"] == "unavailable"
    assert b"refused" not in response.content
    [line] = lines()
    assert (line["event"], line["level"]) == ("request_finished", "error")
    assert (line["status"], line["cause"]) == (503, "connection refused")


def test_the_line_names_the_player_but_no_token(client, lines, db):
    ann = Player.objects.create(name="ann")
    token, text = services.issue_token(ann, "test", ["play"])

    client.get("/api/v1/me?key=hidden", headers={"Authorization": f"Bearer {text}"})

    [line] = lines()
    assert line["player"] == str(ann.pk)
    assert line["path"] == "/api/v1/me"
    printed = json.dumps(line)
    assert text not in printed
    assert token.digest not in printed
    assert "hidden" not in printed


def test_the_line_names_the_player_of_a_browser_session(client, lines, db):
    ann = Player.objects.create(name="ann")
    client.force_login(ann)

    client.get("/api/v1/me")

    assert lines()[-1]["player"] == str(ann.pk)


def test_a_refused_request_is_one_line_that_names_the_problem(client, lines):
    client.get("/api/v1/me")
    client.get("/api/v1/nothing")
    client.get("/api/v1/games", headers={"Host": "elsewhere.example"})

    assert [(line["status"], line["problem"]) for line in lines()] == [
        (401, "not-authenticated"),
        (404, "not-found"),
        (400, "unknown-host"),
    ]


def test_a_crash_is_one_line_with_its_traceback(lines, monkeypatch):
    def crash():
        raise RuntimeError("no such luck")

    monkeypatch.setattr(services, "make_guest", crash)
    client = Client(raise_request_exception=False)
    client.post("/api/v1/players/guest", content_type="application/json")

    [line] = lines()
    assert (line["event"], line["status"], line["level"]) == ("request_failed", 500, "error")
    assert line["path"] == "/api/v1/players/guest"
    assert "no such luck" in line["exception"]


def test_a_request_id_is_taken_over(client, lines):
    response = client.get("/api/v1/games", headers={"X-Request-ID": "from-the_proxy.1"})

    assert response["X-Request-ID"] == lines()[0]["request_id"] == "from-the_proxy.1"


@pytest.mark.parametrize("sent", ["", "a b", "x" * 65, 'x"}', "é", "a\nb"])
def test_a_request_id_that_could_break_a_line_is_replaced(client, lines, sent):
    response = client.get("/api/v1/games", headers={"X-Request-ID": sent})

    assert response["X-Request-ID"] == lines()[0]["request_id"] != sent
    assert len(response["X-Request-ID"]) == 36


def test_one_request_leaves_nothing_to_the_next(client, lines, db):
    client.force_login(Player.objects.create(name="ann"))
    client.get("/api/v1/me")
    Client().get("/api/v1/games")

    assert "player" not in lines()[1]


def test_a_task_carries_the_request_id_of_who_queued_it(servers):
    with (
        structlog.contextvars.bound_contextvars(request_id="abc", player="ann"),
        app.connection_for_write() as connection,
    ):
        queue = connection.SimpleQueue("test-logs")
        queue.clear()
        app.send_task("games.nothing", queue="test-logs", connection=connection)
        message = queue.get(timeout=5)
        message.ack()
        queue.close()

    assert message.headers["__django_structlog__"]["request_id"] == "abc"
    assert message.headers["__django_structlog__"]["player"] == "ann"


def test_streams_have_their_line_and_problems_too(lines):
    response = async_to_sync(AsyncClient().get)("/api/v1/nothing", headers={"X-Request-ID": "abc"})

    assert response.json()["request_id"] == response["X-Request-ID"] == "abc"
    assert [(line["status"], line["request_id"]) for line in lines()] == [(404, "abc")]


def test_the_console_form_is_for_people():
    code = (
        "import logging.config, structlog; from ginservice import logs;"
        "logging.config.dictConfig(logs.configure('console', 'INFO'));"
        "structlog.get_logger('x').info('hello', a=1);"
        "structlog.get_logger('x').debug('quiet')"
    )
    shown = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=settings.BASE_DIR
    )
    assert "hello" in shown.stdout
    assert "quiet" not in shown.stdout
    assert not shown.stderr


@pytest.mark.parametrize(("form", "level"), [("xml", "INFO"), ("json", "LOUD")])
def test_a_form_or_level_that_is_none_is_refused_in_words(form, level):
    with pytest.raises(ImproperlyConfigured, match="it can be"):
        logs.configure(form, level)
