"""The whole service, on a Postgres and a Valkey of its own: what a move costs, and a bot's turn.

    python -m benchmarks.service

Moves a second by HTTP (8 clients, each with a match of its own, two web processes) stand against
what 8 processes reach that send the very statements of a move straight to Postgres: in turns, so
that whatever else the machine does slows both. Then bots' turns through the real queues
(benchmarks/bots.py), the proof of all logs, and memory.
"""

import multiprocessing
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import django
import psutil
import psycopg

from benchmarks.bots import measure_bots, workers
from benchmarks.web import ROOT, Player, environment, server
from ginservice.embedded import addresses, postgres, valkey

ROUNDS, SECONDS, CLIENTS = 5, 5.0, 8
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


# The whole


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
        with workers(data_dir, shared) as started:
            measure_bots(data_dir)
            print("\n| process | MiB resident | MiB of its own |\n|---|---|---|")
            for name, process in {"web": web, **started}.items():
                memory(name, psutil.Process(process.pid))
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
