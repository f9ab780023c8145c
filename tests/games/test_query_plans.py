"""No list reads more than its page and what it is about, however many matches there are.

What is asked for is the oldest of all, behind a crowd of other matches: a plan that walks past
them, or sorts them, reads thousands of rows. Postgres chooses its plans as it does in service,
and is asked how many rows it has read.
"""

import itertools
import json
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from uuid_utils.compat import uuid7

from games.admin import MatchAdmin
from games.engine import GAMES
from games.models import Match, Rating, Seat
from games.services import ends, tables
from players.models import Player
from tests.games.people import Person

CROWD = 3000
PLAYERS = 60
FEW = 30
PAGE = 20
MOST_ROWS = 1000
"""A page, the seats of one player (100 in the crowd, 60 for ann), the few open tables; or a walk
from a page to its end past the matches of others in between, about 30 for each of crowd7's."""

YEAR_BEGINS = datetime(2026, 1, 1, tzinfo=UTC)
CROWD_BEGINS = "2026-02-01T00:00:00Z"
FILTERS = [
    *("game=gin", "game=pyramid", "status=open", "status=playing", "status=finished"),
    *("status=aborted", "status=voided", "player=ann", "player=crowd7", "player=nobody"),
    *("seats=open", f"until={CROWD_BEGINS}", "since=2030-01-01T00:00:00Z"),
]
OF_OPEN_TABLES = ["preset=research", "clock=days", "min_rating=1500", "max_rating=700"]


def at(day):
    return YEAR_BEGINS + timedelta(days=day)


def made(count, days, players, others=(), game="gin", preset=None, **fields):
    """Matches of those days, one player of each list at each."""
    rules = GAMES[game]
    options = rules.PRESETS[preset or next(iter(rules.PRESETS))]
    one = Match.opened(game, options, 2, created_by=players[0])
    first, last = days
    matches = []
    for n in range(count):
        when = at(first + (last - first) * n / count)
        key = uuid7(nanoseconds=int(when.timestamp() * 1e9))
        given = {"options": one.options, "position": one.position, "created_at": when, **fields}
        matches.append(Match(id=key, game=game, created_by=players[n % len(players)], **given))
    Match.objects.bulk_create(matches)
    seats = []
    for n, match in enumerate(matches):
        other = others[(n * 7 + 1) % len(others)] if others else None
        seats += [Seat(match=match, number=0, player=match.created_by)]
        seats += [Seat(match=match, number=1, player=other)]
    Seat.objects.bulk_create(seats)
    return matches


@pytest.fixture
def crowd(ann, bob):
    people = [Player.objects.create(name=f"crowd{n}") for n in range(PLAYERS)]
    past, january = (31, 300), (0, 30)
    finished = made(CROWD, past, people[:30], people[30:], status="finished")
    busy = Player.objects.create(name="busy")
    Seat.objects.filter(match__in=finished[::3], number=1).update(player=busy)
    made(FEW, january, [ann.player], [bob.player], game="pyramid", status="finished")
    made(FEW, january, [ann.player], [bob.player], status="aborted", visibility="private")
    made(FEW, january, people[:3], game="rummy", status="open")
    made(FEW, january, people[:3], people[3:6], status="playing")
    kept = made(3, january, people[:3], preset="research", status="open")
    Seat.objects.filter(match__in=kept, number=1).update(invited=ann.player)
    now = timezone.now()
    Rating.objects.bulk_create(
        Rating(player=p, game="gin", mu=25, sigma=5, changed_at=now) for p in people
    )
    with connection.cursor() as cursor:  # of all rows: what a sample says of them is luck
        cursor.execute("SET LOCAL default_statistics_target = 10000")
        cursor.execute("ANALYZE")


def plan(call):
    """How the matches of the call were found, run and measured by Postgres."""
    with CaptureQueriesContext(connection) as caught:
        call()
    [sql] = [q["sql"] for q in caught if 'FROM "games_match"' in q["sql"]]
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}")
        [[told]] = cursor.fetchall()
    return list(nodes((json.loads(told) if isinstance(told, str) else told)[0]["Plan"]))


def nodes(node):
    yield node
    for inner in node.get("Plans", ()):
        yield from nodes(inner)


def read(node):
    """How many rows a scan has looked at."""
    removed = sum(count for name, count in node.items() if name.startswith("Rows Removed"))
    return (node["Actual Rows"] + removed) * node["Actual Loops"]


def scans(call):
    found = plan(call)
    tables = ("games_match", "games_seat")
    scans = [node for node in found if node.get("Relation Name") in tables]
    assert scans or any("One-Time Filter" in node for node in found), "that can only be nothing"
    return scans


def is_bounded(person, path):
    def call():
        response = person.get(path)
        assert response.status_code == 200, response.content

    found = [(scan["Node Type"], read(scan)) for scan in scans(call)]
    assert sum(rows for _, rows in found) <= MOST_ROWS, (path, found)


def queries():
    yield ""
    yield from FILTERS
    for pair in itertools.combinations(FILTERS, 2):
        names = {each.partition("=")[0] for each in pair}
        if len(names) == 2:
            yield "&".join(pair)
    for only in OF_OPEN_TABLES:
        yield f"status=open&{only}"
        yield f"seats=open&{only}&game=gin"


def test_matches_are_listed_without_looking_at_the_others(ann, nobody, crowd):
    asked = list(queries())
    assert len(asked) > 70
    for query in asked:
        for person in (ann, nobody):
            is_bounded(person, f"/matches?limit={PAGE}&{query}")


def test_so_are_those_of_one_who_has_played_a_thousand(ann, nobody, crowd):
    busy = Person(Player.objects.get(name="busy"))

    for query in ("", "&status=finished", "&game=gin", f"&until={at(200):%Y-%m-%dT%H:%M:%SZ}"):
        for person in (ann, busy, nobody):
            is_bounded(person, f"/matches?player=busy{query}")
    for query in ("", "game=gin", "status=open", "status=aborted", "until=2026-02-01T00:00:00Z"):
        is_bounded(busy, f"/matches?{query}")


def test_so_are_the_pages_that_follow(ann, nobody, crowd):
    for query in ("", "game=gin", "status=finished", "player=crowd7", "game=pyramid&player=ann"):
        for person in (ann, nobody):
            path = f"/matches?limit={PAGE}&{query}"
            for _ in range(2):
                body = person.get(path).json()
                path = body["next"] or body["previous"]
                is_bounded(person, path)


def test_and_the_seats_kept_for_one(ann, crowd):
    assert len(ann.get("/me/invites").json()["results"]) == 3
    is_bounded(ann, "/me/invites")


def test_the_sweep_finds_matches_to_end_without_looking_at_the_others(crowd):
    Match.objects.filter(status="finished").update(ends_at=at(10_000))
    with connection.cursor() as cursor:  # of all rows: what a sample says of them is luck
        cursor.execute("SET LOCAL default_statistics_target = 10000")
        cursor.execute("ANALYZE")

    assert sum(map(read, scans(ends.end_overdue))) <= 1


def test_a_list_that_no_index_serves_would_be_noticed(crowd):
    """The ruler itself."""
    found = scans(lambda: list(Match.objects.filter(ended_by="resigned").order_by("-id")[:PAGE]))

    assert sum(map(read, found)) > CROWD


def test_a_person_new_to_the_house_reads_no_more(crowd):
    zoe = Person(Player.objects.create(name="zoe"))

    for query in ("", "player=me", "player=me&game=gin", "status=playing&player=me"):
        is_bounded(zoe, f"/matches?{query}")


LISTS = ["match/", "match/?status=playing", "match/?status=aborted", "match/?game=pyramid"]
ASKED = ["waits=players", "waits=person", "waits=bot", "waits=stuck", "made=hour", "q=ann", "q=eve"]


def test_the_operators_list_of_matches_looks_at_no_others(crowd, client, monkeypatch):
    monkeypatch.setattr(MatchAdmin, "list_per_page", PAGE)
    client.force_login(Player.objects.create_superuser("olga"))
    oldest = Match.objects.earliest("pk").pk
    for path in [*LISTS, *(f"match/?{asked}" for asked in ASKED), f"match/?q={oldest}"]:
        found = list(rows_read(lambda path=path: client.get(f"/admin/games/{path}")))
        assert sum(found) <= MOST_ROWS, (path, found)
        assert found or path.endswith("eve"), path


def rows_read(call):
    """By each statement of the call about matches: the rows of matches and seats that it read."""
    with CaptureQueriesContext(connection) as caught:
        assert call().status_code == 200
    asked = [q["sql"] for q in caught if q["sql"].startswith("SELECT") and "games_" in q["sql"]]
    for sql in asked:
        assert "COUNT(*)" not in sql, sql
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}")
            [[told]] = cursor.fetchall()
        told = json.loads(told) if isinstance(told, str) else told
        scans = [n for n in nodes(told[0]["Plan"]) if n.get("Relation Name", "")[:6] == "games_"]
        yield sum(map(read, scans))


def test_to_count_what_is_unfinished_reads_nothing_that_is_over(crowd):
    busy = Player.objects.get(name="busy")
    Match.objects.filter(status="finished").update(created_by=busy)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")

    scans = [node for node in plan(lambda: tables.check_room(busy)) if "Scan" in node["Node Type"]]
    assert sum(map(read, scans)) <= FEW
