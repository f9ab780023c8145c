"""For every operation that changes something, a situation in which ann can do it.

A new one is not tested until it stands here, and `test_retries.py` fails until it does.
"""

from collections.abc import Callable
from typing import Any

from games.models import Match
from games.services import ends
from players import services, webhooks
from players.models import EVENTS, Player
from tests.games.people import WINNING, Person, late, played, sit
from tests.games.practising import practice

Request = tuple[str, Any]
"""What ann sends: a path under /api/v1, and a body (b"": none)."""


def make_guest_of(ann: Person) -> None:
    Player.objects.filter(pk=ann.player.pk).update(is_guest=True)
    ann.player.refresh_from_db()


def become_account(ann: Person, bob: Person) -> Request:
    make_guest_of(ann)
    return "/me/account", {"name": "anna", "password": "correct horse battery"}


def change_password(ann: Person, bob: Person) -> Request:
    ann.player.set_password("correct horse battery")
    ann.player.save()
    return "/me", {"current_password": "correct horse battery", "password": "a better horse"}


def revoke_token(ann: Person, bob: Person) -> Request:
    token, _ = services.issue_token(ann.player, "another", ["read"])
    return f"/me/tokens/{token.pk}", b""


def change_webhook(ann: Person, bob: Person) -> Request:
    return webhook(ann), {"url": "https://bot.example.org/", "events": ["match.over"]}


def delete_webhook(ann: Person, bob: Person) -> Request:
    return webhook(ann), b""


def test_webhook(ann: Person, bob: Person) -> Request:
    return f"{webhook(ann)}/test", b""


def webhook(ann: Person) -> str:
    return f"/me/webhooks/{webhooks.add(ann.player, 'https://bot.example.org/', EVENTS).pk}"


def create_match(ann: Person, bob: Person) -> Request:
    return "/matches", {"game": "gin", "seats": ["me", "open"], "visibility": "private"}


def play_now(ann: Person, bob: Person) -> Request:
    return "/matches/quick", {"game": "gin"}


def join(ann: Person, bob: Person) -> Request:
    return f"/matches/{sit(bob, 'open').pk}/seats", {}


def leave(ann: Person, bob: Person) -> Request:
    return f"/matches/{sit(ann, 'open').pk}/seats/me", b""


def start(ann: Person, bob: Person) -> Request:
    body = {"game": "gin", "seats": ["me", {"bot": "easy"}], "start": "later"}
    return f"/matches/{ann.post('/matches', body).json()['id']}/start", b""


def play(ann: Person, bob: Person) -> Request:
    match = sit(ann, bob)
    body = {"version": match.version, "action": {"type": "draw_stock"}}
    return f"/matches/{match.pk}/moves", body


def resign(ann: Person, bob: Person) -> Request:
    return f"/matches/{sit(ann, bob).pk}/resignation", b""


def claim(ann: Person, bob: Person) -> Request:
    match = late(sit(bob, ann, clock={"seconds": 60}))
    return f"/matches/{match.pk}/claims", {"take": "win"}


def abort(ann: Person, bob: Person) -> Request:
    return f"/matches/{sit(ann, bob).pk}/abort", b""


def rematch(ann: Person, bob: Person) -> Request:
    return f"/matches/{over(ann, bob).pk}/rematch", b""


def restart(ann: Person, bob: Person) -> Request:
    return f"/matches/{practice(ann).pk}/restart", b""


def continue_match(ann: Person, bob: Person) -> Request:
    match = over(ann, bob)
    return f"/matches/{match.pk}/continuations", {"version": match.version - 1}


def clearable(ann: Person, bob: Person) -> Request:
    return f"/matches/{practice(ann).pk}/clearable", b""


def post_score(ann: Person, bob: Person) -> Request:
    match = sit(ann, game="pyramid")
    ends.resign(match.pk, ann.player)
    return f"/matches/{match.pk}/score", b""


def over(ann: Person, bob: Person) -> Match:
    return played(sit(ann, bob, target=50), *WINNING)


def analyse(ann: Person, bob: Person) -> Request:
    return f"/matches/{over(ann, bob).pk}/analysis", b""


SITUATIONS: dict[str, Callable[[Person, Person], Request]] = {
    situation.__name__: situation
    for situation in (
        *(become_account, change_password, revoke_token),
        *(change_webhook, delete_webhook, test_webhook),
        *(create_match, play_now, join, leave, start, play),
        *(resign, claim, abort, rematch, post_score),
        *(restart, clearable, continue_match, analyse),
    )
}
"""By operation id."""
