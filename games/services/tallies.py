"""What an ended match adds to what its players have done: rows, of which stats are sums."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from msgspec import Struct

from games.engine import log
from games.models import Deal, Match, Tally
from games.services.numbers import for_practice


class DealOutcome(Struct, frozen=True):
    """What a deal gave each seat, and what each did in it."""

    points: Sequence[int]
    counts: Sequence[Mapping[str, int]]


def write_tallies(match: Match, position: log.Position, now: datetime) -> None:
    """Write the rows of a match that has just ended, or delete those of one that counts no more.

    Part of the transaction of that entry.
    """
    if position.status != "finished":
        Tally.objects.filter(match=match).delete()
        return
    deals = Deal.objects.filter(match=match, result__isnull=False)
    told = deals.values_list("result__points", "result__counts")
    Tally.objects.bulk_create(tallies(match, position, [DealOutcome(*row) for row in told], now))


def tallies(
    match: Match, position: log.Position, deals: Sequence[DealOutcome], now: datetime
) -> list[Tally]:
    """A row for each player of a finished match, not yet saved, by seat. Practice adds nothing."""
    if position.status != "finished" or for_practice(match.chosen, position):
        return []
    return [
        tally(match, position, number, seat.player, deals, now)
        for number, seat in enumerate(position.seats)
        if seat.player is not None
    ]


def tally(
    match: Match,
    position: log.Position,
    seat: int,
    player: str,
    deals: Sequence[DealOutcome],
    now: datetime,
) -> Tally:
    """Where a bot has played on for the player, neither deals nor score are his alone."""
    stood_in = position.seats[seat].bot is not None
    own = () if stood_in else deals
    done = {
        "matches": 1,
        outcome(position.places or (), seat): 1,
        "resigned": int(seat in position.resigned and len(position.seats) > 1),
        "deals": len(own),
        "deals_won": sum(deal.points[seat] > 0 for deal in own),
    }
    return Tally(
        match=match,
        player_id=player,
        game=match.game,
        ended_at=now,
        public=match.visibility == "public",
        opponents=opponents(position.seats, seat),
        score=None if stood_in else position.state.scores[seat],
        done={name: count for name, count in done.items() if count},
        counts=summed(deal.counts[seat] for deal in own),
    )


def outcome(places: Sequence[int], seat: int) -> str:
    """Alone in the first place: won; with others: drawn. A match of one is neither."""
    if len(places) == 1:
        return "matches"
    if places[seat] != 1:
        return "losses"
    return "wins" if places.count(1) == 1 else "draws"


def opponents(seats: Sequence[log.Seat], own: int) -> list[str]:
    """The ids of players, and bots by their level: each once."""
    others = [seat for number, seat in enumerate(seats) if number != own]
    return sorted({seat.player or f"bot:{seat.bot}" for seat in others})


def summed(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for each in counts:
        total.update(each)
    return dict(total)
