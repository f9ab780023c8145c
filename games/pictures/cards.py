"""Cards as SVG: groups of overlapping cards in rows. Suits differ by shape, not by colour alone."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from msgspec import Struct
from msgspec.structs import replace

WIDE, HIGH, STEP, GAP, LABEL = 40, 56, 23, 10, 18
RANKS = {"T": "10"}
WORDS = {"A": "ace", "T": "10", "J": "jack", "Q": "queen", "K": "king"}
SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
INK = {"C": "#1d2a24", "D": "#b3261e", "H": "#b3261e", "S": "#1d2a24"}
SHAPES = {
    "D": "M12 1L21 12L12 23L3 12Z",
    "H": "M12 22C5 16 1 12 1 7C1 3.5 3.7 1.5 6.5 1.5C9 1.5 11 3 12 5.5C13 3 15 1.5 17.5 1.5"
    "C20.3 1.5 23 3.5 23 7C23 12 19 16 12 22Z",
    "S": "M12 1C19 7 23 11 23 15C23 18 20.6 20 18 20C15.8 20 14 18.8 13 17C13.2 19.5 14 21.5 16 23"
    "H8C10 21.5 10.8 19.5 11 17C10 18.8 8.2 20 6 20C3.4 20 1 18 1 15C1 11 5 7 12 1Z",
    "C": "M12 1A5 5 0 0 1 15.8 9.3A5 5 0 1 1 13.2 16.6C13.4 19.5 14.2 21.5 16 23H8"
    "C9.8 21.5 10.6 19.5 10.8 16.6A5 5 0 1 1 8.2 9.3A5 5 0 0 1 12 1Z",
}
"""Within 24 by 24."""

Place = str | None
"""A card's name; None: it lies face down; "": nothing lies there."""


class Group(Struct, frozen=True):
    """Cards that belong together; those marked are framed. The label stands above them."""

    cards: tuple[Place, ...]
    label: str = ""
    marked: frozenset[str] = frozenset()
    step: int = STEP


class Row(Struct, frozen=True):
    """Groups side by side. `under`: so many units of it lie under the next row.

    The label is for all of them; they then have none of their own.
    """

    groups: tuple[Group, ...]
    label: str = ""
    centred: bool = False
    under: int = 0


def width(group: Group) -> float:
    cards = max(len(group.cards) - 1, 0) * group.step + WIDE
    return max(cards, 6.4 * len(group.label))


def drawn(rows: Iterable[Row], most: float = 350) -> str:
    """The rows as one SVG, `most` units wide: what does not fit goes below. Nothing of no card."""
    rows = tuple(rows)
    lines = [line for row in rows for line in wrapped(row, most)]
    if not lines:
        return ""
    top, parts = 0.0, []
    for line in lines:
        labelled = LABEL if line.label or any(group.label for group in line.groups) else 0
        parts += laid(line, top, labelled, most)
        top += labelled + HIGH + 10 - line.under
    says = escape(". ".join(filter(None, map(told, rows))))
    return (
        f'<svg viewBox="-2 -2 {most + 4:g} {top - 4:g}" role="img" aria-label="{says}">'
        f"{''.join(parts)}</svg>"
    )


def wrapped(row: Row, most: float) -> Iterator[Row]:
    """The row as one or more, each no wider than that."""
    line: list[Group] = []
    label = row.label
    for group in row.groups:
        if line and across([*line, group]) > most:
            yield replace(row, groups=tuple(line), label=label, under=0)
            line, label = [], ""
        line.append(group)
    yield replace(row, groups=tuple(line), label=label)


def across(groups: Sequence[Group]) -> float:
    return sum(map(width, groups)) + GAP * (len(groups) - 1)


def laid(line: Row, top: float, labelled: int, most: float) -> Iterator[str]:
    left = (most - across(line.groups)) / 2 if line.centred else 0.0
    if line.label:
        yield label(line.label, left, top)
    for group in line.groups:
        if group.label:
            yield label(group.label, left, top)
        for number, place in enumerate(group.cards):
            if place != "":
                yield card(place, left + number * group.step, top + labelled, group.marked)
        left += width(group) + GAP


def label(words: str, x: float, y: float) -> str:
    return (
        f'<text x="{x:g}" y="{y + 12:g}" font-size="12" fill="currentColor">{escape(words)}</text>'
    )


def card(name: str | None, x: float, y: float, marked: frozenset[str]) -> str:
    """One card with its corner at x, y."""
    if name is None:
        return (
            f'<g transform="translate({x:g} {y:g})"><rect width="{WIDE}" height="{HIGH}" rx="5" '
            'fill="#3d6b58" stroke="#22382f"/><path d="M6 6H34V50H6ZM6 20L20 6L34 20M6 36L34 8'
            'M6 50L34 22M20 50L34 36" fill="none" stroke="#cfe3d8" stroke-width="1"/></g>'
        )
    rank, suit = RANKS.get(name[0], name[0]), name[1]
    tight = "-2.5" if len(rank) > 1 else "0"
    edge = 'stroke="#1b6b45" stroke-width="3"' if name in marked else 'stroke="#8b948c"'
    return (
        f'<g transform="translate({x:g} {y:g})" fill="{INK[suit]}">'
        f'<rect width="{WIDE}" height="{HIGH}" rx="5" fill="#fff" {edge}/>'
        f'<text x="4" y="17" font-size="16" font-weight="700" letter-spacing="{tight}">'
        f"{rank}</text>"
        f'<path transform="translate(4 21) scale(.6)" d="{SHAPES[suit]}"/>'
        f'<path transform="translate(23 35) scale(.6)" d="{SHAPES[suit]}"/></g>'
    )


def told(row: Row) -> str:
    """A row in words."""
    groups = "; ".join(filter(None, map(group_told, row.groups)))
    return f"{row.label}: {groups}" if row.label else groups


def group_told(group: Group) -> str:
    cards = [spoken(place) for place in group.cards if place]
    down = sum(place is None for place in group.cards)
    said = ", ".join(cards + ([f"{down} face down"] if down else [])) or "no card"
    return f"{group.label}: {said}" if group.label else said


def spoken(name: str) -> str:
    return f"{WORDS.get(name[0], name[0])} of {SUITS[name[1]]}"
