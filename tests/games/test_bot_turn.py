"""A bot's turn, as a worker plays it: tasks.play_bot_turn, here called by its name."""

from datetime import timedelta
from uuid import uuid4

import pytest
from celery.exceptions import SoftTimeLimitExceeded

from games import bots
from games.engine import gin
from games.models import Match
from games.tasks import play_bot_turn
from ginservice import metrics
from tests.engine.decks import pack
from tests.games.people import events, played, sit

BOTS_TURN = ("draw", "discard KD")


@pytest.fixture
def match(ann):
    """Version 6: ann has thrown KD, and the bot is to draw."""
    return played(sit(ann, "easy"), *BOTS_TURN)


@pytest.fixture
def easy(monkeypatch):
    """easy(f): the level `easy` plays as f(view, rng) does."""

    def plays(bot):
        monkeypatch.setitem(bots.BOTS["gin"], "easy", bot)

    return plays


def turn(match, version=None, again=0):
    play_bot_turn(str(match.pk), match.version if version is None else version, again)
    return Match.objects.get(pk=match.pk)


def actions(match):
    return list(match.moves.order_by("version").values_list("seat", "action"))


def test_the_bot_moves_and_waits_for_its_next_message(ann, match):
    after = turn(match)

    assert actions(after)[-1] == (1, {"type": "draw_stock"})
    assert (after.version, after.turn, after.bot_to_move, after.bot_errors) == (7, 1, True, 0)
    assert after.queued_at > match.queued_at
    assert after.deadline > match.deadline


def test_the_turn_goes_back_to_the_player(ann, match):
    after = turn(turn(match))

    assert (after.version, after.turn, after.bot_to_move) == (8, 0, False)
    assert after.queued_at is after.deadline is None
    assert ann.get(f"/matches/{match.pk}").json()["awaiting"]["seat"] == 0


def test_the_bot_is_shown_what_a_person_in_its_seat_would_see(ann, match, easy):
    seen = []
    easy(lambda view, rng: seen.append(view) or gin.DRAW)
    turn(match)

    assert seen == [gin.view(match.folded().state, 1)]
    assert seen[0].hand is not None
    assert seen[0].last.card is None


def test_the_turn_is_one_line_of_the_log_with_the_match(match, caplog):
    turn(match)

    [line] = [event for event in events(caplog) if event["event"] == "bot_turn"]
    assert (line["match"], line["version"], line["bot"]) == (str(match.pk), 7, "easy")
    assert line["action"] == {"type": "draw_stock"}
    assert "KC" not in str(events(caplog)), "a log must not hold the card that was drawn"


# Messages that come late, twice, or for nothing


def test_a_message_delivered_twice_plays_once(match):
    after = turn(match)
    again = turn(match, version=6)

    assert again.version == after.version == 7
    assert len(actions(match)) == 7


@pytest.mark.parametrize("version", [0, 1, 5, 7, 100])
def test_a_message_for_another_version_does_nothing(match, version, caplog):
    assert turn(match, version).version == 6
    assert [event["event"] for event in events(caplog)] == ["bot_turn_stale"]


def test_a_message_does_not_move_for_a_person(ann, bob):
    match = sit(ann, bob)

    assert turn(match).version == 5


def test_a_message_after_the_end_does_nothing(ann, match):
    ann.post(f"/matches/{match.pk}/resignation")

    for version in (6, 7):
        assert turn(match, version).version == 7


def test_a_message_for_a_match_that_waits_does_nothing(ann):
    body = {"game": "gin", "seats": ["me", {"bot": "easy"}], "start": "later"}
    match = Match.objects.get(pk=ann.post("/matches", body).json()["id"])

    assert turn(match).version == 2


def test_a_message_for_no_match_fails_by_itself(db):
    with pytest.raises(Match.DoesNotExist):
        play_bot_turn(str(uuid4()), 1)


def test_a_move_that_comes_while_the_bot_thinks_is_kept(ann, match, easy, caplog):
    def slow(view, rng):
        ann.post(f"/matches/{match.pk}/resignation")
        return gin.DRAW

    easy(slow)
    after = turn(match)

    assert (after.version, after.ended_by) == (7, "resigned")
    assert "bot_turn_overtaken" in [event["event"] for event in events(caplog)]


# Bots that fail, or come too late


def fails(view, rng):
    raise RuntimeError("a bot's own mistake")


def runs_out_of_time(view, rng):
    raise SoftTimeLimitExceeded


def takes(view, rng):
    """What a stand-in does, to be known by: the second of the legal actions."""
    return gin.TAKE


@pytest.fixture
def levels(monkeypatch):
    """levels(easy=f): these levels of Gin Rummy play as f(view, rng) does."""

    def play(**bots_of):
        for level, bot in bots_of.items():
            monkeypatch.setitem(bots.BOTS["gin"], level, bot)

    return play


def played_by(caplog):
    """Who has played instead of the bot, and why."""
    [line] = [event for event in events(caplog) if event["event"] == "bot_turn"]
    return line.get("instead"), line.get("reason")


@pytest.mark.parametrize(("bot", "reason"), [(fails, "raised"), (runs_out_of_time, "out_of_time")])
def test_for_a_bot_that_raises_the_level_below_plays(match, levels, bot, reason, caplog):
    levels(easy=bot, random=takes)
    after = turn(match)

    assert actions(after)[-1] == (1, {"type": "take_discard"})
    assert after.bot_errors == 1
    assert played_by(caplog) == ("random", reason)
    [line] = [event for event in events(caplog) if event["event"] == "bot_failed"]
    assert (line["match"], line["bot"]) == (str(match.pk), "easy")
    assert line["exc_info"]


@pytest.mark.parametrize(
    "nonsense",
    [None, "draw_stock", 1, gin.PASS, gin.Discard("KC"), gin.DrawStock, {"type": "draw_stock"}],
)
def test_for_a_bot_that_answers_nonsense_the_level_below_plays(match, levels, nonsense, caplog):
    levels(easy=lambda view, rng: nonsense, random=takes)
    after = turn(match)

    assert actions(after)[-1] == (1, {"type": "take_discard"})
    assert after.bot_errors == 1
    assert played_by(caplog) == ("random", "answered_nonsense")
    [line] = [event for event in events(caplog) if event["event"] == "bot_answered_nonsense"]
    assert (line["match"], line["action"]) == (str(match.pk), str(nonsense))


def test_if_that_fails_too_the_first_legal_action_is_played(match, levels, caplog):
    levels(easy=fails, random=fails)
    after = turn(match)

    assert actions(after)[-1] == (1, {"type": "draw_stock"})
    assert after.bot_errors == 2
    assert played_by(caplog) == ("first legal action", "raised")


def test_each_failure_is_counted(match, easy):
    easy(fails)

    assert turn(turn(match)).bot_errors == 2


def test_for_a_level_that_is_there_no_more_the_best_quick_one_plays(ann, monkeypatch, levels):
    match = played(sit(ann, "expert"), *BOTS_TURN)
    monkeypatch.delitem(bots.BOTS["gin"], "expert")
    monkeypatch.setitem(bots.LEVELS, "gin", ("random", "easy", "hard"))
    levels(hard=takes)

    after = turn(match)
    assert actions(after)[-1] == (1, {"type": "take_discard"})
    assert after.bot_errors == 1


@pytest.fixture
def thinking(ann, levels):
    """A bot that thinks longer is to draw; what plays in its place takes the discard."""
    levels(expert=lambda view, rng: gin.DRAW, hard=takes)
    return played(sit(ann, "expert"), *BOTS_TURN)


def counted():
    return metrics.FALLBACKS.labels("gin", "expert", "waited")._value.get()


@pytest.mark.parametrize(
    ("seconds", "attempts", "late"), [(2.5, 0, False), (3.5, 0, True), (0, 1, True)]
)
def test_where_thought_would_come_too_late_a_level_plays_that_answers_at_once(
    thinking, seconds, attempts, late, caplog
):
    queued_at = thinking.queued_at - timedelta(seconds=seconds)
    Match.objects.update(queued_at=queued_at, attempts=attempts)
    before = counted()
    after = turn(thinking)

    assert actions(after)[-1] == (1, {"type": "take_discard" if late else "draw_stock"})
    assert played_by(caplog) == (("hard", "waited") if late else (None, None))
    assert counted() - before == late
    assert after.bot_errors == 0, "to be late is no fault of the bot's"


def test_how_long_it_may_wait_is_a_setting(thinking, settings):
    settings.BOT_WAIT_SECONDS = 60
    Match.objects.update(queued_at=thinking.queued_at - timedelta(seconds=59))

    assert actions(turn(thinking))[-1] == (1, {"type": "draw_stock"})


@pytest.mark.parametrize(
    ("again", "action"), [(0, "draw_stock"), (1, "draw_stock"), (2, "take_discard")]
)
def test_a_level_that_answers_at_once_is_not_tried_a_third_time(match, levels, again, action):
    """However often the turn was queued while no worker was there: the first message is a try."""
    levels(easy=lambda view, rng: gin.DRAW, random=takes)
    Match.objects.update(attempts=2, queued_at=match.queued_at - timedelta(seconds=60))

    assert actions(turn(match, again=again))[-1] == (1, {"type": action})


@pytest.mark.parametrize(("again", "queue"), [(0, "thinkers"), (1, "bots")])
def test_how_long_it_waited_is_counted_for_the_queue_it_came_through(thinking, again, queue):
    def waits():
        return {name: metrics.WAITS.labels("gin", name)._sum.get() for name in ("bots", "thinkers")}

    before = waits()
    turn(thinking, again=again)
    assert [name for name, sum_ in waits().items() if sum_ > before[name]] == [queue]


def test_a_bot_cannot_change_what_it_is_shown(match, easy):
    def cheats(view, rng):
        view.legal += (gin.BIG_GIN,)
        return gin.BIG_GIN

    easy(cheats)
    assert turn(match).bot_errors == 1


def test_a_deal_that_a_bot_ends_is_followed_by_the_next(ann, script):
    hand = "AC 2C 3C 7D 7H 7S TH JH QH 5S"
    script(pack("2D 4D 6D 8D TD QD 3S 9S KS 6H", hand, "9D", "KD KC JS"))
    match = played(sit(ann, "easy"), *BOTS_TURN)

    match = turn(turn(match))

    assert actions(match)[-1] == (1, {"type": "knock", "card": "KC"})
    match = played(match, "finish")
    assert (match.folded().state.deal, match.turn) == (2, 1)
    assert match.bot_to_move
