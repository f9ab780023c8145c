"""The first page of the admin: is all well?"""

import json
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any, NamedTuple

from django.contrib import admin
from django.http import HttpRequest
from django.template.defaultfilters import filesizeformat
from django.urls import reverse
from django.utils.formats import date_format

from games.dashboard import Bar, Dashboard, Totals, dashboard, within

SLOW = timedelta(seconds=30)
"""A bot's turn that waits for so long is being tried again already."""

COLOR, OTHER = "var(--color-primary-500)", "var(--color-base-400)"

admin.site.index_template = "admin/games/dashboard.html"
admin.site.index_title = "Is all well?"


class Check(NamedTuple):
    """One thing that is well or not, in words, and where to look closer."""

    ok: bool
    words: str
    link: str


class Tile(NamedTuple):
    title: str
    value: str
    note: str
    link: str


def show(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """The context of the page, for who may look at matches; others are shown their lists only."""
    if not request.user.has_perm("games.view_match"):
        return context
    told = dashboard()
    checks = list(checked(told))
    return {
        **context,
        "told": told,
        "troubles": [check for check in checks if not check.ok],
        "checks": checks,
        "tiles": tiles(told),
        "charts": charts(told),
        "stuck": [(match, address("match", match.pk)) for match in told.stuck],
        "errors": [(error, address("match", error.match_id)) for error in told.errors],
        "boards": [(board, listed("standing", f"board={board.pk}")) for board in told.boards],
    }


def address(kind: str, pk: Any) -> str:
    return reverse(f"admin:games_{kind}_change", args=[pk])


def listed(kind: str, query: str = "", app: str = "games") -> str:
    return reverse(f"admin:{app}_{kind}_changelist") + (f"?{query}" if query else "")


def checked(told: Dashboard) -> Sequence[Check]:
    oldest = round(told.oldest.total_seconds())
    since = told.latest and told.latest.counted_at
    errors = told.day.bot_errors
    return [
        Check(
            told.queues is not None,
            "The broker answers."
            if told.queues is not None
            else "The broker does not answer: moves are stored, but bots wait.",
            listed("match", "waits=bot"),
        ),
        Check(
            told.counts,
            "Beat and a worker run: figures are counted every minute."
            if told.counts
            else "No figures are counted"
            + (f" since {date_format(since, 'DATETIME_FORMAT')}" if since else " yet")
            + ": does beat run, and a worker?",
            listed("hour"),
        ),
        Check(
            told.oldest < SLOW,
            "No bot's turn waits for long."
            if told.oldest < SLOW
            else f"A bot's turn has waited for {oldest} seconds: are there workers enough?",
            listed("match", "waits=bot"),
        ),
        Check(
            not told.stuck,
            "No bot's turn had to be queued again."
            if not told.stuck
            else f"Bots' turns had to be queued again: {len(told.stuck)} or more.",
            listed("match", "waits=stuck"),
        ),
        Check(
            not errors,
            "No bot has failed in 24 hours."
            if not errors
            else f"Bots have failed {errors} times in 24 hours.",
            listed("boterror"),
        ),
        Check(
            not told.undelivered,
            "Webhooks are told in time."
            if not told.undelivered
            else f"{told.undelivered} deliveries to webhooks are late: does their worker run?",
            listed("delivery", "waits=yes", "players"),
        ),
        Check(
            not told.unanalysed,
            "Analyses of matches are made."
            if not told.unanalysed
            else f"{told.unanalysed} analyses of matches have failed or do not come to an end.",
            listed("analysis"),
        ),
    ]


def tiles(told: Dashboard) -> list[tuple[str, list[Tile]]]:
    latest, day = told.latest, told.day
    counted = latest and latest.counted_at
    as_of = f"as of {date_format(counted, 'H:i:s')}" if counted else "not counted yet"
    live, empty = (latest.live, latest.open) if latest else (None, None)
    size = latest.database_bytes if latest else None
    return [
        (
            "Now",
            [
                Tile("Matches live", number(live), as_of, listed("match", "status=playing")),
                Tile("Tables that wait", number(empty), as_of, listed("match", "status=open")),
                Tile(
                    "Bots' turns waiting",
                    number(told.turns),
                    f"the oldest for {told.oldest.total_seconds():.0f} s" if told.turns else "now",
                    listed("match", "waits=bot"),
                ),
                Tile("Queues", *queued(told.queues), listed("match", "waits=bot")),
            ],
        ),
        (
            "In 24 hours",
            [
                Tile("Moves", number(day.moves), per_hour(told.hour.moves), listed("move")),
                Tile(
                    "Matches made", number(day.matches), "of all games", listed("match", "made=day")
                ),
                Tile("A bot's turn took", *took(day), listed("match", "waits=bot")),
                Tile(
                    "Bots' errors",
                    number(day.bot_errors),
                    "another played in their place",
                    listed("boterror"),
                ),
                Tile(
                    "New players",
                    number(day.players),
                    "with an account",
                    listed("player", "kind=account&made=day", "players"),
                ),
                Tile(
                    "New guests",
                    number(day.guests),
                    "without one",
                    listed("player", "kind=guest&made=day", "players"),
                ),
                Tile("Database", bytes_told(size), as_of, listed("hour")),
                Tile(
                    "Grown by",
                    bytes_told(told.grown_day),
                    f"in a month {bytes_told(told.grown_month)}",
                    listed("hour"),
                ),
            ],
        ),
    ]


def queued(queues: dict[str, int] | None) -> tuple[str, str]:
    """How many tasks wait in all, and in which queues."""
    if queues is None:
        return "?", "the broker does not answer"
    each = ", ".join(f"{name} {length}" for name, length in queues.items())
    return number(sum(queues.values())), each


def took(day: Totals) -> tuple[str, str]:
    half, most = within(day.bot_waits, 0.5), within(day.bot_waits, 0.95)
    if half is None or most is None:
        return "—", "no bot has played"
    return f"≤ {half:g} s", f"half of them; 95 % ≤ {most:g} s"


def per_hour(moves: int) -> str:
    return f"{moves:,} in the last whole hour"


def number(value: int | None) -> str:
    return "—" if value is None else f"{value:,}"


def bytes_told(size: int | None) -> str:
    return "—" if size is None else filesizeformat(size)


def charts(told: Dashboard) -> list[tuple[str, str]]:
    """Title and data of each, as unfold's component wants them."""
    hours = [date_format(bar.starts, "H:i") for bar in told.hours]
    days = [date_format(bar.starts, "m-d") for bar in told.days]
    return [
        ("Moves an hour, a day long", chart(hours, told.hours, ("Moves", lambda t: t.moves))),
        ("Moves a day, a month long", chart(days, told.days, ("Moves", lambda t: t.moves))),
        (
            "New players and guests a day",
            chart(
                days,
                told.days,
                ("With an account", lambda t: t.players),
                ("Guests", lambda t: t.guests),
            ),
        ),
        (
            "Seconds within which 95 % of bots' turns were played, by hour",
            chart(hours, told.hours, ("p95", lambda t: within(t.bot_waits, 0.95))),
        ),
    ]


def chart(labels: list[str], bars: Sequence[Bar], *series: tuple[str, Callable[[Totals], Any]]):
    datasets = [
        {
            "label": label,
            "data": [finite(value(bar.totals)) for bar in bars],
            "backgroundColor": color,
            "borderRadius": 3,
            "maxBarThickness": 24,
            "displayYAxis": True,
        }
        for (label, value), color in zip(series, (COLOR, OTHER), strict=False)
    ]
    return json.dumps({"labels": labels, "datasets": datasets})


def finite(value: float | None) -> float | None:
    return None if value == float("inf") else value
