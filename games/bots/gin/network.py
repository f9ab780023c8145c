"""The networks of `hard` and `expert`: what a position is worth, and what a knock would meet.

training/gin plays them into weights.npz. Inputs are 0 or 1 and few of them are 1, so the first
layer is a sum of rows of its weights. docs/bots.md tells what they were trained on.
"""

from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from games.bots.gin import many
from games.bots.gin.many import Numbers, Sets
from games.engine.cards import PACK

Floats = npt.NDArray[np.float32]

THROWN, DRAWING, PASSED, BOTH_PASSED = range(4)
"""Phases: it has thrown a card, is about to draw from the stock, has passed, both have."""

MELDED, KNOWN, OUTS, TOP, DEADWOOD, STOCK, PHASE = 0, 104, 260, 312, 364, 415, 447
LIMIT, N_OUTS, N_LOOSE, NEED, OTHERS_NEED, WAYS, N_KNOWN, GINS = (
    451,
    462,
    478,
    489,
    499,
    509,
    519,
    525,
)
"""Where each group of inputs begins: six sets of 52 cards, then counts, one row for each value."""
LEAK: Final = np.float32(0.05)

_data = np.load(Path(__file__).with_name("weights.npz"))
W: Final[dict[str, Floats]] = {name: _data[name].astype(np.float32) for name in _data.files}


class Seen(NamedTuple):
    """What seats see of one or many deals; arrays as long as there are deals."""

    known: Sets
    theirs: Sets
    mine: Sets
    stock: Numbers
    limit: Numbers
    need: Numbers
    others_need: Numbers


def leaky(x: Floats) -> Floats:
    result: Floats = np.maximum(x, LEAK * x)
    return result


def shared(net: str, seen: Seen, phase: int) -> Floats:
    """The first layer's sum of all that does not depend on the own hand; a row for each deal."""
    w = W[f"{net}1"]
    planes = np.concatenate([many.bits(s) for s in (seen.known, seen.theirs, seen.mine)], axis=1)
    total = planes.astype(np.float32) @ w[KNOWN:OUTS] + W[f"{net}1_bias"] + w[PHASE + phase]
    total += w[STOCK + seen.stock] + w[LIMIT + seen.limit]
    total += w[NEED + _bucket(seen.need)] + w[OTHERS_NEED + _bucket(seen.others_need)]
    result: Floats = total + w[N_KNOWN + np.minimum(many.count(seen.known), 5)]
    return result


def _bucket(need: Numbers) -> Numbers:
    bucket: Numbers = np.clip((need - 1) // 10, 0, 9)
    return bucket


class Own(NamedTuple):
    """The inputs of own hands: 156 of cards, and rows of the first layer for the others."""

    cards: Floats
    rows: Numbers

    def of(self, some: Numbers) -> "Own":
        return Own(self.cards[some], self.rows[:, some])


def own(seen: Seen, whose: Numbers, hands: Sets, tops: Numbers) -> Own:
    """Inputs of ten cards held and the pile's top, each in the deal `whose`."""
    melded = many.in_melds(hands)
    loose = hands ^ melded
    known = seen.known[whose]
    pile = seen.theirs[whose] | seen.mine[whose] | many.single(tops)
    hidden = PACK & ~(hands | known | pile)
    outs = many.completing(hands) & hidden
    n_loose = many.count(loose)
    near = np.flatnonzero(n_loose <= 4)
    gins = np.zeros(hands.size, dtype=np.int64)
    gins[near] = many.gins(hands[near], outs[near])
    rows = [
        TOP + tops,
        DEADWOOD + np.minimum(many.deadwood(hands), 50),
        N_OUTS + np.minimum(many.count(outs), 15),
        N_LOOSE + n_loose,
        GINS + np.minimum(gins, 12),
        WAYS + np.minimum(many.ways(tops, hidden | known), 9),
    ]
    planes = np.concatenate([many.bits(s) for s in (melded, loose, outs)], axis=1)
    return Own(planes.astype(np.float32), np.stack(rows))


def _first(net: str, base: Floats, inputs: Own) -> Floats:
    w = W[f"{net}1"]
    total = base + inputs.cards @ W[f"{net}1_own"]
    for rows in inputs.rows:
        total += w[rows]
    return leaky(total)


def values(base: Floats, inputs: Own) -> Floats:
    """What positions are worth to who holds these hands, in units of 25 points or so."""
    second = leaky(_first("value", base, inputs) @ W["value2"] + W["value2_bias"])
    result: Floats = second @ W["value3"] + W["value3_bias"]
    return result


def deadwood_odds(base: Floats, inputs: Own) -> Floats:
    """For each hand laid: chances of 0, 1, 2 ... points left to the other after lay-offs."""
    logits = _first("knock", base, inputs) @ W["knock2"] + W["knock2_bias"]
    odds = np.exp(logits - logits.max(axis=1, keepdims=True))
    result: Floats = odds / odds.sum(axis=1, keepdims=True)
    return result


def hand_odds(base: Floats, inputs: Own) -> Floats:
    """For each card the log-odds that it is in the other hand; for cards not seen only."""
    result: Floats = _first("hand", base, inputs) @ W["hand2"] + W["hand2_bias"]
    return result


for _net in ("value", "knock", "hand"):  # rows of cards melded, loose and outs side by side
    _w = W[f"{_net}1"]
    W[f"{_net}1_own"] = np.concatenate([_w[MELDED:KNOWN], _w[OUTS:TOP]])
