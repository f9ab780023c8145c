"""Why an action of Basic Rummy, in words of the rules and from what its seat sees alone."""

from collections.abc import Iterator
from itertools import combinations, islice
from typing import Final

from msgspec.structs import replace

from games.bots.rummy.sight import Sight, sight
from games.bots.rummy.tabling import fewest_left, goes_out, is_free
from games.bots.rummy.throws import FEW, FRIENDS, PAIRS, outs
from games.engine.cards import INDEX, NAMES, VALUES, card_set, members, names, value
from games.engine.melds import chained, completing, in_melds, melds_in
from games.engine.rummy import TAKE, Action, Discard, LayOff, Meld, View

SENTENCES: Final = 2
NAMED: Final = 4
"""More cards than that are only counted."""


def reason(view: View, action: Action, over: Action) -> str:
    """What speaks for an action, and against the one that it is compared with."""
    seen = sight(view)
    if view.phase == "draw":
        found = _taking(seen) if action == TAKE else _drawing(seen)
    elif isinstance(action, Discard):
        found = _throwing(seen, INDEX[action.card], over)
    else:
        assert isinstance(action, Meld | LayOff)
        found = _tabling(seen, action)
    return " ".join(islice(found, SENTENCES))


def _taking(seen: Sight) -> Iterator[str]:
    card = seen.top.bit_length() - 1
    melds = [meld for meld in melds_in(seen.hand | seen.top) if meld & seen.top]
    onto = [meld for meld in seen.open_melds if chained(meld, seen.hand | seen.top) & seen.top]
    if melds:
        yield f"{NAMES[card]} completes {_listed(min(melds, key=_size))}."
    elif onto:
        yield f"{NAMES[card]} can go on {_listed(onto[0])}, which is on the table."
    elif friends := FRIENDS[card] & seen.hand:
        yield f"{NAMES[card]} goes with {_all(friends)}."
    else:
        yield "You know what you get; a card of the stock may be worse."


def _drawing(seen: Sight) -> Iterator[str]:
    card = seen.top.bit_length() - 1
    more = seen.hand | seen.top
    if seen.top & in_melds(more):
        yield f"{NAMES[card]} would go into a meld, but all would see you take it."
    elif any(chained(meld, more) & seen.top for meld in seen.open_melds):
        yield f"{NAMES[card]} could only be laid off; a card of the stock may do more."
    else:
        yield f"{NAMES[card]} completes no meld of yours and fits none that you may lay off on."


def _size(meld: int) -> int:
    return meld.bit_count()


# Tabling


def _tabling(seen: Sight, action: Meld | LayOff) -> Iterator[str]:
    if isinstance(action, Meld):
        cards = card_set(action.cards)
        table = (*seen.open_melds, cards)
    else:
        cards, onto = card_set([action.card]), action.meld
        table = (*seen.table[:onto], seen.table[onto] | cards, *seen.table[onto + 1 :])
    if goes_out(replace(seen, hand=seen.hand & ~cards), table):
        yield "You can go out in this turn." + _paid(seen)
    count = "counts" if value(cards) == 1 else "count"
    yield f"{_points(value(cards))} of your hand no longer {count} against you."
    if isinstance(action, LayOff):
        yield f"{action.card} fits {_listed(seen.table[action.meld])}."


def _paid(seen: Sight) -> str:
    """What a view tells of going rummy: that a seat has tabled nothing so far."""
    if not seen.is_silent(seen.seat):
        return ""
    return {
        "double": " With all cards in one turn it is paid double.",
        "plus10": " With all cards in one turn it is paid 10 more.",
        "off": "",
    }[seen.options.going_rummy]


# Throwing


def _throwing(seen: Sight, card: int, over: Action) -> Iterator[str]:
    if seen.hand == 1 << card:
        yield f"{NAMES[card]} is your last card, so you go out."
        return
    if isinstance(over, Meld | LayOff):
        yield from _holding(seen, card)
    other = INDEX[over.card] if isinstance(over, Discard) and INDEX[over.card] != card else None
    yield from _going_out(seen, card, other)
    if other is not None:
        yield from _whole(seen, card, other)
        yield from _fed(seen, card, other)
    yield from _kept(seen, card, other)
    yield from _worth(card, other)


def _holding(seen: Sight, card: int) -> Iterator[str]:
    """Melds that are not tabled now."""
    melds = melds_in(seen.hand & ~(1 << card))
    if not melds:
        return
    held = f"You hold {_listed(max(melds, key=value))} back"
    if seen.is_silent(seen.seat) and seen.options.going_rummy != "off":
        more = "double" if seen.options.going_rummy == "double" else "10 more"
        yield f"{held}: to go out with all cards in one turn is paid {more}."
    else:
        yield f"{held}: nobody can lay off on what is not on the table."


def _going_out(seen: Sight, card: int, other: int | None) -> Iterator[str]:
    """With few loose cards, where all of them may be tabled at once."""
    if fewest_left(seen).bit_count() > FEW or not is_free(seen):
        return
    with_it = outs(seen, card)
    if not with_it:
        return
    told = f"After it {_any(with_it)} would let you go out in your next turn"
    without = 0 if other is None else outs(seen, other)
    if other is not None and without.bit_count() < with_it.bit_count():
        told += f"; after {NAMES[other]} {_any(without) if without else 'no card'} would"
    yield told + "."


def _whole(seen: Sight, card: int, other: int) -> Iterator[str]:
    """A meld that the other throw would break."""
    melds = [meld for meld in melds_in(seen.hand & ~(1 << card)) if meld >> other & 1]
    if melds and not in_melds(seen.hand) >> card & 1:
        yield f"It keeps the meld {_listed(min(melds, key=_size))}."


def _fed(seen: Sight, card: int, other: int) -> Iterator[str]:
    """What the next seat could do with the other card."""
    known = seen.taken[seen.follower]
    mine, others = (_used(seen, one, known) for one in (card, other))
    if others and len(others) > len(mine):
        melds = sorted(others, key=lambda pair: -(pair & known).bit_count())
        meld, took = melds[0] | 1 << other, melds[0] & known
        yield f"The next seat took {_all(took)} and could use {NAMES[other]} in {_listed(meld)}."


def _used(seen: Sight, card: int, known: int) -> list[int]:
    """The pairs with which the next seat could meld a card, one of them at least seen taken."""
    more = seen.sizes[seen.follower] > known.bit_count()
    held = known | seen.live if more else known
    return [pair for pair in PAIRS[card] if pair & known and pair & ~held == 0]


def _kept(seen: Sight, card: int, other: int | None) -> Iterator[str]:
    """Two loose cards that one more would complete: such as the other throw would break up."""
    loose = fewest_left(seen) & ~(1 << card)
    loose &= ~in_melds(seen.hand & ~(1 << card))
    pairs = [1 << one | 1 << two for one, two in combinations(members(loose), 2)]
    ways = {pair: completing(pair) & seen.live for pair in pairs}
    broken = 0 if other is None else 1 << other
    best = max(
        (pair for pair in pairs if ways[pair]),
        key=lambda pair: (bool(pair & broken), ways[pair].bit_count()),
        default=0,
    )
    if best:
        yield f"It keeps {_all(best)}, which {_any(ways[best])} would complete."


def _worth(card: int, other: int | None) -> Iterator[str]:
    if other is not None and VALUES[other] < VALUES[card]:
        yield f"It rids you of {_points(VALUES[card])}, {NAMES[other]} of {VALUES[other]}."
    else:
        yield f"It rids you of {_points(VALUES[card])}."


# Words


def _points(count: int) -> str:
    return "1 point" if count == 1 else f"{count} points"


def _listed(cards: int) -> str:
    return " ".join(names(cards))


def _all(cards: int) -> str:
    return _joined(cards, "and")


def _any(cards: int) -> str:
    return (
        f"any of {cards.bit_count()} cards" if cards.bit_count() > NAMED else _joined(cards, "or")
    )


def _joined(cards: int, word: str) -> str:
    *most, last = names(cards)
    return f"{', '.join(most)} {word} {last}" if most else last
