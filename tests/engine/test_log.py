"""The log and its fold, on a match of gin."""

from typing import Any

import msgspec
import pytest

from games.engine import gin, log, shuffle
from games.engine.cards import NAMES
from games.engine.game import DEALER
from games.engine.log import (
    TABLE,
    Entry,
    Invited,
    Joined,
    Position,
    Resigned,
    Seat,
    Started,
)
from tests.engine.decks import pack

SECRET = bytes(32)
ANN_AND_BOT = [
    Entry(TABLE, Joined(0, player="ann")),
    Entry(TABLE, Joined(1, bot="easy")),
    Entry(TABLE, Started()),
]
DEAL = Entry(DEALER, gin.Deal(1, pack()))


def folded(*entries: Entry, options: gin.Options = gin.PRESETS["arcade"]) -> Position:
    return [log.opened(2), *log.positions(gin, options, 2, entries)][-1]


def test_a_new_match_is_open_and_waits_for_players():
    position = folded()
    assert (position.version, position.status, position.turn) == (0, "open", None)
    assert position.seats == (Seat(), Seat())
    assert log.view(gin, position, 0) is None
    assert log.last(position, None) is None


def test_each_entry_takes_the_next_version():
    entries = [*ANN_AND_BOT, DEAL, Entry(0, gin.DRAW)]
    positions = log.positions(gin, gin.Options(), 2, entries)
    assert [position.version for position in positions] == [1, 2, 3, 4, 5]


def test_players_and_bots_take_seats_and_an_invited_player_has_one_kept():
    position = folded(Entry(TABLE, Invited(0, "ann")))
    assert position.seats == (Seat(invited="ann"), Seat())
    position = folded(Entry(TABLE, Invited(0, "ann")), *ANN_AND_BOT[:2])
    assert position.seats == (Seat(player="ann"), Seat(bot="easy"))
    assert position.status == "open"


def test_a_started_match_waits_for_the_dealer():
    position = folded(*ANN_AND_BOT)
    assert (position.status, position.turn, position.shuffles) == ("playing", DEALER, 0)


def test_after_the_deal_the_beginner_is_to_move():
    position = folded(*ANN_AND_BOT, DEAL)
    assert (position.turn, position.bot_to_move, position.shuffles) == (0, None, 1)


def test_the_level_of_the_bot_to_move_is_known():
    assert folded(*ANN_AND_BOT, Entry(DEALER, gin.Deal(0, pack()))).bot_to_move == "easy"
    assert folded(*ANN_AND_BOT).bot_to_move is None
    assert folded(*ANN_AND_BOT[:2]).bot_to_move is None


@pytest.mark.parametrize(("seat", "places"), [(0, (2, 1)), (1, (1, 2))])
def test_a_seat_that_resigns_is_last_and_the_running_deal_gives_no_points(seat, places):
    position = folded(*ANN_AND_BOT, DEAL, Entry(TABLE, Resigned(seat)))
    assert (position.status, position.ended_by, position.places) == ("finished", "resigned", places)
    assert (position.turn, position.bot_to_move, position.state.scores) == (None, None, (0, 0))


def test_nothing_is_legal_after_a_resignation_and_the_hands_stay_secret():
    position = folded(*ANN_AND_BOT, DEAL, Entry(TABLE, Resigned(1)))
    view = log.view(gin, position, 0)
    assert (view.legal, view.result) == ((), None)


def test_a_match_played_to_its_end_has_the_places_of_the_game():
    entries = [*ANN_AND_BOT, DEAL, Entry(0, gin.DRAW), Entry(0, gin.Knock("9D"))]
    position = folded(*entries, options=gin.Options(target=1))
    assert (position.status, position.ended_by, position.places) == ("finished", "played", (1, 2))


def test_the_last_entry_is_the_tables_or_the_games_as_its_reader_saw_it():
    position = folded(*ANN_AND_BOT)
    assert log.last(position, log.view(gin, position, 0)) == Entry(TABLE, Started())
    position = folded(*ANN_AND_BOT, DEAL, Entry(0, gin.DRAW))
    seen = [log.last(position, log.view(gin, position, seat)) for seat in (0, 1, None)]
    drawn = NAMES[position.state.last_card]
    assert [last.card for last in seen] == [drawn, None, None]
    position = folded(*ANN_AND_BOT, DEAL, Entry(0, gin.DRAW), Entry(TABLE, Resigned(0)))
    assert log.last(position, log.view(gin, position, 0)) == Entry(TABLE, Resigned(0))


def test_the_dealers_entry_can_be_recomputed_from_the_secret():
    position = folded(*ANN_AND_BOT)
    entry = log.dealers_entry(gin, position, SECRET)
    assert entry.seat == DEALER
    assert entry.action.cards == shuffle.shuffle(SECRET, (), 0, NAMES)
    assert entry.action.dealer == shuffle.lot(SECRET, (), 0, 2)
    mixed = log.dealers_entry(gin, position, SECRET, (b"ann", b"bob"))
    assert mixed.action.cards == shuffle.shuffle(SECRET, (b"ann", b"bob"), 0, NAMES)


def test_every_deal_of_a_match_has_a_shuffle_of_its_own():
    once = folded(*ANN_AND_BOT, log.dealers_entry(gin, folded(*ANN_AND_BOT), SECRET))
    assert log.dealers_entry(gin, once, SECRET).action.cards == shuffle.shuffle(
        SECRET, (), 1, NAMES
    )


@pytest.mark.parametrize(
    "entry",
    [
        *ANN_AND_BOT,
        Entry(TABLE, Invited(1, "bob")),
        Entry(TABLE, Resigned(1)),
        DEAL,
        Entry(0, gin.DRAW),
        Entry(1, gin.Knock("KS", (("AC", "2C", "3C"),))),
    ],
)
def test_entries_survive_the_database(entry):
    stored: Any = msgspec.json.decode(msgspec.json.encode(entry.action))
    assert log.read_entry(gin, entry.seat, stored) == entry


def test_a_position_of_a_match_not_started_survives_the_database():
    position = folded(*ANN_AND_BOT[:2])
    stored = msgspec.json.decode(msgspec.json.encode(position))
    assert log.read_position(gin, stored) == position


def test_the_log_tells_the_dealers_cards_and_the_state_does_not_repeat_them():
    position = folded(*ANN_AND_BOT, DEAL)
    assert position.state.last_action == gin.Deal(1)
