"""Mistakes that a colleague could make, each of which the gate must notice.

Each plants itself by a monkeypatch. `place` is where it is looked for.
"""

import hashlib
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec
import structlog
from msgspec.structs import replace

from games import answers, replays, views
from games.admin import MatchAdmin
from games.engine import gin, log, pyramid, rummy
from games.engine.cards import NAMES, names
from games.engine.game import IllegalAction
from games.models import Match
from games.services import hints, moves
from games.views import moves as views_of_moves
from tests.secrecy.scenes import Place

GIN, RUMMY, PYRAMID = Place("gin", 2, 0), Place("rummy", 2, 1), Place("pyramid", 1, 0)
WATCHED = Place("gin", 2, None)
PRACTICE = Place("pyramid", 1, 0, practice=True)


class Leak(NamedTuple):
    words: str
    place: Place
    plant: Callable[[Any], None]


def after(monkeypatch: Any, owner: Any, name: str, change: Callable[..., Any]) -> None:
    """Let `change(what it returned, *its arguments)` be what a function returns."""
    original = getattr(owner, name)

    def changed(*args: Any, **kwargs: Any) -> Any:
        return change(original(*args, **kwargs), *args, **kwargs)

    monkeypatch.setattr(owner, name, changed)


def spectator_sees_the_first_seat(monkeypatch: Any) -> None:
    def view(seen: Any, state: Any, seat: int | None) -> Any:
        return replace(seen, hand=names(state.hands[0])) if seat is None else seen

    after(monkeypatch, gin, "view", view)


def legal_is_sorted_by_the_next_card(monkeypatch: Any) -> None:
    def view(seen: Any, state: Any, seat: int | None) -> Any:
        turned = state.stock and state.stock[-1] % 2
        return replace(seen, legal=seen.legal[::-1]) if turned else seen

    after(monkeypatch, rummy, "view", view)


def an_error_quotes_the_stock(monkeypatch: Any) -> None:
    original = moves.check

    def check(game: Any, state: Any, seat: int, action: Any) -> None:
        try:
            original(game, state, seat, action)
        except IllegalAction as error:
            raise IllegalAction(
                error.rule, f"{error} {state.stock}", error.extra["legal"]
            ) from None

    monkeypatch.setattr(moves, "check", check)


def a_tag_over_the_whole_state(monkeypatch: Any) -> None:
    after(
        monkeypatch,
        views,
        "match_body",
        lambda body, match, position, reader: replace(
            body, commitment=hashlib.sha256(msgspec.json.encode(position)).hexdigest()
        ),
    )


def moves_show_what_others_drew(monkeypatch: Any) -> None:
    def event(body: Any, rules: Any, known: Any, step: Any, *_: Any, **__: Any) -> Any:
        turns = getattr(step.position.state, "turns", ())
        return replace(body, words=f"{body.words} {turns[-1].drawn}") if turns else body

    after(monkeypatch, views_of_moves, "event_body", event)


def a_dealers_entry_is_told_as_it_stands(monkeypatch: Any) -> None:
    def event(body: Any, rules: Any, known: Any, step: Any, *_: Any, **__: Any) -> Any:
        return replace(body, last=log.plain(step.entry.action)) if step.entry.seat == -1 else body

    after(monkeypatch, views_of_moves, "event_body", event)


def the_log_is_open_while_the_match_lives(monkeypatch: Any) -> None:
    monkeypatch.setattr(Match, "over", True)


def a_deal_shows_what_was_before_it(monkeypatch: Any) -> None:
    after(
        monkeypatch,
        views_of_moves,
        "deal_line",
        lambda line, deal: replace(line, result={"shuffled": deal.match.position["state"]}),
    )


def a_dry_run_knows_the_next_card(monkeypatch: Any) -> None:
    def foresee(seen: Any, state: Any, action: Any) -> Any:
        return replace(seen, hand=(*seen.hand, NAMES[state.stock[-1]])) if state.stock else seen

    after(monkeypatch, gin, "foresee", foresee)


def a_move_is_logged_with_the_position(monkeypatch: Any) -> None:
    def write(nothing: None, match: Match, *_: Any) -> None:
        structlog.get_logger("games").info("written", position=match.position)

    after(monkeypatch, moves, "write", write)


def the_admin_shows_the_position(monkeypatch: Any) -> None:
    more = ("Position", {"fields": ["position"]})
    monkeypatch.setattr(MatchAdmin, "fieldsets", [*MatchAdmin.fieldsets, more])


def the_admin_shows_the_secret(monkeypatch: Any) -> None:
    monkeypatch.setattr(Match, "revealed_secret", Match.secret_hex, raising=False)
    monkeypatch.setattr(MatchAdmin, "revealed_secret", lambda self, match: match.secret_hex)


def a_hint_peeks(monkeypatch: Any) -> None:
    def hint(said: Any, match: Match, player: Any) -> Any:
        draw = match.folded().state.draw
        return replace(said, version=0) if draw[-1] % 2 else said

    after(monkeypatch, hints, "hint", hint)


def a_hint_is_weighed_with_the_other_hand(monkeypatch: Any) -> None:
    def hint(said: Any, match: Match, player: Any) -> Any:
        state = match.folded().state
        return replace(said, best=said.best[: 1 + state.hands[1 - state.turn] % 2])

    after(monkeypatch, hints, "hint", hint)


def the_pile_is_shown_in_its_order(monkeypatch: Any) -> None:
    def view(seen: Any, state: Any, seat: int | None) -> Any:
        return replace(seen, waste=(*seen.waste, *(NAMES[card] for card in state.draw)))

    after(monkeypatch, pyramid, "view", view)


def a_size_tells(monkeypatch: Any) -> None:
    """A space more behind the answer if the opponent holds an odd number of clubs."""

    def render(body: bytes, renderer: Any, data: Any, *_: Any) -> bytes:
        seat = getattr(data, "you", None)
        if seat is None or data.view is None or data.game != "gin":
            return body
        state = Match.objects.get(pk=data.id).folded().state
        return body + b" " * ((state.hands[1 - seat] & 0x1FFF).bit_count() % 2)

    after(monkeypatch, answers.StructRenderer, "render", render)


def an_earlier_moment_is_seen_with_todays_eyes(monkeypatch: Any) -> None:
    """A replay that shows everybody's cards of now."""

    def step_at(step: Any, match: Match, version: int) -> Any:
        log_now = match.folded().state
        return msgspec.structs.replace(
            step, position=replace(step.position, table=log.Rematched(str(log_now.stock)))
        )

    after(monkeypatch, replays, "step_at", step_at)


LEAKS = (
    Leak("the spectator's view has a hand", WATCHED, spectator_sees_the_first_seat),
    Leak("what is legal is sorted by the stock", RUMMY, legal_is_sorted_by_the_next_card),
    Leak("an error quotes the stock", GIN, an_error_quotes_the_stock),
    Leak("a digest of the whole state", WATCHED, a_tag_over_the_whole_state),
    Leak("the moves show what others drew", WATCHED, moves_show_what_others_drew),
    Leak("a dealer's entry as it stands", RUMMY, a_dealers_entry_is_told_as_it_stands),
    Leak("an export of a live match", GIN, the_log_is_open_while_the_match_lives),
    Leak("a deal with the state", GIN, a_deal_shows_what_was_before_it),
    Leak("a dry run that knows the next card", GIN, a_dry_run_knows_the_next_card),
    Leak("the position in the log", WATCHED, a_move_is_logged_with_the_position),
    Leak("the position in the admin", WATCHED, the_admin_shows_the_position),
    Leak("the secret in the admin", WATCHED, the_admin_shows_the_secret),
    Leak("a hint that peeks", PRACTICE, a_hint_peeks),
    Leak("a hint that knows the other hand", GIN, a_hint_is_weighed_with_the_other_hand),
    Leak("the draw pile in its order", PYRAMID, the_pile_is_shown_in_its_order),
    Leak("the size of an answer", GIN, a_size_tells),
    Leak("an earlier moment seen from today", GIN, an_earlier_moment_is_seen_with_todays_eyes),
)
