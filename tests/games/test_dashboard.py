"""Is all well? The first page says so at a glance, and looks at no more than it must."""

from datetime import timedelta
from html import unescape

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.dashboard import within
from games.models import Hour, Match
from games.services import figures, turns
from games.services.figures import HOUR, WAITS, hour_at
from games.tasks import count_on
from tests.games.people import played, sit
from tests.games.test_query_plans import crowd, rows_read

__all__ = ["crowd"]
MOST_ROWS = 100
HOURS = 24 * 400


@pytest.fixture
def page(operator):
    """The first page's text, its spaces made single."""
    return lambda: " ".join(unescape(operator.get("/admin/").content.decode()).split())


def waiting_for(seconds):
    Match.objects.update(queued_at=timezone.now() - timedelta(seconds=seconds), attempts=2)


def test_all_is_well_where_it_is(page):
    count_on()

    assert "All is well" in page()


def test_a_stuck_turn_is_shown_with_its_attempts_and_its_last_error(ann, page):
    match = played(sit(ann, "easy"), "draw", "discard KD")
    count_on()
    waiting_for(50)
    turns.note_bot_error(match, "easy", "raised", ValueError("2C"))

    shown = page()
    assert "Something needs you" in shown
    assert "Bots' turns had to be queued again: 1 or more." in shown
    assert "tried 2×" in shown and "raised ValueError" in shown
    assert f"/admin/games/match/{match.pk}/change/" in shown
    assert f">gin …{str(match.pk)[-8:]}</a>" in shown


def test_a_broker_that_is_gone_is_shown_and_breaks_nothing(page, settings):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    count_on()

    assert "The broker does not answer" in page()


def test_a_beat_that_has_stopped_is_noticed(page):
    assert "No figures are counted yet: does beat run" in page()

    count_on()
    Hour.objects.update(counted_at=timezone.now() - timedelta(minutes=10))
    assert "No figures are counted since" in page()


def test_figures_are_those_of_the_hours(page):
    starts = hour_at(timezone.now())
    waits = [0] * 4 + [95, 5] + [0] * (len(WAITS) - 5)
    for ago, moves in ((2, 34), (23, 1200), (30, 9000)):
        Hour.objects.create(starts=starts - ago * HOUR, moves=moves, guests=7, bot_waits=waits)
    count_on()

    shown = page()
    assert '<span class="tile-value">1,234</span>' in shown
    assert '<span class="tile-value">14</span>' in shown
    assert "half of them; 95 % ≤ 0.5 s" in shown


def test_how_fast_a_share_of_the_turns_was_played():
    waits = [0] * len(WAITS) + [0]
    assert within(waits, 0.5) is None
    waits[1], waits[-1] = 9, 1
    assert within(waits, 0.9) == WAITS[1]
    assert within(waits, 0.95) == float("inf")


def test_every_number_leads_to_rows_that_can_be_looked_at(ann, page, operator):
    sit(ann, "easy")
    count_on()
    links = [part.split('"')[0] for part in page().split('class="tile" href="')[1:]]

    assert len(links) == 12
    for link in links:
        assert operator.get(link).status_code == 200, link


def test_the_page_looks_at_few_rows_however_many_matches_there_are(crowd, operator):
    starts = hour_at(timezone.now())
    Hour.objects.bulk_create(Hour(starts=starts - n * HOUR, moves=n) for n in range(HOURS))
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")

    found = list(rows_read(lambda: operator.get("/admin/")))
    assert len(found) >= 4
    assert sorted(found)[-1] <= 31 * 24 + 1, found  # the hours themselves
    assert sum(sorted(found)[:-1]) <= MOST_ROWS, found


def test_nor_does_the_task_that_counts(crowd):
    figures.count_on()
    with CaptureQueriesContext(connection) as caught:
        figures.count_on()
    for query in caught:
        if "games_move" in query["sql"]:
            assert "id > " in query["sql"], query["sql"]
