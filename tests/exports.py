"""Exports of whole matches, as the service writes them, without a database.

The cards are the match's own, from its secret and what its players have given.
"""

import hashlib
import importlib.util
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

from msgspec.structs import replace

from games.bots import LEVELS, choose
from games.engine import GAMES, log
from games.engine.clock import Clock
from games.engine.game import DEALER
from games.engine.log import (
    BotSeated,
    Entry,
    Joined,
    Left,
    Position,
    Resigned,
    RolledBack,
    Started,
    Substituted,
    TimedOut,
    Voided,
)
from games.engine.shuffle import commitment
from games.models import Match, Move
from games.replays import lines, sealed
from tests.engine.matches import any_legal

SCRIPT = Path(__file__).resolve().parents[1] / "docs" / "verify.py"
RULES = (GAMES, log)


def load() -> Any:
    spec = importlib.util.spec_from_file_location("verify", SCRIPT)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


verify = load()
BEGAN = datetime(2026, 11, 30, 12, tzinfo=UTC)
LONGEST = 600
"""Entries after which a match is resigned, so that no game takes for ever."""
SHORT: dict[str, dict[str, Any]] = {
    "gin": {"max_deals": (1, 2, 3)},
    "rummy": {
        "max_deals": (1, 2, 3),
        "max_restocks": (0, 1, 2),
        "restock": ("turn_over", "shuffle_keep_top"),
    },
    "pyramid": {"practice": (True, False), "deal_number": (None, 7, 1_000_000)},
}
"""By game: options that are varied, so that matches end soon and all kinds of entries come up."""


def played(name: str, seed: int, mended: bool = False) -> tuple[Match, list[Move]]:
    """A finished match of a game and its log, neither of them stored.

    Every other one is played by bots, so that deals are won and many are played. `mended`: an
    operator takes it back to earlier versions, changes bots, and voids it in the end.
    """
    operator = Random(f"operator {seed}") if mended else None
    rng, game = Random(seed), GAMES[name]
    options = chosen(name, rng)
    seats = rng.choice(game.SEATS)
    times = Random(f"times {seed}")
    clock = times.choice((Clock(), Clock(seconds=60), Clock(days=3, on_timeout="bot")))
    match = Match.opened(name, options, seats, clock, id=UUID(int=seed))
    match.secret = hashlib.sha256(f"{name} {seed}".encode()).digest()
    match.commitment = commitment(match.secret)
    entries: list[Entry] = []
    position, at = log.opened(seats, clock), BEGAN
    for entry in seating(seats, rng):
        position = after(match, options, position, replace(entry, at=at), entries)
    while position.status == "playing":
        for entry in mendings(match, position, entries, operator):
            position = after(match, options, position, replace(entry, at=at), entries)
        at += timedelta(seconds=times.randrange(20))
        entry = replace(next_entry(match, position, rng), at=at)
        if times.random() < 0.003:
            entry = timed_out(position, times) or entry
        at = entry.at or at
        position = after(match, options, position, entry, entries)
    if mended and position.status == "finished":
        position = after(match, options, position, Entry(log.TABLE, Voided(), at), entries)
    match.position, match.status = log.plain(position), position.status
    return match, moves(match, entries)


def mendings(
    match: Match, position: Position, entries: list[Entry], operator: Random | None
) -> Iterator[Entry]:
    """What an operator does now and then: take the match back (thrice at most), seat a bot."""
    if operator is None or operator.random() > 0.05:
        return
    if operator.random() < 0.3:
        seat = operator.randrange(len(position.seats))
        yield Entry(log.TABLE, Substituted(seat, operator.choice(LEVELS[match.game])))
        return
    if sum(isinstance(entry.action, RolledBack) for entry in entries) == 3:
        return
    timing, options = match.timing, match.chosen
    seen = [log.opened(len(position.seats), timing)]
    seen += log.positions(match.rules, options, len(position.seats), entries, timing)
    target = operator.choice([each for each in seen[:-1] if each.status == "playing"] or [None])
    if target is not None:
        yield Entry(log.TABLE, RolledBack(target.version), target=target)


def chosen(name: str, rng: Random) -> Any:
    game = GAMES[name]
    options = rng.choice(list(game.PRESETS.values()))
    varied = {field: rng.choice(values) for field, values in SHORT.get(name, {}).items()}
    return type(options)(**{**fields(options), **varied})


def fields(options: Any) -> dict[str, Any]:
    return {field: getattr(options, field) for field in options.__struct_fields__}


def seating(seats: int, rng: Random) -> list[Entry]:
    """Players and bots sit down, give entropies or none, and start; one may have left before."""
    entries = []
    for seat in range(seats):
        if rng.random() < 0.2:
            entries += [Joined(seat, player="gone", entropy="gone"), Left(seat)]
        given = rng.choice(("", f"die {rng.randrange(1, 7)}", "x" * 64))
        entries.append(Joined(seat, player=f"p{seat}", entropy=given))
    entries.append(Started(rng.choice(("", "heads", "tails"))))
    return [Entry(log.TABLE, entry) for entry in entries]


def next_entry(match: Match, position: Position, rng: Random) -> Entry:
    turn = position.turn
    assert turn is not None
    playing = set(range(len(position.seats))) - set(position.resigned)
    if playing and (rng.random() < 0.003 or position.version > LONGEST):
        seat = rng.choice(sorted(playing))
        return Entry(log.TABLE, Resigned(seat, bot="random" if len(playing) > 2 else None))
    if match.id.int % 2:
        return Entry(turn, any_legal(match.rules.legal_actions(position.state), rng))
    return Entry(turn, choose(match.game, match.rules.view(position.state, turn), "easy", rng))


def timed_out(position: Position, times: Random) -> Entry | None:
    """Who is to move lets his time pass, which another claims, or nobody is left to claim."""
    turn, take = position.turn, times.choice(position.claims or ("",))
    assert turn is not None
    if take:
        by = times.choice(position.claimants)
        claim = TimedOut(turn, by) if take == "win" else BotSeated(turn, "random", by)
        return Entry(log.TABLE, claim, position.claims_at)
    if position.deadline and position.left <= 2:
        return Entry(log.TABLE, TimedOut(turn), position.ends_at)
    return None


def after(
    match: Match, options: Any, position: Position, entry: Entry, entries: list[Entry]
) -> Position:
    """The position after an entry and the dealer's that follow, all of them added to `entries`."""
    for each, later in log.follow(match.rules, options, position, [entry], bytes(match.secret)):
        entries.append(each)
        position = later
    return position


def moves(match: Match, entries: list[Entry]) -> list[Move]:
    return [
        Move(match=match, version=n, seat=e.seat, action=log.plain(e.action), created_at=e.at)
        for n, e in enumerate(entries, 1)
    ]


def export(match: Match, log_of_moves: list[Move]) -> bytes:
    return b"".join(sealed(lines(match, log_of_moves)))


def unsealed(data: bytes) -> list[Any]:
    """The head and the entries of an export, without their checksums."""
    objects = [json.loads(line) for line in data.splitlines()]
    for each in objects:
        del each["sha256"]
    return objects


def sealed_anew(objects: list[Any]) -> bytes:
    """What a forger would hand out."""
    text = (json.dumps(each, separators=(",", ":")).encode() for each in objects)
    return b"".join(sealed(text))


def kinds(log_of_moves: list[Move]) -> set[str]:
    """Which kinds of entries stand in a log, the dealer's by his own name."""
    return {("dealer " if m.seat == DEALER else "") + m.action["type"] for m in log_of_moves}
