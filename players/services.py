"""The only writers of players and tokens, and what is forgotten of them in time."""

import hashlib
import re
import secrets
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID

from axes.models import AccessAttempt
from django.contrib.auth import authenticate, password_validation
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from players.models import SCOPES, Intervention, Player, StoredAnswer, Token, Webhook

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{1,29}")
NAME_RULE = "A name has 2 to 30 letters A-Z, digits, _ or -, and begins with a letter or digit."
RESERVED = {"me", "guest", "bot", "open"}  # words that the API uses where a name may stand
GUEST_PREFIX = "guest-"
GUEST_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that are mistaken for one another
TOKEN_PREFIX = "gin_"
GONE_PREFIX = "gone-"
ANSWERS_KEPT = timedelta(days=1)
GUESTS_KEPT = timedelta(days=30)
MOST_GUESTS = 1000
"""Forgotten in one go: the next comes an hour later."""


class Refused(Exception):
    """A refusal in words. `code` finds its problem; `extra` is merged into the answer.

    `others`: what is wrong besides, at other places of the body.
    """

    code = ""
    pointer: str | None = None
    others: tuple["Refused", ...] = ()

    def __init__(self, words: str, **extra: Any) -> None:
        super().__init__(words)
        self.extra = extra


class NameTaken(Refused):
    code = "name-taken"
    pointer = "/name"


class NameNotAllowed(Refused):
    code = "name-not-allowed"
    pointer = "/name"


class WeakPassword(Refused):
    code = "weak-password"
    pointer = "/password"


class WrongCredentials(Refused):
    code = "wrong-credentials"


class NotAGuest(Refused):
    code = "not-a-guest"


class ScopeNotAllowed(Refused):
    code = "scope-not-allowed"
    pointer = "/scopes"


class KeyNotSupported(Refused):
    code = "key-not-supported"


class KeyReused(Refused):
    code = "key-reused"


class MalformedKey(Refused):
    code = "malformed"

    def __init__(self, words: str) -> None:
        told = {"header": "Idempotency-Key", "code": "invalid", "detail": words}
        super().__init__(words, errors=[told])


def register(name: str, password: str) -> Player:
    """Raises NameNotAllowed, NameTaken, WeakPassword."""
    check_account(name, password)
    player = Player(name=name)
    player.set_password(password)
    with one_player_a_name(name):
        player.save(force_insert=True)
    return player


def make_operator(name: str, password: str) -> bool:
    """See that there is an operator of that name; whether he had to be made. One that is there
    keeps the password he has. Raises NameNotAllowed, NameTaken, WeakPassword."""
    there = Player.objects.named(name).first()
    if there is not None:
        if not there.is_superuser:
            raise NameTaken(f"{name} is a player who is no operator; choose another name.")
        return False
    if not NAME.fullmatch(name):
        raise NameNotAllowed(NAME_RULE)
    check_password(password, name)
    Player.objects.create_superuser(name, password)
    return True


def make_guest() -> Player:
    """A player with a made-up name and no password: only its tokens and sessions open it."""
    while True:
        name = GUEST_PREFIX + made_up(6)
        if not Player.objects.named(name).exists():
            return Player.objects.create_user(name, is_guest=True)


def become_account(guest: Player, name: str, password: str) -> Player:
    """The same player, with its matches and tokens, under a name of its own.

    Raises NotAGuest, NameNotAllowed, NameTaken, WeakPassword.
    """
    check_account(name, password)
    account = Player(name=name)
    account.set_password(password)
    with one_player_a_name(name):
        changed = Player.objects.filter(pk=guest.pk, is_guest=True, is_active=True).update(
            name=name, password=account.password, is_guest=False
        )
    if not changed:
        raise NotAGuest("Only a guest can be given an account: this player has one, or is gone.")
    guest.refresh_from_db()
    return guest


def change_password(request: HttpRequest, player: Player, current: str, new: str) -> None:
    """Ends the player's other browser sessions. Raises WrongCredentials, WeakPassword."""
    if authenticate(request, username=player.name, password=current) != player:
        raise WrongCredentials("The current password is another one.")
    check_password(new, player.name)
    player.set_password(new)
    player.save(update_fields=["password"])


def sign_in(request: HttpRequest, name: str, password: str) -> Player:
    """Raises WrongCredentials, in the same words and time whether the name exists or not.

    The request is counted where it fails; after too many, axes answers in its place.
    """
    player = authenticate(request, username=name, password=password)
    if not isinstance(player, Player):
        raise WrongCredentials("No player has that name and password. Guests have no password.")
    return player


def issue_token(player: Player, name: str, scopes: Collection[str]) -> tuple[Token, str]:
    """The token and its text, which can never be shown again. Raises ScopeNotAllowed."""
    unknown = set(scopes) - set(SCOPES)
    if unknown or not scopes:
        raise ScopeNotAllowed(f"A token's scopes are some of {', '.join(SCOPES)}.")
    if "admin" in scopes and not player.is_staff:
        raise ScopeNotAllowed("Only staff can have tokens with the scope admin.")
    text = TOKEN_PREFIX + secrets.token_urlsafe(32)
    token = Token.objects.create(
        player=player,
        name=name,
        prefix=text[:10],
        digest=digest(text),
        scopes=[scope for scope in SCOPES if scope in scopes],
    )
    return token, text


def revoke_token(token: Token) -> None:
    """From now on the token opens nothing. Revoking it again changes nothing."""
    Token.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now())


def forget_answers() -> int:
    """Delete the stored answers of keys older than a day. Returns how many."""
    too_old = timezone.now() - ANSWERS_KEPT
    return StoredAnswer.objects.filter(created_at__lt=too_old).delete()[0]


def forget_guests() -> int:
    """Take name, tokens and webhooks from guests unused for 30 days; their matches stay.

    Returns how many.
    """
    unused = unused_since(timezone.now() - GUESTS_KEPT)
    forgotten = 0
    for guest in unused.order_by("created_at")[:MOST_GUESTS]:
        with transaction.atomic():
            name = GONE_PREFIX + made_up(12)
            if unused.filter(pk=guest.pk).update(name=name, is_active=False):  # unused still
                Token.objects.filter(player=guest).delete()
                Webhook.objects.filter(player=guest).delete()
                forget_tries(guest.name)
                forgotten += 1
    return forgotten


def unused_since(time: datetime) -> QuerySet[Player]:
    """Guests who neither came in nor used a token since then; found by an index of guests."""
    living = Token.objects.filter(player=OuterRef("pk"), revoked_at=None)
    used = living.filter(Q(last_used_at__gte=time) | Q(created_at__gte=time))
    guests = Player.objects.filter(is_guest=True, is_active=True, created_at__lt=time)
    return guests.filter(~Exists(used), Q(last_login=None) | Q(last_login__lt=time))


class ReasonMissing(Refused):
    code = "malformed"


def intervene(by: Player, what: str, kind: str, about: str, reason: str, **detail: Any) -> None:
    """Keep what an operator does, in the transaction in which he does it. Raises ReasonMissing."""
    if not reason.strip():
        raise ReasonMissing("Say why: it is kept with what you do.")
    Intervention.objects.create(
        by=by, what=what, kind=kind, about=about, reason=reason.strip(), detail=detail
    )


class NotMendable(Refused):
    code = "malformed"


def other(player_id: UUID, by: Player) -> Player:
    """A player, locked, whom an operator may mend: any but himself. Raises NotMendable."""
    player = Player.objects.select_for_update().get(pk=player_id)
    if player == by:
        raise NotMendable("That is yourself; ask another operator.")
    guarded(player, by)
    return player


def guarded(player: Player, by: Player) -> None:
    """Raises NotMendable where a superuser would be mended by one who is none."""
    if player.is_superuser and not by.is_superuser:
        raise NotMendable("That is a superuser; only another one may do this.")


@transaction.atomic
def disable(player_id: UUID, by: Player, reason: str) -> None:
    """Let the player in no more. Raises NotMendable, ReasonMissing."""
    player = other(player_id, by)
    if not player.is_active:
        raise NotMendable("The player is disabled already.")
    player.is_active = False
    player.save(update_fields=["is_active"])
    intervene(by, "disable", "player", str(player.pk), reason)


@transaction.atomic
def enable(player_id: UUID, by: Player, reason: str) -> None:
    """Let the player in again. Raises NotMendable, ReasonMissing."""
    player = other(player_id, by)
    if player.is_active or player.name.startswith(GONE_PREFIX):
        raise NotMendable("Only a player who was disabled, and has a name still, can come back.")
    player.is_active = True
    player.save(update_fields=["is_active"])
    intervene(by, "enable", "player", str(player.pk), reason)


@transaction.atomic
def revoke_tokens(player_id: UUID, by: Player, reason: str) -> None:
    """From now on none of the player's tokens opens anything.

    Raises NotMendable, ReasonMissing.
    """
    player = Player.objects.get(pk=player_id)
    guarded(player, by)
    living = Token.objects.filter(player=player, revoked_at=None)
    count = living.update(revoked_at=timezone.now())
    intervene(by, "revoke tokens", "player", str(player.pk), reason, tokens=count)


@transaction.atomic
def anonymise(player_id: UUID, by: Player, reason: str) -> None:
    """Take away the name, and what opens the account; matches keep pointing at the player.

    Nowhere in the database is the name kept, but where a reason tells it. Raises NotMendable,
    ReasonMissing.
    """
    player = other(player_id, by)
    if player.name.startswith(GONE_PREFIX):
        raise NotMendable("The player's name is gone already.")
    forget_tries(player.name)
    player.name, player.is_active, player.is_staff = GONE_PREFIX + made_up(12), False, False
    player.is_superuser = False
    player.set_unusable_password()
    player.save()
    Token.objects.filter(player=player).delete()
    Webhook.objects.filter(player=player).delete()
    StoredAnswer.objects.filter(player=player).delete()
    intervene(by, "anonymise", "player", str(player.pk), reason)


def forget_tries(name: str) -> None:
    """Wrong passwords, which are counted by name."""
    AccessAttempt.objects.filter(username=name.lower()).delete()


def made_up(letters: int) -> str:
    return "".join(secrets.choice(GUEST_LETTERS) for _ in range(letters))


def digest(text: str) -> str:
    """SHA-256 in hex: a token has 256 random bits, so a slow hash would protect nothing."""
    return hashlib.sha256(text.encode()).hexdigest()


def check_account(name: str, password: str) -> None:
    """Raises what is wrong with the name, with the password in its `others`; or that alone."""
    refusals = []
    for check in (partial(check_name, name), partial(check_password, password, name)):
        try:
            check()
        except Refused as refusal:
            refusals.append(refusal)
    if refusals:
        refusals[0].others = tuple(refusals[1:])
        raise refusals[0]


def check_name(name: str) -> None:
    if not NAME.fullmatch(name):
        raise NameNotAllowed(NAME_RULE)
    if name.lower() in RESERVED or name.lower().startswith((GUEST_PREFIX, GONE_PREFIX)):
        raise NameNotAllowed(f"The name {name} is kept for the service; choose another.")
    if Player.objects.named(name).exists():
        raise taken(name)


def taken(name: str) -> NameTaken:
    return NameTaken(f"The name {name} is taken; choose another.")


def check_password(password: str, name: str) -> None:
    try:
        password_validation.validate_password(password, Player(name=name))
    except ValidationError as error:
        raise WeakPassword(" ".join(error.messages)) from None


@contextmanager
def one_player_a_name(name: str) -> Iterator[None]:
    """A savepoint in which the unique index of names speaks as NameTaken."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError as error:
        if "one_player_a_name" in str(error):
            raise taken(name) from None
        raise
