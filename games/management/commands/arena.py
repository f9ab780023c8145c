"""Measure one bot level, or an outside program, against another; or a game's whole ladder.

It needs no database. The last line of stdout is the result with its 95 % interval; with --ladder
it is a table, with --check a line for each level. Ctrl-C ends it with what it has, and so do
--minutes.
"""

import math
import os
import signal
import sys
import time
from argparse import ArgumentTypeError
from collections.abc import Iterable, Iterator
from statistics import fmean, quantiles
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.core.management.base import OutputWrapper as Output
from msgspec.structs import replace

from games import ladder
from games.arena import Contest, Trial, share, trials
from games.bots import BOTS, Bot
from games.bots.means import Mean, mean
from games.engine import GAMES
from games.programs import Foul, Program, is_program, stop_all

DEALS = 1000
MATCHES = 200
INTERRUPTED = 130
TIMES_KEPT = 200_000
"""Decisions of each level whose times are kept, the first ones."""

Times = tuple[list[float], list[float]]


class Command(BaseCommand):
    help = __doc__
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("game", nargs="?", metavar="GAME", help=", ".join(GAMES))
        parser.add_argument("first", nargs="?", metavar="LEVEL", help="the bot to be measured")
        parser.add_argument(
            "second", nargs="?", metavar="LEVEL", help="against which; a program will do for both"
        )
        whole = parser.add_mutually_exclusive_group()
        whole.add_argument(
            "--ladder", action="store_true", help="each level against the one below and `easy`"
        )
        whole.add_argument(
            "--check",
            action="store_true",
            help="whether each level of all games beats the one below",
        )
        length = parser.add_mutually_exclusive_group()
        length.add_argument(
            "--deals", type=two_or_more, help=f"decks, each in every seat (default {DEALS})"
        )
        length.add_argument(
            "--matches",
            type=two_or_more,
            help=f"whole matches in every seat (the ladder's default: {MATCHES})",
        )
        parser.add_argument(
            "--minutes",
            type=one_or_more,
            help="after so long each pair of levels ends with what it has",
        )
        parser.add_argument("--preset", help="options by name; default: the game's own")
        parser.add_argument("--seats", type=int, help="default: the fewest of the game")
        parser.add_argument("--seed", type=int, default=1, help="another one: other decks")
        parser.add_argument("--jobs", type=one_or_more, help="processes; default: one a core")
        parser.add_argument(
            "--timeout", type=float, default=10, help="seconds a program has to answer (default 10)"
        )

    def handle(self, **given: Any) -> None:
        given["jobs"] = given["jobs"] or os.cpu_count() or 1
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # as by `timeout`
        try:
            if given["check"]:
                self.check_all(given)
            elif given["ladder"]:
                self.climb(given)
            else:
                self.measure(given)
        except Foul as foul:
            raise CommandError(str(foul)) from None
        finally:
            stop_all()

    def measure(self, given: dict[str, Any]) -> None:
        """One against another."""
        if not given["second"]:
            raise CommandError("Name a game and two levels, or a game and --ladder, or --check.")
        contest, preset = contest_of(given)
        count = given["matches"] or given["deals"] or DEALS
        found, times, stopped = self.played(contest, count, given)
        levels = given["first"], given["second"]
        self.tell((*table(contest, levels, found), *pace(levels, times)))
        self.stdout.write(verdict(contest, levels, preset, found))
        if stopped:
            sys.exit(INTERRUPTED)

    def climb(self, given: dict[str, Any]) -> None:
        """The ladder of a game, a row as soon as it is measured."""
        if not given["game"] or given["first"]:
            raise CommandError("--ladder is of one game, with all its levels: name the game only.")
        game = one_of(GAMES, given["game"], "game")
        count = given["matches"] or given["deals"] or MATCHES
        given["matches"] = None if given["deals"] else count
        done: list[ladder.Step] = []
        for level, below in ladder.steps(game):
            contest, preset = contest_of({**given, "first": level, "second": below})
            if not done:
                title = ladder_title(contest, preset, count)
                self.tell((title, "", *ladder.head(unit(contest))))
            self.stderr.write(f"{level} against {below}")
            over_below, times, stopped = self.played(contest, count, given)
            over_standard = over_below
            if ladder.STANDARD not in (level, below) and not stopped:
                self.stderr.write(f"{level} against {ladder.STANDARD}")
                standard = replace(contest, bots=(contest.bots[0], BOTS[game][ladder.STANDARD]))
                over_standard, _, stopped = self.played(standard, count, given)
            done.append(ladder.Step(level, below, over_below, over_standard, times[0]))
            self.stdout.write(ladder.row(done[-1]))
            if stopped:
                sys.exit(INTERRUPTED)
        self.tell(ladder.ratings(done))

    def check_all(self, given: dict[str, Any]) -> None:
        """Ends with 1 if a level is not better than the one below."""
        if given["game"]:
            raise CommandError("--check is of all games: name none.")
        failed = []
        for found in ladder.checks(given["jobs"]):
            self.stdout.write(str(found))
            failed += [] if found.passed else [f"{found.level} of {found.game}"]
        if failed:
            raise CommandError(f"Not better than the level below: {', '.join(failed)}.")

    def tell(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.stdout.write(line)

    def played(
        self, contest: Contest, count: int, given: dict[str, Any]
    ) -> tuple[list[Trial], Times, bool]:
        """The trials, the times of decisions by bot, and whether Ctrl-C ended them."""
        found: list[Trial] = []
        times: Times = ([], [])
        ends = time.monotonic() + 60 * (given["minutes"] or math.inf)
        stopped = False
        try:
            for trial in shown(trials(contest, count, given["jobs"]), count, self.stderr):
                for kept, new in zip(times, trial.seconds, strict=True):
                    kept += new[: TIMES_KEPT - len(kept)]
                found.append(without_times(trial))
                if time.monotonic() > ends:
                    break
        except KeyboardInterrupt:
            stopped = True
            self.stderr.write(f"Stopped after {len(found)} of {count}.")
        if len(found) < 2:
            raise CommandError("Fewer than two were played: there is nothing to tell.")
        return found, times, stopped


def one_or_more(text: str) -> int:
    return at_least(1, text)


def two_or_more(text: str) -> int:
    """An interval takes two."""
    return at_least(2, text)


def at_least(least: int, text: str) -> int:
    if not text.isdecimal() or int(text) < least:
        raise ArgumentTypeError(f"{text!r} is not a number of {least} or more")
    return int(text)


def contest_of(given: dict[str, Any]) -> tuple[Contest, str]:
    """And the name of its preset. Raises CommandError for what there is not."""
    name = one_of(GAMES, given["game"], "game")
    game = GAMES[name]
    preset = one_of(game.PRESETS, given["preset"] or next(iter(game.PRESETS)), f"preset of {name}")
    seats = given["seats"] or game.SEATS[0]
    if seats not in game.SEATS:
        admitted = " to ".join(map(str, sorted({game.SEATS[0], game.SEATS[-1]})))
        raise CommandError(f"{game.TITLE} is for {admitted}, not for {seats}.")
    first, second = (bot_of(name, given[bot], given["timeout"]) for bot in ("first", "second"))
    contest = Contest(
        game=name,
        options=game.PRESETS[preset],
        bots=(first, second),
        seats=seats,
        matches=given["matches"] is not None,
        seed=given["seed"],
    )
    return contest, preset


def bot_of(game: str, name: str, seconds: float) -> Bot:
    """A level of the game, or else a program."""
    if name not in BOTS[game] and is_program(name):
        return Program(game, name, seconds)
    return BOTS[game][one_of(BOTS[game], name, f"bot for {game}, and no program,")]


def one_of(known: Iterable[str], name: str, what: str) -> str:
    if name not in known:
        raise CommandError(f"There is no {what} called {name!r}; there are: {', '.join(known)}.")
    return name


def without_times(trial: Trial) -> Trial:
    return Trial(trial.points, trial.counts, trial.won)


# On the way


def shown(found: Iterable[Trial], count: int, output: Output) -> Iterator[Trial]:
    """The same, with a bar on a terminal, and else a line for each tenth."""
    began, told, live = time.monotonic(), 0.0, output.isatty()
    for done, trial in enumerate(found, start=1):
        yield trial
        now = time.monotonic()
        if live and (now - told > 0.1 or done == count):
            told, end = now, "\n" if done == count else "\r"
            filled = "█" * (30 * done // count)
            left = round((now - began) / done * (count - done))
            bar = f"{filled:░<30} {done:,} of {count:,}, {left} s left   "
            output.write(bar, style_func=str, ending=end)
        elif not live and done * 10 // count > (done - 1) * 10 // count:
            output.write(f"{done:,} of {count:,}, {now - began:.0f} s", style_func=str)


# What it came to


def ladder_title(contest: Contest, preset: str, count: int) -> str:
    kind = f"{count:,} {'matches' if contest.matches else 'deals'} in every seat"
    return f"{contest.game} ({preset}), seats: {contest.seats}, {kind}, seed {contest.seed}"


def unit(contest: Contest) -> str:
    return "match" if contest.matches else "deal"


def table(contest: Contest, levels: tuple[str, str], found: list[Trial]) -> Iterator[str]:
    """Points, and all that the game counts, of each bot: means, and their difference."""
    yield f"| a {unit(contest)} | {levels[0]} | {levels[1]} | difference |"
    yield "|---|---|---|---|"
    yield row("points", [trial.points for trial in found])
    counted = sorted({name for trial in found for each in trial.counts for name in each})
    for name in counted:
        pairs = [(t.counts[0].get(name, 0), t.counts[1].get(name, 0)) for t in found]
        yield row(name, pairs)
    yield ""


def row(name: str, pairs: list[tuple[float, float]]) -> str:
    first, second = (fmean(values) for values in zip(*pairs, strict=True))
    difference = plus_minus(mean([one - other for one, other in pairs]), "+.3f")
    return f"| {name} | {first:.3f} | {second:.3f} | {difference} |"


def plus_minus(found: Mean, style: str) -> str:
    return f"{found.mean:{style}} ± {found.half:{style.lstrip('+')}}"


def pace(levels: tuple[str, str], times: tuple[list[float], list[float]]) -> Iterator[str]:
    """The CPU time of the levels' decisions."""
    told = []
    for level, seconds in zip(levels, times, strict=True):
        late = quantiles(seconds, n=20)[-1]
        told.append(f"{level} {1000 * fmean(seconds):.3f} ms (95 % within {1000 * late:.3f} ms)")
    yield f"A decision takes on average: {', '.join(told)}."


def verdict(contest: Contest, levels: tuple[str, str], preset: str, found: list[Trial]) -> str:
    first, second = levels
    margin = plus_minus(mean([t.points[0] - t.points[1] for t in found]), "+.2f")
    what = f"{contest.game} ({preset}), seats: {contest.seats}"
    sample = f"95 %, {len(found):,} times the same cards from every seat, seed {contest.seed}"
    if not contest.matches:
        return f"{what}: {first} over {second} {margin} points a deal ({sample})"
    won = share([trial.won for trial in found])
    part = f"{100 * won.mean:.1f} % ({100 * won.low:.1f} to {100 * won.high:.1f})"
    does = "scores more in" if contest.seats == 1 else "wins"
    even = f"even would be {100 / contest.seats:.1f} %; " if contest.seats > 2 else ""
    return (
        f"{what}: {first} {does} {part} of matches against {second},"
        f" {margin} points a match ({even}{sample})"
    )
