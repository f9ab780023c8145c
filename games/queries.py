"""What a request asks for: who reads, which match, the values of its query."""

import hashlib
from datetime import UTC, datetime, timedelta
from uuid import UUID

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.http import QueryDict
from django.utils.dateparse import parse_datetime
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import NotAuthenticated, ValidationError
from rest_framework.request import Request

from games.engine import GAMES, log
from games.models import Match, Rating, Seat
from games.models.matches import whole
from games.services import moves, wishes
from games.services.errors import MatchNotFound, NotYourSeat
from games.services.records import mu_of
from players.models import Player, first_id

KEY = OpenApiParameter("key", description="Of a private match in which you have no seat.")
SLACK = timedelta(minutes=1)
"""A match's `created_at` and the time in its id are read from the clock one after the other."""

CLOCKS = ("none", "seconds", "days")
STATUSES = ("open", "playing", "finished", "aborted", "voided")


def reader(request: Request) -> Player | None:
    return request.user if request.user.is_authenticated else None


def key(request: Request) -> str:
    """The key of a private match, if one is sent."""
    return request.query_params.get("key", "")


def visible(match_id: UUID, request: Request) -> Match:
    """The match with its names. Raises MatchNotFound where the reader may not see it."""
    seen = Match.objects.visible_to(reader(request), key(request))
    match = seen.with_names().filter(pk=match_id).first()
    if match is None:
        raise MatchNotFound
    return match


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
    if int(asked) != own and not match.over:
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
    matches = with_seats(Match.objects.visible_to(reader(request)))
    for name, known in (("game", GAMES), ("status", STATUSES)):
        if name in query:
            if query[name] not in known:
                raise ValidationError({name: f"{name} is one of {', '.join(known)}."})
            matches = matches.filter(**{name: query[name]})
    bounds = first_ids(query)
    if "player" in query:
        player = asked_player(request).values("pk")[:1]
        of_seats = {f"seats__match__{lookup}": bound for lookup, bound in bounds.items()}
        matches = matches.filter(seats__player=Subquery(player), **of_seats)  # read in their order
    if "seats" in query:
        if query["seats"] != "open":
            raise ValidationError({"seats": "seats can only be `open`."})
        open_seats = Seat.objects.filter(match=OuterRef("pk"), player=None, bot="", invited=None)
        matches = matches.filter(Exists(open_seats), status="open")
    of_open_tables(query)
    if "clock" in query:
        if query["clock"] not in CLOCKS:
            raise ValidationError({"clock": f"clock is one of {', '.join(CLOCKS)}."})
        matches = matches.filter(of_clock(query["clock"]))
    if "preset" in query:
        matches = matches.filter(of_preset(query["preset"]))
    if "min_rating" in query or "max_rating" in query:
        low = number(request, "min_rating", 0, 0, 10_000)
        high = number(request, "max_rating", 10_000, 0, 10_000)
        maker = Rating.objects.filter(player=OuterRef("created_by"), game=OuterRef("game"))
        told = maker.filter(mu__gte=mu_of(low - 0.5), mu__lt=mu_of(high + 0.5))  # as it is shown
        matches = matches.filter(Exists(told))
    for name, lookup in (("since", "gte"), ("until", "lt")):
        if name in query:
            made = {f"created_at__{lookup}": moment(name, query[name])}
            matches = matches.filter(**made, **{f"pk__{lookup}": bounds[lookup]})
    return matches


def of_open_tables(query: QueryDict) -> None:
    """What no index serves is asked only of open tables, of which there are few.

    Raises ValidationError.
    """
    for name in ("preset", "clock", "min_rating", "max_rating"):
        if name in query and query.get("status") != "open" and "seats" not in query:
            raise ValidationError({name: f"{name} tells open tables apart: add status=open."})


def first_ids(query: QueryDict) -> dict[str, UUID]:
    """`since` and `until` as bounds of ids, by which lists are ordered and indexed."""
    bounds = {}
    if "since" in query:
        bounds["gte"] = first_id(moment("since", query["since"]), -SLACK)
    if "until" in query:
        bounds["lt"] = first_id(moment("until", query["until"]), SLACK)
    return bounds


def with_seats(matches: QuerySet[Match]) -> QuerySet[Match]:
    seats = Seat.objects.select_related("player", "invited").order_by("number")
    return matches.prefetch_related(Prefetch("seats", seats))


def invites(player: Player) -> QuerySet[Match]:
    """Open matches in which a seat is kept for the player."""
    kept = Seat.objects.filter(invited=player)
    return with_seats(Match.objects.filter(pk__in=kept.values("match"), status="open"))


def of_clock(unit: str) -> Q:
    """Matches with a clock that counts in the unit, or with none."""
    if unit == "none":
        return ~Q(clock__has_any_keys=["seconds", "days"])
    return Q(clock__has_key=unit)


def of_preset(preset: str) -> Q:
    """Matches, of whichever game has it, with just the options of a preset."""
    found = {name: rules for name, rules in GAMES.items() if preset in rules.PRESETS}
    if not found:
        raise ValidationError({"preset": "No game has a preset of that name."})
    wanted = Q()
    for name, rules in found.items():
        wanted |= Q(game=name, options=whole(rules.PRESETS[preset]))
    return wanted


def asked_player(request: Request) -> QuerySet[Player]:
    name = request.query_params["player"]
    if name != "me":
        return wishes.players_named(name)
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


def tag(version: int, seat: int | None, names: list[str | None]) -> str:
    """The strong ETag of a match as one seat, or a spectator, sees it.

    Names are of it, for a guest may take one of his own without an entry in the log.
    """
    known = hashlib.sha256("/".join(name or "" for name in names).encode()).hexdigest()[:8]
    return f'"{version}-{"s" if seat is None else seat}-{known}"'


def current_version(match_id: UUID, request: Request) -> tuple[int, str] | None:
    """The match's version and its ETag for this reader, by one small statement."""
    player = reader(request)
    mine = Seat.objects.filter(match=OuterRef("pk"), player=player, player__isnull=False)
    found = (
        Match.objects.visible_to(player, key(request))
        .filter(pk=match_id)
        .with_names()
        .values_list("version", Subquery(mine.values("number")), "names")
        .first()
    )
    return (found[0], tag(*found)) if found else None
