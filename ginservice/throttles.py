"""How often each may ask: counted by address before anybody is known, then by token.

Counts live in Redis, each for a minute from its first request. Reads, writes, moves, doors
(signing in, new players), analyses and hints (with the solver) are counted apart, so that no move
waits because much was read. Where Redis does not answer, all are let through.
"""

import math
from functools import cache
from ipaddress import IPv4Address, ip_address, ip_network
from typing import Any, NamedTuple

import redis
import structlog
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.deprecation import MiddlewareMixin
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from ginservice.broker import breaker
from ginservice.problems import problem

logger = structlog.get_logger(__name__)

WINDOW = 60
TIMEOUT = 0.2
WIDE = ("bot", "admin")
"""Scopes of tokens that programs use, which may do more."""


class Quota(NamedTuple):
    """What is left of a limit, and in how many seconds all of it is there again."""

    policy: str
    limit: int
    left: int
    seconds: float


def count(policy: str, who: str, limit: int) -> Quota | None:
    """The quota after one request more, in one round trip; None: it could not be counted."""
    if not breaker.may_ask():
        return None
    key = f"throttle:{policy}:{who}"
    # Held while it counts: where first requests come at once, the cache keeps the last client,
    # and one that nobody holds closes its connections under who reads from them.
    held = client()
    try:
        with held.pipeline(transaction=False) as pipe:
            used, _, left = pipe.incr(key).expire(key, WINDOW, nx=True).pttl(key).execute()
    except redis.RedisError as error:
        breaker.failed()
        logger.warning("throttles_open", error=str(error))
        return None
    breaker.worked()
    return Quota(policy, limit, limit - used, left / 1000)


@cache
def client() -> redis.Redis:
    return redis.Redis.from_url(
        settings.REDIS_URL, socket_connect_timeout=TIMEOUT, socket_timeout=TIMEOUT, retry=None
    )


def used(request: HttpRequest, policy: str, kind: str, who: str, factor: int = 1) -> Quota | None:
    """Count the request, and note the quota for its answer's headers. None: let it through."""
    limit = math.ceil(settings.THROTTLE_RATES[policy][kind] * factor * settings.THROTTLES)
    if limit <= 0:
        return None
    quota = count(f"{policy}-{kind}", who, limit)
    if quota is not None:
        request.quotas = [*getattr(request, "quotas", ()), quota]  # type: ignore[attr-defined]
    return quota


def kind_of(request: Any, view: object) -> str:
    """reads or writes, or what else the view says of its own."""
    if request.method in SAFE_METHODS:
        return str(getattr(view, "throttle_reads", "reads"))
    return str(getattr(view, "throttle_kind", "writes"))


def address(request: Any) -> str:
    """Where the request comes from; of IPv6 the network, since a host has all of one."""
    sent = request.META.get("REMOTE_ADDR", "")
    if settings.TRUSTED_PROXIES:
        told = request.META.get("HTTP_X_FORWARDED_FOR", sent).split(",")
        sent = told[-min(settings.TRUSTED_PROXIES, len(told))].strip()
    try:
        found = ip_address(sent)
    except ValueError:  # a socket, or a proxy's nonsense
        return "0.0.0.0"
    if isinstance(found, IPv4Address):
        return str(found)
    mapped = found.ipv4_mapped
    return str(mapped or ip_network((found, 64), strict=False).network_address)


class AddressThrottleMiddleware(MiddlewareMixin):
    """Before anybody is looked up; and the headers about quotas on every answer."""

    def process_view(
        self, request: HttpRequest, view: Any, args: Any, kwargs: Any
    ) -> HttpResponse | None:
        match = request.resolver_match
        if request.path.startswith("/api/v1/"):
            kind = kind_of(request, getattr(view, "cls", view))
        elif match and match.view_name == "admin:login" and request.method == "POST":
            kind = "doors"
        else:
            return None
        quota = used(request, "address", kind, address(request))
        if quota is None or quota.left >= 0:
            return None
        wait = {"Retry-After": str(math.ceil(quota.seconds))}
        return problem(request, "throttled", headers=wait)

    def process_response(self, request: Any, response: HttpResponseBase) -> HttpResponseBase:
        quotas: list[Quota] = getattr(request, "quotas", [])
        if quotas:
            response["RateLimit-Policy"] = ", ".join(
                f'"{each.policy}";q={each.limit};w={WINDOW}' for each in quotas
            )
            response["RateLimit"] = ", ".join(
                f'"{each.policy}";r={max(0, each.left)};t={math.ceil(each.seconds)}'
                for each in quotas
            )
        return response


class TokenThrottle(BaseThrottle):
    """By token, with more for programs' ones; by player in a browser; by address for nobody."""

    quota: Quota | None = None

    def allow_request(self, request: Request, view: Any) -> bool:
        kind = kind_of(request, view)
        if request.auth is not None:
            factor = settings.THROTTLE_RATES["wide"] if {*WIDE} & {*request.auth.scopes} else 1
            self.quota = used(request._request, "token", kind, str(request.auth.pk), factor)
        elif request.user and request.user.is_authenticated:
            self.quota = used(request._request, "token", kind, str(request.user.pk))
        elif kind != "doors":  # who comes in is counted by his address already
            self.quota = used(request._request, "anonymous", kind, address(request))
        return self.quota is None or self.quota.left >= 0

    def wait(self) -> float | None:
        return self.quota and self.quota.seconds
