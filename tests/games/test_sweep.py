"""The sweep, which heals bots' turns whose message was lost."""

import threading
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.utils import timezone

from games import wake
from games.engine import gin
from games.models import Match
from games.services import repairs
from games.tasks import play_bot_turn, sweep
from tests.games.people import events, played, sit


@pytest.fixture
def queued(monkeypatch):
    """The turns that were handed to the broker: (match, version), and for which time again."""
    sent = []
    monkeypatch.setattr(wake, "send", lambda task, *args, queue: sent.append(args))
    return sent


@pytest.fixture
def match(ann, queued):
    """The bot is to move, and its message has gone out and was lost."""
    match = played(sit(ann, "easy"), "draw", "discard KD")
    queued.clear()
    return match


def wait(match, seconds):
    """Let time pass since the turn was last queued."""
    ago = timezone.now() - timedelta(seconds=seconds)
    Match.objects.filter(pk=match.pk).update(queued_at=ago)


def now(match):
    return Match.objects.get(pk=match.pk)


def test_an_overdue_turn_is_queued_again(match, queued, caplog):
    wait(match, 5)
    before = timezone.now()

    assert repairs.sweep() == 1

    assert queued == [(str(match.pk), 6, 1)]
    assert (now(match).version, now(match).attempts) == (6, 1)
    assert now(match).queued_at >= before
    [line] = events(caplog)
    assert (line["event"], line["match"], line["attempts"]) == (
        "bot_turn_requeued",
        str(match.pk),
        1,
    )


def test_a_turn_that_nobody_thought_about_in_time_is_queued_where_it_is_played_at_once(
    ann, monkeypatch
):
    queues = []
    monkeypatch.setattr(wake, "send", lambda task, *args, queue: queues.append(queue))
    match = played(sit(ann, "expert"), "draw", "discard KD")
    wait(match, 5)
    repairs.sweep()

    assert queues == ["bots"]


def test_what_was_queued_a_moment_ago_is_left_alone(match, queued):
    wait(match, 4.5)

    assert repairs.sweep() == 0
    assert queued == []
    assert now(match).attempts == 0


def test_only_bots_turns_are_looked_after(ann, bob, queued):
    persons, waiting = sit(ann, bob), sit(ann, "open")
    over = sit(ann, "easy")
    ann.post(f"/matches/{over.pk}/resignation")
    for match in (persons, waiting, over):
        wait(match, 1000)

    assert repairs.sweep() == 0
    assert queued == []


def test_each_attempt_is_given_twice_the_time_of_the_one_before(match, queued):
    for attempts, seconds in ((0, 5), (1, 10), (2, 20)):
        wait(match, seconds - 0.5)
        assert repairs.sweep() == 0
        assert now(match).attempts == attempts
        wait(match, seconds)
        assert repairs.sweep() == 1
        assert now(match).attempts == attempts + 1
    assert queued == [(str(match.pk), 6, again) for again in (1, 2, 3)]


def test_after_three_attempts_the_first_legal_action_is_played(match, queued, caplog):
    Match.objects.update(attempts=3)
    wait(match, 39.5)
    assert repairs.sweep() == 0
    wait(match, 40)

    assert repairs.sweep() == 1

    after = now(match)
    assert after.moves.get(version=7).action == {"type": "draw_stock"}
    assert (after.version, after.attempts, after.bot_errors) == (7, 0, 1)
    assert queued == []
    assert [event["event"] for event in events(caplog)] == ["bot_turn_given_up"]


def test_a_move_ends_the_count_of_attempts(match, queued):
    wait(match, 5)
    repairs.sweep()
    play_bot_turn(str(match.pk), 6)

    assert now(match).attempts == 0
    assert repairs.sweep() == 0


def test_a_turn_played_late_is_not_played_again(match, queued):
    wait(match, 5)
    repairs.sweep()
    for _ in range(2):
        play_bot_turn(str(match.pk), 6)

    assert now(match).version == 7


def test_attempts_are_no_part_of_what_is_tagged(ann, match, queued):
    before = ann.get(f"/matches/{match.pk}")
    wait(match, 5)
    repairs.sweep()

    after = ann.get(f"/matches/{match.pk}")
    assert after["ETag"] == before["ETag"]
    assert after.content == before.content


def test_every_overdue_turn_is_healed_in_one_sweep(ann, match, queued):
    others = [played(sit(ann, "easy"), "draw", "discard KD") for _ in range(3)]
    for one in (match, *others):
        wait(one, 6)

    assert repairs.sweep() == 4
    assert {args[0] for args in queued} == {str(one.pk) for one in (match, *others)}


def test_the_sweep_costs_a_fixed_number_of_statements(ann, match, queued, count):
    wait(match, 6)
    with count() as one:
        repairs.sweep()
    for _ in range(5):
        wait(played(sit(ann, "easy"), "draw", "discard KD"), 6)
    with count() as five:
        repairs.sweep()

    assert one() == five() == 3


def test_a_match_that_cannot_be_played_does_not_keep_the_others_waiting(ann, match, queued, caplog):
    other = played(sit(ann, "easy"), "draw", "discard KD")
    Match.objects.update(attempts=3)
    Match.objects.filter(pk=match.pk).update(position={})
    wait(match, 60)
    wait(other, 50)

    assert repairs.sweep() == 2

    assert now(other).version == 7
    assert now(match).version == 6
    assert "bot_turn_stuck" in [event["event"] for event in events(caplog)]
    assert repairs.sweep() == 0, "it is tried again later, not every two seconds"


def test_a_move_that_comes_in_between_is_kept(ann, match, queued, monkeypatch, caplog):
    Match.objects.update(attempts=3)
    wait(match, 60)
    view = gin.view

    def meanwhile(state, seat):
        monkeypatch.setattr(gin, "view", view)
        play_bot_turn(str(match.pk), 6)
        return view(state, seat)

    monkeypatch.setattr(gin, "view", meanwhile)
    repairs.sweep()

    assert (now(match).version, now(match).bot_errors) == (7, 0)
    assert "bot_turn_played_meanwhile" in [event["event"] for event in events(caplog)]


def test_beat_calls_it_by_its_task(match, queued):
    wait(match, 5)
    sweep()

    assert len(queued) == 1


# Two beats


@pytest.mark.django_db(transaction=True)
def test_two_sweeps_at_once_queue_a_turn_once(match, queued):
    wait(match, 6)
    together, healed = threading.Barrier(4), []

    def one():
        together.wait()
        healed.append(repairs.sweep())
        connection.close()

    threads = [threading.Thread(target=one) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sum(healed) == 1
    assert queued == [(str(match.pk), 6, 1)]
    assert now(match).attempts == 1


def elsewhere(work):
    """Do it in a transaction of another connection, and hold that until released."""
    begun, release = threading.Event(), threading.Event()

    def hold():
        with transaction.atomic():
            work()
            begun.set()
            release.wait()
        connection.close()

    thread = threading.Thread(target=hold)
    thread.start()
    begun.wait()
    return lambda: (release.set(), thread.join())


@pytest.mark.django_db(transaction=True)
def test_a_second_sweep_does_nothing_while_the_first_is_at_work(match, queued):
    wait(match, 6)
    release = elsewhere(lambda: repairs.only_one(repairs.SWEEP_LOCK))
    try:
        assert repairs.sweep() == 0
        assert queued == []
    finally:
        release()
    assert repairs.sweep() == 1


@pytest.mark.django_db(transaction=True)
def test_a_match_that_is_being_played_just_now_is_left_alone(match, queued):
    wait(match, 6)
    release = elsewhere(lambda: Match.objects.select_for_update().get(pk=match.pk))
    try:
        assert repairs.sweep() == 0
        assert queued == []
    finally:
        release()
