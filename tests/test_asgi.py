"""What is not a stream is answered by ASGI as by WSGI, for every kind of answer that there is."""

import json
import re

import pytest
from django.conf import settings
from django.test import Client

from players import services
from players.models import Player
from tests.games.people import Person, sit

pytestmark = pytest.mark.django_db(transaction=True)
OWN = ("X-Request-ID", "Set-Cookie")
"""Headers that differ from answer to answer."""


@pytest.fixture
def ann(db):
    return Person(Player.objects.create(name="ann"))


def plain(headers):
    """In the policy of a page's content is a nonce, and its parts have no order."""
    told = [(name, re.sub(r"'nonce-[^']*'", "nonce", value)) for name, value in headers]
    told = [(name, sorted(value.split("; "))) for name, value in told]
    return sorted((name, value) for name, value in told if name not in OWN)


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/", 200),
        ("/healthz", 200),
        ("/api/v1/games", 200),
        ("/api/schema/", 200),
        ("/static/admin/css/base.css", 200),
        ("/admin/", 302),
        ("/api/v1/matches?limit=1&game=%C3%BC", 400),
        ("/api/v1/me", 401),
        ("/nothing/here", 404),
    ],
)
def test_an_answer_is_the_same_by_both(house, path, status):
    by_wsgi = Client(SERVER_NAME="localhost").get(path)
    by_asgi = house.ask(path)

    body = b"".join(by_wsgi) if by_wsgi.streaming else by_wsgi.content
    assert by_asgi.status == by_wsgi.status_code == status
    assert plain(by_asgi.headers) == plain(by_wsgi.items())
    assert without_id(by_asgi.whole()) == without_id(body)
    assert by_asgi.header("X-Request-ID")


def without_id(body):
    try:
        return {**json.loads(body), "request_id": None}
    except (ValueError, TypeError):
        return re.sub(rb' nonce="[^"]*"', b"", body)


def test_a_body_may_come_in_parts_and_without_its_length(house, ann):
    text = json.dumps({"name": "bob", "password": "correct horse battery", "cookie": True}).encode()
    headers = {"Content-Type": "application/json", "Transfer-Encoding": "chunked"}

    answer = house.ask("/api/v1/players", "POST", [text[:9], text[9:]], **headers)

    assert answer.status == 201, answer.whole()
    assert json.loads(answer.whole())["player"]["name"] == "bob"
    cookies = [value.partition("=")[0] for name, value in answer.headers if name == "Set-Cookie"]
    assert sorted(cookies) == ["csrftoken", "sessionid"]


@pytest.mark.parametrize("told", [{"Transfer-Encoding": "chunked"}, {"Content-Length": "99000000"}])
def test_a_body_that_is_too_large_is_not_read_to_its_end(house, told):
    part = b" " * (settings.DATA_UPLOAD_MAX_MEMORY_SIZE // 2)
    headers = {"Content-Type": "application/json", **told}

    answer = house.ask("/api/v1/players/guest", "POST", [part] * 9, **headers)

    assert (answer.status, json.loads(answer.whole())["code"]) == (413, "too-large")
    assert answer.received.qsize() >= 6


def test_an_export_is_streamed_whole(house, ann):
    match = sit(ann, "easy")
    ann.post(f"/matches/{match.pk}/resignation")

    answer = house.ask(f"/api/v1/matches/{match.pk}/export")

    assert answer.whole() == b"".join(ann.get(f"/matches/{match.pk}/export").streaming_content)
    assert answer.text.count(b"\n") == 1 + 5


def test_a_query_that_is_no_text_is_no_crash(house):
    assert house.ask("/api/v1/games?x=\xff").status == 200
    answer = house.ask("/api/v1/matches?game=\xff")
    assert (answer.status, json.loads(answer.whole())["code"]) == (400, "malformed")


def test_a_crash_is_told_and_nothing_more(house, monkeypatch):
    def crash(*_):
        raise RuntimeError("the secret cause")

    monkeypatch.setattr(services, "make_guest", crash)

    answer = house.ask("/api/v1/players/guest", "POST")

    assert (answer.status, json.loads(answer.whole())["code"]) == (500, "server-error")
    assert b"secret" not in answer.text
