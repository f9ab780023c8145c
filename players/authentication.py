"""Who is asking: a bearer token or a browser session. Bound to the log as `player`."""

from collections.abc import Collection
from datetime import timedelta
from functools import cache
from typing import NamedTuple
from uuid import UUID

from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.models import Session
from django.db import connection
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.request import Request
from structlog.contextvars import bind_contextvars

from ginservice.statements import made
from players.models import Player, Token
from players.services import digest

USED_AGAIN_AFTER = timedelta(minutes=1)


class BearerAuthentication(BaseAuthentication):
    """`Authorization: Bearer gin_…`; one statement, and one more at most once a minute."""

    def authenticate(self, request: Request) -> tuple[Player, Token] | None:
        scheme, _, text = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            return None
        token = living_token(text.strip())
        if token is None:
            raise AuthenticationFailed(
                "This token is unknown or revoked; sign in for another.", "invalid-token"
            )
        if not token.player.is_active:
            raise AuthenticationFailed(
                "An operator has disabled this player; ask who runs the service.", "invalid-token"
            )
        note_use(token)
        bind_contextvars(player=str(token.player_id))
        return token.player, token

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="ginservice"'


def living_token(text: str) -> Token | None:
    """With its player, who may be disabled."""
    with connection.cursor() as cursor:
        cursor.execute(finding(), [digest(text)])
        row = cursor.fetchone()
    if row is None:
        return None
    own, theirs = ([f.attname for f in kind._meta.concrete_fields] for kind in (Token, Player))
    token = Token.from_db(connection.alias, own, row[: len(own)])
    token.player = Player.from_db(connection.alias, theirs, row[len(own) :])
    return token


@cache
def finding() -> str:
    living = Token.objects.filter(digest="", revoked_at=None)
    return made(living.select_related("player"))


class BrowserSessionAuthentication(SessionAuthentication):
    """Django's session cookie; writes need the CSRF token in `X-CSRFToken`."""

    def authenticate(self, request: Request) -> tuple[Player, None] | None:
        found = super().authenticate(request)
        if found:
            bind_contextvars(player=str(found[0].pk))
        return found

    def enforce_csrf(self, request: Request) -> None:
        _ = request._request.body  # kept, since the check reads what it can of it as a form
        try:
            super().enforce_csrf(request)
        except PermissionDenied as error:
            raise PermissionDenied(
                f"{error.detail} Send the cookie csrftoken again as the header X-CSRFToken.",
                "csrf-failed",
            ) from None


def note_use(token: Token) -> None:
    now = timezone.now()
    long_ago = now - USED_AGAIN_AFTER
    if token.last_used_at is None or token.last_used_at < long_ago:
        Token.objects.filter(
            Q(last_used_at=None) | Q(last_used_at__lt=long_ago), pk=token.pk
        ).update(last_used_at=now)


class Credential(NamedTuple):
    """What a request was let in by, to be looked at again: a token, or else a browser's session."""

    token: UUID | None
    session: str | None


def credential(request: Request) -> Credential | None:
    """None: nobody in particular asked."""
    if not request.user.is_authenticated:
        return None
    if request.auth is None:
        return Credential(None, request._request.session.session_key)
    return Credential(request.auth.pk, None)


def still_valid(credentials: Collection[Credential]) -> set[Credential]:
    """Those that would be let in now: one statement for tokens, two for sessions."""
    tokens = [each.token for each in credentials if each.token]
    sessions = [each.session for each in credentials if each.session]
    living = Token.objects.filter(pk__in=tokens, revoked_at=None, player__is_active=True)
    valid = (
        {Credential(pk, None) for pk in living.values_list("pk", flat=True)} if tokens else set()
    )
    return valid | {Credential(None, key) for key in valid_sessions(sessions)}


def valid_sessions(keys: Collection[str]) -> list[str]:
    """Not expired, and of a player who has not changed the password since."""
    if not keys:
        return []
    found = Session.objects.filter(pk__in=keys, expire_date__gt=timezone.now())
    told = {session.pk: session.get_decoded() for session in found}
    players = Player.objects.filter(is_active=True).in_bulk(
        {each[SESSION_KEY] for each in told.values() if SESSION_KEY in each}
    )
    hashes = {str(pk): player.get_session_auth_hash() for pk, player in players.items()}
    return [
        key
        for key, each in told.items()
        if constant_time_compare(
            each.get(HASH_SESSION_KEY, ""), hashes.get(each.get(SESSION_KEY), "-")
        )
    ]


class BearerScheme(OpenApiAuthenticationExtension):
    target_class = "players.authentication.BearerAuthentication"
    name = "bearer"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "The token of `POST /api/v1/players/guest` or `POST /api/v1/sessions`.",
        }


class BrowserSessionScheme(OpenApiAuthenticationExtension):
    target_class = "players.authentication.BrowserSessionAuthentication"
    name = "cookie"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {
            "type": "apiKey",
            "in": "cookie",
            "name": "sessionid",
            "description": "For pages: the cookie of `POST /api/v1/sessions` with `cookie: true`. "
            "Writes also need the cookie `csrftoken` as the header `X-CSRFToken`.",
        }
