"""How a match ends other than by being played out."""

from uuid import UUID

from django.db import transaction

from games.bots import LEVELS
from games.engine import log
from games.engine.game import MatchOver
from games.models import Match
from games.services.errors import MatchNotStarted
from games.services.moves import locked, seated, write
from players.models import Player

STAND_IN = "easy"
"""The level of the bot that plays on for who has resigned, where the game has it."""


@transaction.atomic
def resign(match_id: UUID, player: Player) -> Match:
    """Give a match up. Raises MatchNotFound, NotSeated, MatchNotStarted, MatchOver."""
    match = locked(match_id)
    position = match.folded()
    seat = seated(match, position, player)
    if position.status == "open":
        raise MatchNotStarted(
            "The match has not started; there is nothing to resign.", version=position.version
        )
    if position.status != "playing" or seat in position.resigned:
        raise MatchOver("The match is over for you.", version=position.version)
    levels = LEVELS[match.game]
    bot = STAND_IN if STAND_IN in levels else levels[0]
    needed = len(position.seats) - len(position.resigned) > 2
    resigned = log.Resigned(seat, bot=bot if needed else None)
    write(match, position, log.Entry(log.TABLE, resigned))
    return match
