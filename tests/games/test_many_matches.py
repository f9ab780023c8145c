"""The matches of benchmarks/many_matches.py, twenty thousand of them: each is a true one, and no
request reads more rows than what it is about. (With a million of them times are measured.)"""

import json

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from benchmarks import many_matches
from games.models import Match, Move

COUNT = 20_000
MOST_ROWS = {"stats": 600, "match list of a player": 600}
"""A player has a hundred matches."""
PAGE = 400


@pytest.fixture
def real_shuffles():
    return True


@pytest.fixture
def asked(transactional_db):
    many_matches.make(COUNT, say=lambda text: None)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return many_matches.Asked()


OF_MATCHES = {
    f"games_{name}" for name in ["match", "seat", "move", "deal", "tally", "ratingchange"]
}
"""Tables that grow with matches; small ones Postgres rather reads whole."""


def scans(node):
    if node.get("Relation Name") in OF_MATCHES:
        yield node
    for inner in node.get("Plans", ()):
        yield from scans(inner)


def rows_read(sql):
    """By every scan of a table, those too that were looked at in vain."""
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}")
        [[told]] = cursor.fetchall()
    plan = (json.loads(told) if isinstance(told, str) else told)[0]["Plan"]
    return sum(
        node["Actual Loops"]
        * (node["Actual Rows"] + sum(n for name, n in node.items() if name.startswith("Rows Rem")))
        for node in scans(plan)
    )


def test_twenty_thousand_matches_are_true_and_are_read_by_what_they_are_about(asked, capsys):
    assert Match.objects.count() > COUNT
    assert Move.objects.count() > 9 * COUNT
    call_command("verify_logs", sample=100)
    assert "100 matches verified, no difference" in capsys.readouterr().out

    for what in many_matches.WHAT:
        with CaptureQueriesContext(connection) as caught:
            asked.time(what)
        read = sum(rows_read(q["sql"]) for q in caught if q["sql"].startswith("SELECT"))
        assert read <= MOST_ROWS.get(what, PAGE), f"{what} reads {read} rows"
