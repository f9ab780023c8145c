"""What actions come to in guessed deals of Gin Rummy, played on by the networks.

A deal is guessed from what the seat sees alone: the other hand by the network's odds, the stock by
chance. Each guess is played once with each action, so that they meet the same cards.
"""

from random import Random
from typing import Final

import numpy as np

from games.bots.gin.equity import UNIT, equity
from games.bots.gin.expert import expert, thrown
from games.bots.gin.expert import worth as worth_of
from games.bots.gin.guesses import guessed
from games.bots.gin.hard import judged, with_upcard
from games.bots.gin.many import Numbers
from games.bots.gin.network import Floats
from games.bots.gin.playout import Deals, end_turns, settle, turn
from games.bots.gin.policies import Networked
from games.bots.gin.reasons import reason
from games.bots.gin.sight import throwable
from games.engine.cards import INDEX, card_set
from games.engine.gin import (
    BIG_GIN,
    DISCARDS,
    DRAW,
    KNOCKS,
    PASS,
    TAKE,
    Action,
    Discard,
    Knock,
    LayOff,
    View,
    knock_points,
)
from games.engine.melds import best_layoffs

__all__ = ["SAMPLES", "candidates", "reason", "roll_outs", "weighed"]

SAMPLES: Final = 256
"""Guesses for a hint."""
MOST: Final = 5
"""Throws and knocks that are looked at, and the strongest bot's choice."""
ROUNDS: Final = 2
"""How many turns of both seats are played on; then the network judges. docs/bots.md tells why."""
EARLY: Final = 100
"""What both seats need to win, as it is when a point is worth a point."""


def candidates(view: View, rng: Random) -> tuple[Action, ...]:
    """What is worth a look: the strongest bot's choice, then what the networks hold best."""
    choice = expert(view, rng)
    if view.phase not in ("discard", "wall_knock"):
        return choice, *(action for action in view.legal if action != choice)
    found = judged(view)
    worth = [*zip(found.throw, (DISCARDS[card] for card in found.card.tolist()), strict=True)]
    worth += zip(found.knock, (KNOCKS[card] for card in found.card.tolist()), strict=True)
    legal = set(view.legal)
    good = sorted(((w, a) for w, a in worth if a in legal), key=lambda pair: -pair[0])
    if BIG_GIN in legal:
        good.insert(0, (np.float32(0), BIG_GIN))
    return choice, *(action for _, action in good[:MOST] if action != choice)


def roll_outs(view: View, actions: tuple[Action, ...], rng: Random, samples: int) -> Floats:
    """Points for this seat less the other's: a row for each guess, a column for each action."""
    return weighed(view, actions, rng, samples)[0]


def weighed(
    view: View, actions: tuple[Action, ...], rng: Random, samples: int, rounds: int = ROUNDS
) -> tuple[Floats, Floats]:
    """Points as `roll_outs` tells, and what they are worth for winning the match at this score.

    The worth is in points, too: 25 are as much as it would change the chances to win as many.
    One row where nothing has to be guessed.
    """
    assert view.seat is not None
    if view.phase == "layoff":
        points = (2 if view.doubled else 1) * np.array([[_laid_off(view, a) for a in actions]])
        return points.astype(float), points.astype(float)
    me, options, chance = view.seat, view.options, np.random.default_rng(rng.getrandbits(64))
    deals = guessed(view, samples, len(actions), chance, throw=_a_throw(view, actions))
    policy = Networked((equity(view, 0), equity(view, 1)), options)
    for column, action in enumerate(actions):
        _begin(view, deals, deals.rows[column :: len(actions)], action, policy)
    for mover in (1 - me, me) * rounds:
        turn(deals, deals.rows[~deals.over & (deals.mover == mover)], policy, options)
    settle(deals, policy, options)
    points, worth = _points(view, deals, policy), worth_of(deals, me, policy, equity(view, me))
    shape = samples, len(actions)
    return points.reshape(shape), UNIT * worth.astype(float).reshape(shape)


def _points(view: View, deals: Deals, policy: Networked) -> Floats:
    """What deals came to; of those not over what the network holds of them early in a match."""
    assert view.seat is not None
    me, rows = view.seat, deals.rows[~deals.over]
    points: Floats = (deals.points[:, me] - deals.points[:, 1 - me]).astype(float)
    if rows.size:
        early = np.full(rows.size, EARLY)
        seen = policy.seen(deals, rows, np.full(rows.size, me))
        seen = seen._replace(need=early, others_need=early)
        points[rows] = UNIT * thrown(seen, deals.hands[rows, me], deals.top[rows])
    return points * 2 if view.doubled else points


def _laid_off(view: View, action: Action) -> int:
    """Points of a lay-off and the best that can follow it, or of none."""
    shown = view.showdown
    assert shown is not None and view.hand is not None
    hand, table = card_set(view.hand), tuple(card_set(meld) for meld in shown.melds)
    if isinstance(action, LayOff):
        card = 1 << INDEX[action.card]
        hand ^= card
        table = tuple(m | card if i == action.meld else m for i, m in enumerate(table))
        left = best_layoffs(hand, table)[0]
    else:
        left = best_layoffs(hand, ())[0]
    _, knocker, defender = knock_points(view.options, shown.deadwood, left)
    return defender - knocker


def _a_throw(view: View, actions: tuple[Action, ...]) -> int:
    """Of eleven cards one to ask the networks' odds with; -1 where none is to be thrown."""
    if view.phase not in ("discard", "wall_knock"):
        return -1
    thrown = (INDEX[a.card] for a in actions if isinstance(a, Discard | Knock))
    return next(thrown, throwable(view)[0])


def _begin(view: View, deals: Deals, rows: Numbers, action: Action, policy: Networked) -> None:
    """The action in each of these deals, and what ends that turn."""
    options = view.options
    if isinstance(action, Discard):
        deals.throw(rows, np.full(rows.size, INDEX[action.card]), options)
    elif isinstance(action, Knock):
        named = action.melds
        melds = None if named is None else tuple(card_set(meld) for meld in named)
        deals.knock(rows, np.full(rows.size, INDEX[action.card]), options, melds)
    elif action == BIG_GIN:
        deals.big_gin(rows, options)
    elif view.phase == "wall":
        _at_the_wall(view, deals, rows, action)
    elif action == PASS:
        _pass(view, deals, rows, policy)
    else:
        _draw(deals, rows, action, policy)


def _draw(deals: Deals, rows: Numbers, action: Action, policy: Networked) -> None:
    """From the pile or the stock, and what ends that turn."""
    (deals.take if action == TAKE else deals.draw)(rows)
    end_turns(deals, rows, policy, policy.options)


def _pass(view: View, deals: Deals, rows: Numbers, policy: Networked) -> None:
    """The opening goes on: the dealer is asked next, then the beginner must draw."""
    deals.mover[rows] = 1 - deals.mover[rows]
    if view.seat != view.dealer:
        wants = policy.takes(deals, rows)
        _draw(deals, rows[wants], TAKE, policy)
        rows = rows[~wants]
        deals.mover[rows] = 1 - deals.mover[rows]
    _draw(deals, rows, DRAW, policy)


def _at_the_wall(view: View, deals: Deals, rows: Numbers, action: Action) -> None:
    """A pass draws the deal; who takes the upcard knocks, with what is best for all he knows."""
    if action == PASS:
        deals.over[rows] = True
        return
    found = with_upcard(view)
    card = found.card[found.best()[1][0]]
    deals.take(rows)
    deals.knock(rows, np.full(rows.size, card), view.options)
