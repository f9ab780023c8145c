"""/readyz asks whether bots' turns are played; the rest is in tests/test_health.py."""

from datetime import timedelta

from django.utils import timezone

from games.models import Move
from games.services import repairs
from tests.games.people import played, refused, sit


def test_where_a_bots_turn_waits_too_long_the_service_is_not_well(client, settings, ann):
    match = played(sit(ann, "easy"), "draw", "discard KD")
    assert client.get("/readyz").status_code == 200

    settings.STUCK_TURN_SECONDS = 60
    long_ago = timezone.now() - timedelta(seconds=61)
    Move.objects.filter(match=match, version=match.version).update(created_at=long_ago)
    assert refused(client.get("/readyz"), 503, "not-ready")["down"] == ["bot_turns"]
    count, age = repairs.waiting()
    assert count == 1
    assert age >= timedelta(seconds=61)


def test_a_person_may_think_for_as_long_as_he_likes(client, ann, bob):
    match = sit(ann, bob)
    Move.objects.filter(match=match).update(created_at=timezone.now() - timedelta(days=3))

    assert repairs.waiting()[0] == 0
    assert client.get("/readyz").status_code == 200
