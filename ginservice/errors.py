"""How an exception, of this service or of a framework, becomes a problem."""

import math
import sys
from collections.abc import Iterator
from typing import Any

import psycopg
from django.core.exceptions import DisallowedHost, PermissionDenied, RequestDataTooBig
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from rest_framework import exceptions as drf

from games.engine.game import RuleError
from games.services import errors as games
from ginservice.pages import marked
from ginservice.problems import PROBLEMS, problem
from players import services as players

REFUSALS = (players.Refused, games.Refused, RuleError)

# Django wraps psycopg's errors in its own, but not those of closing a cursor of the server's.
GONE = (OperationalError, InterfaceError, psycopg.OperationalError, psycopg.InterfaceError)

CODES: dict[type[Exception], str] = {
    drf.ValidationError: "malformed",
    drf.ParseError: "malformed",
    drf.NotAuthenticated: "not-authenticated",
    drf.AuthenticationFailed: "invalid-token",
    drf.PermissionDenied: "forbidden",
    drf.NotFound: "not-found",
    drf.MethodNotAllowed: "method-not-allowed",
    drf.NotAcceptable: "not-acceptable",
    drf.UnsupportedMediaType: "unsupported-media-type",
    drf.Throttled: "throttled",
    PermissionDenied: "forbidden",
    Http404: "not-found",
}


def exception_handler(error: Exception, context: dict[str, Any]) -> HttpResponse | None:
    """For REST framework. None: it is a crash, which Django logs and tells as server-error."""
    request = context["request"]._request
    if isinstance(error, REFUSALS):
        return refusal(request, error)
    code = next((code for kind, code in CODES.items() if isinstance(error, kind)), None)
    if code is None:
        return None
    if isinstance(error, drf.ValidationError):
        return malformed(request, error)
    detail = getattr(error, "detail", "")
    if getattr(detail, "code", "") in PROBLEMS:  # PermissionDenied("…", "missing-scope")
        code = detail.code
    if isinstance(error, drf.Throttled) and error.wait is not None:
        return problem(request, code, headers={"Retry-After": str(math.ceil(error.wait))})
    if isinstance(error, drf.MethodNotAllowed | drf.UnsupportedMediaType):
        detail = f"{detail} {PROBLEMS[code].text}"
    own = "" if detail == getattr(error, "default_detail", "") else str(detail)
    return problem(request, code, own)


def refusal(request: HttpRequest, error: Any) -> HttpResponse:
    """A refusal of a service or of the rules, told by its `code`, `extra`, `pointer`, `others`."""
    extra = dict(error.extra)
    if getattr(error, "pointer", None) is not None:
        extra["errors"] = [
            {"pointer": each.pointer, "code": each.code, "detail": str(each)}
            for each in (error, *getattr(error, "others", ()))
        ]
    return problem(request, error.code, str(error), getattr(error, "headers", None), **extra)


def malformed(request: HttpRequest, error: drf.ValidationError) -> HttpResponse:
    place = "parameter" if request.method in ("GET", "HEAD", "DELETE") else "pointer"
    errors = [
        {place: path.lstrip("/") if place == "parameter" else path, **told}
        for path, told in flatten(error.detail)
    ]
    detail = " ".join(f"{told.get(place) or 'The body'}: {told['detail']}" for told in errors[:3])
    return problem(request, "malformed", detail, errors=errors)


def flatten(detail: Any, path: str = "") -> Iterator[tuple[str, dict[str, str]]]:
    """The framework's nested errors as pairs of a JSON pointer and {code, detail}."""
    if isinstance(detail, dict):
        for name, inner in detail.items():
            step = str(name).replace("~", "~0").replace("/", "~1")
            yield from flatten(inner, path if name == "non_field_errors" else f"{path}/{step}")
    elif isinstance(detail, list):
        for number, inner in enumerate(detail):
            below = isinstance(inner, dict | list)
            yield from flatten(inner, f"{path}/{number}" if below else path)
    else:
        code = getattr(detail, "code", "invalid").replace("_", "-")
        yield path, {"code": code, "detail": str(detail)}


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    if isinstance(exception, RequestDataTooBig):
        return answer(request, "too-large")
    if isinstance(exception, DisallowedHost):
        return answer(request, "unknown-host")
    return answer(request, "malformed", "The request could not be read.")


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    return answer(request, "forbidden")


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return answer(request, "not-found")


def server_error(request: HttpRequest) -> HttpResponse:
    """Called while the exception is being handled; that of a crash is in the log already."""
    error = sys.exc_info()[1]
    if isinstance(error, GONE):
        response = answer(request, "unavailable")
        response["Retry-After"] = "1"
        response.cause = str(error).strip()  # type: ignore[attr-defined]  # for the log's line
        return response
    return answer(request, "server-error")


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return answer(request, "csrf-failed")


def answer(request: HttpRequest, code: str, detail: str = "") -> HttpResponse:
    """A problem; as a page for who looks with a browser at something outside the API."""
    told = problem(request, code, detail)
    json_first = ["application/json", "application/problem+json", "text/html"]
    if request.path.startswith("/api/") or request.get_preferred_type(json_first) != "text/html":
        return told
    page = {
        "problem": PROBLEMS[code],
        "detail": detail,
        "text": marked(PROBLEMS[code].on_page or PROBLEMS[code].text),
        "request_id": getattr(request, "request_id", ""),
    }
    if code == "not-found":
        page["user"] = getattr(request, "user", None)  # for the bar
    # Else without the request: nothing that is looked up for other pages may fail here again.
    response = HttpResponse(render_to_string("error.html", page), status=told.status_code)
    response.problem = code  # type: ignore[attr-defined]
    return response
