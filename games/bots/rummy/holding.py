"""Whether to hold melds: who goes out with all cards in one turn is paid double.

Chances are measured in deals of these bots.
"""

from math import exp
from typing import Final

from games.bots.rummy.sight import Sight, rounds
from games.engine.cards import value
from games.engine.rummy import winners_points

HIDDEN_CARD: Final = 5.5
"""Points of a card in another hand, on average."""

UNSEEN_MELDS: Final = 0.5
"""Points that it is worth, each turn, that nobody can lay off on one's melds."""

OUT_NEXT: Final = {
    2: (1.0, 0.30, 0.14, 0.15, 0.02),
    3: (1.0, 0.22, 0.10, 0.12, 0.02),
    4: (1.0, 0.18, 0.10, 0.10, 0.02),
}
"""By seats: how likely one goes out next turn with 0, 1, 2, 3, or more loose cards."""

OUT_WITH: Final = {
    2: (0.0, 0.24, 0.14, 0.16, 0.02, 0.0),
    3: (0.0, 0.17, 0.09, 0.13, 0.0, 0.0),
    4: (0.0, 0.16, 0.08, 0.11, 0.0, 0.0),
}
"""By seats: how likely another who has tabled cards goes out in his turn with 1, 2, ... left."""

SILENT_OUT: Final = 0.015
"""And one who has tabled nothing, for each round after the fourth; a card that he was seen to
take counts as two rounds."""


def holding_pays(sight: Sight, loose: int) -> bool:
    """Whether to be paid double perhaps is worth more than what the melds may cost.

    Not where one can go out now, and not where there is nothing to hold.
    """
    if loose == sight.hand or loose & loose - 1 == 0:
        return False
    if sight.options.max_melds_per_turn is not None:
        return False
    others = sight.others
    points = [_points_of(sight, seat) for seat in others]
    total, kept, held = sum(points), value(loose), value(sight.hand & ~loose)
    risk = 0.0
    for seat, own in zip(others, points, strict=True):
        if chance := _chance(sight, seat):
            left = kept + round(total - own)
            risk += chance * _more(sight, seat, left, left + held, sight.is_silent(seat))
    chance = OUT_NEXT[len(sight.scores)][min(loose.bit_count() - 1, 4)]
    gain = chance * _bonus(sight, round(total)) + UNSEEN_MELDS
    return gain > risk / len(others)  # what one of them wins, the rest do not


def _chance(sight: Sight, seat: int) -> float:
    """How likely another seat goes out in its next turn."""
    if not sight.is_silent(seat):
        return OUT_WITH[len(sight.scores)][min(sight.sizes[seat], 5)]
    taken = sight.taken[seat].bit_count()
    return min(0.3, SILENT_OUT * max(0.0, rounds(sight) - 4 + 2 * taken))


def _bonus(sight: Sight, left: int) -> float:
    """The points that going out with all cards in one turn would bring more."""
    if not sight.is_silent(sight.seat):
        return 0
    once, rummy = (winners_points(sight.options, left, out) for out in (False, True))
    return _worth(sight, sight.seat, rummy) - _worth(sight, sight.seat, once)


def _more(sight: Sight, winner: int, tabled: int, held: int, rummy: bool) -> float:
    """What a winner would get more for melds held than for melds tabled."""
    points = (winners_points(sight.options, left, rummy) for left in (tabled, held))
    once, more = (_worth(sight, winner, count) for count in points)
    return more - once


def _points_of(sight: Sight, seat: int) -> float:
    known = sight.taken[seat]
    return value(known) + HIDDEN_CARD * (sight.sizes[seat] - known.bit_count())


def _worth(sight: Sight, seat: int, points: int) -> float:
    """Points as they count for the match: those beyond what a seat still needs, ever less."""
    needed = 2 * (sight.target - sight.scores[seat])
    return needed * (1 - exp(-points / needed))
