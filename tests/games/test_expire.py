"""Tables that have waited too long are closed by the sweep."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games import tasks
from games.models import Match
from games.services import lobby
from tests.games.people import events, played, refused, sit


def old(match, hours=25):
    ago = timezone.now() - timedelta(hours=hours)
    Match.objects.filter(pk=getattr(match, "pk", match)).update(created_at=ago)
    return match


def made(person, *seats, **more):
    body = {"game": "gin", "seats": seats or ["me", "open"], **more}
    return person.post("/matches", body).json()["id"]


def status(match):
    return Match.objects.get(pk=getattr(match, "pk", match)).status


def test_a_table_that_has_waited_a_day_is_closed(ann, bob):
    match = old(made(ann))

    tasks.sweep()

    body = ann.get(f"/matches/{match}").json()
    assert (body["status"], body["ended_by"], body["version"]) == ("aborted", "expired", 2)
    assert body["finished_at"] and body["secret"] and not body["started_at"]
    assert [seat["player"] for seat in body["seats"]] == ["ann", None]
    words = [row["words"] for row in bob.get(f"/matches/{match}/moves").json()["results"]]
    assert words[-1] == "the table has waited too long"


def test_one_that_has_not_is_left_open(ann):
    match = old(made(ann), hours=23.9)

    lobby.tend_tables()

    assert status(match) == "open"


def test_the_operator_says_how_long(ann, settings):
    match = old(made(ann), hours=2)
    settings.OPEN_TABLE_HOURS = 1

    lobby.tend_tables()

    assert status(match) == "aborted"


def test_only_open_tables_are_closed(ann, bob):
    playing, over = old(sit(ann, bob)), old(sit(ann, bob))
    ann.post(f"/matches/{over.pk}/resignation")

    lobby.tend_tables()

    assert (status(playing), status(over)) == ("playing", "finished")


def test_full_tables_that_nobody_starts_are_closed_too(ann):
    match = old(made(ann, "me", {"bot": "easy"}, start="later"))

    lobby.tend_tables()

    assert status(match) == "aborted"
    refused(ann.post(f"/matches/{match}/start"), 409, "match-already-started")


def test_nobody_is_invited_to_it_any_more(ann, bob):
    match = old(made(ann, "me", {"invite": "bob"}))
    lobby.tend_tables()

    assert bob.get("/me/invites").json()["results"] == []
    refused(bob.post(f"/matches/{match}/seats"), 409, "seat-taken")
    refused(bob.send("DELETE", f"/matches/{match}/seats/me"), 409, "match-already-started")


def test_it_is_listed_with_no_open_seat(ann, bob):
    old(made(ann))
    lobby.tend_tables()

    assert bob.get("/matches?seats=open").json()["results"] == []
    assert len(bob.get("/matches?status=aborted").json()["results"]) == 1


def test_a_table_is_closed_once(ann):
    match = old(made(ann))
    for _ in range(3):
        lobby.tend_tables()

    assert Match.objects.get(pk=match).version == 2


def test_a_rematch_that_nobody_joined_is_followed_by_another(ann, bob):
    match = played(sit(ann, bob), "draw")
    bob.post(f"/matches/{match.pk}/resignation")
    first = old(ann.post(f"/matches/{match.pk}/rematch").json()["id"])
    lobby.tend_tables()

    again = ann.post(f"/matches/{match.pk}/rematch")

    assert (again.status_code, again.json()["status"]) == (201, "open")
    assert again.json()["id"] != first
    assert bob.post(f"/matches/{match.pk}/rematch").json()["id"] == again.json()["id"]


def test_a_table_that_bots_should_have_filled_is_filled(ann):
    match = old(ann.post("/matches/quick", {"game": "gin", "wait": 0}).json()["id"])

    lobby.tend_tables()

    assert status(match) == "playing"


def test_a_broken_table_holds_up_no_other(ann, caplog):
    broken, match = old(made(ann), hours=30), old(made(ann))
    Match.objects.filter(pk=broken).update(position={})

    lobby.tend_tables()

    assert status(match) == "aborted"
    assert "table_not_tended" in [event["event"] for event in events(caplog)]


@pytest.mark.parametrize("many", [1, 30])
def test_looking_for_them_costs_two_statements_however_many_wait(ann, count, many):
    for _ in range(many):
        made(ann)

    with count() as statements:
        lobby.tend_tables()
    assert statements() == 2
