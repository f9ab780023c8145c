"""What Prometheus is told: every number that the processes of the service count, by its name.

docs/operations.md explains each. Where METRICS_DIR is set any web tells the sums of all processes
of the machine. What a process counted that has ended is added to what the dead have counted, so
that no sum ever falls; what it held, such as streams, is forgotten.
"""

import os
import shutil
from collections.abc import Iterable
from pathlib import Path

from ginservice.metric_files import METRICS_DIR, alone, held  # tells the library where to count

# isort: split
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.metrics_core import Metric
from prometheus_client.mmap_dict import MmapedDict
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

DEAD = "dead"
"""The folder of what those have counted who live no more."""

REGISTRY = CollectorRegistry()
SECONDS = (0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30)


def counter(name: str, told: str, *labels: str) -> Counter:
    return Counter(f"ginservice_{name}", told, labels, registry=REGISTRY)


def histogram(name: str, told: str, buckets: tuple[float, ...], *labels: str) -> Histogram:
    return Histogram(f"ginservice_{name}", told, labels, buckets=buckets, registry=REGISTRY)


REQUESTS = histogram("request_seconds", "Requests answered.", SECONDS, "method", "route", "status")
STATEMENTS = histogram(
    "request_statements",
    "SQL statements of a request.",
    (0, 1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50),
    "route",
)
MOVES = counter("moves", "Moves stored.", "game", "by")
TURNS = histogram("bot_turn_seconds", "Bots' turns played.", SECONDS, "game", "level")
WAITS = histogram(
    "bot_turn_wait_seconds",
    "From queueing a bot's turn until it is taken up.",
    SECONDS,
    "game",
    "queue",
)
REQUEUED = counter("bot_turns_requeued", "Bots' turns queued again.", "game", "level")
FALLBACKS = counter(
    "bot_fallbacks", "Turns that a bot's stand-in played, or nobody.", "game", "level", "reason"
)
ANALYSIS_PIECES = histogram("analysis_piece_seconds", "Pieces of analyses made.", SECONDS, "game")
ANALYSIS_ERRORS = counter("analysis_pieces_failed", "Pieces of analyses that failed.", "game")
SWEEPS = counter("sweeps", "Sweeps made.")
SWEEPS_FAILED = counter("sweeps_failed", "Parts of a sweep that failed.", "part")
STREAMS = Gauge(
    "ginservice_streams_held",
    "Streams of events held.",
    registry=REGISTRY,
    multiprocess_mode="livesum",
)
NOT_PUBLISHED = counter("publishes_failed", "Versions of which streams could not be told.")
NOT_SENT = counter("broker_failed", "Tasks that the broker did not take.")
DELIVERIES = histogram("webhook_seconds", "Attempts to tell a webhook.", SECONDS, "outcome")


def bury_the_dead(shared: Path) -> None:
    for folder in shared.iterdir():
        if folder.is_dir() and folder.name != DEAD:
            lock = held(folder)
            if lock is not None:
                bury(folder, shared / DEAD)
                os.close(lock)


def bury(folder: Path, dead: Path) -> None:
    """Add what was counted there to what the dead have counted, and delete it."""
    dead.mkdir(exist_ok=True)
    for file in folder.glob("*.db"):
        kind = file.name.partition("_")[0]
        if kind == "gauge":
            continue
        total = MmapedDict(str(dead / f"{kind}_0.db"))
        for key, value, *_ in MmapedDict.read_all_values_from_file(file):
            total.write_value(key, total.read_value(key)[0] + value, 0.0)
        total.close()
    shutil.rmtree(folder)


class Counted(Collector):
    """What all processes have counted, the dead too."""

    def collect(self) -> Iterable[Metric]:
        with alone(Path(METRICS_DIR)) as shared:
            bury_the_dead(shared)
            return list(MultiProcessCollector.merge(map(str, shared.glob("*/*.db"))))
