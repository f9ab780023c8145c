"""Proof that ratings and boards are what ended matches have left: the changes of ratings, one after
another, and the scores that were posted.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import (
    Count,
    Exists,
    F,
    OuterRef,
    Prefetch,
    Q,
    Subquery,
    Value,
    Window,
)
from django.db.models.functions import Abs, Coalesce, Lag

from games.board_proofs import NEVER, wrong_lines
from games.engine import GAMES
from games.models import Match, Rating, RatingChange, Seat
from games.services.records import BOT_SIGMA, MODEL, outcome
from players.models import Intervention

ALIKE = 1e-6
"""Sums of fractions that were taken off again are so near."""
BATCH = 500


def record_differences() -> Iterator[str]:
    """Where they differ, in words."""
    mended = last_mended()
    yield from unrated()
    yield from wrong_changes(mended)
    yield from broken_courses()
    yield from wrong_ratings()
    yield from wrong_lines(mended)


def last_mended() -> dict[UUID, datetime]:
    """When an operator last took back something of a player's records, or restored a rating."""
    found: dict[UUID, datetime] = {}
    acts = Intervention.objects.filter(what__in=("void", "roll back", "restore"))
    for act in acts.order_by("at"):
        players = [UUID(who) for kind in ("ratings", "scores") for who in act.detail.get(kind, ())]
        if act.kind == "rating":
            players += Rating.objects.filter(pk=act.about).values_list("player", flat=True)
        found |= dict.fromkeys(players, act.at)
    return found


def unrated() -> Iterator[str]:
    """Matches that count and have changed no rating, and changes by matches that do not count."""
    rated = [name for name, game in GAMES.items() if game.BOARD == "rating"]
    changed = RatingChange.objects.filter(match=OuterRef("match"), player=OuterRef("player"))
    seats = Seat.objects.filter(
        ~Exists(changed),
        player__isnull=False,
        match__status="finished",
        match__rated=True,
        match__game__in=rated,
    )
    for match, name in seats.values_list("match", "player__name"):
        yield f"match {match}, rating of {name}: there is no change, but the match counts"
    sat = Seat.objects.filter(match=OuterRef("match"), player=OuterRef("player"))
    counts = Q(match__status="finished", match__rated=True) & Exists(sat)
    for match, name in RatingChange.objects.exclude(counts).values_list("match", "player__name"):
        yield f"match {match}, rating of {name}: there is a change, but the match does not count"


def broken_courses() -> Iterator[str]:
    """Changes that do not begin where the one before has ended."""
    new = MODEL.rating()
    course: dict[str, Any] = {"partition_by": ["player", "game"], "order_by": ["at", "pk"]}
    changes = RatingChange.objects.select_related("player").annotate(
        came_mu=Window(Lag("mu", default=Value(new.mu)), **course),
        came_sigma=Window(Lag("sigma", default=Value(new.sigma)), **course),
    )
    off = Abs(F("mu_before") - F("came_mu")) + Abs(F("sigma_before") - F("came_sigma"))
    for change in changes.annotate(off=off).filter(off__gt=ALIKE):
        yield (
            f"match {change.match_id}, rating of {change.player}: the change begins at"
            f" {change.mu_before:.6f} ± {change.sigma_before:.6f}, the one before has led to"
            f" {change.came_mu:.6f} ± {change.came_sigma:.6f}"
        )


def wrong_ratings() -> Iterator[str]:
    """Ratings that are not where the last change has led."""
    new = MODEL.rating()
    own = RatingChange.objects.filter(player=OuterRef("player"), game=OuterRef("game"))
    last, count = own.order_by("-at", "-pk"), own.values("player").annotate(count=Count("*"))
    ratings = Rating.objects.select_related("player").annotate(
        last_mu=Coalesce(Subquery(last.values("mu")[:1]), new.mu),
        last_sigma=Coalesce(Subquery(last.values("sigma")[:1]), new.sigma),
        changes=Coalesce(Subquery(count.values("count")), 0),
    )
    off = Abs(F("mu") - F("last_mu")) + Abs(F("sigma") - F("last_sigma"))
    wrong = ~Q(matches=F("changes")) | Q(off__gt=ALIKE)
    for rating in ratings.annotate(off=off).filter(wrong):
        yield (
            f"{rating.game} rating of {rating.player}: it is {rating.mu:.6f} ± {rating.sigma:.6f}"
            f" after {rating.matches} matches, its changes say {rating.last_mu:.6f} ±"
            f" {rating.last_sigma:.6f} after {rating.changes}"
        )
    rated = Rating.objects.filter(player=OuterRef("player"), game=OuterRef("game"))
    for change in RatingChange.objects.filter(~Exists(rated)).select_related("player"):
        yield f"match {change.match_id}, rating of {change.player}: there is a change and no rating"


def wrong_changes(mended: Mapping[UUID, datetime]) -> Iterator[str]:
    """Changes by more or less than the match comes to, by the ratings before it.

    Not proved: those of players whose records were `mended` after the match, since that has moved
    the ratings before it; and where it was not kept yet what the match's bots were rated.
    """
    changed = Exists(RatingChange.objects.filter(match=OuterRef("pk")))
    matches = Match.objects.filter(changed, status="finished").only("pk")
    rows = matches.prefetch_related(
        Prefetch("seats", Seat.objects.order_by("number")),
        Prefetch("rating_changes", RatingChange.objects.select_related("player")),
    )
    for match in rows.iterator(chunk_size=BATCH):
        changes = {change.player_id: change for change in match.rating_changes.all()}
        if any(change.at <= mended.get(who, NEVER) for who, change in changes.items()):
            continue
        for who, (mu, sigma) in rated_again(list(match.seats.all()), changes).items():
            change = changes[who]
            if abs(change.mu - mu) + abs(change.sigma - sigma) > ALIKE:
                yield (
                    f"match {match.pk}, rating of {change.player}: it has led to {change.mu:.6f} ±"
                    f" {change.sigma:.6f}, by the ratings before it comes to {mu:.6f} ± {sigma:.6f}"
                )


def rated_again(
    seats: Sequence[Seat], changes: Mapping[UUID, RatingChange]
) -> dict[UUID, tuple[float, float]]:
    """What the match comes to by player; nothing where not all that it follows from is known."""
    bots = next(iter(changes.values())).bots or []
    people = [seat.player_id for seat in seats if seat.player_id]
    if {*people} != {*changes} or len(bots) != len(seats) - len(people):
        return {}
    rated = iter(bots)
    before = [
        MODEL.rating(changes[seat.player_id].mu_before, changes[seat.player_id].sigma_before)
        if seat.player_id
        else MODEL.rating(next(rated), BOT_SIGMA)
        for seat in seats
    ]
    after = outcome(before, [seat.place for seat in seats])
    found = zip(seats, after, strict=True)
    return {seat.player_id: (new.mu, new.sigma) for seat, new in found if seat.player_id}
