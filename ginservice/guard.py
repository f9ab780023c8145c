"""Against guessed passwords: django-axes counts by name and address, here is what it is told."""

import math
from typing import Any

from axes.models import AccessAttempt
from django.conf import settings
from django.db.models import Max
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from ginservice.errors import answer
from ginservice.throttles import address


def name_tried(request: HttpRequest, credentials: dict[str, Any] | None) -> str:
    """In small letters, as names differ by more than capitals."""
    return str((credentials or {}).get("username") or "").lower()[:255]


def locked_out(
    request: HttpRequest, response: HttpResponse | None, credentials: dict[str, Any] | None
) -> HttpResponse:
    """The answer in place of whatever the view has said."""
    tries = AccessAttempt.objects.filter(
        username=name_tried(request, credentials), ip_address=address(request)
    )
    last = tries.aggregate(last=Max("attempt_time"))["last"] or timezone.now()
    wait = (last + settings.AXES_COOLOFF_TIME - timezone.now()).total_seconds()
    words = "Too many wrong passwords for this name from this address; wait, then try again."
    told = answer(request, "throttled", words)
    told["Retry-After"] = str(max(1, math.ceil(wait)))
    return told
