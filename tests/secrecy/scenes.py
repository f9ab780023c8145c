"""Scenes: moments of matches, each in two worlds that differ only in what a reader may not know."""

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from msgspec.structs import replace

from games.engine import GAMES
from games.engine.game import DEALER, RuleError, play
from games.engine.log import TABLE, Entry
from tests.engine.matches import Match, deals, never_seen, play_out, redealt, renamed

MOST_ENTRIES = 60
"""So that a scene is played in a second."""

LEAST_HIDDEN = 6
"""Cards that change places between the worlds of a scene, at least."""

SHORT: dict[str, dict[str, Any]] = {"gin": {"max_deals": 3}, "rummy": {"max_deals": 3}}
"""Options of scenes that are not seen from seat 0: his are of a preset, since they may count."""


class Scene(NamedTuple):
    """A match up to a moment at which `reader` looks: `moves` by seats, then his own `next`.

    `worlds`: the dealer's entries in one world and in the other.
    """

    game: str
    options: Any
    seats: int
    reader: int | None
    moves: tuple[Entry, ...]
    next: Entry | None
    worlds: tuple[tuple[Entry, ...], tuple[Entry, ...]]
    tries: tuple[Any, ...]

    @property
    def practice(self) -> bool:
        return getattr(self.options, "practice", False)

    def __repr__(self) -> str:
        who = "a spectator" if self.reader is None else f"seat {self.reader}"
        return f"{self.game} of {self.seats} after {len(self.moves)} moves, seen by {who}"


class Place(NamedTuple):
    """Where to look from: a game at a number of seats, a seat or a spectator (None)."""

    game: str
    seats: int
    reader: int | None
    practice: bool = False

    def __str__(self) -> str:
        kind = "practice" if self.practice else "match"
        return f"{self.game}-{kind}-of-{self.seats}-seen-by-{self.reader}"


def places() -> Iterator[Place]:
    """Every game at its fewest and most seats; where there is practice, that too."""
    for name, game in GAMES.items():
        for seats in sorted({min(game.SEATS), max(game.SEATS)}):
            for reader in (*range(min(seats, 2)), None):
                yield Place(name, seats, reader)
        if hasattr(game.Options(), "practice"):
            yield Place(name, min(game.SEATS), 0, practice=True)


def scenes(place: Place, seed: int = 0) -> Iterator[Scene]:
    """Scenes without end, of ever new matches."""
    game, seats, reader, practice = place
    rng = Random(f"{place} {seed}")
    chosen = SHORT.get(game, {}) if reader != 0 else {}
    chosen = chosen | ({"practice": True} if practice else {})
    options = GAMES[game].Options(**chosen)
    while True:
        match = play_out(game, options, seats, rng.randrange(2**32))
        start, last = rng.choice(deals(match))
        end = rng.randrange(start + 1, last + 1)
        if end < MOST_ENTRIES and (scene := of(match, start, end, reader, rng)):
            yield scene


def of(match: Match, start: int, end: int, reader: int | None, rng: Random) -> Scene | None:
    """The scene at version `end` of a deal that begins after `start`, if it hides enough."""
    if any(entry.seat == TABLE for entry in match.entries[start + 1 : end]):
        return None  # a resignation
    following = match.entries[end] if end < len(match.entries) else None
    mine = following is not None and following.seat == reader
    shown_until = end + 1 if mine else end
    hidden = never_seen(match, start, shown_until, reader)
    if match.positions[end].turn in (None, DEALER) or len(hidden) < LEAST_HIDDEN:
        return None
    for _ in range(20):
        other = dict(zip(hidden, rng.sample(hidden, len(hidden)), strict=True))
        if goes_on(match, start, shown_until, other):
            break
    else:
        return None
    before, within = match.entries[:start], match.entries[start:]
    dealt = tuple(entry for entry in before + within if entry.seat == DEALER)
    again = tuple(entry for entry in before if entry.seat == DEALER) + tuple(
        renamed(entry, other) for entry in within if entry.seat == DEALER
    )
    return Scene(
        match.name,
        match.options,
        len(match.positions[0].seats),
        reader,
        tuple(entry for entry in match.entries[:end] if entry.seat >= 0),
        following if mine else None,
        (dealt, again),
        tries(match, hidden, rng),
    )


def goes_on(match: Match, start: int, end: int, other: dict[str, str]) -> bool:
    """Whether the same actions are legal, in the same order, with those cards renamed."""
    positions = [match.positions[start], *redealt(match, start, end, other)]
    for position, entry in zip(positions, match.entries[start:end], strict=False):
        if entry.seat == DEALER:
            continue
        try:
            play(match.game, position.state, entry.seat, entry.action)
        except RuleError:
            return False
    was = [(p.turn, p.status) for p in match.positions[start : end + 1]]
    return was == [(p.turn, p.status) for p in positions]


def tries(match: Match, hidden: list[str], rng: Random) -> tuple[Any, ...]:
    """Actions to try, legal or not: one of each kind that was played, some with hidden cards."""
    played = [entry.action for entry in match.entries if entry.seat >= 0]
    rng.shuffle(played)
    kinds = {type(action): action for action in played}
    guesses = [
        replace(action, card=card)
        for action in kinds.values()
        if hasattr(action, "card")
        for card in rng.sample(hidden, 3)
    ]
    return (*kinds.values(), *guesses)
