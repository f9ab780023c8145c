"""Stored logs replay as they did: every view of every reader after every entry."""

from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from games.engine import GAMES
from games.engine.game import DEALER, check
from games.engine.log import TABLE, opened
from tests.engine.transcripts import FOLDER, read, written

PATHS = sorted(FOLDER.rglob("*.jsonl"))
every_transcript = pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)


@every_transcript
def test_every_view_of_the_transcript_is_as_it_was(path: Path):
    """If that is meant: python -m tests.engine.transcripts, and read the diff."""
    old, new = path.read_text().splitlines(), written(read(path)).splitlines()
    for version, (before, after) in enumerate(zip(old, new, strict=True)):
        assert after == before, f"{path.name}, version {version}"


@every_transcript
def test_every_entry_of_the_transcript_was_legal(path: Path):
    transcript = read(path)
    position = opened(transcript.seats)
    for entry, after in zip(transcript.entries, transcript.positions(), strict=True):
        if entry.seat == DEALER:
            assert position.turn == DEALER
        elif entry.seat != TABLE:
            check(GAMES[transcript.game], position.state, entry.seat, entry.action)
        position = after


@pytest.mark.parametrize("name", GAMES)
def test_every_way_in_which_a_deal_or_match_ends_has_a_transcript(name):
    wanted = set(get_args(get_type_hints(GAMES[name].Result)["ending"])) | {"played", "resigned"}
    seen = set()
    for path in PATHS:
        transcript = read(path)
        if transcript.game == name:
            positions = list(transcript.positions())
            seen |= {p.state.result.ending for p in positions if p.state and p.state.result}
            seen |= {p.ended_by for p in positions if p.ended_by}
    assert seen == wanted
