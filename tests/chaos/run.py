"""One run of chaos: people come in and play, trouble comes, all ends, and it is judged."""

import json
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import psycopg

from ginservice.embedded import addresses
from tests.chaos.clients import GaveUp, Person, Records
from tests.chaos.hooks import EVENTS, Unsteady
from tests.chaos.house import House
from tests.chaos.judge import judged
from tests.chaos.proxy import Proxy
from tests.chaos.records import Entry, Kept, Told, digest
from tests.chaos.tables import SPECTATOR, Table, run_table
from tests.chaos.trouble import TROUBLES, Trouble

SHARE = 0.2
"""Of all exchanges, those that are injured; of what webhooks are told, what they do not take."""

STUCK = 90
"""Seconds without a move, when all trouble is over, after which a match counts as stuck."""

SENDING = 120
"""Seconds, when all is over, in which every webhook must have been told what it was not yet."""


@dataclass
class Run:
    """What is done and found. `say` is told what happens as it happens."""

    data_dir: Path
    tables: list[Table]
    seed: int
    troubles: list[Trouble] = field(default_factory=TROUBLES.copy)
    say: Callable[[str], None] = print
    began: float = field(default_factory=time.monotonic)
    records: Records = field(default_factory=Records)
    troubled: Counter[str] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)
    receivers: list[Unsteady] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.house = House(self.data_dir)
        self.rng = Random(self.seed)

    def tell(self, text: str) -> None:
        self.say(f"{time.monotonic() - self.began:6.1f} s  {text}")

    def go(self, seconds: float) -> list[str]:
        """Trouble for so long, or with 0 each once; then the end. Returns the findings."""
        try:
            self.house.open()
            self.proxy = Proxy(list(self.house.ports.values()), SHARE, Random(self.seed))
            self.proxy.start()
            self.tell(f"open: {len(self.tables)} tables, seed {self.seed}")
            try:
                self.play(seconds)
                self.tell_the_rest()
            finally:
                self.proxy.stop()
            self.judge()
        finally:
            self.house.close()
            for receiver in self.receivers:
                receiver.close()
        return self.findings

    def play(self, seconds: float) -> None:
        with ThreadPoolExecutor(len(self.tables)) as pool:
            playing = [pool.submit(self.seat, n, table) for n, table in enumerate(self.tables)]
            try:
                self.until(lambda: self.begun(playing), playing)
                self.trouble(seconds)
                self.records.over.set()
                self.tell("no more trouble, but the line stays bad; the last matches are played")
                self.until(lambda: False, playing)
                if any(not one.done() for one in playing):
                    self.tell(f"stuck: a match has not moved for {STUCK} s")
            finally:
                self.records.over.set()
                self.records.stop.set()

    def until(self, holds: Callable[[], bool], playing: list[Future[None]]) -> None:
        """Until that holds, or all tables have ended, or one of them is stuck."""
        while not (holds() or all(one.done() for one in playing)):
            if self.records.silent() > STUCK:
                return
            time.sleep(0.1)

    def begun(self, playing: list[Future[None]]) -> bool:
        """Whether each table has made a match, or has failed."""
        failed = sum(one.done() for one in playing)
        return len(self.records.begun) + failed >= len(playing)

    def seat(self, number: int, table: Table) -> None:
        """Let the people of a table come in and play."""
        names = [f"{name}-{number}" for name in ("ann", "bob", "eve")[: max(1, table.people)]]
        people = [
            Person(name, self.proxy.url, self.records, Random(f"{self.seed} {name}"))
            for name in names
        ]
        try:
            for person in people:
                person.come_in()
            self.listen(people[0])
            run_table(table, people)
        except GaveUp as error:
            if not self.records.stop.is_set():
                self.records.faults.append(f"refused: {error}")
        except Exception as error:  # a broken client must not look like a quiet one
            self.records.faults.append(f"client: {error!r}")

    def listen(self, person: Person) -> None:
        """Give a person a webhook. Its secret is told once, and so not over the bad line."""
        told = Told(person.name)
        receiver = Unsteady(told, SHARE, Random(f"{self.seed} {person.name}'s webhook"))
        self.receivers.append(receiver)
        self.records.hooks.append(told)
        body = json.dumps({"url": receiver.url, "events": EVENTS}).encode()
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {person.token}"}
        status, answer = self.house.ask("web-1", "POST", "/api/v1/me/webhooks", headers, body)
        assert status == 201, (status, answer)
        receiver.secret = json.loads(answer)["secret"]

    def tell_the_rest(self) -> None:
        """Let the hours pass after which webhooks are told again what they have not taken."""
        for receiver in self.receivers:
            receiver.share = 0
        until = time.monotonic() + SENDING
        with psycopg.connect(self.database, autocommit=True) as connection:
            left = "FROM players_delivery WHERE next_at IS NOT NULL"
            while time.monotonic() < until and connection.execute(f"SELECT 1 {left}").fetchone():
                connection.execute(
                    "UPDATE players_delivery SET next_at = now() WHERE next_at > now() + '8 s'"
                )
                time.sleep(1)
            [waiting] = connection.execute(f"SELECT count(*) {left}").fetchone() or [0]
        self.tell(f"webhooks have been told all but {waiting}")

    @property
    def database(self) -> str:
        return addresses.postgres_url(self.data_dir)

    def trouble(self, seconds: float) -> None:
        """One trouble after the other, in the order of chance; between two, people play."""
        until = time.monotonic() + seconds
        waiting: list[Trouble] = []
        while time.monotonic() < until or waiting or not self.troubled:
            if not waiting:
                waiting = self.rng.sample(self.troubles, len(self.troubles))
            trouble = waiting.pop()
            began = time.monotonic()
            try:
                trouble(self.house, self.rng)
            except Exception as error:  # it was not healed
                self.records.faults.append(f"not healed: {trouble.__name__}: {error!r}")
            self.troubled[trouble.__name__] += 1
            lasted = time.monotonic() - began
            self.tell(f"{trouble.__doc__} ({lasted:.1f} s; {len(self.records.sent)} moves so far)")
            time.sleep(self.rng.uniform(0, 4 if seconds else 1))

    def judge(self) -> None:
        self.tell("all is quiet; judging")
        kept = self.kept()
        records = self.records
        self.findings = [
            *judged(
                records.sent,
                records.asked,
                records.heard,
                records.hooks,
                kept,
                records.told,
                self.proxy.answers,
            ),
            *records.faults,
            *(f"proxy: {failure}" for failure in self.proxy.failures),
        ]
        proof = self.house.manage("verify_logs")
        self.tell((proof.stdout + proof.stderr).strip())
        if proof.returncode:
            self.findings.append(f"broken: verify_logs says {proof.stderr.strip()}")

    def kept(self) -> dict[str, Kept]:
        """Each match as the database has it, and as each reader may read its whole stream."""
        readers = {(one.match, one.reader) for one in self.records.heard}
        with psycopg.connect(self.database) as connection:
            matches = connection.execute(
                "SELECT id, status, game FROM games_match ORDER BY id"
            ).fetchall()
            kept = {str(pk): stored(connection, pk, status) for pk, status, _ in matches}
        for match, reader in readers:
            if match in kept:
                kept[match].events[reader] = self.stream(match, reader)
        self.games = Counter(game for *_, game in matches)
        return kept

    def stream(self, match: str, reader: str) -> list[tuple[int, str]]:
        """All events, read page by page and without the bad line."""
        token = self.records.tokens[reader] if reader != SPECTATOR else ""
        headers = {"Accept": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        events: list[tuple[int, str]] = []
        path: str | None = f"/api/v1/matches/{match}/events"
        while path:
            status, body = self.house.get("web-1", path, headers)
            assert status == 200, (status, body)
            page = json.loads(body)
            events += [digest(event) for event in page["results"]]
            path = page["next"] if page["results"] else None
        return events


def stored(connection: psycopg.Connection[Any], match: Any, status: str) -> Kept:
    """A match as the database has it."""

    def rows(query: str) -> list[Any]:
        return connection.execute(query, [match]).fetchall()

    log = rows(
        "SELECT version, seat, action FROM games_move WHERE match_id = %s ORDER BY version, id"
    )
    people = rows(
        "SELECT number, name FROM games_seat s JOIN players_player p ON p.id = s.player_id"
        " WHERE match_id = %s"
    )
    posted = rows(
        "SELECT number, array_agg(points) FROM games_score c JOIN games_seat s USING"
        " (match_id, player_id) WHERE match_id = %s GROUP BY number"
    )
    return Kept(status, [Entry(*row) for row in log], dict(people), dict(posted))
