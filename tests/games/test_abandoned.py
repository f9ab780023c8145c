"""Matches that wait for a player in vain are ended by the sweep."""

import pytest
from django.core.management import call_command

from games import tasks
from games.engine import pyramid
from games.models import Match, RatingChange
from games.services import ends
from games.tasks import play_bot_turn
from tests import highest
from tests.games.people import events, played, sit


@pytest.fixture(autouse=True)
def noon(clock):
    clock("2026-12-31 12:00:00")


def ended(match):
    match = Match.objects.get(pk=match.pk)
    return match.status, match.ended_by


ALIVE = ("playing", "")
ABANDONED = ("aborted", "abandoned")
LOST = ("finished", "timed_out")


@pytest.mark.django_db(transaction=True)
def test_a_match_that_all_have_left_is_aborted_and_its_secret_shown(ann, bob, clock):
    match = sit(ann, bob)
    assert ann.get(f"/matches/{match.pk}").json()["awaiting"]["ends_at"] == "2027-01-28T12:00:00Z"
    clock("2027-01-28 11:59:59")
    tasks.sweep()
    assert ended(match) == ALIVE
    clock("2027-01-28 12:00:00")

    tasks.sweep()

    body = ann.get(f"/matches/{match.pk}").json()
    assert ended(match) == ABANDONED
    assert [seat["place"] for seat in body["seats"]] == [None, None]
    assert body["secret"] and body["awaiting"] is None
    last = ann.get(f"/matches/{match.pk}/moves").json()["results"][-1]
    assert last["words"] == "all have abandoned the match"
    assert not RatingChange.objects.exists()
    call_command("verify_logs")


def test_a_move_puts_it_off(ann, bob, clock):
    match = sit(ann, bob)
    clock("2027-01-10 12:00:00")
    played(match, "draw")
    clock("2027-02-07 11:59:59")

    ends.end_overdue()

    assert ended(match) == ALIVE


def test_with_a_clock_the_others_have_two_weeks_to_claim(ann, bob, clock):
    match = sit(ann, bob, clock={"seconds": 60})
    clock("2027-01-14 12:00:59")
    ends.end_overdue()
    assert ended(match) == ALIVE
    clock("2027-01-14 12:01:00")

    ends.end_overdue()

    assert ended(match) == ABANDONED


@pytest.mark.django_db(transaction=True)
def test_against_a_bot_who_lets_his_time_pass_has_lost(ann, clock):
    match = sit(ann, "easy", clock={"seconds": 60})
    told = ann.get(f"/matches/{match.pk}").json()["awaiting"]
    assert (told["claims"], told["ends_at"], told["deadline"]) == (
        None,
        "2026-12-31T12:01:00Z",
        "2026-12-31T12:01:00Z",
    )
    clock("2026-12-31 12:01:00")

    ends.end_overdue()

    assert ended(match) == LOST
    body = ann.get(f"/matches/{match.pk}").json()
    assert [seat["place"] for seat in body["seats"]] == [2, 1]
    last = ann.get(f"/matches/{match.pk}/moves").json()["results"][-1]
    assert last["words"] == "the time of seat 0 is up, and the match with it"
    assert RatingChange.objects.count() == 1
    call_command("verify_logs")


def test_against_a_bot_without_a_clock_it_is_aborted_in_the_end(ann, clock):
    match = sit(ann, "easy")
    clock("2027-01-28 12:00:00")

    ends.end_overdue()

    assert ended(match) == ABANDONED


@pytest.mark.django_db(transaction=True)
def test_among_several_bots_one_plays_on_to_the_end(ann, game, clock):
    game("highest", highest)
    match = sit(ann, "random", "random", game="highest", clock={"seconds": 60}, target=1)
    clock("2026-12-31 12:01:00")

    ends.end_overdue()

    assert Match.objects.get().position["seats"][0]["bot"] == "random"
    for _ in range(3):
        play_bot_turn(str(match.pk), Match.objects.get().version)
    assert ended(match) == ("finished", "played")
    assert match.seats.get(number=0).place == 3
    call_command("verify_logs")


def test_who_plays_on_against_the_bot_of_one_who_left_may_run_out_of_time_too(ann, bob, clock):
    match = sit(ann, bob, clock={"seconds": 60})
    clock("2026-12-31 12:01:00")
    bob.post(f"/matches/{match.pk}/claims", {"take": "bot"})
    for _ in range(3):
        latest = Match.objects.get()
        if latest.bot_to_move:
            play_bot_turn(str(match.pk), latest.version)
    clock("2026-12-31 12:02:00")

    ends.end_overdue()

    assert ended(match) == LOST
    assert [seat.place for seat in match.seats.order_by("number")] == [2, 1]


def test_a_match_of_one_keeps_its_score_when_the_time_is_up(ann, game, clock):
    game("pyramid", pyramid)
    match = sit(ann, game="pyramid", clock={"seconds": 60})
    clock("2026-12-31 12:01:00")

    ends.end_overdue()

    assert ended(match) == LOST
    assert match.seats.get().place == 1


def test_bots_turns_are_left_to_their_own_healing(ann, clock):
    match = played(sit(ann, "easy", clock={"seconds": 60}), "draw", "discard KD")
    clock("2027-12-31 12:00:00")

    ends.end_overdue()

    assert ended(match) == ALIVE


def test_tables_that_wait_are_none_of_these(ann, clock):
    match = sit(ann, "open", clock={"seconds": 60})
    clock("2027-12-31 12:00:00")

    ends.end_overdue()

    assert ended(match) == ("open", "")


def test_the_operator_says_how_long(ann, bob, settings, clock):
    settings.ABANDONED_DAYS = 1
    match = sit(ann, bob)
    clock("2027-01-15 12:00:00")

    ends.end_overdue()

    assert ended(match) == ABANDONED


def test_a_move_that_came_meanwhile_is_kept(ann, bob, clock):
    match = sit(ann, "easy", clock={"seconds": 60})
    clock("2026-12-31 12:00:59")
    played(match, "draw")
    now = clock("2026-12-31 12:01:00")

    ends.end(match.pk, now)

    assert ended(match) == ALIVE


def test_a_broken_match_holds_up_no_other_and_is_not_tried_every_two_seconds(
    ann, bob, clock, caplog
):
    broken, match = sit(ann, bob), sit(ann, bob)
    Match.objects.filter(pk=broken.pk).update(position={})
    clock("2027-01-28 12:00:00")

    ends.end_overdue()
    ends.end_overdue()

    assert (ended(broken), ended(match)) == (ALIVE, ABANDONED)
    assert [event["event"] for event in events(caplog)] == ["match_not_ended"]


@pytest.mark.parametrize("many", [1, 30])
def test_looking_for_them_costs_one_statement_however_many_are_played(ann, bob, count, many):
    for _ in range(many):
        sit(ann, bob)

    with count() as statements:
        ends.end_overdue()
    assert statements() == 1


def test_a_hundred_are_ended_in_one_sweep_and_the_rest_in_the_next(ann, bob, clock, monkeypatch):
    monkeypatch.setattr(ends, "MOST_MATCHES", 2)
    for _ in range(3):
        sit(ann, bob)
    clock("2027-01-28 12:00:00")

    for left in (1, 0):
        ends.end_overdue()
        assert Match.objects.filter(status="playing").count() == left
