"""POST /matches/{id}/resignation"""

from uuid import UUID

from games.models import Deal, Match, Seat
from tests.games.people import WINNING, Person, played, refused, sit


def resign(person, match):
    return person.post(f"/matches/{match.pk}/resignation")


def test_who_resigns_loses_and_the_running_deal_gives_no_points(ann, bob):
    match = played(sit(ann, bob), *WINNING, "draw")

    response = resign(bob, match)

    body = response.json()
    assert response.status_code == 201
    assert (body["status"], body["ended_by"], body["turn"]) == ("finished", "resigned", None)
    assert [(seat["score"], seat["place"]) for seat in body["seats"]] == [(63, 1), (0, 2)]
    assert (body["awaiting"], body["view"]["legal"]) == (None, [])
    assert body["secret"]
    second = Deal.objects.get(number=2)
    assert (second.last_version, second.result) == (body["version"], None)
    assert second.ended_at


def test_one_may_resign_when_ahead_and_on_the_others_turn(ann, bob):
    match = played(sit(ann, bob), *WINNING)

    assert resign(ann, match).status_code == 201

    assert list(Seat.objects.order_by("number").values_list("score", "place")) == [(63, 2), (0, 1)]


def test_a_bot_is_not_waited_for_any_more(ann):
    match = played(sit(ann, "easy"), "draw", "discard KD")
    assert match.bot_to_move

    resign(ann, match)

    match.refresh_from_db()
    assert (match.bot_to_move, match.queued_at, match.deadline) == (False, None, None)


def test_the_move_list_says_so(ann, bob):
    match = sit(ann, bob)
    resign(bob, match)

    last = ann.get(f"/matches/{match.pk}/moves").json()["results"][-1]
    assert last["words"] == "seat 1 resigns"
    assert last["last"] == {"seat": -2, "action": {"type": "resigned", "seat": 1}}


# Refusals


def test_who_is_not_signed_in_resigns_nothing(ann, bob, nobody):
    refused(resign(nobody, sit(ann, bob)), 401, "not-authenticated")


def test_a_token_that_only_reads_resigns_nothing(ann, bob):
    refused(resign(Person(bob.player, "read"), sit(ann, bob)), 403, "missing-scope")


def test_a_match_that_is_not_there_cannot_be_resigned(ann):
    refused(resign(ann, Match(pk=UUID(int=1))), 404, "not-found")


def test_who_does_not_sit_there_resigns_nothing(ann, bob, eve):
    match = sit(ann, bob)

    refused(resign(eve, match), 403, "not-seated")
    assert Match.objects.get().status == "playing"


def test_a_private_match_is_not_found_by_others(ann, bob, eve):
    refused(resign(eve, sit(ann, bob, visibility="private")), 404, "not-found")


def test_a_match_that_has_not_started_cannot_be_resigned(ann):
    refused(resign(ann, sit(ann, "open")), 409, "match-not-started")


def test_a_match_that_is_over_cannot_be_resigned(ann, bob):
    match = played(sit(ann, bob, target=50), *WINNING)

    for person in (ann, bob):
        assert refused(resign(person, match), 409, "match-over")["version"] == match.version
