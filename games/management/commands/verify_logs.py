"""Fold every match's log again and compare it with the caches; then ratings and boards."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction
from django.db.models import Prefetch, QuerySet
from django.utils.dateparse import parse_datetime
from django.utils.timezone import is_naive, make_aware

from games.models import Deal, Match, Move, Score, Seat
from games.proofs import difference
from games.record_proofs import record_differences

BATCH = 100


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--match", type=UUID, help="only this match")
        parser.add_argument("--since", help="only matches made since that day or time (UTC)")
        parser.add_argument("--sample", type=int, help="only so many matches, drawn at random")

    def handle(self, **options: Any) -> None:
        started, count = time.perf_counter(), 0
        for batch in batches(chosen(options)):
            for match in snapshot(batch):
                rows = (match.moves, match.deals, match.seats, match.posted, match.tallies)
                found = difference(match, *(each.all() for each in rows))
                if found:
                    raise CommandError(f"match {match.pk}, {found}", returncode=1)
                count += 1
        seconds = time.perf_counter() - started
        self.stdout.write(
            f"{count} matches verified, no difference ({count / seconds:.0f} matches a second)"
        )
        if not (options["match"] or options["since"] or options["sample"]):
            self.verify_records()

    def verify_records(self) -> None:
        """What all matches have left; every difference is told."""
        with transaction.atomic():
            one_moment()
            found = list(record_differences())
        if found:
            raise CommandError("\n".join(found), returncode=1)
        self.stdout.write("ratings and boards verified, no difference")


def chosen(options: dict[str, Any]) -> QuerySet[Match]:
    matches = Match.objects.order_by("pk")
    if options["match"]:
        matches = matches.filter(pk=options["match"])
        if not matches.exists():
            raise CommandError(f"There is no match {options['match']}.")
    if options["since"]:
        matches = matches.filter(created_at__gte=moment(options["since"]))
    if options["sample"] is not None:
        if options["sample"] < 1:
            raise CommandError("--sample is how many matches: 1 or more.")
        drawn = matches.order_by("?").values("pk")[: options["sample"]]
        matches = Match.objects.filter(pk__in=list(drawn.values_list("pk", flat=True)))
    return matches


def moment(text: str) -> datetime:
    try:
        found = parse_datetime(text)
        if found is not None:
            return (make_aware(found) if is_naive(found) else found).astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    raise CommandError(f"--since {text} is no day or time; write 2026-11-30 or 2026-11-30T12:00Z.")


def batches(matches: QuerySet[Match]) -> Iterator[list[UUID]]:
    ids = matches.values_list("pk", flat=True).iterator(chunk_size=10_000)
    while batch := list(islice(ids, BATCH)):
        yield batch


def snapshot(ids: list[UUID]) -> list[Match]:
    """The matches with all their rows as of one moment, so that play may go on meanwhile."""
    with transaction.atomic():
        # In one snapshot a move cannot come between the reading of a match and of its log.
        one_moment()
        matches = Match.objects.filter(pk__in=ids).prefetch_related(
            Prefetch("moves", Move.objects.order_by("version")),
            Prefetch("deals", Deal.objects.order_by("number")),
            Prefetch("seats", Seat.objects.order_by("number")),
            Prefetch("posted", Score.objects.select_related("player")),
            "tallies",
        )
        return list(matches)


def one_moment() -> None:
    """All that this transaction reads is of one moment."""
    with transaction.get_connection().cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
