"""POST /matches/{id}/seats"""

from uuid import UUID

from games.models import Match, Seat
from tests.games.people import Person, refused, sit

NOBODYS = UUID(int=1)


def join(person, match, body=b""):
    return person.post(f"/matches/{getattr(match, 'pk', match)}/seats", body)


def invite(ann, bob, **more):
    response = ann.post("/matches", {"game": "gin", "seats": ["me", {"invite": "bob"}], **more})
    return response.json()["id"]


def test_the_last_seat_taken_starts_the_match(ann, bob):
    match = sit(ann, "open")

    response = join(bob, match)

    body = response.json()
    assert response.status_code == 201
    assert response["Location"] == f"/api/v1/matches/{match.pk}"
    assert (body["status"], body["you"], body["version"]) == ("playing", 1, 4)
    assert [seat["player"] for seat in body["seats"]] == ["ann", "bob"]
    assert len(body["view"]["hand"]) == 10
    assert Seat.objects.get(match=match, number=1).player == bob.player


def test_a_seat_can_be_chosen(ann, bob):
    match = ann.post("/matches", {"game": "gin", "seats": ["open", "open"]}).json()["id"]

    body = join(bob, match, {"seat": 1}).json()

    assert (body["status"], body["you"]) == ("open", 1)
    assert join(ann, match, {"seat": None}).json()["you"] == 0


def test_the_player_who_was_invited_takes_the_seat_kept_for_him(ann, bob):
    match = invite(ann, bob)

    body = join(bob, match).json()

    assert (body["status"], body["you"]) == ("playing", 1)
    assert body["seats"][1]["invited"] is None
    assert Seat.objects.get(match=match, number=1).invited is None


def test_the_kept_seat_comes_before_an_open_one(ann, bob):
    body = {"game": "gin", "seats": ["open", {"invite": "bob"}]}
    match = ann.post("/matches", body).json()["id"]

    assert join(bob, match).json()["you"] == 1


def test_an_invited_player_joins_a_private_match(ann, bob):
    assert join(bob, invite(ann, bob, visibility="private")).status_code == 201


def test_a_match_that_waits_to_be_told_does_not_start_when_it_is_full(ann, bob):
    body = join(bob, invite(ann, bob, start="later")).json()

    assert (body["status"], body["view"]) == ("open", None)
    assert body["seats"][1]["player"] == "bob"


# Refusals


def test_who_is_not_signed_in_does_not_join(ann, nobody):
    refused(join(nobody, sit(ann, "open")), 401, "not-authenticated")


def test_a_token_that_only_reads_does_not_join(ann, bob):
    refused(join(Person(bob.player, "read"), sit(ann, "open")), 403, "missing-scope")


def test_a_match_that_is_not_there_cannot_be_joined(bob):
    refused(join(bob, NOBODYS), 404, "not-found")


def test_a_private_match_is_not_found_by_others(ann, bob, eve):
    match = invite(ann, bob, visibility="private")

    refused(join(eve, match), 404, "not-found")
    assert Match.objects.get(pk=match).version == 2


def test_nobody_joins_twice(ann):
    refused(join(ann, sit(ann, "open")), 409, "already-seated")


def test_a_full_match_has_no_seat(ann, bob, eve):
    refused(join(eve, sit(ann, bob)), 409, "seat-taken")


def test_a_seat_that_is_taken_cannot_be_chosen(ann, bob):
    refused(join(bob, sit(ann, "open"), {"seat": 0}), 409, "seat-taken")


def test_a_seat_kept_for_another_is_not_given_away(ann, bob, eve):
    match = invite(ann, bob)

    refused(join(eve, match), 409, "seat-taken")
    refused(join(eve, match, {"seat": 1}), 403, "seat-kept")


def test_who_was_invited_takes_no_other_seat(ann, bob):
    body = {"game": "gin", "seats": ["open", {"invite": "bob"}]}
    match = ann.post("/matches", body).json()["id"]

    refused(join(bob, match, {"seat": 0}), 403, "seat-kept")


def test_a_seat_that_the_match_does_not_have_is_malformed(ann, bob):
    told = refused(join(bob, sit(ann, "open"), {"seat": 2}), 400, "malformed")

    assert told["errors"][0]["pointer"] == "/seat"
    assert told["detail"] == "Seats are 0 to 1."


def test_an_unknown_field_is_malformed(ann, bob):
    told = refused(join(bob, sit(ann, "open"), {"number": 1}), 400, "malformed")

    assert told["errors"][0]["pointer"] == "/number"
