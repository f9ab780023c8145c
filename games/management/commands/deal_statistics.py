"""Compare all stored deals with what chance says: cards, places, starting hands.

Ends with 1 if the deals of a game are not as luck would have it. Deals by a public number are
left out, since they come again and again.
"""

from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db.models import F, OuterRef, Subquery

from games.engine import GAMES
from games.luck import FEWEST, Figure, Tally, odd
from games.models import Deal, Move

BATCH = 2000


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--game", choices=list(GAMES), help="only this one")

    def handle(self, **options: Any) -> None:
        games = [options["game"]] if options["game"] else list(GAMES)
        wrong = [GAMES[game].TITLE for game in games if not self.fair(game)]
        if wrong:
            raise CommandError(f"Not as luck would have it: {', '.join(wrong)}.", returncode=1)

    def fair(self, game: str) -> bool:
        """Show a game's figures. True too where there are too few deals for a verdict."""
        tally = Tally(GAMES[game])
        for deal in drawn_by_lot(game):
            tally.add(*deal)
        self.stdout.write(f"{GAMES[game].TITLE}, deals: {tally.deals}")
        if tally.deals < FEWEST:
            self.stdout.write(f"  too few for a verdict: from {FEWEST} on there is one\n\n")
            return True
        figures = list(tally.figures())
        for line in table(figures):
            self.stdout.write(f"  {line}")
        self.stdout.write(f"  {verdict(figures)}\n\n")
        return not odd(figures)


def drawn_by_lot(game: str) -> Iterator[tuple[int, list[str], list[str] | None, int | None]]:
    """Of each deal what Tally.add takes, match by match; a batch of rows at a time."""
    entry = Move.objects.filter(match=OuterRef("match"), version=OuterRef("first_version"))
    deals = (
        Deal.objects.filter(match__game=game)
        .annotate(cards=Subquery(entry.values("action__cards")), seats=F("match__position__seats"))
        .order_by("match", "number")
        .values_list("match", "number", "dealer", "match__options", "seats", "cards")
    )
    match_before, cards_before = None, None
    for match, number, dealer, options, seats, cards in deals.iterator(chunk_size=BATCH):
        if options.get("deal_number") is not None:
            continue
        before = cards_before if match == match_before else None
        yield len(seats), cards, before, dealer if number == 1 else None
        match_before, cards_before = match, cards


def table(figures: list[Figure]) -> Iterator[str]:
    width = max(len(figure.name) for figure in figures)
    yield f"{'':{width}} {'found':>10} {'theory':>10}  so far off, or farther"
    for figure in figures:
        numbers = f"{figure.found:10.3f} {figure.theory:10.3f}"
        yield f"{figure.name:{width}} {numbers}  {often(figure.likely)}"


def often(likely: float) -> str:
    """A probability as people say it."""
    return f"{likely:.0%} of the time" if likely >= 0.01 else f"{likely:.1g} of the time"


def verdict(figures: list[Figure]) -> str:
    if found := odd(figures):
        return f"NOT AS LUCK WOULD HAVE IT: {'; '.join(figure.name for figure in found)}"
    least = min(figure.likely for figure in figures)
    return f"as luck would have it: the oddest of {len(figures)} figures is so {often(least)}"
