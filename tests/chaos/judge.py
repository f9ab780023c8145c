"""What is held against the service: what people were told and heard, against what it stored.

Nothing here asks anybody: records come in, sentences go out, one for each fault.
"""

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

ENDED = "finished"


class Entry(NamedTuple):
    """An entry of a match's log; seats below 0 are the dealer and the table."""

    version: int
    seat: int
    action: dict[str, Any]


@dataclass
class Sent:
    """A move that somebody sent, and the status he was answered: None while he was not."""

    match: str
    version: int
    seat: int
    action: dict[str, Any]
    status: int | None = None
    problem: str = ""

    @property
    def entry(self) -> Entry:
        """What must be in the log if it was played."""
        return Entry(self.version + 1, self.seat, self.action)


class Heard(NamedTuple):
    """What one listener was told of a match: the version and the digest of each event."""

    match: str
    listener: str
    reader: str
    events: list[tuple[int, str]]


@dataclass
class Kept:
    """What the service has of a match when all is quiet, asked of it without the bad line."""

    status: str
    log: list[Entry]
    people: set[int]
    events: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    """By reader, the whole stream read at once."""


def digest(event: Any) -> tuple[int, str]:
    """An event as it is kept here: long runs hear more than fits into memory."""
    text = json.dumps(event, sort_keys=True).encode()
    return event["version"], hashlib.sha256(text).hexdigest()


def judged_matches(told: set[str], stored: set[str]) -> Iterator[str]:
    """The matches that people were told of and those that there are."""
    for match in sorted(told - stored):
        yield f"lost: match {match} was told to be made, and is not there"
    for match in sorted(stored - told):
        yield f"doubled: match {match} is there, and nobody was told of it"


def judged_moves(match: str, sent: Iterable[Sent], kept: Kept) -> Iterator[str]:
    """The moves of one match against its log."""
    expected = range(1, len(kept.log) + 1)
    if [entry.version for entry in kept.log] != list(expected):
        yield f"broken: the versions of match {match} are not 1 to {len(kept.log)}"
    there = Counter(map(fingerprint, kept.log))
    known: Counter[str] = Counter()
    for move in sent:
        mark = fingerprint(move.entry)
        if move.status == 201:
            known[mark] += 1
            if not there[mark]:
                yield f"lost: {words(match, move.entry)}, was told to be played"
            elif known[mark] > 1:
                yield f"doubled: {words(match, move.entry)}, was told to be played twice"
        elif move.status is not None:
            yield f"refused: {words(match, move.entry)}, with {move.status} {move.problem}"
        else:  # nobody knows, and either is right; more than one is not
            known[mark] += 1
    for entry in kept.log:
        if entry.seat in kept.people:
            mark = fingerprint(entry)
            if not known[mark]:
                yield f"doubled: {words(match, entry)}, was played, and nobody was told"
            elif there[mark] > 1:
                yield f"doubled: {words(match, entry)}, stands {there[mark]} times in the log"


def fingerprint(entry: Entry) -> str:
    return json.dumps(entry, sort_keys=True)


def words(match: str, entry: Entry) -> str:
    return f"{json.dumps(entry.action)} of seat {entry.seat}, version {entry.version} of {match}"


def judged_ends(kept: dict[str, Kept]) -> Iterator[str]:
    for match, one in kept.items():
        if one.status != ENDED:
            yield f"stuck: match {match} is {one.status} at version {len(one.log)}"


def judged_streams(heard: Iterable[Heard], kept: dict[str, Kept]) -> Iterator[str]:
    """What each listener heard against the whole stream as its reader may see it."""
    for one in heard:
        if one.match not in kept:
            continue  # that it is lost is said already
        expected, name = kept[one.match].events[one.reader], f"{one.listener} of {one.match}"
        if one.events == expected:
            continue
        versions = [version for version, _ in one.events]
        missed = sorted({version for version, _ in expected} - set(versions))
        twice = sorted(version for version, count in Counter(versions).items() if count > 1)
        if missed:
            yield f"gap: {name} was not told {numbers(missed)}"
        if twice:
            yield f"repeat: {name} was told {numbers(twice)} more than once"
        if versions != sorted(versions):
            yield f"disorder: {name} was told events out of order"
        wrong = sorted({version for version, _ in set(one.events) - set(expected)})
        if wrong:
            yield f"difference: {name} was told another event {numbers(wrong)}"


def numbers(versions: list[int]) -> str:
    more = f" and {len(versions) - 5} more" if len(versions) > 5 else ""
    return ", ".join(map(str, versions[:5])) + more


def judged_answers(answers: dict[str, set[str]]) -> Iterator[str]:
    """By Idempotency-Key, the different successful answers that were given to it."""
    for key, given in answers.items():
        if len(given) > 1:
            yield f"doubled: the key {key} was answered in {len(given)} ways"


def judged(
    sent: Iterable[Sent],
    heard: Iterable[Heard],
    kept: dict[str, Kept],
    told: set[str],
    answers: dict[str, set[str]],
) -> list[str]:
    """Every fault there is; no sentence if there is none."""
    moves: dict[str, list[Sent]] = defaultdict(list)
    for move in sent:
        moves[move.match].append(move)
    return [
        *judged_matches(told, set(kept)),
        *judged_ends(kept),
        *(found for match, one in kept.items() for found in judged_moves(match, moves[match], one)),
        *judged_streams(heard, kept),
        *judged_answers(answers),
    ]
