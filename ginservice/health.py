"""/healthz: the process answers. /readyz: so do the database and the broker, and bots play."""

from collections.abc import Iterator

import redis
from django.conf import settings
from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.services import repairs
from ginservice.broker import queue_lengths
from ginservice.problems import problem

CHECKS = ("database", "migrations", "bot_turns", "broker")


@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    return JsonResponse({"status": "ok"})


@never_cache
@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    down = list(not_well())
    if down:
        return problem(request, "not-ready", f"Down: {', '.join(down)}.", down=down)
    return JsonResponse({"status": "ok", "up": CHECKS})


def not_well() -> Iterator[str]:
    """Which of CHECKS fail. Without the database what stands in it is not asked for."""
    try:
        if not is_migrated():
            yield "migrations"
        elif repairs.waiting()[1].total_seconds() > settings.STUCK_TURN_SECONDS:
            yield "bot_turns"
    except Error:
        yield "database"
    try:
        queue_lengths()
    except redis.RedisError:
        yield "broker"


def is_migrated() -> bool:
    """Whether the database has all that this code needs; it may have more, of newer code.

    Once it has, it is only asked whether it answers.
    """
    if not seen:
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            return False
        seen.append(True)
    return True


seen: list[bool] = []
