"""No line of the log holds a secret: no token, password or key, whatever was done with it."""

import logging

from django.test import Client

from players.models import Player
from tests.games.people import Person, sit

PASSWORD, GUESS = "correct horse battery", "hunter2 and more"


def everything_logged(caplog):
    return "\n".join(repr(record.__dict__) for record in caplog.records)


def test_nothing_secret_is_logged(ann, bob, eve, nobody, caplog):
    caplog.set_level(logging.DEBUG)
    zoe = {"name": "zoe", "password": PASSWORD}
    secrets = [PASSWORD, GUESS, ann.token, "my-own-idempotency-key"]
    for path, body in (("/players", zoe), ("/players/guest", {}), ("/sessions", zoe)):
        secrets.append(nobody.post(path, body).json()["token"])
    for wrong in (zoe | {"password": GUESS}, {"name": GUESS[:30], "password": GUESS}):
        assert nobody.post("/sessions", wrong).status_code == 401
    page = {"username": "zoe", "password": GUESS}
    assert Client().post("/admin/login/", page).status_code == 200
    made = ann.post("/me/tokens", {"name": "another", "scopes": ["read"]})
    secrets.append(made.json()["token"])
    ann.send("PATCH", "/me", {"current_password": GUESS, "password": PASSWORD})

    body = {"game": "gin", "seats": ["me", "open"], "visibility": "private"}
    match = ann.post("/matches", body, Idempotency_Key="my-own-idempotency-key").json()
    secrets.append(match["key"])
    assert eve.get(f"/matches/{match['id']}?key={match['key']}").status_code == 200
    assert eve.post(f"/matches/{match['id']}/seats?key={match['key']}", {}).status_code == 201
    stranger = Person()
    stranger.token = "gin_wrong-but-perhaps-another-services"
    stranger.get("/me")
    secrets.append(stranger.token)

    logged = everything_logged(caplog)
    assert "request_finished" in logged
    assert len(secrets) == 10
    for secret in secrets:
        assert secret not in logged


def test_nothing_secret_is_logged_by_a_crash(ann, bob, caplog, monkeypatch):
    match = sit(ann, bob)
    ann.client.raise_request_exception = False
    monkeypatch.setattr(Player, "save", lambda *args, **more: 1 / 0)

    body = {"name": "zoe", "password": PASSWORD}
    assert ann.post("/players", body).status_code == 500
    monkeypatch.setattr("games.services.moves.write", lambda *args: 1 / 0)
    assert ann.move(match, "draw").status_code == 500

    logged = everything_logged(caplog)
    assert "ZeroDivisionError" in logged
    for secret in (PASSWORD, ann.token, bytes(match.secret).hex()):
        assert secret not in logged
