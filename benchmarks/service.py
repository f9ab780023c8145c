"""The whole service, on a Postgres and a Valkey of its own: what a move costs, and a bot's turn.

    python -m benchmarks.service

Moves a second by HTTP (8 clients, each with a match of its own, two web processes) stand against
what 8 processes reach that send the very statements of a move straight to Postgres: in turns, so
that whatever else the machine does slows both. Then bots' turns by level through the real queue,
what they wait when there are ten times as many, the proof of all logs, and memory.
"""

import multiprocessing
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import django
import psutil
import psycopg

from benchmarks.web import ROOT, Player, environment, server
from games.bots import LEVELS
from games.engine import GAMES
from ginservice import run
from ginservice.embedded import addresses, postgres, valkey

ROUNDS, SECONDS, CLIENTS = 5, 5.0, 8
BOT_SECONDS = 6.0
MATCHES = 4
LONG = {"gin": {"target": 10_000}, "rummy": {"target": 10_000}}
"""Options by which no match ends while it is measured."""
BAR = 0.15


class Client(Player):
    """Both seats are his; after a throw he draws for the other seat without looking first."""

    def __init__(self, port: int) -> None:
        super().__init__(port)
        self.look()

    def move(self) -> None:
        seat = self.match["turn"]
        action = {"type": "draw_stock"}
        if self.match["you"] == seat:
            legal = self.match["view"]["legal"]
            plain = [each for each in legal if each["type"] in ("draw_stock", "discard")]
            action = (plain or legal)[0]
        body = {"version": self.match["version"], "action": action}
        try:
            self.match = self.call("POST", f"{self.path}/moves", body, seat=seat)
        except SystemExit:  # the beginning of a deal, where one may first take the card turned up
            self.match = self.call("GET", self.path, seat=seat)
            self.move()


def play(port: int, gate: Any, told: Any) -> None:
    """A client process: in each round, the seconds that each of its moves took."""
    client = Client(port)
    for _ in range(ROUNDS + 1):
        gate.wait()
        client.http.close()  # the server may have closed it meanwhile; it opens by itself
        told.put(timed(client.move))


def timed(work: Callable[[], None]) -> list[float]:
    took, end = [], time.monotonic() + SECONDS
    while time.monotonic() < end:
        started = time.perf_counter()
        work()
        took.append(time.perf_counter() - started)
    return took


MOVE = "INSERT INTO games_move (match_id, version, seat, action, created_at)"
MOVE += " VALUES (%s, %s, 0, %s, now()) RETURNING id"
WRITTEN = "position version status ended_by turn bot_to_move queued_at deadline ends_at attempts"


def send(url: str, match: str, digest: str, gate: Any, told: Any) -> None:
    """A process that sends a move's statements, and does nothing else."""
    token, lock, row = statements(url, match)
    columns = [*WRITTEN.split(), "started_at", "finished_at"]
    update = f"UPDATE games_match SET {', '.join(f'{c} = %s' for c in columns)} WHERE id = %s"
    with psycopg.connect(url, autocommit=True) as connection:
        version = row["version"]

        def move() -> None:
            nonlocal version
            version += 1
            connection.execute(token, [digest]).fetchone()
            with connection.transaction():
                connection.execute(lock, [match]).fetchone()
                connection.execute(MOVE, [match, version, '{"type": "draw_stock"}'])
                connection.execute(update, [*(row[c] for c in columns), match])

        for _ in range(ROUNDS + 1):
            gate.wait()
            told.put(timed(move))


def statements(url: str, match: str) -> tuple[str, str, dict[str, Any]]:
    """The service's own, and the values that it would write."""
    django.setup()
    from django.db import connection, transaction

    from games.services.moves import locking
    from players.authentication import finding

    with transaction.atomic():
        lock = locking()
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM games_match WHERE id = %s", [match])
        names = [column.name for column in cursor.description]
        row = dict(zip(names, cursor.fetchone(), strict=True))
    connection.close()
    return finding(), lock, row


class Group:
    """Processes that do the same, in rounds that all begin at once."""

    def __init__(self, work: Callable[..., None], of_each: list[tuple[Any, ...]]) -> None:
        context = multiprocessing.get_context("spawn")
        self.gate, self.told = context.Barrier(len(of_each) + 1), context.Queue()
        shared = (self.gate, self.told)
        self.processes = [context.Process(target=work, args=(*own, *shared)) for own in of_each]
        for process in self.processes:
            process.start()

    def round(self) -> list[float]:
        """What each move took."""
        self.gate.wait(300)
        return [seconds for _ in self.processes for seconds in self.told.get(timeout=300)]


def compare_moves(port: int, data_dir: Path) -> bool:
    from players.services import digest

    url = addresses.postgres_url(data_dir)
    own = []
    for _ in range(CLIENTS):
        player = Player(port)
        own.append((url, player.match["id"], digest(player.tokens[0])))
    players, senders = Group(play, [(port,)] * CLIENTS), Group(send, own)
    by_http, straight, all_times = [], [], list[float]()
    for group in (players, senders):
        group.round()  # warm
    for _ in range(ROUNDS):
        took = players.round()
        all_times += took
        by_http.append(len(took) / SECONDS)
        straight.append(len(senders.round()) / SECONDS)
    share = median(a / b for a, b in zip(by_http, straight, strict=True))
    cuts = [1000 * cut for cut in quantiles(all_times, n=100)]
    verdict = "passed" if share >= BAR else "FAILED"
    print(f"| moves a second | {median(by_http):.0f} | {median(straight):.0f} |", end="")
    print(f" **{share:.1%}** | {BAR:.0%}: {verdict} |")
    print(f"\nOf moves by HTTP half take less than {cuts[49]:.1f} ms,", end=" ")
    print(f"99 of 100 less than {cuts[98]:.1f} ms.", flush=True)
    return share >= BAR


# Bots


@contextmanager
def worker(data_dir: Path, shared: dict[str, str]) -> Iterator[Any]:
    settings = environment(data_dir) | shared | {"WORKER_PROCESSES": "2", "LOG_LEVEL": "ERROR"}
    process = subprocess.Popen(
        [sys.executable, *run.COMMANDS["worker"].split()],
        cwd=ROOT,
        env=settings | {"PYTHONWARNINGS": "ignore"},
    )
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


def bots_of(game: str, level: str, matches: int) -> tuple[float, float]:
    """Turns a second in so many matches of that level's bots alone, and what a turn waits, in ms,
    until a worker takes it up."""
    from django.db import transaction

    from games.models import Match, Move
    from games.services import mending, tables
    from games.services.wishes import Wish
    from players.models import Player as Row

    maker = Row.objects.filter(is_superuser=True).first() or Row.objects.create_superuser("bench")
    seats = [Wish(bot=level)] * GAMES[game].SEATS[0]
    options = LONG.get(game, {})
    ids = [tables.create_match(maker, game, options, seats).pk for _ in range(matches)]
    played = Move.objects.filter(match__in=ids, seat__gte=0)
    while not played.exists():  # the worker may still be starting
        time.sleep(0.1)
    time.sleep(1)
    before, waits, began = played.count(), waited(), time.monotonic()
    time.sleep(BOT_SECONDS)
    turns = (played.count() - before) / (time.monotonic() - began)
    after = waited()
    for match in Match.objects.filter(pk__in=ids, status="playing"):
        with transaction.atomic():
            version = Match.objects.select_for_update().get(pk=match.pk).version
            mending.end(match.pk, maker, "of the benchmark", version)
    return turns, 1000 * (after[1] - waits[1]) / max(1, after[0] - waits[0])


def waited() -> tuple[float, float]:
    """How many turns have been taken up so far, and for how many seconds they waited in all."""
    from prometheus_client import generate_latest

    from ginservice import metrics

    text = generate_latest(metrics.Counted()).decode()
    name = "ginservice_bot_turn_wait_seconds"
    return tuple(  # type: ignore[return-value]
        sum(float(value) for value in re.findall(rf"^{name}_{part}{{.*}} (\S+)$", text, re.M))
        for part in ("count", "sum")
    )


def measure_bots() -> None:
    print("\n| bots, two worker processes | turns a second | ms a turn waits |", end="")
    print(" times as slow as `random` |\n|---|---|---|---|")
    for game, levels in LEVELS.items():
        slowest = 0.0
        for level in levels:
            turns, wait = bots_of(game, level, MATCHES)
            slowest = slowest or turns
            times = f"{slowest / turns:.1f}" if turns else "no turn ended"
            print(f"| {game} {level} | {turns:.1f} | {wait:.0f} | {times} |", flush=True)
    few, many = (bots_of("gin", "easy", count) for count in (MATCHES, 10 * MATCHES))
    print(
        f"\nTen times the load ({10 * MATCHES} matches of gin's easy bots, not {MATCHES}):", end=" "
    )
    print(f"{few[0]:.0f} and {many[0]:.0f} turns a second; a turn waits {few[1]:.0f} ms", end=" ")
    print(f"and {many[1]:.0f} ms, {many[1] / few[1]:.1f} times as long.")


def memory(name: str, process: Any) -> None:
    """What each process has for itself; what it shares with others is divided among them."""
    for kind, one in (("", process), *(("'s child", c) for c in process.children())):
        full = one.memory_full_info()
        print(f"| {name}{kind} | {full.rss / 2**20:.0f} | {full.pss / 2**20:.0f} |")


def measure(data_dir: Path) -> bool:
    """In a process whose environment says where the servers are."""
    from django.core.management import call_command
    from django.utils import timezone

    django.setup()
    shared = {"METRICS_DIR": os.environ["METRICS_DIR"]}
    with server("WSGI", data_dir, GRANIAN_WORKERS="2", **shared) as (port, web):
        print("| | by HTTP | straight | ratio | bar |\n|---|---|---|---|---|")
        held = compare_moves(port, data_dir)
        since = timezone.now().isoformat()
        with worker(data_dir, shared) as bots:
            measure_bots()
            print("\n| process | MiB resident | MiB of its own |\n|---|---|---|")
            memory("web", psutil.Process(web.pid))
            memory("worker", psutil.Process(bots.pid))
    print("\nThe matches of bots:", end=" ", flush=True)
    call_command("verify_logs", since=since)
    print(f"\nLoad at the end: {os.getloadavg()[0]:.1f}")
    return held


def main() -> None:
    if sys.argv[1:]:
        sys.exit(not measure(Path(sys.argv[1])))
    print(machine(), f"load {os.getloadavg()[0]:.1f}\n", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        data_dir = Path(folder).resolve() / "data"
        own = {"METRICS_DIR": str(data_dir / "metrics"), "LOG_LEVEL": "ERROR"}
        own["DJANGO_SETTINGS_MODULE"] = "ginservice.settings"
        try:
            postgres.start(data_dir)
            valkey.start(data_dir)
            told = environment(data_dir) | own
            command = [sys.executable, "manage.py", "migrate", "-v0"]
            subprocess.run(command, cwd=ROOT, env=told, check=True)
            command = [sys.executable, "-m", "benchmarks.service", str(data_dir)]
            code = subprocess.run(command, cwd=ROOT, env=told, check=False).returncode
        finally:
            valkey.stop(data_dir)
            postgres.stop(data_dir)
    sys.exit(code)


def machine() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    [cpu] = {line.partition(": ")[2] for line in lines if line.startswith("model name")}
    return f"{cpu}, {os.cpu_count()} cores, Python {platform.python_version()},"


if __name__ == "__main__":
    main()
