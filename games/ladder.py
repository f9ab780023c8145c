"""The levels of a game as a ladder: how far each stands above the one below, and a short check.

Pure arithmetic over the trials of games/arena.py; docs/bots.md says what it means.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import log10
from statistics import NormalDist, fmean, quantiles
from typing import Final

from msgspec import Struct

from games.arena import Contest, Trial, share, trials
from games.bots import AVERAGE, BOTS, rival
from games.bots.means import Mean, mean
from games.engine import GAMES

STANDARD: Final = "easy"
"""The level whose rating is set, and against which each is measured besides."""

SPREAD: Final = 6.06
"""Between two ratings so far apart the better wins as often as a normal deviate is below 1."""

ELO: Final = 400
"""Elo points between two, of whom one wins ten times as often as the other."""


class Step(Struct, frozen=True):
    """A level against the one below, and against STANDARD; `seconds` are of its decisions."""

    level: str
    below: str
    over_below: Sequence[Trial]
    over_standard: Sequence[Trial]
    seconds: Sequence[float]


def steps(game: str) -> list[tuple[str, str]]:
    """Each level but the lowest, and the one below it; the weakest first."""
    return [(level, below) for below, level in pairwise(BOTS[game])]


def won(found: Sequence[Trial]) -> Mean:
    return share([trial.won for trial in found])


def margin(found: Sequence[Trial]) -> Mean:
    return mean([trial.points[0] - trial.points[1] for trial in found])


# Ratings


def surest(found: Mean) -> float:
    """The share by which to rate: where all or none was won, the end that is less than that."""
    if found.mean in (0, 1):
        return found.low if found.mean else found.high
    return found.mean


def apart(share: float) -> float:
    """How far apart two ratings are, as people's are kept, when one wins that share of matches."""
    return SPREAD * NormalDist().inv_cdf(share)


def elo_apart(share: float) -> float:
    """The same by Elo's formula."""
    return ELO * log10(share / (1 - share))


def climbed(shares: Sequence[tuple[str, float]], scale: str) -> list[float]:
    """The ratings of levels, from the share that each wins of the one below, STANDARD's set.

    `shares` names each level but the lowest; the answer begins with the lowest. `scale` is
    "rating", in which STANDARD has AVERAGE, or "elo", in which it has 0.
    """
    of, fixed = (apart, AVERAGE) if scale == "rating" else (elo_apart, 0.0)
    heights = [0.0]
    for _, won_of_below in shares:
        heights.append(heights[-1] + of(won_of_below))
    names = [None, *(level for level, _ in shares)]
    base = fixed - heights[names.index(STANDARD)]
    return [height + base for height in heights]


# The table


def is_rated(game: str) -> bool:
    return bool(GAMES[game].BOARD == "rating")


def head(unit: str) -> Iterator[str]:
    """The head of the ladder's table."""
    cells = ["level", "against the one below", f"against `{STANDARD}`", "times"]
    cells += [f"points a {unit} over the one below", "ms a decision", "95 % within"]
    yield _row(cells)
    yield _row(["---"] * len(cells)).replace(" ", "")


def row(step: Step) -> str:
    """A level's row: shares of matches won, with their intervals, and of how many; points; time.

    A time is the same cards once in every seat.
    """
    over = margin(step.over_below)
    cells = [f"`{step.level}`", _percent(won(step.over_below)), _percent(won(step.over_standard))]
    cells += [f"{len(step.over_below):,}, {len(step.over_standard):,}"]
    cells += [f"{over.mean:+.2f} ± {over.half:.2f}", f"{1000 * fmean(step.seconds):.3f}"]
    return _row([*cells, f"{1000 * quantiles(step.seconds, n=20)[-1]:.3f}"])


def ratings(done: Sequence[Step]) -> Iterator[str]:
    """The table of ratings, for the levels measured."""
    shares = [(step.level, surest(won(step.over_below))) for step in done]
    if STANDARD not in dict(shares):
        return
    yield from ("", _row(["level", "rating", "Elo"]), "|---|---|---|")
    levels = [done[0].below, *(step.level for step in done)]
    scales = (climbed(shares, scale) for scale in ("rating", "elo"))
    for level, mu, elo in zip(levels, *scales, strict=True):
        yield _row([f"`{level}`", f"{mu:.1f}", f"{elo:+.0f}"])


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _percent(found: Mean) -> str:
    return f"{100 * found.mean:.1f} % ({100 * found.low:.1f} to {100 * found.high:.1f})"


# The check

FEWEST: Final = 20
MOST: Final = 1000
SURE: Final = 4.0
"""Standard errors from nought at which a level is known to be better, or worse.

One looks after each trial, so they are more than an interval would take.
"""


class Check(Struct, frozen=True):
    """A level against the one below, until it is sure which is better, or MOST are played."""

    game: str
    level: str
    below: str
    margin: Mean
    count: int

    @property
    def passed(self) -> bool:
        return _errors_from_nought(self.margin) >= SURE

    def __str__(self) -> str:
        what = "is better than" if self.passed else "IS NOT SEEN TO BE BETTER than"
        points = f"{self.margin.mean:+.2f} ± {self.margin.half:.2f} points"
        return f"{self.game}: {self.level} {what} {self.below}, by {points} ({self.count} times)"


def checks(jobs: int) -> Iterator[Check]:
    """Each level of each game against its rival: always the same decks and the same play."""
    for game in GAMES:
        for level, below in steps(game):
            yield check(game, level, rival(game, level, below), jobs)


def check(game: str, level: str, below: str, jobs: int) -> Check:
    """Whole matches where points are ranked, since later rounds count for more; else deals."""
    rules, bots = GAMES[game], (BOTS[game][level], BOTS[game][below])
    contest = Contest(game, rules.Options(), bots, seats=rules.SEATS[0], matches=not is_rated(game))
    found: list[Trial] = []
    for trial in trials(contest, MOST, jobs):
        found.append(trial)
        if len(found) >= FEWEST and abs(_errors_from_nought(margin(found))) >= SURE:
            break
    return Check(game, level, below, margin(found), len(found))


def _errors_from_nought(found: Mean) -> float:
    """How many standard errors a mean lies from nought; where nothing differs, none."""
    return found.mean / found.error if found.half else 0.0
