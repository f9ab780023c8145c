"""POST /matches/{id}/abort"""

from uuid import UUID

import pytest
from django.core.management import call_command

from games.engine import pyramid
from games.models import Deal, Match, RatingChange
from games.services import ends
from games.tasks import play_bot_turn
from tests.games.people import WINNING, Person, played, refused, sit


def abort(person, match):
    return person.post(f"/matches/{match.pk}/abort")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("caller", [0, 1])
def test_any_player_calls_a_match_off_before_the_first_move(ann, bob, caller):
    match = sit(ann, bob)

    response = abort((ann, bob)[caller], match)

    body = response.json()
    assert response.status_code == 201
    assert (body["status"], body["ended_by"], body["turn"]) == ("aborted", "called_off", None)
    assert [seat["place"] for seat in body["seats"]] == [None, None]
    assert (body["awaiting"], body["view"]["legal"]) == (None, [])
    assert body["secret"] and body["finished_at"]
    assert Deal.objects.get().last_version == body["version"]
    last = ann.get(f"/matches/{match.pk}/moves").json()["results"][-1]
    assert last["words"] == f"seat {caller} calls the match off"
    call_command("verify_logs")


def test_it_counts_for_nothing(ann, bob):
    abort(ann, sit(ann, bob))

    assert not RatingChange.objects.exists()
    assert ann.get("/players/ann/stats").json()["games"] == []
    assert ann.get("/leaderboards/gin?period=all").json()["results"] == []


def test_a_bot_may_have_moved(ann, monkeypatch):
    match = Match.objects.get(
        pk=ann.post("/matches", {"game": "gin", "seats": [{"bot": "easy"}, "me"]}).json()["id"]
    )
    play_bot_turn(str(match.pk), match.version)

    assert abort(ann, match).json()["ended_by"] == "called_off"
    match.refresh_from_db()
    assert (match.bot_to_move, match.queued_at, match.deadline) == (False, None, None)


def test_its_log_is_open_and_a_rematch_can_be_asked_for(ann, bob):
    match = sit(ann, bob)
    abort(ann, match)

    assert ann.get(f"/matches/{match.pk}/export").status_code == 200
    assert bob.post(f"/matches/{match.pk}/rematch").status_code == 201


def test_its_score_is_not_posted(ann, game):
    game("pyramid", pyramid)
    match = sit(ann, game="pyramid")
    abort(ann, match)

    refused(ann.post(f"/matches/{match.pk}/score"), 409, "not-postable")


def test_so_is_one_that_goes_on_from_another_until_its_own_first_move(ann, bob):
    source = played(sit(ann, bob), "draw", "discard KD", "draw", "discard KC")
    ends.resign(source.pk, ann.player)
    body = {"version": source.version}
    matches = [ann.post(f"/matches/{source.pk}/continuations", body).json() for _ in range(2)]
    first, second = (Match.objects.get(pk=each["id"]) for each in matches)
    assert first.moves.filter(seat=0).exists() and first.turn == 0

    assert abort(ann, first).json()["ended_by"] == "called_off"
    played(second, "draw")
    refused(abort(ann, second), 409, "already-moved")


# Refusals


def test_not_once_a_player_has_moved(ann, bob):
    match = played(sit(ann, bob), "draw")

    for person in (ann, bob):
        refused(abort(person, match), 409, "already-moved")
    assert Match.objects.get().status == "playing"


def test_not_before_it_has_started_nor_when_it_is_over(ann, bob):
    refused(abort(ann, sit(ann, "open")), 409, "match-not-started")
    refused(abort(ann, played(sit(ann, bob, target=50), *WINNING)), 409, "match-over")
    match = sit(ann, bob)
    abort(ann, match)
    refused(abort(bob, match), 409, "match-over")


def test_not_by_who_does_not_sit_there(ann, bob, eve, nobody):
    match = sit(ann, bob)

    refused(abort(eve, match), 403, "not-seated")
    refused(abort(nobody, match), 401, "not-authenticated")
    refused(abort(Person(ann.player, "read"), match), 403, "missing-scope")
    refused(abort(eve, sit(ann, bob, visibility="private")), 404, "not-found")
    refused(abort(ann, Match(pk=UUID(int=1))), 404, "not-found")
