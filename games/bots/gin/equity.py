"""What points are worth: chances of winning the match, by what each side still needs.

Solved from the points of deals between two equal players; targets above 100 are scaled to it.
"""

from functools import lru_cache
from typing import Any

import numpy as np

from games.bots.gin.many import Numbers
from games.bots.gin.network import Floats, W
from games.engine.gin import Options, View, knock_points

UNIT = 25  # points
BINS = W["knock2_bias"].size
MOST = 10  # points of deadwood with which anybody may ever knock


class Equity:
    """Chances in one match for one seat: gains, in units of 25 points or so, as the networks'."""

    def __init__(self, options: Options, scores: tuple[int, int], doubled: bool) -> None:
        """`scores`: the own one, the other's."""
        needs = [max(1, options.target - score) for score in scores]
        scale = min(1.0, 100 / max(needs))
        self.need, self.others_need = (max(1, round(need * scale)) for need in needs)
        self.scale, self.options = scale * (2 if doubled else 1), options
        self.now = float(_table(self.need, self.others_need))
        ahead = _table(self.need - UNIT, self.others_need)
        behind = _table(self.need, self.others_need - UNIT)
        self.slope = float(ahead - behind) / 2

    def gain(self, own: Any, others: Any) -> Floats:
        """Of points won by this seat and by the other."""
        need = self.need - np.rint(np.asarray(own) * self.scale).astype(int)
        others_need = self.others_need - np.rint(np.asarray(others) * self.scale).astype(int)
        result: Floats = (_table(need, others_need) - self.now) / self.slope
        return result

    def of_knocks(self) -> Floats:
        """Gains of a knock: a row for each deadwood, a column for each that the other is left."""
        own, others = _points_of_knocks(self.options)
        return self.gain(own, others)


@lru_cache(maxsize=32)
def _points_of_knocks(options: Options) -> tuple[Numbers, Numbers]:
    gin = [(left + options.gin_bonus, 0) for left in range(BINS)]
    knocks = [
        [knock_points(options, loose, left)[1:] for left in range(BINS)]
        for loose in range(1, MOST + 1)
    ]
    own, others = np.moveaxis(np.array([gin, *knocks]), 2, 0)
    return own, others


def equity(view: View, seat: int) -> Equity:
    """That of a seat, whoever looks."""
    scores = (view.scores[seat], view.scores[1 - seat])
    return Equity(view.options, scores, view.doubled)


def _table(need: Any, others: Any) -> Floats:
    """Row and column 0 of the table stand for a match that is won or lost."""
    result: Floats = W["equity"][np.maximum(need, 0), np.maximum(others, 0)]
    return result
