"""Golden transcripts: whole logs, with what each reader saw after every entry.

    python -m tests.engine.transcripts

writes every file in tests/data/transcripts/ anew from the entries in it: read the diff, for it
says what players would now see otherwise. To add one, write its first line (game, options,
seats) and a line {"seat", "action"} for each entry, and run that.

A view is written as the fields that differ from the reader's view before. Of a list that only
grew or changed at its end, `keep` is how many items stay and `then` is what follows them.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from games.engine import GAMES, log
from games.engine.log import Entry, Position

FOLDER = Path(__file__).parents[1] / "data" / "transcripts"


class Transcript(msgspec.Struct, frozen=True):
    """A stored log."""

    game: str
    options: Any
    seats: int
    entries: tuple[Entry, ...]

    def positions(self) -> Iterator[Position]:
        return log.positions(GAMES[self.game], self.options, self.seats, self.entries)


def read(path: Path) -> Transcript:
    first, *rest = [json.loads(line) for line in path.read_text().splitlines()]
    game = GAMES[first["game"]]
    return Transcript(
        game=first["game"],
        options=msgspec.convert(first["options"], game.Options),
        seats=first["seats"],
        entries=tuple(log.read_entry(game, line["seat"], line["action"]) for line in rest),
    )


def written(transcript: Transcript) -> str:
    """The text of a file, with every view as it is now."""
    heads = {"game": transcript.game, "options": transcript.options, "seats": transcript.seats}
    lines = [one_line(heads)]
    before: dict[str, Any] = {}
    for entry, position in zip(transcript.entries, transcript.positions(), strict=True):
        views = seen(transcript, position)
        changes = {reader: changed(before.get(reader) or {}, views[reader]) for reader in views}
        line = {"version": position.version, "seat": entry.seat, "action": entry.action}
        lines.append(one_line({**line, "views": changes} if position.state else line))
        before = views
    return "\n".join(lines) + "\n"


def one_line(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def seen(transcript: Transcript, position: Position) -> dict[str, Any]:
    """Each reader's view as JSON data."""
    game = GAMES[transcript.game]
    readers = {**{str(seat): seat for seat in range(transcript.seats)}, "spectator": None}
    return {name: log.plain(log.view(game, position, reader)) for name, reader in readers.items()}


def changed(before: dict[str, Any], after: dict[str, Any] | None) -> dict[str, Any]:
    """The fields that differ; long lists from where they differ."""
    return {
        field: ending(before.get(field), value)
        for field, value in (after or {}).items()
        if field not in before or before[field] != value
    }


def ending(before: Any, after: Any) -> Any:
    if not isinstance(before, list) or not isinstance(after, list):
        return after
    keep = 0
    while keep < min(len(before), len(after)) and before[keep] == after[keep]:
        keep += 1
    return {"keep": keep, "then": after[keep:]} if keep > 1 else after


def main() -> None:
    for path in sorted(FOLDER.rglob("*.jsonl")):
        path.write_text(written(read(path)))
        print(f"wrote {path.relative_to(FOLDER)}")


if __name__ == "__main__":
    main()
