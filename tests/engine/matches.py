"""Matches for any game, made by hypothesis: options, packs and play."""

from collections.abc import Callable
from random import Random
from typing import Any

import msgspec
from hypothesis import strategies as st
from msgspec import inspect

from games.engine import GAMES, log
from games.engine.cards import NAMES, members
from games.engine.game import DEALER, Game
from games.engine.log import Entry, Joined, Position, Resigned, Started
from games.engine.pyramid import Undo
from tests.engine import pyramid_decks, rummy_decks

SHORT: dict[str, dict[str, Any]] = {
    "gin": {"max_deals": st.integers(1, 3)},
    "rummy": {"max_deals": st.integers(1, 3), "max_restocks": st.integers(0, 2)},
    "pyramid": {"redeals": st.integers(0, 2)},
}
"""By game: options that keep a match short enough to be played a hundred times."""

CARDS: dict[str, Callable[[Any], list[int]]] = {
    "gin": lambda state: [
        *members(state.hands[0]),
        *members(state.hands[1]),
        *state.stock,
        *state.discards,
        *(card for card, _ in (state.laid.layoffs if state.laid else ())),
    ],
    "rummy": rummy_decks.every_card,
    "pyramid": pyramid_decks.every_card,
}
"""By game: every card of a state that has been dealt, wherever it lies."""


def hidden_in_gin(state: Any, reader: int | None) -> set[int]:
    """The stock, and what another holds and did not take from the pile or lay down."""
    hidden = set(state.stock)
    if state.phase in ("dealing", "over"):
        return hidden  # at the end of a deal both hands are shown
    for seat in {0, 1} - {reader}:
        if not state.laid or state.laid.knocker != seat:
            taken = {t.drawn for t in state.turns if t.from_pile and t.seat == seat}
            hidden |= set(members(state.hands[seat])) - taken
    return hidden


def hidden_in_rummy(state: Any, reader: int | None) -> set[int]:
    """The stock, and what others hold and did not take from the pile."""
    hidden = set(state.stock)
    if state.phase in ("dealing", "over"):
        return hidden  # at the end of a deal all hands are shown
    for seat, hand in enumerate(state.hands):
        if seat != reader:
            hidden |= set(members(hand & ~state.taken[seat]))
    return hidden


def hidden_in_pyramid(state: Any, reader: int | None) -> set[int]:
    """In the first pass of a round, the draw pile under its top."""
    return set() if state.redeals else set(state.draw[1:])


HIDDEN: dict[str, Callable[[Any, int | None], set[int]]] = {
    "gin": hidden_in_gin,
    "rummy": hidden_in_rummy,
    "pyramid": hidden_in_pyramid,
}
"""By game: the cards that a reader may not know, by the rules and not by his view."""


BACKWARD = {Undo}
"""Kinds of actions that take a match back."""


def of_type(kind: inspect.Type) -> st.SearchStrategy[Any]:
    """JSON data of a type of the engine, as msgspec describes it."""
    match kind:
        case inspect.BoolType():
            return st.booleans()
        case inspect.NoneType():
            return st.none()
        case inspect.IntType(ge=low, le=high):
            return st.integers(low, high)
        case inspect.StrType():
            return st.sampled_from(NAMES)  # every string of an action is a card
        case inspect.LiteralType(values=values):
            return st.sampled_from(values)
        case inspect.UnionType(types=types):
            return st.one_of(*map(of_type, types))
        case inspect.VarTupleType(item_type=item, min_length=low, max_length=high):
            return st.lists(of_type(item), min_size=low or 0, max_size=min(high or 4, 4))
        case inspect.StructType(fields=fields, tag_field=tag_field, tag=tag):
            tagged = {tag_field: st.just(tag)} if tag_field else {}
            return st.fixed_dictionaries(
                {**tagged, **{f.encode_name: of_type(f.type) for f in fields}}
            )
        case inspect.Metadata(type=inner):
            return of_type(inner)
    raise NotImplementedError(kind)


def any_action(game: Game) -> st.SearchStrategy[dict[str, Any]]:
    """JSON data of any action of a game, hardly ever a legal one."""
    return of_type(inspect.type_info(game.Action))


@st.composite
def any_options(draw: st.DrawFn, name: str) -> Any:
    """A preset, often with many of its options changed; short."""
    game = GAMES[name]
    options = draw(st.sampled_from(list(game.PRESETS.values())))
    fields = inspect.type_info(game.Options).fields
    kinds = {field.encode_name: of_type(field.type) for field in fields}
    changed = draw(st.sampled_from((0.0, 0.2, 0.6)))
    some = [field for field in kinds if draw(st.floats(0, 1)) < changed]
    chosen = {field: draw(kinds[field]) for field in some}
    short = {field: draw(kind) for field, kind in SHORT.get(name, {}).items()}
    return msgspec.structs.replace(options, **{**chosen, **short})


class Match(msgspec.Struct, frozen=True):
    """A match played to its end: `positions[n]` is the one after n entries."""

    name: str
    options: Any
    seats: int
    seed: int
    entries: tuple[Entry, ...]
    positions: tuple[Position, ...]

    def __repr__(self) -> str:
        return f"play_out({self.name!r}, {self.options}, {self.seats}, {self.seed})"

    @property
    def game(self) -> Game:
        return GAMES[self.name]

    @property
    def readers(self) -> tuple[int | None, ...]:
        return (*range(self.seats), None)

    def states(self) -> list[Any]:
        return [position.state for position in self.positions if position.state is not None]


@st.composite
def matches(draw: st.DrawFn, name: str) -> Match:
    """A match of a game, played at random from a drawn seed; one in ten is resigned."""
    options = draw(any_options(name))
    seats = draw(st.sampled_from(list(GAMES[name].SEATS)))
    return play_out(name, options, seats, draw(st.integers(0, 2**32)))


def play_out(name: str, options: Any, seats: int, seed: int) -> Match:
    """A whole match from a seed."""
    rng, game = Random(seed), GAMES[name]
    position = log.opened(seats)
    entries: list[Entry] = []
    positions = [position]
    waiting = [Entry(log.TABLE, Joined(seat, player=f"p{seat}")) for seat in range(seats)]
    waiting.append(Entry(log.TABLE, Started()))
    while position.status in ("open", "playing"):
        entry = waiting.pop(0) if waiting else next_entry(game, position, rng)
        position = log.fold(game, options, position, entry)
        entries.append(entry)
        positions.append(position)
        assert len(entries) < 5000, "this match does not end"
    return Match(name, options, seats, seed, tuple(entries), tuple(positions))


def next_entry(game: Game, position: Position, rng: Random) -> Entry:
    state, turn = position.state, position.turn
    assert turn is not None
    if turn == DEALER:
        cards = pack(game.to_shuffle(state), rng)
        return Entry(DEALER, game.dealer_action(state, cards, rng.randrange(len(position.seats))))
    if rng.random() < 0.001 and turn not in position.resigned:
        return Entry(log.TABLE, Resigned(turn))
    return Entry(turn, any_legal(game.legal_actions(state), rng))


def pack(cards: tuple[str, ...], rng: Random) -> tuple[str, ...]:
    """The cards in some order, often one that gives hands full of melds."""
    order = list(cards)
    if rng.random() < 0.5:
        order.sort(key=lambda card: card[0])
    at = rng.randrange(len(order) or 1)
    order = order[at:] + order[:at]
    for _ in range(rng.choice((0, 5, 10, 20, 200)) if order else 0):
        i, j = rng.randrange(len(order)), rng.randrange(len(order))
        order[i], order[j] = order[j], order[i]
    return tuple(order)


def any_legal(legal: tuple[Any, ...], rng: Random) -> Any:
    """A random kind of action, so that rare kinds come up, then any one or the first of it."""
    kinds = list(dict.fromkeys(map(type, legal)))
    kind = rng.choice(kinds)
    if kind in BACKWARD and rng.random() < 0.8:
        kind = kinds[0]  # or a match would hardly get anywhere
    actions = [action for action in legal if type(action) is kind]
    return rng.choice(actions) if rng.random() < 0.5 else actions[0]


def redealt(match: Match, start: int, end: int, other: dict[str, str]) -> list[Position]:
    """The positions start+1 .. end, had the dealer's cards from there on been renamed."""
    position, positions = match.positions[start], []
    for entry in match.entries[start:end]:
        entry = renamed(entry, other) if entry.seat == DEALER else entry
        position = log.fold(match.game, match.options, position, entry)
        positions.append(position)
    return positions


def renamed(entry: Entry, other: dict[str, str]) -> Entry:
    """A dealer's entry with its cards renamed."""
    cards = tuple(other.get(card, card) for card in entry.action.cards)
    return Entry(entry.seat, msgspec.structs.replace(entry.action, cards=cards))


def deals(match: Match) -> list[tuple[int, int]]:
    """For each deal, the version before it and the last version of it."""
    numbers = [position.state.deal if position.state else 0 for position in match.positions]
    starts = [n for n in range(len(numbers) - 1) if numbers[n + 1] > numbers[n]]
    return list(zip(starts, [*starts[1:], len(match.entries)], strict=True))


def never_seen(match: Match, start: int, end: int, reader: int | None) -> list[str]:
    """The cards that a reader may not know at any version from start+1 to end."""
    states = [position.state for position in match.positions[start + 1 : end + 1]]
    hidden = (HIDDEN[match.name](state, reader) for state in states)
    return [NAMES[card] for card in sorted(set.intersection(*hidden))]
