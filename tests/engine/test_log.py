"""The log and its fold, on a match of gin."""

from datetime import timedelta
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from games.engine import gin, log, shuffle
from games.engine.cards import NAMES
from games.engine.clock import Clock, Time
from games.engine.game import DEALER, Reshuffle
from games.engine.log import (
    TABLE,
    Aborted,
    BotSeated,
    Entry,
    Invited,
    Joined,
    Left,
    Position,
    Rematched,
    Resigned,
    Seat,
    Started,
    TimedOut,
)
from tests import highest
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


def test_who_leaves_or_refuses_makes_his_seat_open():
    position = folded(*ANN_AND_BOT[:2], Entry(TABLE, Left(0)))
    assert (position.seats, position.status) == ((Seat(), Seat(bot="easy")), "open")
    position = folded(Entry(TABLE, Invited(1, "bob")), Entry(TABLE, Left(1)))
    assert position.seats == (Seat(), Seat())


def test_who_has_left_may_take_a_seat_again():
    left = Entry(TABLE, Left(0))
    assert folded(ANN_AND_BOT[0], left, *ANN_AND_BOT).seats == folded(*ANN_AND_BOT).seats
    assert folded(ANN_AND_BOT[0], left, ANN_AND_BOT[0]).version == 3


@pytest.mark.parametrize("reason", ["left", "expired"])
def test_a_table_that_is_closed_has_ended_with_nobody_placed(reason):
    position = folded(*ANN_AND_BOT[:2], Entry(TABLE, Aborted(reason)))
    assert (position.status, position.ended_by, position.places) == ("aborted", reason, None)
    assert (position.turn, position.bot_to_move, position.state) == (None, None, None)
    assert position.seats == folded(*ANN_AND_BOT[:2]).seats
    assert log.last(position, None) == Entry(TABLE, Aborted(reason))


def test_the_last_rematch_is_the_next_match():
    entries = [*ANN_AND_BOT, DEAL, Entry(TABLE, Resigned(0))]
    position = folded(*entries, Entry(TABLE, Rematched("one")), Entry(TABLE, Rematched("other")))
    assert (position.status, position.next) == ("finished", "other")


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


def test_what_the_seats_and_who_starts_give_goes_into_every_shuffle():
    given = [
        Entry(TABLE, Joined(1, player="bob", entropy="bob's")),
        Entry(TABLE, Joined(0, player="ann", entropy="ann's")),
        Entry(TABLE, Started("last")),
    ]
    position = folded(*given)
    assert position.entropies == ("ann's", "bob's", "last")
    entropies = (b"ann's", b"bob's", b"last")
    for number in (0, 1):
        mixed = log.dealers_entry(gin, replace(position, shuffles=number), SECRET)
        assert mixed.action.cards == shuffle.shuffle(SECRET, entropies, number, NAMES)
        assert mixed.action.dealer == shuffle.lot(SECRET, entropies, number, 2)


def test_what_is_given_is_fixed_at_the_start():
    entries = [Entry(TABLE, Joined(0, player="ann", entropy="ann's")), *ANN_AND_BOT[1:2]]
    waiting = folded(*entries)
    assert (waiting.entropies, waiting.seats[0].entropy) == ((), "ann's")
    assert folded(*entries, Entry(TABLE, Left(0))).seats[0].entropy == ""
    started = folded(*entries, Entry(TABLE, Started("")), DEAL, Entry(TABLE, Resigned(0)))
    assert started.entropies == ("ann's", "", "")


def test_every_deal_of_a_match_has_a_shuffle_of_its_own():
    once = folded(*ANN_AND_BOT, log.dealers_entry(gin, folded(*ANN_AND_BOT), SECRET))
    assert log.dealers_entry(gin, once, SECRET).action.cards == shuffle.shuffle(
        SECRET, (), 1, NAMES
    )


# Going on from another match

OTHER = bytes([7]) * 32
COPIED = log.Continued("x", 9, (log.Shuffle(OTHER.hex(), ("ann's", "", "last"), 4),))


def test_the_first_shuffles_of_a_match_that_goes_on_are_the_others_and_the_next_its_own():
    position = folded(*ANN_AND_BOT, Entry(TABLE, COPIED))
    copied = log.dealers_entry(gin, position, SECRET)
    assert copied.action.cards == shuffle.shuffle(OTHER, (b"ann's", b"", b"last"), 4, NAMES)
    assert copied.action.dealer == shuffle.lot(OTHER, (b"ann's", b"", b"last"), 4, 2)

    own = log.dealers_entry(gin, folded(*ANN_AND_BOT, Entry(TABLE, COPIED), copied), SECRET)
    assert own.action.cards == shuffle.shuffle(SECRET, (), 1, NAMES)


def test_readers_are_told_from_where_it_goes_on_and_not_the_secret():
    position = folded(*ANN_AND_BOT, Entry(TABLE, COPIED))
    assert position.continued == position.table == COPIED
    assert log.last(position, log.view(gin, position, 0)) == Entry(TABLE, log.Continued("x", 9))


@pytest.mark.parametrize("count", [0, 1, 2, 4, 5])
def test_a_match_goes_on_from_another_only_between_its_start_and_its_first_card(count):
    entries = [*ANN_AND_BOT, DEAL, Entry(0, gin.DRAW)][:count]
    said = log.untimely(folded(*entries), Entry(TABLE, COPIED))
    assert said == "a match can go on from another only before its first card"
    assert log.untimely(folded(*ANN_AND_BOT), Entry(TABLE, COPIED)) is None


def test_a_match_taken_back_into_a_deal_has_its_unseen_cards_in_another_order():
    """Who has drawn a card since then would know which one comes."""
    dealt = folded(*ANN_AND_BOT, DEAL)
    drawn = [*ANN_AND_BOT, DEAL, Entry(1, gin.DrawStock())]
    position = folded(*drawn, Entry(TABLE, log.RolledBack(dealt.version)))
    assert (position.turn, position.state.phase) == (DEALER, "reshuffling")
    dealer = log.dealers_entry(gin, position, SECRET)
    stock = tuple(name for name in NAMES if NAMES.index(name) in dealt.state.stock)
    assert dealer.action == Reshuffle(shuffle.shuffle(SECRET, (), 1, stock))
    again = folded(*drawn, Entry(TABLE, log.RolledBack(dealt.version)), dealer)
    assert (again.turn, again.state.phase) == (dealt.turn, dealt.state.phase)
    assert again.state.hands == dealt.state.hands
    assert again.state.stock != dealt.state.stock
    assert set(again.state.stock) == set(dealt.state.stock)


def test_a_match_that_goes_on_and_is_taken_back_still_tells_from_where():
    entries = [*ANN_AND_BOT, Entry(TABLE, COPIED), DEAL, Entry(TABLE, log.RolledBack(3))]
    position = folded(*entries)
    assert position.continued == COPIED
    own = log.dealers_entry(gin, position, SECRET)
    assert own.action.cards == shuffle.shuffle(SECRET, (), 1, NAMES)


def test_a_position_of_a_match_that_goes_on_survives_the_database():
    position = folded(*ANN_AND_BOT, Entry(TABLE, COPIED), DEAL)
    assert log.read_position(gin, log.plain(position)) == position


# Resigning where more than two play


def of_many(seats: int, *entries: Entry, target: int = 3) -> Position:
    """A match of highest for players p0, p1 …, dealt; seat 0 gets the king, the next the queen …"""
    joined = [Entry(TABLE, Joined(seat, player=f"p{seat}")) for seat in range(seats)]
    high = ("KC", "QC", "JC", "TC")
    cards = (*high[:seats], *(card for card in NAMES if card not in high[:seats]))
    dealt = [*joined, Entry(TABLE, Started()), Entry(DEALER, highest.HandOut(cards))]
    options = highest.Options(target=target)
    return [*log.positions(highest, options, seats, [*dealt, *entries])][-1]


def resigned(seat: int, bot: str | None = "random") -> Entry:
    return Entry(TABLE, Resigned(seat, bot=bot))


STAY = highest.Stay()


@pytest.mark.parametrize("seats", [3, 4])
def test_a_bot_plays_on_for_who_resigns_while_others_play(seats):
    position = of_many(seats, resigned(0))
    assert (position.status, position.ended_by, position.places) == ("playing", None, None)
    assert position.seats[0] == Seat(player="p0", bot="random")
    assert position.seats[1:] == tuple(Seat(player=f"p{seat}") for seat in range(1, seats))
    assert (position.turn, position.bot_to_move, position.resigned) == (0, "random", (0,))
    after = of_many(seats, resigned(0), Entry(0, STAY))
    assert (after.turn, after.bot_to_move) == (1, None)


def test_who_resigns_on_the_turn_of_another_stops_nobody():
    position = of_many(3, resigned(2))
    assert (position.turn, position.bot_to_move) == (0, None)
    after = of_many(3, resigned(2), Entry(0, STAY), Entry(1, STAY))
    assert (after.turn, after.bot_to_move) == (2, "random")


def test_the_state_knows_nothing_of_it_and_the_hand_stays_its_owners():
    before, after = of_many(3), of_many(3, resigned(1))
    assert after.state == before.state
    assert log.view(highest, after, 1).hand == "QC"
    assert log.last(after, log.view(highest, after, 0)) == resigned(1)


@pytest.mark.parametrize(
    ("order", "places"),
    [
        ((1, 2), (1, 3, 2)),
        ((2, 1), (1, 2, 3)),
        ((0, 2), (3, 1, 2)),
        ((2, 0), (2, 1, 3)),
        ((1, 0, 2), (3, 4, 2, 1)),
        ((3, 2, 1), (1, 2, 3, 4)),
    ],
)
def test_the_last_who_stays_has_won_and_the_first_to_resign_is_last(order, places):
    *earlier, last = order
    entries = [*map(resigned, earlier), resigned(last, None)]
    position = of_many(len(places), *entries)
    assert (position.status, position.ended_by) == ("finished", "resigned")
    assert (position.places, position.resigned) == (places, order)
    assert (position.turn, position.bot_to_move) == (None, None)
    assert position.seats[last] == Seat(player=f"p{last}")
    assert log.view(highest, position, 0).legal == ()


@pytest.mark.parametrize(
    ("seats", "order", "places"),
    [
        (3, (), (1, 2, 2)),
        (3, (0,), (3, 1, 1)),  # the king wins no more
        (3, (1,), (1, 3, 2)),
        (4, (0, 1), (4, 3, 1, 1)),
        (4, (1, 0), (3, 4, 1, 1)),
        (4, (3,), (1, 2, 2, 4)),
        (4, (3, 0), (3, 1, 1, 4)),
    ],
)
def test_in_a_match_played_out_who_has_resigned_is_behind_all_who_have_not(seats, order, places):
    turns = [Entry(seat, STAY) for seat in range(seats)]
    position = of_many(seats, *map(resigned, order), *turns, target=1)
    assert (position.status, position.ended_by) == ("finished", "played")
    assert position.places == places
    assert position.state.places == (1, *[2] * (seats - 1)), "the game places as it always does"


def test_it_makes_no_difference_when_they_resign():
    turns = [Entry(seat, STAY) for seat in range(4)]
    early = of_many(4, resigned(3), resigned(0), *turns, target=1)
    late = of_many(4, *turns[:2], resigned(3), turns[2], resigned(0), turns[3], target=1)
    assert (early.places, early.resigned) == (late.places, late.resigned)


def test_a_position_with_a_bot_for_a_player_survives_the_database():
    position = of_many(3, resigned(0))
    stored = msgspec.json.decode(msgspec.json.encode(position))
    assert log.read_position(highest, stored) == position


# Time


def at(seconds: float) -> Time:
    """So many seconds after noon."""
    return Time.fromisoformat("2026-12-31T12:00:00+00:00") + timedelta(seconds=seconds)


MINUTE = Clock(seconds=60)


def timed(*entries: Entry, clock: Clock = MINUTE, seats: int = 2) -> Position:
    """A match of highest for players p0, p1 …, dealt at noon."""
    joined = [Entry(TABLE, Joined(seat, player=f"p{seat}"), at(-9)) for seat in range(seats)]
    dealt = [Entry(TABLE, Started(), at(0)), Entry(DEALER, highest.HandOut(NAMES), at(0))]
    return last_of([*joined, *dealt, *entries], clock, seats)


def last_of(entries: list[Entry], clock: Clock, seats: int) -> Position:
    return [*log.positions(highest, highest.Options(target=9), seats, entries, clock)][-1]


def test_the_time_for_a_move_runs_from_the_start_and_anew_from_every_move():
    assert timed().deadline == at(60)
    assert timed(Entry(0, STAY, at(59))).deadline == at(119)
    assert timed(clock=Clock(days=3)).deadline == at(3 * 24 * 3600)


def test_before_the_start_no_time_runs():
    position = last_of([Entry(TABLE, Joined(0, player="p0"), at(0))], Clock(seconds=60), 2)
    assert (position.deadline, position.ends_at, position.claims) == (None, None, ())


def test_the_dealer_takes_no_time():
    entries = [
        *(Entry(TABLE, Joined(seat, player=f"p{seat}"), at(1)) for seat in range(2)),
        Entry(TABLE, Started(), at(2)),
    ]
    start = log.opened(2, Clock(seconds=60))
    steps = [*log.follow(highest, highest.Options(), start, entries, SECRET)]
    assert [entry.at for entry, _ in steps] == [at(1), at(1), at(2), at(2)]
    assert steps[-1][1].deadline == at(62)


def test_what_happens_at_the_table_stops_no_clock():
    position = timed(Entry(TABLE, Resigned(2, bot="random"), at(50)), seats=3)
    assert (position.turn, position.deadline) == (0, at(60))


def test_a_bot_has_no_clock():
    seated = Entry(TABLE, BotSeated(0, "random", by=1), at(70))
    position = timed(seated)
    assert (position.bot_to_move, position.deadline, position.ends_at) == ("random", None, None)
    assert position.claims == ()
    assert timed(seated, Entry(0, STAY, at(71))).deadline == at(131)


def test_without_a_clock_nobody_is_late_but_may_be_gone():
    position = timed(clock=Clock(claim_days=14, abandoned_days=3))
    assert position.deadline is None
    assert position.claims_at == at(14 * 24 * 3600)
    assert position.ends_at == at(17 * 24 * 3600)


def test_when_the_time_is_up_the_others_may_claim_and_later_it_ends():
    position = timed(clock=Clock(seconds=60, abandoned_days=3))
    assert (position.claims_at, position.claimants) == (at(60), (1,))
    assert position.ends_at == at(60 + 3 * 24 * 3600)


def test_where_nobody_could_claim_it_ends_when_the_time_is_up():
    position = timed(Entry(TABLE, BotSeated(1, "random", by=0), at(9)))
    assert (position.claimants, position.claims) == ((), ())
    assert position.ends_at == at(60)
    forever = timed(Entry(TABLE, BotSeated(1, "random", by=0), at(9)), clock=Clock())
    assert forever.ends_at == at(28 * 24 * 3600)


@pytest.mark.parametrize(
    ("on_timeout", "of_two", "of_three"),
    [
        ("choose", ("win", "bot"), ("bot",)),
        ("win", ("win",), ("bot",)),
        ("bot", ("bot",), ("bot",)),
    ],
)
def test_what_may_be_claimed_is_fixed_with_the_match_and_of_three_only_a_bot(
    on_timeout, of_two, of_three
):
    clock = Clock(seconds=60, on_timeout=on_timeout)
    assert timed(clock=clock).claims == of_two
    assert timed(clock=clock, seats=3).claims == of_three
    of_three_left = timed(Entry(TABLE, Resigned(2, bot="random"), at(1)), clock=clock, seats=3)
    assert (of_three_left.claimants, of_three_left.claims) == ((1,), of_two)


def test_who_takes_the_win_has_won_as_after_a_resignation():
    position = timed(Entry(TABLE, TimedOut(0, by=1), at(60)))
    assert (position.status, position.ended_by) == ("finished", "timed_out")
    assert (position.places, position.turn, position.deadline) == ((2, 1), None, None)


def test_a_seat_that_a_bot_plays_on_is_placed_last_in_any_case():
    entries = [Entry(TABLE, BotSeated(0, "random", by=1), at(60)), Entry(0, STAY), Entry(1, STAY)]
    cards = ("KC", "QC", *(card for card in NAMES if card not in ("KC", "QC")))
    joined = [Entry(TABLE, Joined(seat, player=f"p{seat}")) for seat in range(2)]
    dealt = [*joined, Entry(TABLE, Started()), Entry(DEALER, highest.HandOut(cards))]
    options = highest.Options(target=1)
    position = [*log.positions(highest, options, 2, [*dealt, *entries], Clock(seconds=60))][-1]
    assert (position.ended_by, position.places) == ("played", (2, 1))
    assert position.state.places == (1, 2), "the bot has the king"


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (Entry(0, STAY, at(59.999)), None),
        (Entry(0, STAY, at(60)), "seat 0 was too late"),
        (Entry(TABLE, TimedOut(0, by=1), at(60)), None),
        (Entry(TABLE, TimedOut(0, by=1), at(59.999)), "the time of seat 0 was not up"),
        (Entry(TABLE, TimedOut(1, by=0), at(60)), "the time of seat 1 was not up"),
        (Entry(TABLE, TimedOut(0, by=0), at(60)), "the time of seat 0 was not up"),
        (Entry(TABLE, TimedOut(0), at(60)), "the time of seat 0 was not up"),
        (Entry(TABLE, BotSeated(0, "random", by=1), at(60)), None),
        (Entry(TABLE, BotSeated(0, "random", by=1), at(9)), "the time of seat 0 was not up"),
        (Entry(TABLE, Resigned(0), at(99)), None),
        (Entry(0, STAY), None),
    ],
)
def test_what_came_too_late_or_too_early_is_seen_in_the_log(entry, words):
    assert log.untimely(timed(), entry) == words


def test_a_match_from_before_there_were_clocks_has_none_and_keeps_no_times():
    entries = [Entry(TABLE, Joined(seat, player=f"p{seat}"), at(0)) for seat in range(2)]
    position = [*log.positions(highest, highest.Options(), 2, [*entries, Entry(TABLE, Started())])]
    assert (position[-1].since, position[-1].clock, position[-1].ends_at) == (None, None, None)


def test_a_position_with_a_clock_survives_the_database():
    position = timed()
    stored = msgspec.json.decode(msgspec.json.encode(position))
    assert log.read_position(highest, stored) == position
    assert stored["clock"] == {"seconds": 60}


@pytest.mark.parametrize(
    "entry",
    [
        *ANN_AND_BOT,
        Entry(TABLE, Invited(1, "bob")),
        Entry(TABLE, Left(0)),
        Entry(TABLE, Aborted("expired")),
        Entry(TABLE, Aborted("called_off", 1)),
        Entry(TABLE, TimedOut(0, by=1)),
        Entry(TABLE, BotSeated(0, "easy")),
        Entry(TABLE, Rematched("01a22ada-39f3-7476-abb3-e72a79965dbf")),
        Entry(TABLE, Resigned(1)),
        Entry(TABLE, Resigned(2, bot="easy")),
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
