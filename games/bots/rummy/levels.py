"""Bots for Basic Rummy.

`easy` tables at once and throws its highest card. `medium` throws what it, and the next seat,
can use least. `hard` also holds its melds while that pays: who goes out with all his cards in
one turn is paid double, and nobody can lay off on melds he does not see. `expert`, with few loose
cards left, counts for each throw the cards that would then let it go out.
"""

from functools import partial
from itertools import combinations
from math import exp
from random import Random
from typing import Final

from msgspec import Struct

from games.engine.cards import INDEX, PACK, VALUES, card_set, members, value
from games.engine.melds import Arrangement, completing, fits, in_melds, is_meld, leftovers
from games.engine.rummy import (
    DISCARDS,
    DRAW,
    HANDS,
    TAKE,
    Action,
    Discard,
    LayOff,
    Meld,
    View,
    winners_points,
)


def easy(view: View, rng: Random) -> Action:
    """Tables all it can at once, takes only what it can table, throws its highest card."""
    if view.phase == "draw":
        return TAKE if _can_be_tabled(view) else DRAW
    melds = [action for action in view.legal if isinstance(action, Meld)]
    if melds:
        return max(melds, key=lambda meld: value(card_set(meld.cards)))
    if isinstance(view.legal[0], LayOff):
        return view.legal[0]
    return max(_throws(view), key=lambda throw: (VALUES[INDEX[throw.card]], rng.random()))


def _can_be_tabled(view: View) -> bool:
    """Whether the top discard would complete a meld or can be laid off."""
    top = _top(view)
    if top & in_melds(_hand(view) | top):
        return True
    return any(fits(meld) & top for meld in _open_melds(view))


def medium(view: View, rng: Random) -> Action:
    """Tables all it can at once; throws what it and the next seat can use least."""
    return _draw(view) if view.phase == "draw" else _play(view, rng, holds=False)


def hard(view: View, rng: Random) -> Action:
    """As `medium`, but holds its melds until it can go out, or as long as it pays."""
    return _draw(view) if view.phase == "draw" else _play(view, rng, holds=True)


def expert(view: View, rng: Random) -> Action:
    """As `hard`, but throws so that most cards let it go out, once it has few loose ones."""
    return _draw(view) if view.phase == "draw" else _play(view, rng, holds=True, races=True)


# What is seen


class Sight(Struct, frozen=True):
    """What a seat works with: its hand, the melds on which it may lay off, the cards that may
    be in the stock, and the cards that it would have left after tabling all it can."""

    hand: int
    table: Arrangement
    live: int
    loose: int


def _look(view: View) -> Sight:
    hand, table = _hand(view), _open_melds(view)
    seen = hand | _cards(view.table) | card_set(view.discards) | _cards(view.taken)
    live = PACK & ~seen
    return Sight(hand, table, live, _fewest_left(view, hand, table, live))


def _fewest_left(view: View, hand: int, table: Arrangement, live: int) -> int:
    """The best of what this turn's melds and lay-offs can leave: fewest, then cheapest cards."""

    def preference(left: int) -> tuple[int, float, int]:
        ways = (completing(left) & live).bit_count() * 100 / (live.bit_count() or 1)
        return left.bit_count(), value(left) - ways, left

    admitted = (left for left in leftovers(hand, table) if _is_admitted(view, left))
    return min(admitted, key=preference, default=hand)


def _is_admitted(view: View, left: int) -> bool:
    """Whether the options let a turn's melds and lay-offs leave these cards."""
    if left == 0:
        return not view.options.must_discard_to_go_out
    return view.banned is None or view.options.last_card_exempt or left != card_set([view.banned])


def _hand(view: View) -> int:
    assert view.hand is not None
    return card_set(view.hand)


def _top(view: View) -> int:
    return 1 << INDEX[view.discards[-1]]


def _cards(sets: tuple[tuple[str, ...], ...]) -> int:
    return sum(map(card_set, sets))


def _open_melds(view: View) -> Arrangement:
    """The melds on which the mover may lay off."""
    assert view.seat is not None
    if view.options.layoff_needs_meld and not view.melds_laid[view.seat]:
        return ()
    return tuple(map(card_set, view.table))


def _throws(view: View) -> list[Discard]:
    return [action for action in view.legal if isinstance(action, Discard)]


def _others(view: View) -> list[int]:
    return [seat for seat in range(len(view.scores)) if seat != view.seat]


# Drawing, tabling, throwing


def _draw(view: View) -> Action:
    """The top discard if, with it, a turn can leave as few cards as without any draw."""
    hand, table = _hand(view), _open_melds(view)
    with_it, without = leftovers(hand | _top(view), table), leftovers(hand, table)
    takes = min(map(int.bit_count, with_it)) <= min(map(int.bit_count, without))
    return TAKE if takes else DRAW


def _play(view: View, rng: Random, holds: bool, races: bool = False) -> Action:
    sight = _look(view)
    goes_out = sight.loose.bit_count() <= 1
    if goes_out or not holds or not _holding_pays(view, sight):
        step = _step(view, sight)
        if step is not None:
            return step
    throws = _ranked(view, sight, rng)
    if races and sight.loose.bit_count() <= FEW:
        throws.sort(key=partial(_lost, sight, throws[:]))
    return DISCARDS[throws[0]] if throws else view.legal[0]  # which can only be laid off


def _step(view: View, sight: Sight) -> Action | None:
    """A meld or lay-off on the way to the loose cards alone."""
    for action in view.legal:
        if isinstance(action, Meld):
            meld = card_set(action.cards)
            rest, table = sight.hand ^ meld, (*sight.table, meld)
        elif isinstance(action, LayOff):
            card, melds = 1 << INDEX[action.card], list(sight.table)
            melds[action.meld] |= card
            rest, table = sight.hand ^ card, tuple(melds)
        else:
            return None  # melds and lay-offs come first in the list
        if sight.loose & ~rest == 0 and sight.loose in leftovers(rest, table):
            return action
    return None


def _ranked(view: View, sight: Sight, rng: Random) -> list[int]:
    """The loose cards that may be thrown, or else all, the one of least use comes first.

    It is dear, and of least use to this seat and the next.
    """
    legal = [INDEX[throw.card] for throw in _throws(view)]
    loose = [card for card in legal if sight.loose >> card & 1]
    count = sight.live.bit_count() or 1

    def worth(card: int) -> tuple[float, float]:
        ways = (completing(sight.loose & ~(1 << card)) & sight.live).bit_count()
        friends = (FRIENDS[card] & sight.loose).bit_count()
        points = VALUES[card] / 2 - 4 * friends + 100 * ways / count
        return points - 20 * _feeds(view, sight, card), rng.random()

    return sorted(loose or legal, key=worth, reverse=True)


FEW: Final = 4
"""Loose cards, the one to throw among them, with which going out may be a turn away."""


def _lost(sight: Sight, ranked: list[int], card: int) -> int:
    """How many cards would not let one go out next turn after this throw; a rank counts as one."""
    kept = sight.hand & ~(1 << card)
    outs = sum(_goes_out(kept | 1 << other, sight.table) for other in members(sight.live))
    return ranked.index(card) - outs


def _goes_out(hand: int, table: Arrangement) -> bool:
    """Whether a turn can leave at most one card."""
    return any(left & left - 1 == 0 for left in leftovers(hand, table))


def _feeds(view: View, sight: Sight, card: int) -> float:
    """About how many melds the next seat could make of a card, of what it was seen to take."""
    assert view.seat is not None
    follower = (view.seat + 1) % len(view.scores)
    known = card_set(view.taken[follower])
    one_more = view.hand_sizes[follower] / (sight.live.bit_count() or 1)
    pairs = [pair for pair in PAIRS[card] if pair & known]
    certain = sum(pair & ~known == 0 for pair in pairs)
    return certain + one_more * sum(pair & sight.live != 0 for pair in pairs)


def _pairs(card: int) -> tuple[int, ...]:
    """The pairs of cards that make a meld with a card."""
    near = [other for other in range(52) if other != card and _are_friends(card, other)]
    pairs = (1 << one | 1 << other for one, other in combinations(near, 2))
    return tuple(pair for pair in pairs if is_meld(pair | 1 << card))


def _are_friends(card: int, other: int) -> bool:
    """Whether two cards are a pair, or two thirds of a run."""
    return card % 13 == other % 13 or (card // 13 == other // 13 and abs(card - other) <= 2)


PAIRS: Final = tuple(map(_pairs, range(52)))
FRIENDS: Final = tuple(
    sum(1 << other for other in range(52) if other != card and _are_friends(card, other))
    for card in range(52)
)


# Holding

HIDDEN_CARD: Final = 5.5
"""Points of a card in another hand, on average."""

UNSEEN_MELDS: Final = 0.5
"""Points that it is worth, each turn, that nobody can lay off on one's melds."""

OUT_NEXT: Final = {
    2: (1.0, 0.30, 0.14, 0.15, 0.02),
    3: (1.0, 0.22, 0.10, 0.12, 0.02),
    4: (1.0, 0.18, 0.10, 0.10, 0.02),
}
"""By seats: how likely one goes out next turn with 0, 1, 2, 3, or more loose cards. Measured
in deals of these bots, as are the next two."""

OUT_WITH: Final = {
    2: (0.0, 0.24, 0.14, 0.16, 0.02, 0.0),
    3: (0.0, 0.17, 0.09, 0.13, 0.0, 0.0),
    4: (0.0, 0.16, 0.08, 0.11, 0.0, 0.0),
}
"""By seats: how likely another who has tabled cards goes out in his turn with 1, 2, ... left."""

SILENT_OUT: Final = 0.015
"""And one who has tabled nothing, for each round after the fourth; a card that he was seen to
take counts as two rounds."""


def _holding_pays(view: View, sight: Sight) -> bool:
    """Whether to be paid double perhaps is worth more than what the melds may cost."""
    if view.options.max_melds_per_turn is not None:
        return False
    assert view.seat is not None
    risk = sum(_chance(view, seat) * _price(view, sight, seat) for seat in _others(view))
    chance = OUT_NEXT[len(view.scores)][min(sight.loose.bit_count() - 1, 4)]
    gain = chance * _bonus(view) + UNSEEN_MELDS
    return gain > risk / len(_others(view))  # what one of them wins, the rest do not


def _chance(view: View, seat: int) -> float:
    """How likely another seat goes out in its next turn."""
    seats = len(view.scores)
    if not _is_silent(view, seat):
        return OUT_WITH[seats][min(view.hand_sizes[seat], 5)]
    stock = 51 - seats * HANDS[seats]
    used_up = view.options.max_restocks - view.restocks_left
    rounds = (stock * (1 + used_up) - view.stock_size) / seats
    return min(0.3, SILENT_OUT * max(0.0, rounds - 4 + 2 * len(view.taken[seat])))


def _is_silent(view: View, seat: int) -> bool:
    """Whether a seat has tabled nothing in this deal, so that it may yet go rummy."""
    return view.melds_laid[seat] + view.layoffs_made[seat] == 0


def _bonus(view: View) -> float:
    """The points that going out with all cards in one turn would bring more."""
    assert view.seat is not None
    if not _is_silent(view, view.seat):
        return 0
    left = sum(_points_of(view, seat) for seat in _others(view))
    once, rummy = (winners_points(view.options, round(left), out) for out in (False, True))
    return _worth(view, view.seat, rummy) - _worth(view, view.seat, once)


def _price(view: View, sight: Sight, winner: int) -> float:
    """What a winner would get more for melds held than for melds tabled."""
    rest = [seat for seat in _others(view) if seat != winner]
    left = value(sight.loose) + round(sum(_points_of(view, seat) for seat in rest))
    silent = _is_silent(view, winner)
    tabled, held = (
        winners_points(view.options, points, silent)
        for points in (left, left + value(sight.hand & ~sight.loose))
    )
    return _worth(view, winner, held) - _worth(view, winner, tabled)


def _points_of(view: View, seat: int) -> float:
    known = card_set(view.taken[seat])
    return value(known) + HIDDEN_CARD * (view.hand_sizes[seat] - known.bit_count())


def _worth(view: View, seat: int, points: int) -> float:
    """Points as they count for the match: those beyond what a seat still needs, ever less."""
    needed = 2 * (view.target - view.scores[seat])
    return needed * (1 - exp(-points / needed))
