"""Two bots measured against each other: the same decks from every seat, without a service.

A trial is one deck, or in whole matches one sequence of decks, played once with the first bot
in each seat and the second in all others; so luck with the cards counts for both alike, and
intervals are over trials. A game for one is played by each bot alone on the same decks.

Bots are functions of a view and a generator, as in games/bots; whoever tunes one can hand in
functools.partial(bot, parameters). One that does not think in this process (games/programs.py)
has a `clock` of its own.
"""

import signal
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from multiprocessing import Pool
from random import Random
from statistics import fmean
from time import thread_time
from typing import Any

from msgspec import Struct

from games.bots import Bot
from games.bots.means import Mean, mean
from games.engine import GAMES
from games.engine.game import DEALER, Game


class Contest(Struct, frozen=True):
    """What is measured: two bots at a game, in whole matches, or else in first deals of them.

    With the same seed it is the same decks and, for bots that draw chance from their generator
    only, the same play.
    """

    game: str
    options: Any
    bots: tuple[Bot, Bot]
    seats: int
    matches: bool = False
    seed: int = 1


class Played(Struct, frozen=True):
    """A deal or match: points and counts by seat, the winners' seats, CPU seconds by bot."""

    points: Sequence[int]
    counts: Sequence[Counter[str]]
    winners: Sequence[int]
    seconds: tuple[list[float], list[float]]


class Trial(Struct, frozen=True):
    """The same cards from every seat, on average: the first bot, then the others."""

    points: tuple[float, float]
    counts: tuple[dict[str, float], dict[str, float]]
    won: float
    seconds: tuple[list[float], list[float]] = ([], [])


def trials(contest: Contest, count: int, jobs: int) -> Iterator[Trial]:
    """So many trials, in their order, by that many processes; one job is this process.

    In their order, so that those played before an interrupt are no choice of short ones.
    """
    play_one = partial(trial, contest)
    if jobs == 1:
        yield from map(play_one, range(count))
        return
    with Pool(jobs, _leave_signals_to_parent) as pool:
        yield from pool.imap(play_one, range(count), chunksize=max(1, min(8, count // jobs // 8)))


def _leave_signals_to_parent() -> None:
    """Ctrl-C reaches every process of a terminal; the pool ends its own by SIGTERM."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def trial(contest: Contest, number: int) -> Trial:
    """The trial of that number: its cards depend on it and the contest's seed alone."""
    if contest.seats == 1:
        alone, other = (play(contest, number, (bot,)) for bot in (0, 1))
        return Trial(
            points=(alone.points[0], other.points[0]),
            counts=(dict(alone.counts[0]), dict(other.counts[0])),
            won=_share(alone.points[0], other.points[0]),
            seconds=(alone.seconds[0], other.seconds[1]),
        )
    return _rotated(contest, number)


def _share(one: int, other: int) -> float:
    return 0.5 if one == other else float(one > other)


def _rotated(contest: Contest, number: int) -> Trial:
    seats = range(contest.seats)
    points, won = [0.0, 0.0], 0.0
    counts: tuple[Counter[str], Counter[str]] = Counter(), Counter()
    seconds: tuple[list[float], list[float]] = [], []
    for first in seats:
        played = play(contest, number, tuple(int(seat != first) for seat in seats))
        won += (first in played.winners) / len(played.winners) / len(seats)
        for seat in seats:
            bot = int(seat != first)
            points[bot] += played.points[seat]
            counts[bot].update(played.counts[seat])
        for bot in (0, 1):
            seconds[bot].extend(played.seconds[bot])
    plays = (len(seats), len(seats) * (len(seats) - 1))  # of each bot
    return Trial(
        points=(points[0] / plays[0], points[1] / plays[1]),
        counts=(_divided(counts[0], plays[0]), _divided(counts[1], plays[1])),
        won=won,
        seconds=seconds,
    )


def _divided(counts: Counter[str], by: int) -> dict[str, float]:
    return {name: count / by for name, count in counts.items()}


def play(contest: Contest, number: int, bots: tuple[int, ...]) -> Played:
    """A deal or match with the first (0) or second (1) bot in each seat. The dealer begins at 0.

    Each seat's chance, too, is the same whoever sits there.
    """
    game = GAMES[contest.game]
    view, apply = game.view, game.apply
    chances = [Random(f"{contest.seed} {number} seat {seat}") for seat in range(len(bots))]
    counts: list[Counter[str]] = [Counter() for _ in bots]
    seconds: tuple[list[float], list[float]] = [], []
    playing = [(bot, getattr(bot, "clock", thread_time)) for bot in contest.bots]
    sitting = [(*playing[bot], seconds[bot].append) for bot in bots]
    state, shuffles = game.new(contest.options, len(bots)), 0
    while True:
        turn = state.turn
        if turn is None or turn == DEALER:
            if _deal_is_over(state):
                for sums, counted in zip(counts, state.result.counts, strict=True):
                    sums.update(counted)
                if turn is None or not contest.matches:
                    break
                shuffles = 0
            state = _dealt(game, state, f"{contest.seed} {number} {state.deal} {shuffles}")
            shuffles += 1
            continue
        seen = view(state, turn)
        bot, clock, note = sitting[turn]
        began = clock()
        action = bot(seen, chances[turn])
        note(clock() - began)
        if action not in seen.legal:
            raise ValueError(f"{bot} answered {action}, which is not legal in {seen}.")
        state = apply(state, action)
    points = state.scores if contest.matches else state.result.points
    best = max(points)
    places = state.places or tuple(1 + (own < best) for own in points)
    winners = [seat for seat, place in enumerate(places) if place == 1]
    return Played(points, counts, winners, seconds)


def _deal_is_over(state: Any) -> bool:
    """It has a result, and the dealer is not asked for more cards in it."""
    return state.result is not None and state.result.deal == state.deal


def _dealt(game: Game, state: Any, seed: str) -> Any:
    cards = list(game.to_shuffle(state))
    Random(seed).shuffle(cards)
    return game.apply(state, game.dealer_action(state, tuple(cards), 0))


# What it comes to


def share(values: Sequence[float]) -> Mean:
    """Of shares from 0 to 1, whose interval lies there too and is never empty.

    As Agresti and Coull do, two won and two lost are added for the interval.
    """
    wide = mean([*values, 1, 1, 0, 0])
    return Mean(fmean(values), max(0.0, wide.low), min(1.0, wide.high), len(values))
