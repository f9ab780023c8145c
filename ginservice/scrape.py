"""/metrics: what all processes of this machine have counted, and what is so at the moment."""

from collections.abc import Iterator
from ipaddress import ip_address

import redis
from django.conf import settings
from django.db import Error
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from games.services import analyses, repairs
from ginservice import metrics
from ginservice.broker import queue_lengths
from ginservice.problems import problem


@never_cache
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    if not may_read(request):
        return problem(
            request, "forbidden", "Metrics are for this machine, or for who has METRICS_TOKEN."
        )
    return HttpResponse(exposition(), content_type=CONTENT_TYPE_LATEST)


def may_read(request: HttpRequest) -> bool:
    """Who has the token; without one who asks from this machine, and not through a proxy on it."""
    if settings.METRICS_TOKEN:
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        given = token.strip() if scheme.lower() == "bearer" else ""
        return constant_time_compare(given, settings.METRICS_TOKEN)
    if {"X-Forwarded-For", "Forwarded"} & set(request.headers):
        return False
    try:
        return ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False


def exposition() -> bytes:
    """Prometheus's text format."""
    counted = metrics.Counted() if metrics.METRICS_DIR else metrics.REGISTRY
    return generate_latest(counted) + generate_latest(Moment())


class Moment(Collector):
    """What is so now, asked of the database and the broker. What does not answer tells nothing."""

    def collect(self) -> Iterator[Metric]:
        reachable = gauge("reachable", "Whether it answers: 1 or 0.", "what")
        lengths = gauge("queue_length", "Tasks that wait for a worker.", "queue")
        waiting = gauge("bot_turns_waiting", "Bots' turns not played yet.")
        oldest = gauge("bot_turn_oldest_seconds", "For how long the oldest of them has waited.")
        judged = gauge("analyses", "Analyses of matches that are kept, by status.", "status")
        try:
            count, age = repairs.waiting()
            waiting.add_metric([], count)
            oldest.add_metric([], age.total_seconds())
            for status, found in analyses.counted().items():
                judged.add_metric([status], found)
            reachable.add_metric(["database"], 1)
        except Error:
            reachable.add_metric(["database"], 0)
        try:
            for queue, length in queue_lengths().items():
                lengths.add_metric([queue], length)
            reachable.add_metric(["broker"], 1)
        except redis.RedisError:
            reachable.add_metric(["broker"], 0)
        return iter((reachable, lengths, waiting, oldest, judged))


def gauge(name: str, told: str, *labels: str) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"ginservice_{name}", told, labels=labels)
