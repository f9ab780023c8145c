"""What people were told and heard, and what the service has kept: what the judge compares."""

import hashlib
import json
from dataclasses import dataclass, field
from typing import Any, NamedTuple

DEALER, TABLE = -1, -2


class Entry(NamedTuple):
    """An entry of a match's log; seats below 0 are the dealer and the table."""

    version: int
    seat: int
    action: dict[str, Any]

    @property
    def asked_by(self) -> int | None:
        """Of an entry of the table, the seat that has asked for it; None: nobody did."""
        kind = self.action["type"]
        asker = "by" if kind in ("timed_out", "bot_seated") else "seat"
        return self.action.get(asker) if self.seat == TABLE else self.seat


@dataclass
class Sent:
    """A move that somebody sent, and the status he was answered: None while he was not.

    `late`: his time was up when he was answered.
    """

    match: str
    version: int
    seat: int
    action: dict[str, Any]
    status: int | None = None
    problem: str = ""
    late: bool = False

    @property
    def entry(self) -> Entry:
        """What must be in the log if it was played."""
        return Entry(self.version + 1, self.seat, self.action)


@dataclass
class Asked:
    """What else somebody asked for: one of ASKED. `got`: the id of the rematch, or the points."""

    match: str
    version: int
    seat: int
    what: str
    status: int | None = None
    problem: str = ""
    got: Any = None


ASKED = {
    "resignation": {"resigned"},
    "claims": {"timed_out", "bot_seated"},
    "abort": {"aborted"},
    "rematch": {"rematched"},
    "score": set[str](),
}
"""What can be asked for, by its address, and the entries of the log of which it makes one."""


class Heard(NamedTuple):
    """What one listener was told of a match: the version and the digest of each event."""

    match: str
    listener: str
    reader: str
    events: list[tuple[int, str]]


class Message(NamedTuple):
    """What a webhook was told: `id` is the same each time it is sent again."""

    id: str
    event: str
    match: str
    version: int
    seat: int


@dataclass
class Told:
    """All that one person's webhook was sent; `taken` are the ids that it has answered well."""

    person: str
    messages: list[Message] = field(default_factory=list)
    taken: set[str] = field(default_factory=set)
    bad: list[str] = field(default_factory=list)


@dataclass
class Kept:
    """What the service has of a match when all is quiet, asked of it without the bad line.

    `people`: by seat, their names. `scores`: by seat, the points of each time they were posted.
    `events`: by reader, the whole stream read at once.
    """

    status: str
    log: list[Entry]
    people: dict[int, str]
    scores: dict[int, list[int]] = field(default_factory=dict)
    events: dict[str, list[tuple[int, str]]] = field(default_factory=dict)

    @property
    def played(self) -> list[Entry]:
        """What the people themselves played, and not the bots that sat down for them."""
        gone: set[int] = set()
        played = []
        for entry in self.log:
            if entry.seat == TABLE and entry.action["type"] in ("resigned", "bot_seated"):
                gone.add(entry.action["seat"])
            elif entry.seat in self.people and entry.seat not in gone:
                played.append(entry)
        return played

    @property
    def ended(self) -> int:
        """The version with which the match was over: a rematch is asked for later."""
        before = [entry for entry in self.log if entry.action["type"] != "rematched"]
        return before[-1].version if before else 0


def digest(event: Any) -> tuple[int, str]:
    """An event as it is kept here: long runs hear more than fits into memory."""
    text = json.dumps(event, sort_keys=True).encode()
    return event["version"], hashlib.sha256(text).hexdigest()
