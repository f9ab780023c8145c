"""What actions come to in guessed deals of Gin Rummy, played to their end by the networks.

A deal is guessed from what the seat sees alone: the other hand by the network's odds, the stock by
chance. Each guess is played once with each action, so that they meet the same cards.
"""

from random import Random
from typing import Final

import numpy as np

from games.bots.gin.equity import equity
from games.bots.gin.expert import expert
from games.bots.gin.guesses import guessed
from games.bots.gin.hard import judged, with_upcard
from games.bots.gin.many import Numbers
from games.bots.gin.network import Floats
from games.bots.gin.playout import Deals, end_turns, turn
from games.bots.gin.policies import Networked
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
from games.engine.melds import best_layoffs, deadwood

MOST: Final = 5
"""Throws and knocks that are looked at, and the strongest bot's choice."""


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
    """Points for this seat less the other's: a row for each guess, a column for each action.

    One row where nothing has to be guessed.
    """
    assert view.seat is not None
    factor = 2 if view.doubled else 1
    if view.phase == "layoff":
        return np.array([[factor * _laid_off(view, action) for action in actions]], float)
    me, options, chance = view.seat, view.options, np.random.default_rng(rng.getrandbits(64))
    deals = guessed(view, samples, len(actions), chance, throw=_a_throw(view, actions))
    policy = Networked((equity(view, 0), equity(view, 1)), options)
    for column, action in enumerate(actions):
        _begin(view, deals, deals.rows[column :: len(actions)], action, policy)
    while (rows := deals.rows[~deals.over]).size:
        turn(deals, rows, policy, options)
    points: Floats = deals.points[:, me] - deals.points[:, 1 - me]
    return factor * points.reshape(samples, len(actions)).astype(float)


def _a_throw(view: View, actions: tuple[Action, ...]) -> int:
    """Of eleven cards one to ask the networks' odds with; -1 where none is to be thrown."""
    if view.phase not in ("discard", "wall_knock"):
        return -1
    thrown = (INDEX[a.card] for a in actions if isinstance(a, Discard | Knock))
    return next(thrown, throwable(view)[0])


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


def reason(view: View, action: Action, over: Action) -> str:
    """Why, in words of the rules, from what this seat knows."""
    assert view.hand is not None
    if isinstance(action, Discard | Knock):
        left = deadwood(card_set(view.hand) & ~(1 << INDEX[action.card]))
        return f"It leaves {left} points of deadwood."
    return f"Your hand has {deadwood(card_set(view.hand))} points of deadwood."
