"""Pyramid for practice: matches made, and played by lines such as "draw" and "5H 8H"."""

from typing import Any

from games.bots.pyramid.solver import solve
from games.engine import log, pyramid
from games.engine.cards import NAMES
from games.engine.game import DEALER
from games.engine.shuffle import public_secret, shuffle
from games.models import Match
from games.services import moves, tables
from tests.engine.pyramid_decks import action
from tests.games.people import Person, sit


def practice(person: Person, **options: Any) -> Match:
    return sit(person, game="pyramid", practice=True, **options)


def not_begun(person: Person) -> Match:
    """A match for practice that waits for its start."""
    return tables.create_match(person.player, "pyramid", {"practice": True}, ["me"], starts="later")


def alone(person: Person, **options: Any) -> Match:
    """A match that is no practice."""
    return sit(person, game="pyramid", **options)


def done(person: Person, match: Match, *actions: Any) -> Match:
    """The match after the player has done what the lines say, or the actions."""
    for each in actions:
        act = action(each) if isinstance(each, str) else each
        match = Match.objects.get(pk=match.pk)
        match = moves.play_move(match.pk, person.player, match.version, log.plain(act))
    return match


def view(person: Person, match: Match) -> Any:
    return person.get(f"/matches/{match.pk}").json()["view"]


def deck(number: int) -> tuple[str, ...]:
    """The deal of that number."""
    return shuffle(public_secret(number), (), 0, NAMES)


def cards(match: Match, round: int = 1) -> tuple[str, ...]:
    """The deck of a round, as the log has it."""
    dealt = match.moves.filter(seat=DEALER).order_by("version")[round - 1]
    return tuple(dealt.action["cards"])


def line(match: Match) -> tuple[Any, ...]:
    """Actions that clear the first round."""
    return solve(cards(match)[:28], cards(match)[28:]).line


def cleared(person: Person, match: Match) -> Match:
    """The match in its second round."""
    match = done(person, match, *line(match))
    while pyramid.NEXT_ROUND not in pyramid.legal_actions(match.folded().state):
        match = done(person, match, "draw")
    return done(person, match, "next round")
