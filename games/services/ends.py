"""How a match ends other than by being played out."""

from uuid import UUID

from django.db import transaction

from games.engine import log
from games.engine.game import MatchOver
from games.models import Match
from games.services.errors import MatchNotStarted
from games.services.moves import locked, seated, write
from players.models import Player


@transaction.atomic
def resign(match_id: UUID, player: Player) -> Match:
    """Give a match up. Raises MatchNotFound, NotSeated, MatchNotStarted, MatchOver."""
    match = locked(match_id)
    position = match.folded()
    seat = seated(match, position, player)
    if position.status == "open":
        raise MatchNotStarted("The match has not started; there is nothing to resign.")
    if position.status != "playing":
        raise MatchOver("The match is over.", version=position.version)
    write(match, position, log.Entry(log.TABLE, log.Resigned(seat)))
    return match
