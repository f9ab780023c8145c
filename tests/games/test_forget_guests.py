"""Guests whom nobody has seen for thirty days"""

from datetime import timedelta

import pytest
from django.contrib.auth import login
from django.db import connection
from django.test import RequestFactory
from django.utils import timezone

from players import services, tasks
from players.models import Player, Token
from tests.games.people import Person, refused, sit


def guest():
    person = Person()
    body = person.post("/players/guest").json()
    person.token, person.player = body["token"], Player.objects.get(name=body["player"]["name"])
    return person


@pytest.fixture
def after(clock):
    """after(days=30): so long from now, beat calls the task."""
    start = timezone.now()

    def passed(**time):
        clock(str(start + timedelta(**time)).partition("+")[0])
        tasks.forget()

    return passed


@pytest.fixture
def someone(db, after):
    return guest()


def test_a_guest_loses_name_and_tokens_and_the_match_stays(someone, after, nobody):
    match = sit(someone, "easy")
    name = someone.player.name

    after(days=30, minutes=1)

    refused(someone.get("/me"), 401, "invalid-token")
    assert not Token.objects.filter(player=someone.player).exists()
    seen = nobody.get(f"/matches/{match.pk}").json()["seats"][0]["player"]
    assert seen.startswith("gone-") and name not in seen
    refused(nobody.get(f"/players/{name}"), 404, "not-found")
    told = nobody.get(f"/matches/{match.pk}/moves").json()["results"][0]
    assert told["words"] == f"{seen} takes seat 0"


def test_until_then_nothing_happens(someone, after):
    after(days=30)

    assert someone.get("/me").json()["name"] == someone.player.name


def test_each_use_of_a_token_begins_the_thirty_days_anew(someone, after):
    after(days=29)
    someone.get("/me")
    after(days=58)
    assert someone.get("/me").status_code == 200
    after(days=89)
    refused(someone.get("/me"), 401, "invalid-token")


def test_a_new_token_or_session_counts_as_use(someone, after, clock):
    other = guest()
    after(days=29)
    token, _ = services.issue_token(someone.player, "another", ["play"])
    Token.objects.filter(pk=token.pk).update(created_at=timezone.now())
    request = RequestFactory().get("/")
    request.session = Person().client.session
    login(request, other.player, "django.contrib.auth.backends.ModelBackend")

    after(days=31)
    assert Player.objects.filter(is_active=True).count() == 2


def test_a_token_that_was_revoked_keeps_nobody(someone, after):
    after(days=29)
    someone.send("DELETE", "/sessions/current")

    after(days=31)
    assert not Player.objects.get().is_active


def test_who_has_an_account_is_never_forgotten(someone, after, clock):
    body = {"name": "ann", "password": "correct horse battery"}
    someone.post("/me/account", body)
    services.register("bob", "correct horse battery")

    after(days=365)
    assert someone.get("/me").json()["name"] == "ann"
    assert Player.objects.filter(is_active=True).count() == 2


def test_a_guest_is_forgotten_once(someone, after):
    after(days=31)
    name = Player.objects.get().name

    after(days=62)
    assert Player.objects.get().name == name


def test_nobody_can_take_the_name_of_one_who_is_gone(db, nobody):
    body = {"name": "Gone-abc", "password": "correct horse battery"}

    refused(nobody.post("/players", body), 400, "name-not-allowed")


def test_guests_to_forget_are_found_by_an_index(db):
    unused = services.unused_since(timezone.now()).order_by("created_at")[:1000]
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        assert "guests_by_age" in unused.explain()
