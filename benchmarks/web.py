"""The web servers, on a Postgres and a Valkey of their own: moves a second, and held streams.

    python -m benchmarks.web

First moves a second by the server of `make run`, which also holds streams (ASGI), and by the one
that docker compose runs for all but streams (WSGI), in turns. Then 500 streams on one ASGI
process: what they cost in memory and connections to the database, and how long an event takes
from the answer to the move until the last of its readers has it.
"""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from typing import Any
from uuid import uuid4

import psutil
import psycopg

from ginservice.embedded import addresses, postgres, valkey

ROOT = Path(__file__).resolve().parents[1]
TARGETS = {"ASGI": "ginservice.asgi:application", "WSGI": "ginservice.wsgi:application"}
ROUNDS, SECONDS, PLAYERS = 5, 4.0, 8
STREAMS, EVENTS = 500, 20
JSON = {"Content-Type": "application/json"}


class Player:
    """A guest with a connection that lasts, and a match against himself: both seats are his own
    two tokens'."""

    def __init__(self, port: int, keys: bool = False) -> None:
        """With `keys`, each move has an Idempotency-Key."""
        self.http, self.keys = HTTPConnection("127.0.0.1", port), keys
        self.tokens = [self.call("POST", "/players/guest")["token"] for _ in range(2)]
        body = {"game": "gin", "seats": ["me", "open"], "options": {"target": 10_000}}
        self.match = self.call("POST", "/matches", body)
        self.path = f"/matches/{self.match['id']}"
        self.match = self.call("POST", f"{self.path}/seats", {}, seat=1)

    def call(self, method: str, path: str, body: Any = None, seat: int | None = 0) -> Any:
        headers = dict(JSON)
        if self.keys and path.endswith("/moves"):
            headers["Idempotency-Key"] = uuid4().hex
        if hasattr(self, "tokens"):
            headers["Authorization"] = f"Bearer {self.tokens[seat or 0]}"
        sent = None if body is None else json.dumps(body)
        self.http.request(method, "/api/v1" + path, sent, headers)
        answer = self.http.getresponse()
        told = json.loads(answer.read())
        if answer.status >= 400:
            raise SystemExit(told)
        return told

    def look(self) -> None:
        self.match = self.call("GET", self.path)
        if self.match["turn"] == 1:
            self.match = self.call("GET", self.path, seat=1)

    def move(self) -> None:
        """The last legal action: never a knock while there is anything else."""
        if self.match["turn"] != self.match["you"]:
            self.match = self.call("GET", self.path, seat=self.match["turn"])
        legal = self.match["view"]["legal"]
        plain = [each for each in legal if each["type"] in ("draw_stock", "discard")]
        body = {"version": self.match["version"], "action": (plain or legal)[0]}
        self.match = self.call("POST", f"{self.path}/moves", body, seat=self.match["you"])


@contextmanager
def server(interface: str, data_dir: Path, **more: str) -> Any:
    """(port, process) of a granian, as run.py and docker-compose.yml start it, by default with one
    worker."""
    port = addresses.free_port()
    threads = {"GRANIAN_BLOCKING_THREADS": "4", "GRANIAN_BLOCKING_THREADS_IDLE_TIMEOUT": "600"}
    process = subprocess.Popen(
        [sys.executable, "-m", "granian", "--interface", interface.lower(), TARGETS[interface]],
        cwd=ROOT,
        env=environment(data_dir)
        | {"GRANIAN_PORT": str(port), "GRANIAN_LOG_LEVEL": "error", "LOG_LEVEL": "WARNING"}
        | (threads if interface == "WSGI" else {})
        | more,
    )
    while True:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz").read()
            break
        except OSError:
            time.sleep(0.1)
    try:
        yield port, process
    finally:
        process.terminate()
        process.wait()


def environment(data_dir: Path) -> dict[str, str]:
    ours = {k: v for k, v in os.environ.items() if k not in ("DATABASE_URL", "REDIS_URL")}
    return ours | {
        "DATA_DIR": str(data_dir),
        "SECRET_KEY": "of the benchmarks, known to everybody and used nowhere else",
        "THROTTLES": "0",
    }


def moves_a_second(port: int, process: Any) -> tuple[float, float]:
    """And the milliseconds of CPU that each has cost the server."""
    worker = psutil.Process(process.pid).children()[0]
    players = [Player(port) for _ in range(PLAYERS)]
    end = time.monotonic() + SECONDS

    def play(player: Player) -> int:
        moves = 0
        while time.monotonic() < end:
            player.move()
            moves += 1
        return moves

    before = cpu(worker)
    with ThreadPoolExecutor(PLAYERS) as threads:
        moves = sum(threads.map(play, players))
    return moves / SECONDS, 1000 * (cpu(worker) - before) / moves


def cpu(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


def compare(data_dir: Path) -> None:
    found: dict[str, list[tuple[float, float]]] = {"ASGI": [], "WSGI": []}
    with server("ASGI", data_dir) as asgi, server("WSGI", data_dir) as wsgi:
        for each in (asgi, wsgi):
            moves_a_second(*each)  # warm
        for _ in range(ROUNDS):
            for interface, each in (("ASGI", asgi), ("WSGI", wsgi)):
                found[interface].append(moves_a_second(*each))
    print("| server | moves a second | ms of CPU a move |\n|---|---|---|")
    for interface, rounds in found.items():
        rate, cost = (median(figures) for figures in zip(*rounds, strict=True))
        print(f"| {interface} | {rate:.0f} | {cost:.2f} |")
    pairs = list(zip(found["ASGI"], found["WSGI"], strict=True))
    rates = median(ours[0] / theirs[0] for ours, theirs in pairs)
    costs = median(ours[1] / theirs[1] for ours, theirs in pairs)
    print(f"\nASGI / WSGI: {rates:.2f} of the moves a second, {costs:.2f} of the CPU", end=" ")
    print(f"(medians of {ROUNDS} rounds in turns, {PLAYERS} clients)\n")


async def reading(port: int, path: str, token: str, seen: asyncio.Queue[float]) -> None:
    """A stream; puts the time at which each event came into `seen`."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    head = f"GET /api/v1{path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}"
    writer.write(f"{head}\r\n\r\n".encode())
    while line := await reader.readline():
        if line.startswith(b"id: "):
            seen.put_nowait(time.monotonic())
        if line.startswith(b"retry"):
            seen.put_nowait(0)
    writer.close()


async def hold(port: int, process: Any, data_dir: Path) -> None:
    crowd, many = Player(port), [Player(port) for _ in range(STREAMS // 10)]
    worker = psutil.Process(process.pid).children()[0]
    before = worker.memory_info().rss
    seen: asyncio.Queue[float] = asyncio.Queue()
    followed = [crowd] * (STREAMS // 2) + (many * STREAMS)[: STREAMS // 2]
    streams = []
    for player in followed:
        after = player.match["version"]
        path = f"{player.path}/events?after={after}"
        streams.append(asyncio.ensure_future(reading(port, path, player.tokens[0], seen)))
    for _ in followed:
        await seen.get()
    await asyncio.sleep(5)
    held = worker.memory_info().rss
    connections = of_the_database(data_dir)
    before_idle = cpu(worker)
    await asyncio.sleep(10)
    spent = cpu(worker) - before_idle
    print(f"{STREAMS} streams of {len(many) + 1} matches on one process:\n")
    print(f"- memory {before / 2**20:.0f} MiB before, {held / 2**20:.0f} MiB held:", end=" ")
    print(f"{(held - before) / STREAMS / 1024:.0f} KiB a stream")
    print(f"- connections to the database: {connections}; CPU while idle: {spent / 10:.1%}")
    for name, player, readers in (("250", crowd, STREAMS // 2), ("5", many[0], 5)):
        first, last = [], []
        player.http.close()  # the server has closed one that was idle for long
        for _ in range(EVENTS):
            version = player.match["version"]
            await asyncio.to_thread(player.move)
            answered = time.monotonic()
            new = player.match["version"] - version
            times = [await seen.get() for _ in range(readers * new)]
            first.append(min(times) - answered)
            last.append(max(times) - answered)
        print(
            f"- an event reaches {name} readers: the first {1000 * median(first):.0f} ms after the "
            f"answer to the move, the last {1000 * median(last):.0f} ms (medians of {EVENTS})"
        )
    for stream in streams:
        stream.cancel()


def of_the_database(data_dir: Path) -> int:
    with psycopg.connect(addresses.postgres_url(data_dir)) as connection:
        asked = "SELECT count(*) - 1 FROM pg_stat_activity WHERE datname = current_database()"
        return int(connection.execute(asked).fetchone()[0])


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        data_dir = Path(folder).resolve() / "data"
        try:
            postgres.start(data_dir)
            valkey.start(data_dir)
            command = [sys.executable, "manage.py", "migrate", "--no-input", "-v0"]
            subprocess.run(command, cwd=ROOT, env=environment(data_dir), check=True)
            compare(data_dir)
            with server("ASGI", data_dir) as (port, process):
                asyncio.run(hold(port, process, data_dir))
        finally:
            valkey.stop(data_dir)
            postgres.stop(data_dir)


if __name__ == "__main__":
    main()
