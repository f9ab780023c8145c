"""What a request asks for: who reads, which match, the values of its query."""

from datetime import UTC, datetime
from uuid import UUID

from django.db.models import OuterRef, Prefetch, QuerySet, Subquery
from django.utils.dateparse import parse_datetime
from rest_framework.exceptions import NotAuthenticated, ValidationError
from rest_framework.request import Request

from games.engine import GAMES, log
from games.models import Match, Seat
from games.services import moves, tables
from games.services.errors import MatchNotFound, NotYourSeat
from players.models import Player

STATUSES = ("open", "playing", "finished", "aborted", "voided")


def reader(request: Request) -> Player | None:
    return request.user if request.user.is_authenticated else None


def visible(match_id: UUID, request: Request) -> Match:
    """The match with its names. Raises MatchNotFound where the reader may not see it."""
    match = Match.objects.visible_to(reader(request)).with_names().filter(pk=match_id).first()
    if match is None:
        raise MatchNotFound
    return match


def over(match: Match) -> bool:
    return match.status not in ("open", "playing")


def own_seat(position: log.Position, request: Request) -> int | None:
    player = reader(request)
    return None if player is None else moves.seat_of(position, player)


def reader_in(match: Match, request: Request) -> int | None:
    """The seat asked for in the query, or else one's own. Raises NotYourSeat."""
    position = match.folded()
    own, asked = own_seat(position, request), request.query_params.get("seat")
    if asked is None:
        return own
    if asked == "spectator":
        return None
    if asked not in map(str, range(len(position.seats))):
        raise ValidationError({"seat": "A seat is a number of the match's, or `spectator`."})
    if int(asked) != own and not over(match):
        raise NotYourSeat("While the match lives, only your own seat can be seen.")
    return int(asked)


def number(request: Request, name: str, default: int, low: int, high: int) -> int:
    """A whole number of the query. Raises ValidationError."""
    text = request.query_params.get(name)
    if text is None:
        return default
    digits = text.isascii() and text.isdigit() and len(text) <= 10
    if not (digits and low <= int(text) <= high):
        raise ValidationError({name: f"{name} is a whole number from {low} to {high}."})
    return int(text)


def flag(request: Request, name: str) -> bool:
    text = request.query_params.get(name, "false")
    if text not in ("true", "false"):
        raise ValidationError({name: f"{name} is true or false."})
    return text == "true"


def filtered(request: Request) -> QuerySet[Match]:
    """The matches that the reader may see and the query asks for."""
    query = request.query_params
    matches = Match.objects.visible_to(reader(request)).prefetch_related(
        Prefetch("seats", Seat.objects.select_related("player", "invited").order_by("number"))
    )
    for name, known in (("game", GAMES), ("status", STATUSES)):
        if name in query:
            if query[name] not in known:
                raise ValidationError({name: f"{name} is one of {', '.join(known)}."})
            matches = matches.filter(**{name: query[name]})
    if "player" in query:
        matches = matches.filter(
            pk__in=Seat.objects.filter(player__in=asked_player(request)).values("match")
        )
    for name, lookup in (("since", "created_at__gte"), ("until", "created_at__lt")):
        if name in query:
            matches = matches.filter(**{lookup: moment(name, query[name])})
    return matches


def asked_player(request: Request) -> QuerySet[Player]:
    name = request.query_params["player"]
    if name != "me":
        return tables.players_named(name)
    if not request.user.is_authenticated:
        raise NotAuthenticated
    return Player.objects.filter(pk=request.user.pk)


def moment(name: str, text: str) -> datetime:
    try:
        found = parse_datetime(text.replace(" ", "+"))
        if found is not None and found.tzinfo is not None:
            return found.astimezone(UTC)  # the database knows no zones as far as +23:59
    except (ValueError, OverflowError):
        pass
    raise ValidationError({name: f"{name} is a time like 2026-11-30T12:00:00Z."})


def tag(version: int, seat: int | None) -> str:
    """The strong ETag of a match as one seat, or a spectator, sees it."""
    return f'"{version}-{"s" if seat is None else seat}"'


def current_tag(match_id: UUID, request: Request) -> str | None:
    """The ETag of the match for this reader, by one small statement."""
    player = reader(request)
    mine = Seat.objects.filter(match=OuterRef("pk"), player=player, player__isnull=False)
    found = (
        Match.objects.visible_to(player)
        .filter(pk=match_id)
        .values_list("version", Subquery(mine.values("number")))
        .first()
    )
    return tag(*found) if found else None
