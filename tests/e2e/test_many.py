"""Many matches of bots on two worker processes.

    MANY_MATCHES=200 python -m pytest -s tests/e2e/test_many.py

plays so many of each size of Rummy, and tells how long it took.
"""

import json
import os
import time
from collections import Counter
from collections.abc import Iterator
from itertools import cycle, islice
from typing import Any, NamedTuple

from games.bots import LEVELS
from games.engine import GAMES
from tests.e2e.conftest import Service
from tests.e2e.players import PATIENCE, look, new_match

EACH = int(os.environ.get("MANY_MATCHES") or 2)
SIZES = GAMES["rummy"].SEATS
AT_ONCE = 20
"""Matches under way at the same time: so few that no turn waits for as long as a lost one."""


class Table(NamedTuple):
    """A match, and when it was last seen to have moved."""

    match: dict[str, Any]
    since: float


def test_matches_of_bots_end_without_an_error_or_a_stuck_turn(start_service):
    service = start_service(WORKER_PROCESSES="2")
    token, began = service.guest(), time.monotonic()
    tables: list[Table] = []
    entries = matches = 0
    for seats in new_seats():
        tables.append(Table(new_match(service, token, game="rummy", seats=seats), time.monotonic()))
        matches += 1
        while len(tables) == AT_ONCE or (tables and matches == EACH * len(SIZES)):
            time.sleep(2)
            tables = [watched(service, token, table) for table in tables]
            entries += sum(t.match["version"] for t in tables if t.match["status"] == "finished")
            tables = [table for table in tables if table.match["status"] == "playing"]
    seconds = time.monotonic() - began

    told = Counter((event["event"], event["level"]) for event in events(service))
    print(f"\n{matches} matches, {entries:,} entries, {seconds:.0f} s, lines of log: {dict(told)}")
    assert told["bot_turn", "info"] > 0
    assert [event for event, level in told if level in ("error", "critical")] == []
    proof = service.manage("verify_logs")
    assert proof.stdout.startswith(f"{matches} matches verified, no difference"), proof.stderr


def new_seats() -> Iterator[list[dict[str, str]]]:
    """The bots of each match: all levels in turn."""
    levels = cycle(LEVELS["rummy"])
    for seats in SIZES:
        for _ in range(EACH):
            yield [{"bot": level} for level in islice(levels, seats)]


def watched(service: Service, token: str, table: Table) -> Table:
    """The table as it is now. Fails where nothing has moved for too long."""
    match = look(service, token, table.match)
    if match["version"] > table.match["version"]:
        return Table(match, time.monotonic())
    assert match["status"] in ("playing", "finished"), match
    assert time.monotonic() - table.since < PATIENCE, f"stuck: {match['awaiting']}"
    return table


def events(service: Service) -> list[dict[str, Any]]:
    """The lines of its log."""
    lines = (line for line in service.log.splitlines() if line.startswith("{"))
    return [json.loads(line) for line in lines]
