"""Pyramid: seven rows, each half over the next, and the piles. What can go now is framed."""

from collections.abc import Iterator
from typing import Any

from games.pictures.cards import HIGH, Group, Row


def rows(view: Any) -> Iterator[Row]:
    removals = [action.cards for action in view.legal if hasattr(action, "cards")]
    marked = frozenset(card for cards in removals for card in cards)
    for length in range(1, 8):
        first = length * (length - 1) // 2
        places = tuple(card or "" for card in view.pyramid[first : first + length])
        under = HIGH - 26 if length < 7 else 0
        yield Row((Group(places, marked=marked, step=48),), centred=True, under=under)
    top = view.draw[:1] or ("",)
    yield Row(
        (
            Group(top, f"Draw pile: {len(view.draw)}", marked),
            Group(view.waste[-1:] or ("",), f"Waste: {len(view.waste)}", marked),
        )
    )
