"""POST /matches/{id}/start"""

from uuid import UUID

from games.models import Match
from tests.games.people import refused, sit


def later(ann, *others, **more):
    body = {"game": "gin", "seats": ["me", *others], "start": "later", **more}
    return ann.post("/matches", body).json()["id"]


def start(person, match):
    return person.post(f"/matches/{match}/start")


def test_its_creator_starts_a_match_that_waits_for_it(ann):
    match = later(ann, {"bot": "easy"})

    response = start(ann, match)

    body = response.json()
    assert response.status_code == 201
    assert (body["status"], body["version"], body["turn"]) == ("playing", 4, 0)
    assert len(body["view"]["hand"]) == 10
    assert body["started_at"]


def test_it_is_started_when_a_person_has_joined(ann, bob):
    match = later(ann, "open")
    bob.post(f"/matches/{match}/seats")

    assert start(ann, match).json()["seats"][1]["player"] == "bob"


# Refusals


def test_who_is_not_signed_in_starts_nothing(ann, nobody):
    refused(start(nobody, later(ann, {"bot": "easy"})), 401, "not-authenticated")


def test_a_match_that_is_not_there_cannot_be_started(ann):
    refused(start(ann, UUID(int=1)), 404, "not-found")


def test_only_the_creator_starts_it(ann, bob, eve):
    match = later(ann, "open")
    bob.post(f"/matches/{match}/seats")

    for other in (bob, eve):
        refused(start(other, match), 403, "not-the-maker")
    assert Match.objects.get(pk=match).status == "open"


def test_a_private_match_is_not_found_by_others(ann, eve):
    refused(start(eve, later(ann, {"bot": "easy"}, visibility="private")), 404, "not-found")


def test_open_seats_are_named(ann, bob):
    for seat in ("open", {"invite": "bob"}):
        told = refused(start(ann, later(ann, seat)), 409, "seats-open")
        assert "seat 1" in told["detail"]


def test_a_match_starts_once(ann, bob):
    match = later(ann, {"bot": "easy"})
    start(ann, match)

    refused(start(ann, match), 409, "match-already-started")
    refused(start(ann, sit(ann, bob).pk), 409, "match-already-started")
