"""Matches as they were: positions at any move, move lists, and exports. Reads only.

Everything here is one pass over the log from the nearest deal; a page of the move list is
never a fold for each of its rows.
"""

import hashlib
from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import partial

import msgspec

from games.engine import log
from games.models import Match, Move
from players.models import Player


class Step(msgspec.Struct, frozen=True):
    """A stored entry, when it came, and the position after it."""

    entry: log.Entry
    at: datetime
    position: log.Position


def steps(match: Match, after: int, until: int) -> Iterator[Step]:
    """The steps at versions after+1 .. until, in order."""
    for step in steps_from(match, start_for(match, after + 1), until):
        if step.position.version > after:
            yield step


def steps_from(match: Match, position: log.Position, until: int) -> Iterator[Step]:
    """The steps that follow a position."""
    moves = match.moves.filter(version__gt=position.version, version__lte=until)
    for move in moves.order_by("version").iterator():
        entry = log.read_entry(match.rules, move.seat, move.action, move.created_at)
        entry = log.aimed(entry, partial(position_at, match))
        position = log.fold(match.rules, match.chosen, position, entry)
        yield Step(entry, move.created_at, position)


def start_for(match: Match, version: int) -> log.Position:
    """A cached position before that version: that before its deal, or before the first entry."""
    deal = match.deals.filter(first_version__lte=version).order_by("-first_version").first()
    if deal is None:
        return log.opened(len(match.position["seats"]), match.timing)
    return log.read_position(match.rules, deal.before)


def step_at(match: Match, version: int) -> Step:
    """The step at one version, from 1 to the match's."""
    return next(steps(match, version - 1, version))


def position_at(match: Match, version: int) -> log.Position:
    return step_at(match, version).position


def names_in(steps: Iterable[Step]) -> dict[str, str]:
    """Names by id of the players whom entries of the table name; no statement if none do."""
    ids = {
        step.entry.action.player
        for step in steps
        if isinstance(step.entry.action, log.Joined | log.Invited) and step.entry.action.player
    }
    if not ids:
        return {}
    return {
        str(pk): name for pk, name in Player.objects.filter(pk__in=ids).values_list("pk", "name")
    }


def export(match: Match) -> Iterator[bytes]:
    """A match as JSON lines: a head, then each entry as it stands in the log.

    The head has the options, the clock, the secret and its commitment; with the secret the
    dealer's entries can be computed again. docs/verify.py checks it all. While a match lives its
    secret, from which the deals to come follow, is left out, and its entries are for no player.
    """
    moves = match.moves.filter(version__lte=match.version).order_by("version")
    return sealed(lines(match, moves.iterator()))


def lines(match: Match, moves: Iterable[Move]) -> Iterator[bytes]:
    """The export's lines before they are sealed."""
    position = match.folded()
    head = {
        "match": match.id,
        "game": match.game,
        "options": match.options,
        "clock": match.clock,
        "seats": len(position.seats),
        "commitment": match.commitment,
        "secret": match.secret_hex if match.over else None,
        "status": position.status,
        "ended_by": position.ended_by,
        "versions": position.version,
        "scores": position.state.scores if position.state is not None else None,
        "places": position.places,
    }
    yield msgspec.json.encode(head)
    for move in moves:
        line = {
            "version": move.version,
            "at": move.created_at,
            "seat": move.seat,
            "action": move.action,
        }
        yield msgspec.json.encode(line)


def sealed(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Lines that hold JSON objects, each with the SHA-256 of the one before it and of itself.

    So a byte that was changed or lost on the way is found, and in which line.
    """
    digest = ""
    for line in lines:
        digest = hashlib.sha256(digest.encode() + line).hexdigest()
        yield b'%b,"sha256":"%b"}\n' % (line[:-1], digest.encode())
