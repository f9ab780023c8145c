"""`hard` plays what its networks hold best, a little carelessly: it looks at each throw once.

The same without carelessness is what `expert` begins with.
"""

from random import Random
from typing import Final

import numpy as np

from games.bots.gin import many, network
from games.bots.gin.easy import defend
from games.bots.gin.equity import equity
from games.bots.gin.judge import Judged, judge, leaving, taken, worth_a_look
from games.bots.gin.sight import Sight, sight
from games.engine.cards import NAMES
from games.engine.gin import BIG_GIN, DISCARDS, DRAW, KNOCKS, PASS, TAKE, Action, View

SLIP: Final = 0.02
"""How far off it is about a throw, as a rule; 1 is about 25 points."""


def hard(view: View, rng: Random) -> Action:
    """The best by the networks, but for slips among throws that are worth about the same."""
    if view.phase != "discard":
        return unfailing(view)
    found = judged(view)
    found.throw[:] += [rng.gauss(0, SLIP) for _ in found.throw]
    return BIG_GIN if BIG_GIN in view.legal else ending(found)


def unfailing(view: View) -> Action:
    """The best by the networks."""
    match view.phase:
        case "layoff":
            return defend(view)
        case "discard" | "wall_knock":
            return BIG_GIN if BIG_GIN in view.legal else ending(judged(view))
    if TAKE in view.legal and takes(view):
        return TAKE
    return DRAW if DRAW in view.legal else PASS


def ending(found: Judged) -> Action:
    """The best throw, or knock."""
    (throw,), (knock,), _ = found.best()
    if found.knock[knock] >= found.throw[throw]:
        return KNOCKS[int(found.card[knock])]
    return DISCARDS[int(found.card[throw])]


def judged(view: View) -> Judged:
    """All ways to end this turn."""
    seen = sight(view)
    banned = 1 << NAMES.index(view.banned) if view.banned else 0
    return _judged(view, seen, as_deal(view, seen), banned)


def _judged(view: View, seen: Sight, deal: network.Seen, banned: int) -> Judged:
    hand, free = many.sets([seen.hand]), many.sets([seen.hand & ~banned])
    assert view.seat is not None
    knocks = equity(view, view.seat).of_knocks()[None]
    return judge(deal, hand, free, knocks, play_on=view.phase not in ("wall", "wall_knock"))


def takes(view: View) -> bool:
    """Whether the top of the pile is worth more than what can be had instead."""
    seen = sight(view)
    deal, hand, top = as_deal(view, seen), many.sets([seen.hand]), np.array([seen.top])
    if not worth_a_look(hand, top).size:
        return False
    worth = with_upcard(view).best()[2][0]
    if view.phase == "wall":
        return bool(worth > 0)
    return bool(worth > leaving(deal, hand, top, leaving_phase(view))[0])


def with_upcard(view: View) -> Judged:
    """All ways to end a turn in which the top of the pile is taken."""
    seen = sight(view)
    banned = 0 if view.options.may_return_taken else 1 << seen.top
    with_top = seen._replace(hand=seen.hand | 1 << seen.top)
    return _judged(view, with_top, taken(as_deal(view, seen), np.array([seen.top])), banned)


def leaving_phase(view: View) -> int:
    """Of the networks, for who leaves the upcard."""
    if view.phase in ("draw", "wall"):
        return network.DRAWING
    return network.BOTH_PASSED if view.seat == view.dealer else network.PASSED


def as_deal(view: View, seen: Sight) -> network.Seen:
    """One deal as the networks see many."""
    assert view.seat is not None
    match = equity(view, view.seat)
    known, theirs, mine = (many.sets([part]) for part in (seen.known, seen.theirs, seen.mine))
    numbers = (seen.stock, seen.limit, match.need, match.others_need)
    return network.Seen(known, theirs, mine, *(np.array([number]) for number in numbers))
