"""Every way a request can fail: the only place that knows the HTTP status of an error.

Answers are `application/problem+json` (RFC 9457); their `type` is a page made from this catalogue.
"""

from dataclasses import dataclass
from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponse


@dataclass(frozen=True)
class Problem:
    status: int
    title: str
    text: str  # what it means and what to do, for the page; the detail where there is no better
    on_page: str = ""  # the same for who errs with a browser, if the API is of no use to him


PROBLEMS = {
    # The request itself
    "malformed": Problem(
        400,
        "The request is malformed",
        "The body or the query does not have the shape that this address asks for. Each item of "
        "`errors` points at one place: `pointer` into the body, `parameter` into the query.",
    ),
    "malformed-action": Problem(
        400,
        "That is no action of this game",
        "An unknown type or field, or a card that is none. Send an action of the `legal` list.",
    ),
    "key-not-supported": Problem(
        400,
        "No Idempotency-Key here",
        "The answer holds a secret, which is not kept to be sent again. Leave the header out.",
    ),
    "key-reused": Problem(
        422,
        "This Idempotency-Key is taken",
        "You have sent it with another request within the last day: address, body or `If-Match` "
        "were others. A retry is the same to the byte; anything else takes a new key. Or the "
        "service was given another SECRET_KEY meanwhile: then look whether it was done.",
    ),
    "name-not-allowed": Problem(
        400,
        "This name cannot be given",
        "A name has 2 to 30 letters A-Z, digits, `_` or `-`, begins with a letter or digit, and is "
        "none of the words that the service keeps for itself.",
    ),
    "weak-password": Problem(
        400,
        "The password is too weak",
        "At least 8 characters, not only digits, not a common password, not like the name.",
    ),
    "url-not-allowed": Problem(
        400,
        "This address cannot be told of events",
        "A webhook's address begins with `https://`, names a host that is public, and holds no "
        "user or password.",
    ),
    "unknown-host": Problem(
        400,
        "This host is not served here",
        "The operator lists the host names that are served in the setting ALLOWED_HOSTS.",
    ),
    "not-found": Problem(
        404,
        "There is nothing here",
        "The address is wrong, or what it names may not be seen by you. /api/docs/ lists every "
        "address of the API; none of those ends with a slash.",
        "The address is wrong, or what it names is gone or is not for you to see.",
    ),
    "method-not-allowed": Problem(
        405, "This address has no such method", "The header `Allow` lists the methods it has."
    ),
    "not-acceptable": Problem(
        406,
        "No answer in the form asked for",
        "The API answers with JSON: send `Accept: application/json`, or no such header.",
    ),
    "too-large": Problem(413, "The body is too large", "No body of the API needs a megabyte."),
    "unsupported-media-type": Problem(
        415, "The body is not JSON", "Send `Content-Type: application/json`."
    ),
    "throttled": Problem(
        429, "Too many requests", "Wait for as many seconds as the header `Retry-After` says."
    ),
    "too-many-streams": Problem(
        429,
        "You hold too many streams",
        "So many streams and long polls of events are held at once for a player, and so many for "
        "an address. End those that nobody reads, or ask without `wait`.",
    ),
    "streams-full": Problem(
        503,
        "No more streams can be held",
        "Come back after `Retry-After` with the last version you saw, or ask without `wait`: that "
        "is answered at once.",
    ),
    # Who is asking
    "not-authenticated": Problem(
        401,
        "Who are you?",
        "This needs a token: `POST /api/v1/players/guest` gives one to anybody. Send it as "
        "`Authorization: Bearer gin_…`.",
    ),
    "invalid-token": Problem(
        401,
        "The token is not valid",
        "It is unknown or was revoked. Sign in with `POST /api/v1/sessions` for another.",
    ),
    "wrong-credentials": Problem(
        401,
        "Wrong name or password",
        "No player has that name and password. Guests have no password.",
    ),
    "missing-scope": Problem(
        403,
        "The token may not do this",
        "Make one with the scope named: `POST /api/v1/me/tokens`. `play` includes `read`, `bot` "
        "includes `play`, `admin` includes all.",
    ),
    "scope-not-allowed": Problem(
        403,
        "Such a token cannot be made",
        "The scope `admin` is for staff, who ask for it from a browser session or with a token "
        "that has it.",
    ),
    "csrf-failed": Problem(
        403,
        "The request may come from another site",
        "A browser session needs the cookie `csrftoken` sent again as the header `X-CSRFToken`. "
        "On a page: reload it and try again.",
    ),
    "forbidden": Problem(403, "You may not do this", "Nothing here is meant for you."),
    "name-taken": Problem(
        409, "The name is taken", "Names differ by more than capitals. Choose another."
    ),
    "not-a-guest": Problem(
        409, "Not a guest", "Only a guest can be given an account; this player has one."
    ),
    "too-many-webhooks": Problem(
        409, "You have enough webhooks", "Delete one with `DELETE /api/v1/me/webhooks/{id}`."
    ),
    # Tables
    "not-your-seat": Problem(
        403,
        "Not your seat",
        "While a match lives only one's own seat can be seen; afterwards every seat.",
    ),
    "not-the-maker": Problem(
        403,
        "You have not made this match",
        "A match that was made to start later is started by the player who made it.",
    ),
    "seat-kept": Problem(
        403,
        "The seat is kept",
        "It is kept for another player, or another one for you. Join without `seat`: then you get "
        "yours, or one that is open.",
    ),
    "not-seated": Problem(
        403,
        "You have no seat in this match",
        "Only its players can do this. Join while it is open.",
    ),
    "already-seated": Problem(409, "You have a seat already", "Nobody sits twice at a table."),
    "seat-taken": Problem(409, "The seat is taken", "Somebody was faster. Join another match."),
    "seats-open": Problem(
        409, "A seat is still open", "The match starts when every seat has its player or bot."
    ),
    "too-many-matches": Problem(
        409,
        "You have made enough matches",
        "Only so many matches and tables that one player has made may be unfinished. Play one to "
        "its end, resign or leave it first; `GET /api/v1/matches?player=me&status=playing` lists "
        "those at which you sit. Where you have no seat, `POST …/abort` calls it off before it "
        "starts, or while only bots play it.",
    ),
    "match-already-started": Problem(
        409, "The match has started", "This can be done only before the start."
    ),
    "match-not-started": Problem(
        409, "The match has not started", "It starts when its seats are filled, or by `/start`."
    ),
    "match-over": Problem(
        409, "The match is over", "Nothing more can be played. `POST …/rematch` begins another."
    ),
    "match-not-over": Problem(
        409, "The match is not over", "This can be done only when the match has ended."
    ),
    "already-moved": Problem(
        409,
        "A player has moved already",
        "A match is called off before any player has moved; resign from it now.",
    ),
    "nothing-to-claim": Problem(
        409,
        "There is nothing to claim",
        "A claim is made while another player is to move who has let his time pass.",
    ),
    "too-early": Problem(
        409,
        "It is too early to claim",
        "The player to move has time until `claims_at`; claim from then on.",
    ),
    "claim-not-offered": Problem(
        409,
        "This cannot be claimed here",
        "`awaiting.claims.take` says what can be claimed: by the match's `on_timeout`, and where "
        "more than two are left only that a bot plays on.",
    ),
    # Practice
    "not-a-practice-match": Problem(
        409,
        "Only practice matches give help",
        "Undo, restart, deals by number and the question whether it can still be cleared "
        "are for a match that was made with the option `practice`.",
    ),
    "no-hints": Problem(
        409,
        "This match gives no hints",
        'It counts, it was made with `"hints": false`, or it is of a game that gives them in '
        "practice only. `hints` of a match says whether it gives them.",
    ),
    "not-offered": Problem(
        409,
        "This game has no such help",
        "It has no bot, no solver, no coach or no deals by number from which the help could come.",
    ),
    "too-many-analyses": Problem(
        409,
        "Enough analyses are under way",
        "A player has so many at a time. Ask again when one of yours is done.",
    ),
    "no-clearable-deal": Problem(
        409,
        "No clearable deal was found",
        "With these options too few deals can be cleared, or be seen so quickly. Ask again.",
    ),
    # Scores
    "not-postable": Problem(
        409,
        "This score cannot be posted",
        "A score counts from a match that has finished, also by resigning, with all options at "
        'their defaults, outside practice, not made with `"rated": false`, by players who all had '
        "an account when it started.",
    ),
    "posted-already": Problem(409, "The score is posted", "A score is posted once."),
    "posting-closed": Problem(
        409,
        "It is too late to post this score",
        "A score is posted before its player begins another match of the game.",
    ),
    # Moves
    "not-your-turn": Problem(
        409,
        "It is not your turn",
        "Another seat is to move: `awaiting` of the match says which. Look again, with its ETag as "
        "`If-None-Match`.",
    ),
    "time-is-up": Problem(
        409,
        "The time for this move is up",
        "It was up at `deadline`, by the server's clock. Others may claim the match now.",
    ),
    "stale-version": Problem(
        409,
        "The match has moved on",
        "The version sent is not the one of the match, which the answer holds: read it again.",
    ),
    "illegal-action": Problem(
        422,
        "The rules forbid this action",
        "`errors` says which rule it breaks, in words; `legal` lists what may be played.",
    ),
    "version-mismatch": Problem(
        412,
        "The match has moved on",
        "`If-Match` names another version than the match has. Read the match again.",
    ),
    # The service
    "server-error": Problem(
        500,
        "Something is wrong with the service",
        "This is not your fault. Tell the operator the `request_id`: the log explains it.",
    ),
    "unavailable": Problem(
        503,
        "The service is busy",
        "The database could not be used in time. Nothing was changed; try again in a moment.",
    ),
    "not-ready": Problem(503, "The service is not ready", "`down` names what it waits for."),
}

OF_STATUS = {
    401: "not-authenticated",
    403: "forbidden",
    404: "not-found",
    405: "method-not-allowed",
    406: "not-acceptable",
    413: "too-large",
    415: "unsupported-media-type",
    429: "throttled",
}


def code_of(status: int) -> str | None:
    """The code for an error that a framework or middleware answered; None: it is no error."""
    if status < 400:
        return None
    return OF_STATUS.get(status, "malformed" if status < 500 else "server-error")


def problem(
    request: HttpRequest,
    code: str,
    detail: str = "",
    headers: dict[str, str] | None = None,
    **extra: Any,
) -> HttpResponse:
    """The answer that tells it. `extra` is merged into the body: errors, version, legal ..."""
    told = PROBLEMS[code]
    body = {
        "type": f"/problems/{code}",
        "title": told.title,
        "status": told.status,
        "detail": detail or told.text,
        "code": code,
        "request_id": getattr(request, "request_id", None),
        **extra,
    }
    response = HttpResponse(
        msgspec.json.encode(body), "application/problem+json", told.status, headers=headers
    )
    if told.status == 401:
        reason = ', error="invalid_token"' if code == "invalid-token" else ""
        response["WWW-Authenticate"] = f'Bearer realm="ginservice"{reason}'
    response.problem = code  # type: ignore[attr-defined]  # for the log's line
    return response
