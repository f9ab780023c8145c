"""Bots' turns through the real queues: of each level, how many a second, and what they wait.

Part of benchmarks.service. Four matches of bots of one level at once, and forty, for two seconds
each; all levels of a game in turns, in several rounds. Each is compared with `random` of its
game, and forty with four, in the same round, so that whatever else the machine does slows both.
Then the same for an easy bot, by itself and beside forty matches of bots that think longer.
Nothing sweeps meanwhile.
"""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from statistics import mean, quantiles
from typing import Any

from benchmarks.web import ROOT, environment
from games.bots import LEVELS
from games.engine import GAMES
from ginservice import run

ROUNDS, SECONDS, WARM = 2, 2.0, 0.5
FEW, MANY = 4, 40
LONG = {"gin": {"target": 10_000}, "rummy": {"target": 10_000}}
"""Options by which no match ends while it is measured. Of Pyramid new ones are begun instead."""
WORKERS = ("worker", "thinkers")
Turn = dict[str, Any]


@contextmanager
def workers(data_dir: Path, shared: dict[str, str]) -> Iterator[dict[str, Any]]:
    """Both workers of bots' turns, each of two processes, which write what they play to files."""
    more = {"WORKER_PROCESSES": "2", "LOG_LEVEL": "INFO", "PYTHONWARNINGS": "ignore"}
    with ExitStack() as stack:
        started = {}
        for name in WORKERS:
            output = stack.enter_context((data_dir / name).open("wb"))
            started[name] = subprocess.Popen(
                [sys.executable, *run.COMMANDS[name].split()],
                cwd=ROOT,
                env=environment(data_dir) | shared | more,
                stdout=output,
            )
            stack.callback(started[name].wait)
            stack.callback(started[name].terminate)
        yield started


class Matches:
    """So many matches of bots of one level, of which ended ones are replaced."""

    def __init__(self, game: str, level: str, count: int) -> None:
        self.game, self.level, self.count = game, level, count
        self.ids: list[Any] = []

    def fill(self) -> None:
        from games.models import Match
        from games.services import tables
        from games.services.wishes import Wish

        live = Match.objects.filter(pk__in=self.ids, status="playing")
        self.ids = list(live.values_list("pk", flat=True))
        seats = [Wish(bot=self.level)] * GAMES[self.game].SEATS[0]
        for _ in range(self.count - len(self.ids)):
            match = tables.create_match(maker(), self.game, LONG.get(self.game, {}), seats)
            self.ids.append(match.pk)

    def end(self) -> None:
        from django.db import transaction

        from games.models import Match
        from games.services import mending

        for match in Match.objects.filter(pk__in=self.ids, status="playing"):
            with transaction.atomic():
                version = Match.objects.select_for_update().get(pk=match.pk).version
                mending.end(match.pk, maker(), "of the benchmark", version)


def maker() -> Any:
    from players.models import Player

    found = Player.objects.filter(is_superuser=True).first()
    return found or Player.objects.create_superuser("bench")


def played(data_dir: Path, matches: Matches) -> list[Turn]:
    """The turns that are played in them in SECONDS, as the workers' logs tell."""
    matches.fill()
    wait(matches, WARM)
    files = [data_dir / name for name in WORKERS]
    before = [file.stat().st_size for file in files]
    wait(matches, SECONDS)
    return [
        turn
        for file, offset in zip(files, before, strict=True)
        for turn in turns(file, offset, file.stat().st_size)
        if turn["bot"] == matches.level
    ]


def wait(matches: Matches, seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        time.sleep(0.1)
        if matches.game not in LONG:
            matches.fill()


def turns(file: Path, begin: int, end: int) -> Iterator[Turn]:
    with file.open("rb") as lines:
        lines.seek(begin)
        for line in lines.read(end - begin).splitlines():
            if b'"event": "bot_turn"' in line:
                with suppress(ValueError):  # begun before, or not ended yet
                    yield json.loads(line)


def wait_for_workers(data_dir: Path) -> None:
    """Until each has played: the first turn loads the bots."""
    for level in ("easy", "expert"):
        matches = Matches("gin", level, FEW)
        while not played(data_dir, matches):
            pass
        matches.end()


def measure_bots(data_dir: Path) -> None:
    wait_for_workers(data_dir)
    print(f"\n| matches of bots, {FEW} at once and {MANY} | turns a second | × `random`", end=" ")
    print("| ms a turn waits: p50, p99 | ten times the matches: × turns | p50, p99", end=" ")
    print("| × p99 | by a stand-in |\n|---|---|---|---|---|---|---|---|")
    for game in LEVELS:
        measure_levels(data_dir, game)
    beside(data_dir)


def measure_levels(data_dir: Path, game: str) -> None:
    found: dict[tuple[str, int], list[list[Turn]]] = {}
    for _ in range(ROUNDS):
        for level in LEVELS[game]:
            for count in (FEW, MANY):
                matches = Matches(game, level, count)
                found.setdefault((level, count), []).append(played(data_dir, matches))
                matches.end()
    for level in LEVELS[game]:
        random = found[LEVELS[game][0], FEW]
        tell(f"{game} {level}", found[level, FEW], found[level, MANY], random)


Rounds = list[list[Turn]]


def tell(name: str, few: Rounds, many: Rounds, random: Rounds) -> None:
    """A line of the table; ratios are of the same round, their mean is told."""
    once, tenfold = waits(few), waits(many)
    longer = mean(waits([b])[1] / waits([a])[1] for a, b in zip(few, many, strict=True))
    instead = sum("instead" in turn for turns in many for turn in turns)
    print(f"| {name} | {mean(map(len, few)) / SECONDS:.0f} | {ratio(few, random):.2f}", end="")
    print(f" | {once[0]:.0f}, {once[1]:.0f} | {ratio(many, few):.2f}", end="")
    print(f" | {tenfold[0]:.0f}, {tenfold[1]:.0f} | {longer:.1f}", end="")
    print(f" | {instead / max(1, sum(map(len, many))):.0%} |", flush=True)


def waits(rounds: Rounds) -> tuple[float, float]:
    """The median and the 99th percentile, in ms; one at least, to be divided by."""
    cuts = quantiles([max(1, turn["waited_ms"]) for turns in rounds for turn in turns], n=100)
    return cuts[49], cuts[98]


def ratio(ones: Rounds, others: Rounds) -> float:
    """Of the turns of the same round."""
    return mean(len(a) / max(1, len(b)) for a, b in zip(ones, others, strict=True))


def beside(data_dir: Path) -> None:
    """Do bots that think longer hold up one that answers at once?"""
    alone, crowded = [], []
    for _ in range(2 * ROUNDS):
        easy = Matches("gin", "easy", 1)
        alone.append(played(data_dir, easy))
        flood = Matches("gin", "expert", MANY)
        flood.fill()
        crowded.append(played(data_dir, easy))
        flood.end()
        easy.end()
    one, other = waits(alone), waits(crowded)
    print(f"\nOne match of gin's easy bots by itself: {one[0]:.1f} ms a turn waits", end=" ")
    print(f"(p99 {one[1]:.1f}); beside {MANY} of expert bots {other[0]:.1f} ms", end=" ")
    print(f"(p99 {other[1]:.1f}), and {ratio(crowded, alone):.2f} of the turns.")
