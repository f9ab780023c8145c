"""What every request passes on its way in and every answer on its way out."""

import re
import sys
import time
from collections.abc import Callable
from typing import Any

from csp.constants import UNSAFE_EVAL
from django.conf import settings
from django.db import connection
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.utils.deprecation import MiddlewareMixin
from django_structlog import signals
from django_structlog.middlewares import RequestMiddleware
from uuid_utils.compat import uuid7

from ginservice import metrics
from ginservice.errors import GONE, REFUSALS, refusal
from ginservice.problems import PROBLEMS, code_of, problem

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")


class RequestIdMiddleware(MiddlewareMixin):
    """`X-Request-ID` in and out. One that could break a log's line is replaced."""

    def process_request(self, request: Any) -> None:
        sent = request.META.get("HTTP_X_REQUEST_ID", "")
        request.request_id = sent if REQUEST_ID.fullmatch(sent) else str(uuid7())
        request.META["HTTP_X_REQUEST_ID"] = request.request_id  # where django_structlog reads it
        request.started = time.perf_counter()

    def process_response(self, request: Any, response: HttpResponseBase) -> HttpResponseBase:
        response["X-Request-ID"] = request.request_id
        return response


class MetricsMiddleware:
    """Counts each request by its route, with its time and its SQL statements."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: Any) -> HttpResponseBase:
        statements = 0

        def count(execute: Any, *statement: Any) -> Any:
            nonlocal statements
            statements += 1
            return execute(*statement)

        with connection.execute_wrapper(count):
            response = self.get_response(request)
        seconds = time.perf_counter() - request.started
        # Whatever a client can make up is one of few here.
        match = request.resolver_match
        route = match.route if match else "none"
        method = request.method if request.method in METHODS else "other"
        metrics.REQUESTS.labels(method, route, response.status_code).observe(seconds)
        metrics.STATEMENTS.labels(route).observe(statements)
        return response


class LogMiddleware(RequestMiddleware):
    """A line for each request. A database that is away is no crash: that is an answer as others."""

    def process_got_request_exception(self, sender: Any, request: Any, **more: Any) -> None:
        if not isinstance(sys.exc_info()[1], GONE):
            super().process_got_request_exception(sender, request, **more)


class SessionCookieMiddleware(MiddlewareMixin):
    """A session's cookie that was not made here is none; the database would choke on some."""

    def process_request(self, request: HttpRequest) -> None:
        if not request.COOKIES.get(settings.SESSION_COOKIE_NAME, "a").isalnum():
            del request.COOKIES[settings.SESSION_COOKIE_NAME]


class AdminPolicyMiddleware(MiddlewareMixin):
    """The admin's pages may also evaluate text: Alpine, with which unfold builds them, must."""

    def process_response(self, request: HttpRequest, response: Any) -> HttpResponseBase:
        if request.path.startswith("/admin/"):
            response._csp_update = {"script-src": [UNSAFE_EVAL]}
        return response


class ApiMiddleware(MiddlewareMixin):
    """Under /api/: every error is a problem, whoever answered it, and no answer is shared."""

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        # The framework reads a body past Django's own check of its size.
        length = request.META.get("CONTENT_LENGTH") or "0"
        if (
            in_api(request)
            and length.isdigit()
            and int(length) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        ):
            return problem(request, "too-large")
        return None

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """For views outside REST framework, as those of streams."""
        return refusal(request, error) if isinstance(error, REFUSALS) else None

    def process_response(self, request: HttpRequest, response: Any) -> HttpResponseBase:
        if not in_api(request):
            return response
        code = code_of(response.status_code)
        if code and response.get("Content-Type") != "application/problem+json":
            kept = {k: v for k, v in response.items() if k in ("Allow", "Retry-After")}
            response = problem(request, code, headers=kept)
        patch_vary_headers(response, ["Authorization", "Cookie"])
        response.headers.setdefault("Cache-Control", "private, no-store")
        return response


def in_api(request: HttpRequest) -> bool:
    return request.path.startswith("/api/")


@receiver(signals.bind_extra_request_finished_metadata)
def tell_answer(request: Any, response: Any, log_kwargs: dict[str, Any], **_: Any) -> None:
    log_kwargs.clear()  # it holds the query, in which the key of a private match may stand
    log_kwargs.update(line(request), status=response.status_code)
    if hasattr(response, "problem"):
        log_kwargs["problem"] = response.problem
    if hasattr(response, "cause"):
        log_kwargs["cause"] = response.cause


@receiver(signals.bind_extra_request_failed_metadata)
def tell_crash(request: Any, log_kwargs: dict[str, Any], **_: Any) -> None:
    log_kwargs.clear()
    log_kwargs.update(line(request), status=PROBLEMS["server-error"].status)


def line(request: Any) -> dict[str, Any]:
    told = {
        "method": request.method,
        "path": request.path,
        "ms": round((time.perf_counter() - request.started) * 1000, 1),
    }
    user = getattr(request, "_cached_user", None)  # asking request.user would cost a statement
    if user is not None and user.is_authenticated:
        told["player"] = str(user.pk)
    return told
