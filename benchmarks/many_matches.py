"""A million matches with ten million entries in their logs, made from a few real ones.

    python -m benchmarks.many_matches            makes 1,000 and 1,000,000, measures both, compares

Real matches are played first; then Postgres copies their rows, each copy with an id, a time and
players of its own, so that every copy is a match that `verify_logs` proves. What is measured is
whole requests, in a process for each of the two databases, in turns.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import django
import psycopg

from ginservice.embedded import addresses, postgres, valkey

ROOT = Path(__file__).resolve().parents[1]
SIZES = (1_000, 1_000_000)
MATCHES_A_PLAYER = 100
LONG_ONES = 100
"""One copy in so many is of a long match."""
BATCH = 20_000
ROUNDS, REQUESTS = 15, 20
BARS = {"a move": 1.2}
BAR = 2.0


# Making them


def make(count: int, say: Any = print) -> None:
    """Fill the empty database of the settings with so many matches of two players each."""
    from django.db import connection

    templates = play_templates()
    players = max(4, 2 * count // MATCHES_A_PLAYER)
    with connection.cursor() as cursor:
        cursor.execute(PLAYERS, {"count": players})
        for first in range(0, count, BATCH):
            numbers = {"first": first, "last": min(first + BATCH, count) - 1, "count": count}
            numbers |= {"players": players, "long_ones": LONG_ONES, **templates}
            cursor.execute(COPIES, numbers)
            for statement in copying(templates["ann"], templates["bob"]):
                cursor.execute(statement)
            say(f"{numbers['last'] + 1:,} matches")
        cursor.execute(RECORDS)


def play_templates() -> dict[str, Any]:
    """A short match and a long one between two players, played at random; their ids."""
    from games.models import Match
    from games.services import ends, moves, tables
    from games.services.moves import log
    from players.models import Player

    ann, bob = (Player.objects.create_user(f"template-{name}") for name in ("ann", "bob"))
    rng, found = Random(7), {}
    for name, entries in (("short", 7), ("long", 200)):
        match = tables.create_match(ann, "gin", {"target": 10_000}, ["me", "open"])
        match = tables.join(match.pk, bob)
        while match.version < entries:
            mover = ann if match.turn == 0 else bob
            legal = match.rules.legal_actions(match.folded().state)
            match = moves.play_move(match.pk, mover, match.version, log.plain(rng.choice(legal)))
        found[name] = ends.resign(Match.objects.get(pk=match.pk).pk, bob).pk
    return {"ann": ann.pk, "bob": bob.pk, **found}


PLAYERS = """
    CREATE TEMPORARY TABLE people AS
        SELECT n, uuidv7() AS id FROM generate_series(0, %(count)s - 1) AS n;
    CREATE UNIQUE INDEX ON people (n);
    INSERT INTO players_player
        (id, password, is_superuser, name, is_guest, is_staff, is_active, created_at)
        SELECT id, '!', false, 'player-' || n, false, false, true, now() FROM people;
"""
COPIES = """
    DROP TABLE IF EXISTS copies;
    CREATE TEMPORARY TABLE copies AS
        SELECT template, uuidv7(back) AS id, back, one.id AS ann, two.id AS bob
        FROM generate_series(%(first)s, %(last)s) AS n,
            LATERAL (SELECT
                CASE WHEN n %% %(long_ones)s = 0 THEN %(long)s ELSE %(short)s END::uuid AS template,
                (n - %(count)s) * interval '20 seconds' AS back,
                n %% %(players)s AS a,
                (n %% %(players)s + 1 + n / %(players)s %% (%(players)s - 1)) %% %(players)s AS b
            ) AS drawn
        JOIN people one ON one.n = a JOIN people two ON two.n = b;
    ANALYZE copies;
"""
RECORDS = """
    INSERT INTO games_rating (player_id, game, mu, sigma, matches, changed_at)
        SELECT id, 'gin', 20 + 10 * random(), 1 + random(), 100, now() FROM people;
    INSERT INTO games_board (game, period, starts, version)
        VALUES ('gin', 'all', '1970-01-01', 1000000) ON CONFLICT DO NOTHING;
    INSERT INTO games_standing (board_id, player_id, value, matches, reached_at, since)
        SELECT board.id, player_id, round((mu - 3 * sigma) * 40), rating.matches, changed_at, 1
        FROM games_rating rating JOIN people ON people.id = player_id,
            games_board board WHERE board.period = 'all' AND board.game = 'gin';
"""


SINCE = """coalesce(to_jsonb(to_char(
    ({0} ->> 'since')::timestamptz AT TIME ZONE 'UTC' + copies.back, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'
)), 'null')"""


def copying(ann: Any, bob: Any) -> list[str]:
    """The statements that copy the templates' rows: moved in time, with the copies' players."""
    from django.db.models import DateTimeField, ForeignKey

    from games import models
    from players.models import Player

    def named(column: str, kind: str) -> str:
        """With the copy's players in place of the template's, wherever they are named."""
        text = f"replace({column}::text, '{ann}', copies.ann::text)"
        return f"replace({text}, '{bob}', copies.bob::text)::{kind}"

    def copied(field: Any) -> str:
        column = f'old."{field.column}"'
        if isinstance(field, ForeignKey) and field.related_model is models.Match:
            return "copies.id"
        if isinstance(field, ForeignKey) and field.related_model is Player:
            return f"CASE {column} WHEN '{ann}' THEN copies.ann WHEN '{bob}' THEN copies.bob END"
        if isinstance(field, DateTimeField):
            return f"{column} + copies.back"
        if field.column in ("position", "before"):
            return f"jsonb_set({named(column, 'jsonb')}, '{{since}}', {SINCE.format(column)})"
        if field.column == "action":  # only the table's entries name a player
            return f"CASE WHEN seat = -2 THEN {named(column, 'jsonb')} ELSE {column} END"
        if field.column == "opponents":
            return named(column, "varchar[]")
        return "copies.id" if field.model is models.Match and field.primary_key else column

    statements = []
    for model in (
        models.Match,
        models.Seat,
        models.Deal,
        models.Move,
        models.Tally,
        models.RatingChange,
    ):
        fields = [
            f for f in model._meta.concrete_fields if model is models.Match or not f.primary_key
        ]
        names = ", ".join(f'"{field.column}"' for field in fields)
        key = "id" if model is models.Match else "match_id"
        statements.append(
            f"INSERT INTO {model._meta.db_table} ({names}) SELECT {', '.join(map(copied, fields))}"
            f" FROM copies JOIN {model._meta.db_table} old ON old.{key} = copies.template"
        )
    return statements


# Measuring them


class Asked:
    """The requests, each with what it asks for drawn anew."""

    def __init__(self) -> None:
        from django.test import Client

        from games.models import Move
        from games.services import tables
        from players import services
        from players.models import Player

        self.rng, self.client = Random(1), Client(headers={"Host": "localhost"})
        one, two = services.make_guest(), services.make_guest()
        self.tokens = [services.issue_token(each, "bench", ["play"])[1] for each in (one, two)]
        match = tables.create_match(one, "gin", {"target": 10_000}, ["me", "open"])
        self.playing = tables.join(match.pk, two).pk
        self.match: Any = None
        longs = Move.objects.filter(version=150).order_by("?").values_list("match_id", flat=True)
        self.long = list(longs[:200])
        self.players = list(Player.objects.filter(name__startswith="player-").order_by("?")[:200])

    def get(self, path: str) -> Any:
        headers = {"Authorization": f"Bearer {self.tokens[0]}"}
        answer = self.client.get(f"/api/v1{path}", headers=headers)
        assert answer.status_code == 200, answer.content
        return answer.json()

    def look(self, seat: int) -> Any:
        headers = {"Authorization": f"Bearer {self.tokens[seat]}"}
        return self.client.get(f"/api/v1/matches/{self.playing}", headers=headers).json()

    def move(self) -> float:
        """The seconds of a move. Never a knock while there is anything else."""
        seen = self.match or self.look(0)
        if seen["turn"] != seen["you"]:
            seen = self.look(seen["turn"])
        legal = seen["view"]["legal"]
        plain = [each for each in legal if each["type"] in ("draw_stock", "discard")]
        started = time.perf_counter()
        answer = self.client.post(
            f"/api/v1/matches/{self.playing}/moves",
            {"version": seen["version"], "action": (plain or legal)[0]},
            content_type="application/json",
            headers={"Authorization": f"Bearer {self.tokens[seen['you']]}"},
        )
        took = time.perf_counter() - started
        assert answer.status_code == 201, answer.content
        self.match = answer.json()
        return took

    def path(self, what: str) -> str:
        player, match = self.rng.choice(self.players), self.rng.choice(self.long)
        paths = {
            "match list": "/matches",
            "match list by game and status": "/matches?game=gin&status=finished",
            "match list of a player": f"/matches?player={player.name}",
            "history page": f"/matches/{match}/moves?after=100&limit=50",
            "replay at N": f"/matches/{match}/replay?at={self.rng.randint(50, 199)}",
            "board page": "/leaderboards/gin?period=all",
            "stats": f"/players/{player.name}/stats",
        }
        return paths[what]

    def time(self, what: str) -> float:
        """Milliseconds."""
        if what == "a move":
            return 1000 * self.move()
        path = self.path(what)
        started = time.perf_counter()
        self.get(path)
        return 1000 * (time.perf_counter() - started)


WHAT = ("a move", "match list", "match list by game and status", "match list of a player")
WHAT += ("history page", "replay at N", "board page", "stats")


def answer() -> None:
    """A process that measures its own database, whenever it is asked for something by its name."""
    asked = Asked()
    print("ready", flush=True)
    for line in sys.stdin:
        print(json.dumps([asked.time(line.strip()) for _ in range(REQUESTS)]), flush=True)


def compare(data_dir: Path, sizes: tuple[int, int]) -> bool:
    """Print the table; whether every bar is held."""
    processes = [
        spawn(data_dir, size, "answer", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for size in sizes
    ]
    for process in processes:
        assert process.stdout.readline() == "ready\n"
    times: dict[str, list[list[float]]] = {what: [[], []] for what in WHAT}
    for _ in range(ROUNDS + 1):
        for what in WHAT:
            for found, process in zip(times[what], processes, strict=True):
                process.stdin.write(what + "\n")
                process.stdin.flush()
                found.append(median(json.loads(process.stdout.readline())))
    few, many = (f"ms with {size:,}" for size in sizes)
    print(f"| | {few} | {many} | ratio | bar |\n|---|---|---|---|---|")
    held = True
    for what, (small, large) in times.items():
        ratio = median(b / a for a, b in zip(small[1:], large[1:], strict=True))
        bar = BARS.get(what, BAR)
        held &= ratio <= bar
        verdict = "passed" if ratio <= bar else "FAILED"
        times_of = f"{median(small):.1f} | {median(large):.1f}"
        print(f"| {what} | {times_of} | **{ratio:.2f}** | {bar}: {verdict} |")
    for process in processes:
        process.stdin.close()
        process.wait()
    return held


def sizes_on_disk(data_dir: Path, size: int) -> None:
    asked = """
        SELECT relname, reltuples::bigint, pg_table_size(oid), pg_indexes_size(oid)
        FROM pg_class WHERE relkind = 'r' AND relname ~ '^(games|players)_' ORDER BY 3 DESC LIMIT 8
    """
    with psycopg.connect(addresses.postgres_url(data_dir, f"of_{size}")) as connection:
        print("\n| table | rows | bytes a row | index bytes a row | GB |\n|---|---|---|---|---|")
        for name, rows, table, indexes in connection.execute(asked):
            if rows > 0:
                gb = (table + indexes) / 1e9
                print(
                    f"| {name} | {rows:,} | {table / rows:.0f} | {indexes / rows:.0f} | {gb:.2f} |"
                )


# Processes


def spawn(data_dir: Path, size: int, what: str, **pipes: Any) -> Any:
    ours = {k: v for k, v in os.environ.items() if k != "REDIS_URL"}
    settings = {
        "DATA_DIR": str(data_dir),
        "DATABASE_URL": addresses.postgres_url(data_dir, f"of_{size}"),
        "THROTTLES": "0",
        "LOG_LEVEL": "ERROR",
    }
    command = [sys.executable, "-m", "benchmarks.many_matches", what, "--matches", str(size)]
    return subprocess.Popen(command, cwd=ROOT, env=ours | settings, text=True, **pipes)


def create(data_dir: Path, size: int) -> None:
    with psycopg.connect(
        addresses.postgres_url(data_dir, "postgres"), autocommit=True
    ) as connection:
        known = "SELECT 1 FROM pg_database WHERE datname = %s"
        if connection.execute(known, [f"of_{size}"]).fetchone():
            return
        connection.execute(f"CREATE DATABASE of_{size}")
    started = time.monotonic()
    assert spawn(data_dir, size, "make").wait() == 0
    with psycopg.connect(
        addresses.postgres_url(data_dir, f"of_{size}"), autocommit=True
    ) as connection:
        connection.execute("VACUUM ANALYZE")
    print(f"{size:,} matches made in {time.monotonic() - started:.0f} s", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="?", default="all", choices=["all", "make", "answer"])
    parser.add_argument("--matches", type=int, default=SIZES[1])
    parser.add_argument("--data-dir", type=Path, default=ROOT / ".data" / "many")
    given = parser.parse_args()
    if given.what == "all":
        data_dir, sizes = given.data_dir.resolve(), (SIZES[0], given.matches)
        try:
            postgres.start(data_dir)
            valkey.start(data_dir)
            for size in sizes:
                create(data_dir, size)
            held = compare(data_dir, sizes)
            sizes_on_disk(data_dir, sizes[1])
        finally:
            valkey.stop(data_dir)
            postgres.stop(data_dir)
        sys.exit(not held)
    os.environ["DJANGO_SETTINGS_MODULE"] = "ginservice.settings"
    django.setup()
    if given.what == "answer":
        answer()
    else:
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        make(given.matches)
        call_command("verify_logs", sample=min(given.matches, 300))


if __name__ == "__main__":
    main()
