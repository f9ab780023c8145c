"""`expert` does what the networks hold best; between throws that are close it looks ahead.

That is four turns, in guessed deals. How far it looks is bounded by numbers and not by a clock, so
that the same view and generator give the same action on any machine.
"""

from random import Random
from typing import Final

import numpy as np

from games.bots.gin import network
from games.bots.gin.equity import Equity, equity
from games.bots.gin.guesses import guessed
from games.bots.gin.hard import ending, judged, unfailing
from games.bots.gin.judge import NEVER, taken
from games.bots.gin.many import Numbers, Sets
from games.bots.gin.network import Floats
from games.bots.gin.playout import Deals, settle, turn
from games.bots.gin.policies import Networked, Thrifty
from games.engine.gin import BIG_GIN, Action, View

WORLDS: Final = 384
"""Guessed deals. In every second one the other seat plays as `easy`, in the others as `hard`: so
that no one kind of opponent is taken for granted."""
TURNS: Final = 4
"""Turns that are played in them, the other's first; then the network tells what is left."""
NEAR: Final = 0.1
"""Throws that the network holds so much worse than the best are not looked at."""
MOST: Final = 8
"""Throws that are looked at."""
PRIOR: Final = 16
"""The network's own opinion counts as much as so many deals."""


def expert(view: View, rng: Random) -> Action:
    """The best throw by a look ahead; the network's choice where there is none to make."""
    if view.phase != "discard" or BIG_GIN in view.legal:
        return unfailing(view)
    found = judged(view)
    (first,), (knock,), _ = found.best()
    best = found.throw[first]
    order = np.argsort(-found.throw, kind="stable")[:MOST]
    near = order[found.throw[order] >= best - NEAR]
    if found.knock[knock] > best + NEAR or near.size == 1:
        return ending(found)
    ahead = look_ahead(view, found.card[near], rng).sum(axis=0)
    worth = (ahead + PRIOR * found.throw[near]) / (WORLDS + PRIOR)
    found.throw[:] = NEVER
    found.throw[near] = worth
    return ending(found)


def look_ahead(view: View, cards: Numbers, rng: Random) -> Floats:
    """What each throw came to in guessed deals, a row each."""
    assert view.seat is not None
    me, options, chance = view.seat, view.options, np.random.default_rng(rng.getrandbits(64))
    seats = (equity(view, 0), equity(view, 1))
    deals = guessed(view, WORLDS, cards.size, chance, throw=int(cards[0]))
    deals.throw(deals.rows, np.tile(cards, WORLDS), options)
    networked, thrifty = Networked(seats, options), Thrifty(rng.getrandbits(64), options)
    simple = deals.rows // cards.size % 2 == 0
    for _ in range(TURNS):
        plainly = simple & (deals.mover != me)
        turn(deals, deals.rows[~deals.over & plainly], thrifty, options)
        turn(deals, deals.rows[~deals.over & ~plainly], networked, options)
    settle(deals, networked, options)
    return worth(deals, me, networked, seats[me]).reshape(WORLDS, cards.size)


def worth(deals: Deals, me: int, networked: Networked, match: Equity) -> Floats:
    """What deals came to for a seat: their points, or what the network holds of the position."""
    gains = match.gain(deals.points[:, me], deals.points[:, 1 - me])
    rows = deals.rows[~deals.over]
    if rows.size:
        seen = networked.seen(deals, rows, np.full(rows.size, me))
        gains[rows] = thrown(seen, deals.hands[rows, me], deals.top[rows])
    return gains


def thrown(seen: network.Seen, hands: Sets, tops: Numbers) -> Floats:
    """What the network holds of ten cards each, the eleventh just thrown."""
    inputs = network.own(taken(seen, tops), np.arange(tops.size), hands, tops)
    return network.values(network.shared("value", taken(seen, tops), network.THROWN), inputs)
