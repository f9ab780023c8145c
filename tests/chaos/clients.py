"""Who plays: people with keys, who ask again until they are answered and write down what they were
told, and who listens to them.
"""

import json
import threading
import time
import uuid
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http.client import HTTPException
from random import Random
from typing import Any, NamedTuple
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import msgspec

from games import bots
from games.engine import GAMES
from tests.chaos.judge import Heard, Sent, digest
from tests.e2e.listeners import FORMS, Listener

PATIENCE = 4
"""Seconds until an answer is given up and asked for again."""

WAIT = 3
"""Seconds of a long poll: less than PATIENCE."""

HEARING = 90
"""Seconds after the end of a match until all who listen must have heard of it."""

AGAIN = (429, 500, 502, 503)
"""Answers after which the same is asked again; a 500 is written down as a fault all the same."""

PASSWORD = "correct horse battery"
SPECTATOR = ""


class Table(NamedTuple):
    """What is played at a table, again and again. The first seat's person makes the match."""

    game: str
    seats: list[Any]
    options: dict[str, Any]
    clock: dict[str, int] | None = None

    @property
    def people(self) -> int:
        return sum(seat in ("me", "open") for seat in self.seats)


EASY = {"bot": "easy"}
TABLES = [
    Table("gin", ["me", "open"], {"max_deals": 1}),
    Table("rummy", ["me", "open", EASY], {"max_deals": 1}),
    Table("pyramid", ["me"], {"redeals": 0}),
    Table("gin", [EASY, "me"], {"max_deals": 1}, {"days": 1}),
    Table("gin", [EASY, EASY], {"max_deals": 2}),
]
"""Short matches: many begin and end in the middle of trouble."""


class GaveUp(Exception):
    """The run is over for who still waits for an answer."""


@dataclass
class Records:
    """What all people were told, for the judge."""

    sent: list[Sent] = field(default_factory=list)
    heard: list[Heard] = field(default_factory=list)
    told: set[str] = field(default_factory=set)
    tokens: dict[str, str] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    answers: Counter[str] = field(default_factory=Counter)
    progress: dict[str, tuple[int, float]] = field(default_factory=dict)
    """Of each match that is being played the version last seen, and since when it is."""

    over: threading.Event = field(default_factory=threading.Event)
    """Set: no new match is begun."""
    stop: threading.Event = field(default_factory=threading.Event)
    """Set: whoever still waits gives up."""

    def saw(self, match: dict[str, Any]) -> None:
        before, _ = self.progress.get(match["id"], (0, 0.0))
        if match["version"] > before:
            self.progress[match["id"]] = match["version"], time.monotonic()

    def silent(self) -> float:
        """Seconds since the match that waits longest has moved."""
        since = [moment for _, moment in list(self.progress.values())]
        return time.monotonic() - min(since) if since else 0


@dataclass
class Person:
    """Somebody with an account, at the other end of the line."""

    name: str
    url: str
    records: Records
    rng: Random
    token: str = ""

    def come_in(self) -> None:
        """Register; or sign in, where the answer to that was lost."""
        known = {"name": self.name, "password": PASSWORD}
        status, answer = self.ask("POST", "/players", known, keyed=False)
        if status == 409:
            status, answer = self.ask("POST", "/sessions", known, keyed=False)
        if status not in (200, 201):
            raise GaveUp(f"{self.name} is not let in: {status} {answer}")
        self.token = self.records.tokens[self.name] = answer["token"]

    def ask(self, method: str, path: str, body: Any = None, keyed: bool = True) -> tuple[int, Any]:
        """Ask until there is an answer, with the same key each time: status and JSON."""
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        if method == "POST" and keyed:
            headers["Idempotency-Key"] = str(uuid.uuid4())
        data = None if body is None else json.dumps(body).encode()
        while not self.records.stop.is_set():
            request = Request(f"{self.url}/api/v1{path}", data, headers, method=method)
            status, answer = once(request)
            self.records.answers[str(status or "none")] += 1
            if status == 500:
                self.records.faults.append(f"crash: {method} {path} was answered 500 {answer}")
            if status and status not in AGAIN:
                return status, answer
            self.records.stop.wait(self.rng.uniform(0.05, 0.3))
        raise GaveUp(f"{method} {path}")

    def make(self, table: Table) -> dict[str, Any]:
        body: dict[str, Any] = {"game": table.game, "seats": table.seats, "options": table.options}
        if table.clock:
            body["clock"] = table.clock
        return self.sit("/matches", body)

    def sit(self, path: str, body: Any) -> dict[str, Any]:
        """Make a match or join one."""
        status, match = self.ask("POST", path, body)
        if status not in (200, 201):
            raise GaveUp(f"POST {path} was refused: {status} {match}")
        self.records.told.add(match["id"])
        self.records.saw(match)
        return dict(match)

    def look(self, match_id: str) -> dict[str, Any]:
        status, match = self.ask("GET", f"/matches/{match_id}")
        if status != 200:
            raise GaveUp(f"GET of match {match_id} was refused: {status} {match}")
        self.records.saw(match)
        return dict(match)

    def wait(self, match: dict[str, Any]) -> dict[str, Any]:
        """The match after something has happened, or nothing for a while."""
        self.ask("GET", f"/matches/{match['id']}/events?after={match['version']}&wait={WAIT}")
        return self.look(match["id"])

    def play(self, match_id: str) -> None:
        """Play the match to its end."""
        match = self.look(match_id)
        while match["status"] in ("open", "playing"):
            legal = match["view"] and match["view"]["legal"]
            match = self.move(match) if legal else self.wait(match)

    def move(self, match: dict[str, Any]) -> dict[str, Any]:
        """Play one move, and write down what was answered."""
        rules = GAMES[match["game"]]
        seen = msgspec.convert(match["view"], rules.View)
        action = msgspec.to_builtins(bots.choose(match["game"], seen, "easy", self.rng))
        sent = Sent(match["id"], match["version"], match["you"], action)
        self.records.sent.append(sent)
        move = {"version": match["version"], "action": action}
        status, answer = self.ask("POST", f"/matches/{match['id']}/moves", move)
        sent.status = status
        if status != 201:
            sent.problem = str(answer.get("code"))
            return self.look(match["id"])
        self.records.saw(answer)
        return dict(answer)


def once(request: Request) -> tuple[int, Any]:
    """Status and JSON of an answer that came whole; status 0 for any other."""
    try:
        try:
            with urlopen(request, timeout=PATIENCE) as answer:
                return answer.status, json.loads(answer.read())
        except HTTPError as error:
            return error.code, json.loads(error.read())
    except (OSError, HTTPException, ValueError):  # one cut in its head has no body: no JSON either
        return 0, None


def run_table(table: Table, people: list[Person]) -> None:
    """Match after match, until the run is over; each with its listeners."""
    maker, *others = people
    records = maker.records
    while not records.over.is_set():
        match = maker.make(table)
        match_id = match["id"]
        listeners = {
            (form, reader): Listener(maker.url, token, match, form, pause=0.2)
            for form in FORMS
            for reader, token in ((maker.name, maker.token), (SPECTATOR, ""))
        }
        try:
            with ThreadPoolExecutor(len(people)) as pool:
                played = [pool.submit(maker.play, match_id)]
                played += [pool.submit(join, person, match_id) for person in others]
            for one in played:
                one.result()
            records.progress.pop(match_id, None)
            wait_for(listeners.values(), records)
        finally:
            for (form, reader), listener in listeners.items():
                listener.over = True
                events = [digest(event) for event in listener.heard]
                records.heard.append(Heard(match_id, form, reader, events))
                if listener.future.done() and (error := listener.future.exception()):
                    records.faults.append(f"refused: {form} of {match_id}: {error}")


def join(person: Person, match_id: str) -> None:
    person.sit(f"/matches/{match_id}/seats", {})
    person.play(match_id)


def wait_for(listeners: Iterable[Listener], records: Records) -> None:
    """Until all have heard the end; who has not in time is found by the judge."""
    deadline = time.monotonic() + HEARING
    for listener in listeners:
        while not (listener.future.done() or records.stop.is_set()):
            if time.monotonic() > deadline:
                return
            time.sleep(0.1)
