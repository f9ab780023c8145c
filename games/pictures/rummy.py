"""Basic Rummy: piles, the melds on the table and a hand; all hands when a deal has ended."""

from collections.abc import Iterator
from typing import Any

from games.pictures.cards import Group, Row


def rows(view: Any) -> Iterator[Row]:
    ended = view.result is not None and view.phase in ("dealing", "over")
    if view.discards and not ended:
        stock = Group((None if view.stock_size else "",), f"Stock: {view.stock_size}")
        yield Row((stock, Group(view.discards[-1:], "Discard pile")))
    table = view.result.table if ended else view.table
    if table:
        yield Row(tuple(Group(meld, f"Meld {number}") for number, meld in enumerate(table, 1)))
    if ended:
        yield from shown(view.result)
    elif view.hand:
        yield Row((Group(view.hand),), "Hand")


def shown(result: Any) -> Iterator[Row]:
    """What is left in the hands. People count seats from 1."""
    left = [seat for seat, cards in enumerate(result.hands) if cards]
    groups = [Group(result.hands[s], f"Seat {s + 1}: {result.left[s]} points") for s in left]
    if result.face_down is not None:
        groups.append(Group((result.face_down,), "Out by"))
    yield Row(tuple(groups))
