"""The rows of a match's deals: where each begins and ends in the log, and how it ended."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from games.engine import log
from games.models import Deal, Match

OPEN = {"last_version": None, "result": None, "ended_at": None}


def write_deals(match: Match, before: log.Position, after: log.Position, now: datetime) -> None:
    """A row for a deal begun by an entry; its last version and result when one ended it."""
    for number, fields in told(before, after, now):
        if "before" in fields:
            Deal.objects.create(match=match, number=number, **fields)
        else:
            Deal.objects.filter(match=match, number=number).update(**fields)


def told(
    before: log.Position, after: log.Position, at: datetime
) -> Iterator[tuple[int, dict[str, Any]]]:
    """What the step from one position to another tells of deals: by number, fields of its row."""
    if before.state is None:
        return
    number = before.state.deal
    if ended(before, after):
        result = log.plain(after.state.result) if played_out(after) else None
        yield number, {"last_version": after.version, "result": result, "ended_at": at}
    if reopened(before, after):
        yield number, OPEN
    if after.state.deal != number:
        begun = {"first_version": after.version, "before": log.plain(before), "started_at": at}
        yield after.state.deal, {"dealer": after.state.dealer, **begun, **OPEN}


def ended(before: log.Position, after: log.Position) -> bool:
    """Whether the deal that was under way has ended with this entry: played out, or cut off.

    True again for what is still played in a deal that has its result, as in Pyramid.
    """
    if before.status != "playing" or not before.state.deal:
        return False
    if after.state.deal != before.state.deal:
        return False
    return after.status != "playing" or played_out(after)


def reopened(before: log.Position, after: log.Position) -> bool:
    """Whether this entry took back the action that had ended the deal, as in practice."""
    if before.status != "playing" or not played_out(before):
        return False
    return bool(after.state.deal == before.state.deal) and not played_out(after)


def played_out(position: log.Position) -> bool:
    """Whether the deal last begun has been played to its end."""
    result = position.state.result
    return result is not None and bool(result.deal == position.state.deal)
