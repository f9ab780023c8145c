"""Deals that could be, for all that a seat has seen: for search and advice."""

import numpy as np

from games.bots.gin import many, network
from games.bots.gin.hard import as_deal, leaving_phase
from games.bots.gin.judge import taken
from games.bots.gin.many import Numbers, Sets
from games.bots.gin.network import Floats
from games.bots.gin.playout import Deals
from games.bots.gin.sight import Sight, sight
from games.engine.cards import INDEX, card_set, members
from games.engine.gin import HAND, View


def guessed(
    view: View, count: int, times: int, chance: np.random.Generator, throw: int = -1
) -> Deals:
    """Guesses, each so many times: the other hand by the network's odds, the stock by chance.

    `throw`: of eleven cards one that may go, by which the odds are asked for.
    """
    assert view.seat is not None
    seen, me = sight(view), view.seat
    other, stock = _hands(view, seen, throw, count, chance)
    hands = np.empty((count, 2), np.uint64)
    hands[:, me], hands[:, 1 - me] = seen.hand, other
    deals = Deals(
        hands.repeat(times, axis=0),
        stock.repeat(times, axis=0),
        left=np.full(count * times, seen.stock),
        top=np.full(count * times, max(seen.top, 0)),
        mover=np.full(count * times, me),
    )
    deals.known[:, 1 - me] = seen.known
    deals.known[:, me] = card_set(view.taken[me])
    deals.thrown[:, me], deals.thrown[:, 1 - me] = seen.mine, seen.theirs
    deals.limit[:] = seen.limit
    deals.idle[:] = _idle(view, throwing=throw >= 0)
    if throw >= 0 and view.turns[-1].source == "discards":
        deals.taken[:] = INDEX[view.turns[-1].drawn or ""]
    return deals


def _hands(
    view: View, seen: Sight, throw: int, count: int, chance: np.random.Generator
) -> tuple[Sets, Numbers]:
    """Other hands, as sets, and what is left for the stock in some order."""
    odds = _odds(view, seen, throw)
    hidden = np.array(list(members(seen.hidden)))
    holds = HAND - seen.known.bit_count()
    lots = odds[hidden] + chance.gumbel(size=(count, hidden.size))
    drawn = hidden[np.argsort(-lots, axis=1)]
    other = np.bitwise_or.reduce(many.single(drawn[:, :holds]), axis=1) | np.uint64(seen.known)
    return other, chance.permuted(drawn[:, holds:], axis=1)


def _odds(view: View, seen: Sight, throw: int) -> Floats:
    """For each card the log-odds that it is in the other hand."""
    deal, whose = as_deal(view, seen), np.zeros(1, int)
    if throw >= 0:
        phase, top, hand = network.THROWN, np.array([throw]), seen.hand ^ 1 << throw
    else:
        phase, top, hand = leaving_phase(view), np.array([seen.top]), seen.hand
        deal = taken(deal, top)
    inputs = network.own(deal, whose, many.sets([hand]), top)
    odds: Floats = network.hand_odds(network.shared("hand", deal, phase), inputs)[0]
    return odds


def _idle(view: View, throwing: bool) -> int:
    """Turns in a row, before this one, in which the pile was taken from."""
    idle = 0
    for done in reversed(view.turns[:-1] if throwing else view.turns):
        if done.source == "stock":
            break
        idle += 1
    return idle
