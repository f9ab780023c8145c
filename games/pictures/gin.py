"""Gin Rummy: piles and hand while a deal is played, both hands when it has ended."""

from collections.abc import Iterator
from typing import Any

from games.engine.cards import card_set, names
from games.engine.melds import best_arrangement
from games.pictures.cards import Group, Row

Melds = tuple[tuple[str, ...], ...]


def rows(view: Any) -> Iterator[Row]:
    if view.result is not None and view.phase in ("dealing", "over"):
        yield from shown(view.result)
        return
    if view.discards:
        stock = Group((None,), f"Stock: {view.stock_size}")
        yield Row((stock, Group(view.discards[-1:], "Discard pile")))
    if view.showdown is not None:
        laid = view.showdown
        off = frozenset(layoff.card for layoff in laid.layoffs)
        yield hand(f"Knocker: {laid.deadwood} deadwood", laid.melds, laid.loose, off)
    if view.hand and (view.showdown is None or view.showdown.knocker != view.seat):
        melds = tuple(map(names, best_arrangement(card_set(view.hand), 0)))
        yield hand(f"Hand: {view.deadwood} deadwood", melds, rest(view.hand, melds))


def shown(result: Any) -> Iterator[Row]:
    """Both hands, the knocker's first, and what was laid off."""
    first = 0 if result.knocker is None else result.knocker
    for seat in (first, 1 - first):
        who = "The other" if seat != result.knocker else "Knocker"
        who = f"Seat {seat}" if result.knocker is None else who
        melds = result.melds[seat]
        loose = rest(result.hands[seat], melds)
        yield hand(f"{who}: {result.deadwood[seat]} deadwood", melds, loose)
    if result.layoffs:
        yield Row((Group(tuple(layoff.card for layoff in result.layoffs)),), "Laid off")


def hand(
    label: str, melds: Melds, loose: tuple[str, ...], marked: frozenset[str] = frozenset()
) -> Row:
    """Melds, then what is loose."""
    return Row(tuple(Group(pile, marked=marked) for pile in (*melds, loose) if pile), label)


def rest(cards: tuple[str, ...], melds: Melds) -> tuple[str, ...]:
    return names(card_set(cards) & ~card_set(card for meld in melds for card in meld))
