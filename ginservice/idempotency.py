"""Safe retries: what is sent again with its `Idempotency-Key` is done once and answered twice.

A view's method is one of three: `idempotent`; `refuses_key`, where the answer holds a secret;
or plain, where a request stores nothing and a key means nothing.

An answer may hold the key of a private match, of which the database otherwise knows a digest. So
it is kept encrypted, and only who sends the Idempotency-Key again brings the rest of what opens
it: neither that key nor the service's own are in the database.
"""

import base64
import hashlib
import re
from collections.abc import Callable
from functools import wraps
from typing import Any

from cryptography.fernet import Fernet, MultiFernet
from django.conf import settings
from django.db import IntegrityError, transaction
from django.http import HttpResponse
from django.utils import timezone
from django.utils.crypto import salted_hmac
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request

from players.models import StoredAnswer
from players.services import KeyNotSupported, KeyReused, MalformedKey

KEY = re.compile(r"[ -~]{1,255}")
PARAMETER = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "pattern": f"^{KEY.pattern}$"},
    location=OpenApiParameter.HEADER,
    description="A text of your own that no other request of yours has, such as a UUID. Sent again "
    "with it within a day, the same request is answered as the first time, with "
    "`Idempotent-Replayed: true`, and does nothing more.",
)
KEPT = ("Content-Type", "Location", "ETag")
"""Headers that are part of an answer; the others are made anew each time."""

Method = Callable[..., HttpResponse]


def idempotent(method: Method) -> Method:
    """A method whose effect happens once for each key of a player."""
    return idempotent_unless(lambda request: False)(method)


def idempotent_unless(stores_nothing: Callable[[Request], bool]) -> Callable[[Method], Method]:
    """The same, but requests of which that is true pass without their key being looked at."""

    def decorate(method: Method) -> Method:
        @wraps(method)
        def once(view: Any, request: Request, *args: Any, **kwargs: Any) -> HttpResponse:
            if "Idempotency-Key" not in request.headers or stores_nothing(request):
                return method(view, request, *args, **kwargs)
            key, asked = checked_key(request), fingerprints(request)
            with transaction.atomic():  # the services' own are joined to it
                stored = claimed(request, key, asked[0])
                if stored is None:
                    return replayed(request, key, asked)
                answer = method(view, request, *args, **kwargs)
                view.finalize_response(request, answer).render()
                if answer.status_code < 300:
                    keep(stored, key, answer)
                else:  # a refusal has no effect, and may be sent again
                    transaction.set_rollback(True)
            return answer

        return extend_schema(parameters=[PARAMETER])(once)

    return decorate


def refuses_key(method: Method) -> Method:
    """A method whose answer holds a secret, which is not kept to be sent again."""

    @wraps(method)
    def refuse(view: Any, request: Request, *args: Any, **kwargs: Any) -> HttpResponse:
        if "Idempotency-Key" in request.headers:
            raise KeyNotSupported("This answer holds a secret, so no Idempotency-Key is kept.")
        return method(view, request, *args, **kwargs)

    return refuse


def checked_key(request: Request) -> str:
    """Raises MalformedKey, and KeyNotSupported for nobody in particular: keys are a player's."""
    key = request.headers["Idempotency-Key"]
    if not KEY.fullmatch(key):
        raise MalformedKey("An Idempotency-Key has 1 to 255 printable ASCII characters.")
    if not request.user.is_authenticated:
        raise KeyNotSupported("An Idempotency-Key is kept only for who is signed in.")
    return key


def made_with_each_key(salt: str, text: str | bytes) -> list[Any]:
    """By SECRET_KEY, then by each that it was before: what they made is good for a while."""
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return [salted_hmac(salt, text, secret=key, algorithm="sha256") for key in keys]


def fingerprints(request: Request) -> list[str]:
    """Of all that makes a request another one. Keyed, since a body may hold a password."""
    asked = [request.method, request.get_full_path(), request.headers.get("If-Match", "")]
    text = "\n".join(map(str, asked)).encode() + b"\n" + request._request.body
    return [made.hexdigest() for made in made_with_each_key("idempotency", text)]


def claimed(request: Request, key: str, asked: str) -> StoredAnswer | None:
    """The row that will hold the answer; None if there is one.

    One statement, which waits while another request with the same key is under way.
    """
    now = timezone.now()
    try:
        with transaction.atomic():
            return StoredAnswer.objects.create(
                player=request.user, key_digest=digest(key), request=asked, created_at=now
            )
    except IntegrityError:
        return None


def digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


def cipher(stored: StoredAnswer, key: str) -> MultiFernet:
    """What locks and opens an answer: made of its player, his key and SECRET_KEY."""
    made = made_with_each_key("stored answer", f"{stored.player_id} {key}")
    return MultiFernet([Fernet(base64.urlsafe_b64encode(each.digest())) for each in made])


def keep(stored: StoredAnswer, key: str, answer: HttpResponse) -> None:
    stored.status, stored.body = answer.status_code, cipher(stored, key).encrypt(answer.content)
    stored.headers = {name: answer[name] for name in KEPT if name in answer}
    stored.save(update_fields=["status", "headers", "body"])


def replayed(request: Request, key: str, asked: list[str]) -> HttpResponse:
    """The stored answer. Raises KeyReused if it is another request's."""
    stored = StoredAnswer.objects.get(player=request.user, key_digest=digest(key))
    if stored.request not in asked:
        raise KeyReused(
            "This Idempotency-Key was sent with another request, or before the service forgot the "
            "SECRET_KEY of that time. If you meant the same, look whether it was done."
        )
    body = cipher(stored, key).decrypt(bytes(stored.body))
    answer = HttpResponse(body, status=stored.status)
    del answer["Content-Type"]
    for name, value in {**stored.headers, "Idempotent-Replayed": "true"}.items():
        answer[name] = value
    return answer
