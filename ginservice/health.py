"""/healthz: the process answers. /readyz: so do the database and the broker."""

import redis
from django.conf import settings
from django.db import Error, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from ginservice.problems import problem


@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    return JsonResponse({"status": "ok"})


@never_cache
@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    checks = {"database": database_answers, "broker": broker_answers}
    down = [name for name, answers in checks.items() if not answers()]
    if down:
        return problem(request, "not-ready", f"Down: {', '.join(down)}.", down=down)
    return JsonResponse({"status": "ok", "up": list(checks)})


def database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Error:
        return False
    return True


def broker_answers() -> bool:
    """A connection of its own for each question, so that it is never an old one that answers."""
    client = redis.Redis.from_url(
        settings.REDIS_URL, socket_connect_timeout=0.5, socket_timeout=0.5, retry=None
    )
    try:
        return bool(client.ping())
    except redis.RedisError:
        return False
    finally:
        client.close()
