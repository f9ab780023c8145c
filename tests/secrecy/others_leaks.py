"""Mistakes that a colleague could make, each of which tells somebody of cards he may not know.

Planted one at a time in a test of secrecy, which must find it. Each takes `monkeypatch`, patches
the service by it alone, and leaves every match playable.
"""

import hashlib
from collections.abc import Callable
from functools import wraps
from itertools import combinations, pairwise
from typing import Any
from zlib import crc32

import msgspec
import pytest
import structlog
from django_structlog import signals
from msgspec.structs import replace

from games import answers, queries
from games import views as shared
from games.engine import gin, pyramid, rummy
from games.engine.cards import INDEX, NAMES, value
from games.engine.game import DEALER
from games.engine.melds import deadwood, fits, in_melds
from games.models import Match
from games.services import moves
from games.views import matches as match_views
from games.views import moves as move_views
from games.views import practice as practice_views

logger = structlog.get_logger(__name__)

MonkeyPatch = pytest.MonkeyPatch
Plant = Callable[[MonkeyPatch], None]


def seen_otherwise(monkeypatch: MonkeyPatch, game: Any, change: Callable[..., Any]) -> None:
    """The game's view, as `change` makes it of state, seat and the true view."""
    view = game.view
    monkeypatch.setattr(game, "view", lambda state, seat: change(state, seat, view(state, seat)))


# What a view shows


def spectators_deadwood(monkeypatch: MonkeyPatch) -> None:
    """The deadwood of the seat to move, thought to be public as its hand's size is."""

    def change(state: gin.State, seat: int | None, seen: gin.View) -> gin.View:
        if seat is not None or state.turn not in (0, 1):
            return seen
        return replace(seen, deadwood=deadwood(state.hands[state.turn]))

    seen_otherwise(monkeypatch, gin, change)


def drawn_card_that_was_thrown(monkeypatch: MonkeyPatch) -> None:
    """A drawn card is named once it is on the pile: true, but that it was the drawn one is news."""
    honest = gin._seen_turn

    def seen_turn(turn: gin.Turn, reader: int | None) -> gin.SeenTurn:
        seen = honest(turn, reader)
        return replace(seen, drawn=NAMES[turn.drawn]) if turn.drawn == turn.thrown else seen

    monkeypatch.setattr(gin, "_seen_turn", seen_turn)


def hand_masked_by_melds(monkeypatch: MonkeyPatch) -> None:
    """Others see the back of each card, but those in melds were sorted to the front as "--"."""

    def change(state: gin.State, seat: int | None, seen: gin.View) -> gin.View:
        if seat is not None or not state.hands[0]:
            return seen
        hand = state.hands[0]
        melded = in_melds(hand).bit_count()
        return replace(seen, hand=("--",) * melded + ("??",) * (hand.bit_count() - melded))

    seen_otherwise(monkeypatch, gin, change)


def safe_discards_first(monkeypatch: MonkeyPatch) -> None:
    """`legal` lists first what the other seat has no use for. Nothing but an order."""

    def use(card: int, hand: int) -> int:
        return in_melds(hand | 1 << card).bit_count() - in_melds(hand).bit_count()

    def change(state: gin.State, seat: int | None, seen: gin.View) -> gin.View:
        if seat is None or not seen.legal or state.phase != "discard":
            return seen
        other = state.hands[1 - seat]

        def danger(action: Any) -> tuple[int, int]:
            if not isinstance(action, gin.Discard):
                return 1, 0
            card = INDEX[action.card]
            near = sum(abs(card - c) <= 2 for c in range(52) if other >> c & 1)
            return 0, use(card, other) * 10 + near

        return replace(seen, legal=tuple(sorted(seen.legal, key=danger)))

    seen_otherwise(monkeypatch, gin, change)


def better_draw_first(monkeypatch: MonkeyPatch) -> None:
    """In rummy `legal` begins with the better of the two draws, which looks at the stock."""

    def change(state: rummy.State, seat: int | None, seen: rummy.View) -> rummy.View:
        if len(seen.legal) != 2 or state.phase != "draw":
            return seen
        stock, upcard = state.stock[0], state.discards[-1]
        order = seen.legal if value(1 << stock) < value(1 << upcard) else seen.legal[::-1]
        return replace(seen, legal=order)

    seen_otherwise(monkeypatch, rummy, change)


def drawn_is_told_to_all(monkeypatch: MonkeyPatch) -> None:
    """None, the spectator, passes for one who may know the card of the turn under way."""

    def drawn(state: rummy.State, reader: int | None) -> str | None:
        now = state.now
        return NAMES[now.drawn] if now and (now.from_pile or reader in (None, state.turn)) else None

    monkeypatch.setattr(rummy, "_drawn", drawn)


def left_neighbour_sees_the_draw(monkeypatch: MonkeyPatch) -> None:
    """`last` keeps the drawn card for the seat that is next to move, not for the drawer alone."""
    honest = rummy._last

    def last(state: rummy.State, reader: int | None) -> rummy.Last | None:
        seen = honest(state, reader)
        next_one = state.last_seat is not None and (state.last_seat + 1) % len(state.scores)
        if seen is None or state.last_card is None or reader is None or reader != next_one:
            return seen
        return replace(seen, card=NAMES[state.last_card])

    monkeypatch.setattr(rummy, "_last", last)


def drawn_counts_as_taken(monkeypatch: MonkeyPatch) -> None:
    """`taken` forgets to ask where a card came from, so it lists the stock's too."""
    honest = rummy._in_hand

    def in_hand(state: rummy.State, card: int, from_pile: bool) -> rummy.State:
        after = honest(state, card, from_pile)
        assert state.turn is not None
        own = after.taken[state.turn] | 1 << card
        return replace(after, taken=rummy._changed(after.taken, state.turn, own))

    monkeypatch.setattr(rummy, "_in_hand", in_hand)


def deal_keeps_its_cards(monkeypatch: MonkeyPatch) -> None:
    """The state's last action is the dealer's whole entry: told as `last` until the first move."""
    honest = rummy.apply

    def apply(state: rummy.State, action: Any) -> rummy.State:
        after = honest(state, action)
        return replace(after, last_action=action) if isinstance(action, rummy.Deal) else after

    monkeypatch.setattr(rummy, "apply", apply)


def lay_off_targets_counted(monkeypatch: MonkeyPatch) -> None:
    """`layoffs_made` tells others how many of a seat's cards would fit the table or the pile's top.

    It was to count those made.
    """

    def change(state: rummy.State, seat: int | None, seen: rummy.View) -> rummy.View:
        if state.turn is None or state.turn == DEALER or not state.discards:
            return seen
        top, table = state.discards[-1], state.table

        def fitting(hand: int) -> int:
            suited = sum(
                c % 13 == top % 13 or abs(c - top) == 1 for c in range(52) if hand >> c & 1
            )
            return suited + sum((fits(meld) & hand).bit_count() for meld in table)

        return replace(seen, layoffs_made=tuple(map(fitting, state.hands)))

    seen_otherwise(monkeypatch, rummy, change)


def one_card_too_many(monkeypatch: MonkeyPatch) -> None:
    """In the first pass the draw pile shows two cards from its top."""

    def seen_draw(state: pyramid.State) -> tuple[str | None, ...]:
        seen = len(state.draw) if state.redeals else 2
        return tuple(NAMES[card] if n < seen else None for n, card in enumerate(state.draw))

    monkeypatch.setattr(pyramid, "_seen_draw", seen_draw)


def kings_left_out(monkeypatch: MonkeyPatch) -> None:
    """The unseen pile is without the kings, which were thought to go by themselves: its length."""
    honest = pyramid._seen_draw

    def seen_draw(state: pyramid.State) -> tuple[str | None, ...]:
        pairs = enumerate(zip(honest(state), state.draw, strict=True))
        half = len(state.draw) // 2
        return tuple(s for n, (s, c) in pairs if s or n >= half or c % 13 != pyramid.KING)

    monkeypatch.setattr(pyramid, "_seen_draw", seen_draw)


def redeals_that_can_help(monkeypatch: MonkeyPatch) -> None:
    """`redeals_left` is none where no pair within the draw pile could ever go: a foregone loss."""

    def change(state: pyramid.State, seat: int | None, seen: pyramid.View) -> pyramid.View:
        pairs = sum(pyramid._thirteen(a, b) for a, b in combinations(state.draw[1:9], 2))
        return replace(seen, redeals_left=min(seen.redeals_left, pairs))

    seen_otherwise(monkeypatch, pyramid, change)


# What a dry run, a refusal, a hint tells


def dry_run_draws(monkeypatch: MonkeyPatch) -> None:
    """The dry run of a draw has no case of its own any more: it does it, and shows the hand."""

    def foresee(state: gin.State, action: gin.Action) -> gin.Foresight:
        seat = state.turn
        assert seat is not None
        after = gin.apply(state, action)
        return gin.Foresight(gin.names(after.hands[seat]), deadwood(after.hands[seat]), None, None)

    monkeypatch.setattr(gin, "foresee", foresee)


# What stands around a view


def told_otherwise(monkeypatch: MonkeyPatch, change: Callable[..., None]) -> None:
    """Every answer that is a match, after `change` had it with the match, position and seat."""
    told = shared.told

    @wraps(told)
    def other(match: Match, request: Any, *args: Any, **kwargs: Any) -> Any:
        response = told(match, request, *args, **kwargs)
        position = match.folded()
        change(response, match, position, queries.own_seat(position, request))
        return response

    for module in (shared, match_views, move_views, practice_views):
        monkeypatch.setattr(module, "told", other)


def etag_of_the_position(monkeypatch: MonkeyPatch) -> None:
    """The ETag is a digest of the row, which is simple, and true of every change."""

    def etag(match: Match, seat: int | None) -> str:
        whole = msgspec.json.encode([match.position, match.names, seat], order="sorted")
        return f'"{match.version}-{hashlib.sha256(whole).hexdigest()[:12]}"'

    def change(response: Any, match: Match, position: Any, seat: int | None) -> None:
        response["ETag"] = etag(match, seat)

    def current_version(match_id: Any, request: Any) -> tuple[int, str] | None:
        player = queries.reader(request)
        seen = Match.objects.visible_to(player, queries.key(request))
        match = seen.with_names().filter(pk=match_id).first()
        if match is None:
            return None
        return match.version, etag(match, queries.own_seat(match.folded(), request))

    told_otherwise(monkeypatch, change)
    for module in (match_views, move_views):
        monkeypatch.setattr(module, "current_version", current_version)


def header_counts_choices(monkeypatch: MonkeyPatch) -> None:
    """A header, meant for load tests: among how many actions the seat to move chooses."""

    def change(response: Any, match: Match, position: Any, seat: int | None) -> None:
        legal = match.rules.legal_actions(position.state) if position.turn is not None else ()
        response["Server-Timing"] = f'legal;desc="{len(legal)}"'

    told_otherwise(monkeypatch, change)


def cached_for_spectators(monkeypatch: MonkeyPatch) -> None:
    """Who has no seat is answered from a cache by match and version, which seats fill as well."""
    cache: dict[Any, Any] = {}

    def change(response: Any, match: Match, position: Any, seat: int | None) -> None:
        first = cache.setdefault((match.pk, match.version), response.data)
        if seat is None:
            response.data = replace(first, key=msgspec.UNSET, you=None)

    told_otherwise(monkeypatch, change)


# Lists, the log of moves, replays


def words_name_the_card(monkeypatch: MonkeyPatch) -> None:
    """The data of a draw hide the card, and its words name it."""
    honest = answers.event_body

    def event_body(rules: Any, names: Any, step: Any, *args: Any, **kwargs: Any) -> Any:
        event, card = honest(rules, names, step, *args, **kwargs), step.position.state
        if step.entry.seat < 0 or card is None or card.last_card is None:
            return event
        return replace(event, words=rules.words(step.entry.action, NAMES[card.last_card]))

    monkeypatch.setattr(move_views, "event_body", event_body)


def dealers_entry_as_stored(monkeypatch: MonkeyPatch) -> None:
    """The list of moves takes the action from the log, not from the view: the dealer's is open."""
    honest = answers.event_body

    def event_body(rules: Any, names: Any, step: Any, *args: Any, **kwargs: Any) -> Any:
        event = honest(rules, names, step, *args, **kwargs)
        if step.entry.seat != DEALER:
            return event
        return replace(event, last=replace(event.last, action=step.entry.action))

    monkeypatch.setattr(move_views, "event_body", event_body)


def dealers_entry_by_length(monkeypatch: MonkeyPatch) -> None:
    """The dealer's words tell how many cards "run on" in the deck: a number made of its order."""
    honest = answers.event_body

    def event_body(rules: Any, names: Any, step: Any, *args: Any, **kwargs: Any) -> Any:
        event = honest(rules, names, step, *args, **kwargs)
        if step.entry.seat != DEALER:
            return event
        order = [INDEX[card] for card in step.entry.action.cards]
        rises = sum(b > a for a, b in pairwise(order))
        return replace(event, words=f"{event.words} ({rises} rises)")

    monkeypatch.setattr(move_views, "event_body", event_body)


def page_address_holds_a_sum(monkeypatch: MonkeyPatch) -> None:
    """`next` and `previous` of the moves carry a check sum of the position, against caches."""
    honest = move_views.links

    def links(request: Any, match_id: Any, *args: Any) -> dict[str, Any]:
        position = Match.objects.values_list("position", flat=True).get(pk=match_id)
        state = position.get("state") or {}
        mark = crc32(msgspec.json.encode([state.get("draw"), state.get("stock")])) % 997
        found = honest(request, match_id, *args)
        return {rel: to and f"{to}&of={mark}" for rel, to in found.items()}

    monkeypatch.setattr(move_views, "links", links)


def spectators_replay_any_seat(monkeypatch: MonkeyPatch) -> None:
    """`?seat=1` is refused to the other seat only: who has none is no opponent."""
    honest = queries.reader_in

    def reader_in(match: Match, request: Any) -> int | None:
        asked = request.query_params.get("seat", "")
        if queries.own_seat(match.folded(), request) is None and asked.isdigit():
            return int(asked) % len(match.position["seats"])
        return honest(match, request)

    monkeypatch.setattr(move_views, "reader_in", reader_in)


def running_deal_has_a_result(monkeypatch: MonkeyPatch) -> None:
    """The list of deals tells of the one under way what it would come to if it ended now."""
    honest = answers.deal_line

    def deal_line(deal: Any) -> Any:
        line = honest(deal)
        if line.result is not None or deal.match.game != "gin":
            return line
        left = [deadwood(hand) for hand in deal.match.folded().state.hands]
        return replace(line, result={"deal": line.number, "ahead": int(left[0] > left[1])})

    monkeypatch.setattr(move_views, "deal_line", deal_line)


# What operators see: pages and lines


def log_names_the_card_drawn(monkeypatch: MonkeyPatch) -> None:
    """Each move stored is logged, with the card that it moved."""
    honest = moves.write

    def write(match: Match, before: Any, *entries: Any, **more: Any) -> None:
        honest(match, before, *entries, **more)
        state = match.folded().state
        logger.info("move", match=str(match.pk), card=getattr(state, "last_card", None))

    monkeypatch.setattr(moves, "write", write)


def log_tells_sizes(monkeypatch: MonkeyPatch) -> None:
    """A request's line has the size of the answer, which for a seat depends on its hand."""
    signal = signals.bind_extra_request_finished_metadata
    monkeypatch.setattr(signal, "receivers", list(signal.receivers))

    def tell_size(request: Any, response: Any, log_kwargs: dict[str, Any], **_: Any) -> None:
        log_kwargs["size"] = 0 if response.streaming else len(response.content)

    signal.connect(tell_size, weak=False)


LEAKS: dict[str, tuple[Plant, str, int | str | None]] = {
    "the spectator's view has the deadwood of the seat to move": (spectators_deadwood, "gin", None),
    "a card drawn and thrown at once is told as the drawn one": (
        drawn_card_that_was_thrown,
        "gin",
        None,
    ),
    "the spectator's backs of cards are sorted by melds": (hand_masked_by_melds, "gin", None),
    "legal discards come in the order of their danger": (safe_discards_first, "gin", 0),
    "the better draw comes first in legal": (better_draw_first, "rummy", 0),
    "the spectator sees the card of the turn under way": (drawn_is_told_to_all, "rummy", None),
    "the next seat sees the card drawn": (left_neighbour_sees_the_draw, "rummy", 1),
    "cards drawn from the stock are among those taken": (drawn_counts_as_taken, "rummy", None),
    "the dealer's entry keeps its cards until the first move": (deal_keeps_its_cards, "rummy", 1),
    "lay-offs are counted that could be made": (lay_off_targets_counted, "rummy", 0),
    "the draw pile shows the card below its top": (one_card_too_many, "pyramid", 0),
    "the draw pile's length leaves out kings": (kings_left_out, "pyramid", None),
    "redeals are counted that can help": (redeals_that_can_help, "pyramid", None),
    "a dry run draws": (dry_run_draws, "gin", 0),
    "the ETag is a digest of the position": (etag_of_the_position, "gin", 0),
    "a header counts the choices of the seat to move": (header_counts_choices, "rummy", None),
    "the spectator is answered from a seat's cache": (cached_for_spectators, "gin", None),
    "the words of a draw name the card": (words_name_the_card, "gin", 1),
    "the dealer's entry is told as it is stored": (dealers_entry_as_stored, "rummy", None),
    "the dealer's words have a number made of the deck": (dealers_entry_by_length, "pyramid", 0),
    "the addresses of pages have a check sum of the pile": (
        page_address_holds_a_sum,
        "pyramid",
        None,
    ),
    "a spectator may replay any seat": (spectators_replay_any_seat, "rummy", None),
    "the deal under way has a result in the list of deals": (
        running_deal_has_a_result,
        "gin",
        None,
    ),
    "the log names the card drawn": (log_names_the_card_drawn, "gin", "operator"),
    "the log has the sizes of answers": (log_tells_sizes, "rummy", "operator"),
}
