"""What each hour has brought: counted once, whoever counts, however late and however often."""

from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from games.models import BotError, Hour, Move
from games.services import figures, repairs, turns
from games.services.figures import HOUR, WAITS, hour_at
from games.tasks import count_on, play_bot_turn
from players.models import Player
from tests.games.people import WINNING, played, sit

AGO = timedelta(hours=5)


@pytest.fixture
def match(ann):
    """Ann has drawn and thrown, and the bot has drawn and thrown after 0.7 and 7 seconds."""
    match = played(sit(ann, "easy"), "draw", "discard KD", "draw", "discard KC")
    at = hour_at(timezone.now()) - AGO
    moves = list(match.moves.order_by("version"))
    for move, seconds in zip(moves, (0, 0, 0, 0, 1, 2, 2.7, 9.7), strict=True):
        Move.objects.filter(pk=move.pk).update(created_at=at + timedelta(seconds=seconds))
    return match


def hour(ago=AGO):
    return Hour.objects.get(starts=hour_at(timezone.now()) - ago)


def waits(*buckets):
    return [buckets.count(n) for n in range(len(WAITS) + 1)]


def test_the_moves_of_an_hour_are_counted_and_bots_turns_by_how_long_they_took(match):
    count_on()

    found = hour()
    assert found.moves == 4
    assert found.bot_waits == waits(WAITS.index(0.75), WAITS.index(10.0))


def test_counting_again_changes_nothing(match):
    for _ in range(3):
        count_on()

    assert (hour().moves, sum(hour().bot_waits)) == (4, 2)


def test_what_comes_later_is_added(ann, match):
    count_on()
    played(match, "draw")
    last = match.moves.order_by("-version").first()
    Move.objects.filter(pk=last.pk).update(created_at=hour_at(timezone.now()) - AGO)
    count_on()

    assert hour().moves == 5


def test_what_may_still_be_about_to_be_committed_is_left_for_the_next_time(ann, match, monkeypatch):
    count_on()
    played(match, "draw")
    count_on()
    assert sum(Hour.objects.values_list("moves", flat=True)) == 4

    monkeypatch.setattr(figures, "SETTLED", timedelta(0))
    count_on()
    assert sum(Hour.objects.values_list("moves", flat=True)) == 5


def test_a_long_log_is_counted_in_parts(match, monkeypatch):
    monkeypatch.setattr(figures, "ENTRIES", 3)
    monkeypatch.setattr(figures, "MOST_TIMES", 2)

    count_on()
    assert hour().moves < 4
    count_on()
    assert (hour().moves, sum(hour().bot_waits)) == (4, 2)


def test_a_second_beat_finds_the_lock_taken_and_counts_nothing(match):
    first = connection.copy()
    try:
        with first.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s)", [figures.COUNT_LOCK])
            count_on()
            assert not Hour.objects.exists()
            cursor.execute("SELECT pg_advisory_unlock(%s)", [figures.COUNT_LOCK])
    finally:
        first.close()

    count_on()
    assert hour().moves == 4


def test_players_guests_and_matches_of_this_hour_are_counted(ann, match):
    Player.objects.create(name="guest-abc", is_guest=True)
    count_on()

    now = hour(HOUR * 0)
    assert (now.players, now.guests, now.matches) == (1, 1, 1)
    assert (now.live, now.open) == (1, 0)
    assert now.database_bytes > 1_000_000


def test_a_bots_error_is_kept_with_its_place_and_without_its_words(ann, match, monkeypatch):
    def fails(*_):
        raise ValueError("the hand is 2C 3C 4C")

    played(match, "draw", "discard JS")
    match.refresh_from_db()
    monkeypatch.setattr("games.bots.choose", fails)
    play_bot_turn(str(match.pk), match.version)
    count_on()

    error, of_its_stand_in = BotError.objects.order_by("id")
    assert (error.match_id, error.bot, error.reason) == (match.pk, "easy", "raised")
    assert error.place.startswith("ValueError at test_figures.py:")
    assert "2C" not in error.place
    assert (of_its_stand_in.bot, of_its_stand_in.reason) == ("random", "raised")
    assert hour(HOUR * 0).bot_errors == 2


def test_errors_are_kept_for_a_month(match, monkeypatch):
    turns.note_bot_error(match, "easy", "raised")
    count_on()
    assert BotError.objects.exists()

    monkeypatch.setattr(figures, "ERRORS_KEPT", timedelta(0))
    count_on()
    assert not BotError.objects.exists()


def test_a_match_whose_state_is_damaged_keeps_no_other_bot_waiting(ann, bob, monkeypatch):
    sent = []
    monkeypatch.setattr("games.wake.send", lambda task, *args, queue: sent.append(args))
    broken, whole = (played(sit(who, "easy"), "draw", "discard KD") for who in (ann, bob))
    sent.clear()
    long_ago = timezone.now() - timedelta(minutes=1)
    for match in (broken, whole):
        type(match).objects.filter(pk=match.pk).update(queued_at=long_ago)
    type(broken).objects.filter(pk=broken.pk).update(position={"nonsense": 1}, queued_at=long_ago)

    assert repairs.sweep() == 2
    assert (str(whole.pk), whole.version, 1) in sent
    assert BotError.objects.get().reason == "stuck"


def test_an_ordinary_move_costs_no_statement_more(ann, match, count):
    """Nothing of this is written by a move; test_statements.py has the number."""
    with count() as statements:
        played(match, WINNING[0])
    before = statements()
    count_on()
    assert Hour.objects.filter(counted_at__isnull=False).count() == 1
    assert before <= 8
