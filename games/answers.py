"""What goes out around a view: structs, of which the schema is made, and how they are filled."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

import msgspec
from msgspec import UNSET, Struct, UnsetType
from rest_framework.renderers import BaseRenderer

from games.bots import LEVELS
from games.coach import Findings
from games.engine import log
from games.engine.clock import OnTimeout, Take
from games.engine.game import DEALER, Game
from games.models import Analysis, Deal, Match
from games.replays import Step
from games.services.hints import gives_hints
from games.services.repairs import MOST_ATTEMPTS
from games.stats import GameStats
from ginservice import documents


class StructRenderer(BaseRenderer):
    """JSON of structs and plain data."""

    media_type = "application/json"
    format = "json"
    charset = None

    def render(self, data: Any, *_: Any) -> bytes:
        return b"" if data is None else msgspec.json.encode(data, enc_hook=str)


class LinesRenderer(StructRenderer):
    """JSON lines; their view streams them, and this only lets clients ask for them."""

    media_type = "application/x-ndjson"
    format = "ndjson"


class SeatBody(Struct, frozen=True):
    """Who sits there: a player's name or a bot's level; `invited`: for whom it is kept."""

    number: int
    player: str | None
    bot: str | None
    invited: str | None
    score: int
    place: int | None


class DealBody(Struct, frozen=True):
    """The deal under way, or the last one. `dealer` is null until the first."""

    number: int
    dealer: int | None


class Origin(Struct, frozen=True):
    """The match and version that a match goes on from."""

    match: UUID
    version: int


class ClockBody(Struct, frozen=True):
    """The time for each move: one of the two, the other is null."""

    seconds: int | None
    days: int | None


class Claims(Struct, frozen=True):
    """What the other players may claim, and from when on, unless the move comes before."""

    at: datetime
    take: tuple[Take, ...]


class Awaiting(Struct, frozen=True):
    """Whose turn it is, a player's or a bot's, of a level, and what happens if no move comes.

    A player's move is refused from `deadline` on (null without a clock); at `ends_at` the match
    ends, if nobody has moved or claimed. A bot's turn is given to a worker again at `deadline`,
    and so on, until after `attempts` of them the `fallback` is played for it.
    """

    seat: int
    bot: str | None
    deadline: datetime | None
    claims: Claims | None
    ends_at: datetime | None
    attempts: int | None
    fallback: Literal["first_legal_action"] | None


class MatchBody(Struct, frozen=True):
    """A match as its reader sees it. `you`: his seat, null for a spectator.

    `commitment` is the SHA-256 of the secret behind the shuffles; `secret` (hex) is shown
    once the match has ended. `hints`: whether its players may ask for them. `fills_at`: when bots
    take the seats that are open still. `next`: the id of the rematch. `continues`: what it goes on
    from, for practice. `key`: told once, to who makes a private match.
    """

    id: UUID
    game: str
    options: dict[str, Any]
    visibility: str
    rated: bool
    hints: bool
    clock: ClockBody | None
    on_timeout: OnTimeout
    status: log.Status
    ended_by: str | None
    version: int
    turn: int | None
    you: int | None
    seats: tuple[SeatBody, ...]
    deal: DealBody | None
    commitment: str
    secret: str | None
    awaiting: Awaiting | None
    result: Any
    view: Any
    fills_at: datetime | None
    next: UUID | None
    continues: Origin | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    key: str | UnsetType = UNSET


class MatchLine(Struct, frozen=True):
    """A match in a list. `deadline`: that of the turn, as in `awaiting` of the match."""

    id: UUID
    game: str
    options: dict[str, Any]
    visibility: str
    rated: bool
    hints: bool
    clock: ClockBody | None
    status: log.Status
    ended_by: str | None
    version: int
    turn: int | None
    deadline: datetime | None
    seats: tuple[SeatBody, ...]
    fills_at: datetime | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None


class TableLast(Struct, frozen=True):
    """An entry of the table: who joined, started, resigned. Players by name."""

    seat: int
    action: dict[str, Any]


class EventBody(Struct, frozen=True):
    """An entry of the log as the reader saw it, in data and in words."""

    version: int
    at: datetime
    last: Any
    words: str
    view: Any | UnsetType = UNSET
    views: list[Any] | UnsetType = UNSET


class EventsBody(Struct, frozen=True):
    """The answer to a long poll. `next`: where to ask for what follows; null when the match is
    over and nothing will."""

    results: list[msgspec.Raw]
    next: str | None


class DealLine(Struct, frozen=True):
    """A deal's place in the log; `result` is null while it is played, or if it never ended."""

    number: int
    dealer: int
    first_version: int
    last_version: int | None
    result: Any
    started_at: datetime
    ended_at: datetime | None


class Dry(Struct, frozen=True):
    """What a legal action would do, as far as the mover can know; nothing is stored."""

    version: int
    action: Any
    words: str
    foresight: Any


class GameBody(Struct, frozen=True):
    """A kind of game: how many may play, its options as JSON Schema, presets, bots' levels.

    An option's `description` says what it does, with values and names between backticks.
    """

    name: str
    title: str
    seats: list[int]
    options: dict[str, Any]
    presets: dict[str, Any]
    bots: tuple[str, ...]


def match_body(match: Match, position: log.Position, reader: int | None) -> MatchBody:
    """The match for the reader in a seat, or a spectator (None)."""
    seen = log.view(match.rules, position, reader)
    return MatchBody(
        id=match.id,
        game=match.game,
        options=match.options,
        visibility=match.visibility,
        rated=match.rated,
        hints=gives_hints(match),
        clock=clock_body(match),
        on_timeout=position.clock.on_timeout if position.clock else "choose",
        status=position.status,
        ended_by=position.ended_by,
        version=position.version,
        turn=position.turn,
        you=reader,
        seats=seat_bodies(match.names, position),
        deal=DealBody(seen.deal, seen.dealer) if seen is not None else None,
        commitment=match.commitment,
        secret=match.secret_hex if position.over else None,
        awaiting=awaiting(match, position),
        result=seen.result if seen is not None else None,
        view=seen,
        fills_at=match.fill_at if position.status == "open" else None,
        next=UUID(position.next) if position.next else None,
        continues=origin(position),
        created_at=match.created_at,
        started_at=match.started_at,
        finished_at=match.finished_at,
        key=match.key or UNSET,
    )


def seat_bodies(names: list[str | None], position: log.Position) -> tuple[SeatBody, ...]:
    scores = position.state.scores if position.state is not None else (0,) * len(position.seats)
    places = position.places or (None,) * len(position.seats)
    return tuple(
        SeatBody(
            number=number,
            player=names[number] if seat.player else None,
            bot=seat.bot,
            invited=names[number] if seat.invited else None,
            score=scores[number],
            place=places[number],
        )
        for number, seat in enumerate(position.seats)
    )


def origin(position: log.Position) -> Origin | None:
    told = position.continued
    return Origin(UUID(told.match), told.version) if told else None


def awaiting(match: Match, position: log.Position) -> Awaiting | None:
    turn = position.turn
    if turn is None or turn == DEALER:
        return None
    if bot := position.bot_to_move:
        return Awaiting(turn, bot, match.deadline, None, None, MOST_ATTEMPTS, "first_legal_action")
    at, take = position.claims_at, position.claims
    return Awaiting(
        seat=turn,
        bot=None,
        deadline=position.deadline,
        claims=Claims(at, take) if at and take else None,
        ends_at=position.ends_at,
        attempts=None,
        fallback=None,
    )


def clock_body(match: Match) -> ClockBody | None:
    clock = match.timing
    return ClockBody(clock.seconds, clock.days) if clock is not None and clock.limit else None


def match_line(match: Match) -> MatchLine:
    """From the rows alone; `match.seats` is prefetched with its players."""
    return MatchLine(
        id=match.id,
        game=match.game,
        options=match.options,
        visibility=match.visibility,
        rated=match.rated,
        hints=gives_hints(match),
        clock=clock_body(match),
        status=match.status,  # type: ignore[arg-type]
        ended_by=match.ended_by or None,
        version=match.version,
        turn=match.turn,
        deadline=match.deadline,
        seats=tuple(
            SeatBody(
                number=seat.number,
                player=seat.player.name if seat.player else None,
                bot=seat.bot or None,
                invited=seat.invited.name if seat.invited else None,
                score=seat.score,
                place=seat.place,
            )
            for seat in match.seats.all()
        ),
        fills_at=match.fill_at if match.status == "open" else None,
        created_at=match.created_at,
        started_at=match.started_at,
        finished_at=match.finished_at,
    )


def event_body(
    rules: Game, names: Mapping[str, str], step: Step, reader: int | None, with_view: bool = False
) -> EventBody:
    """The step for a reader. `names`: players' names by id, for the table's entries."""
    seen = log.view(rules, step.position, reader)
    last = log.last(step.position, seen)
    if last.seat == log.TABLE:
        last = TableLast(last.seat, named(log.plain(last.action), names))
        again = log.repeats(step.position) and last.action["type"] == "rolled_back"
        words = SHUFFLED_AGAIN if again else table_words(last.action)
    else:
        words = rules.words(last.action, last.card, seen)
    event = EventBody(step.position.version, step.at, last, words)
    return msgspec.structs.replace(event, view=seen) if with_view else event


def named(action: dict[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """A table entry with the player's name in place of his id."""
    if "player" not in action:
        return action
    return {**action, "player": names.get(action["player"])}


ABORTED = {
    "left": "all have left",
    "expired": "the table has waited too long",
    "abandoned": "all have abandoned the match",
    "operator": "an operator ends the match",
}


SHUFFLED_AGAIN = "what nobody had seen is shuffled anew, as it was in that match"
"""Where an operator did so in the match that this one goes on from."""


def table_words(action: dict[str, Any]) -> str:
    """A table entry for the move list."""
    match action:
        case {"type": "joined", "seat": seat, "bot": level}:
            return f"a bot ({level}) takes seat {seat}"
        case {"type": "joined", "seat": seat, "player": name}:
            return f"{name} takes seat {seat}"
        case {"type": "invited", "seat": seat, "player": name}:
            return f"seat {seat} is kept for {name}"
        case {"type": "left", "seat": seat}:
            return f"seat {seat} is given up"
        case {"type": "resigned", "seat": seat, "bot": level}:
            return f"seat {seat} resigns; a bot ({level}) plays on"
        case {"type": "resigned", "seat": seat}:
            return f"seat {seat} resigns"
        case {"type": "timed_out", "seat": seat, "by": by}:
            return f"the time of seat {seat} is up; seat {by} takes the win"
        case {"type": "timed_out", "seat": seat}:
            return f"the time of seat {seat} is up, and the match with it"
        case {"type": "bot_seated", "seat": seat, "bot": level}:
            return f"the time of seat {seat} is up; a bot ({level}) plays on"
        case {"type": "aborted", "reason": "called_off", "seat": int(seat)}:
            return f"seat {seat} calls the match off"
        case {"type": "aborted", "reason": "called_off"}:
            return "its maker calls the match off"
        case {"type": "aborted", "reason": reason}:
            return ABORTED[reason]
        case {"type": "continued", "version": version}:
            return f"the match goes on from version {version} of another"
        case {"type": "substituted", "seat": seat, "bot": level}:
            return f"an operator has a bot ({level}) play seat {seat}"
        case {"type": "rolled_back", "to": version}:
            return f"an operator takes the match back to version {version}"
        case {"type": "voided"}:
            return "an operator declares the match void"
        case {"type": "rematched"}:
            return "a rematch is made"
    return "the match starts"


def deal_line(deal: Deal) -> DealLine:
    return DealLine(
        number=deal.number,
        dealer=deal.dealer,
        first_version=deal.first_version,
        last_version=deal.last_version,
        result=deal.result,
        started_at=deal.started_at,
        ended_at=deal.ended_at,
    )


def game_body(name: str, rules: Game) -> GameBody:
    options = msgspec.json.schema(rules.Options)["$defs"][rules.Options.__name__]
    for option, meaning in documents.meanings(name).items():
        options["properties"][option]["description"] = meaning
    return GameBody(
        name=name,
        title=rules.TITLE,
        seats=list(rules.SEATS),
        options=options,
        presets={name: msgspec.structs.asdict(preset) for name, preset in rules.PRESETS.items()},
        bots=LEVELS[name],
    )


class BoardLine(Struct, frozen=True):
    """A player's line. On a board of ratings `value` is the rating less three deviations."""

    rank: int
    player: str
    value: int
    matches: int
    reached_at: datetime
    rating: int | None
    deviation: int | None


class BoardBody(Struct, frozen=True):
    """A page of a leaderboard. `ranks` says what `value` counts: points, wins or rating.

    `resets_at`: when the next day's or week's begins, null for all time.
    """

    game: str
    period: str
    zone: str
    starts: str | None
    resets_at: datetime | None
    ranks: str
    results: list[BoardLine]
    next: str | None
    previous: str | None


class PostedBody(Struct, frozen=True):
    """A posted score: its rank of the day; the day's top ten if it is in it, else null.

    `leaderboard`: where to see more.
    """

    points: int
    day: str
    rank: int
    top: list[BoardLine] | None
    leaderboard: str


class StatsBody(Struct, frozen=True):
    """What a player has done, by game."""

    player: str
    games: list[GameStats]


class AnalysisBody(Struct, frozen=True):
    """How far an analysis is: `done` of `total` units, decisions and whole deals. `none`: nobody
    has asked for one.

    `result` is there when it is `done`; `error` says why it has `failed`.
    """

    status: Literal["none", "queued", "running", "done", "failed"]
    done: int
    total: int
    asked_at: datetime | None
    finished_at: datetime | None
    error: str | None
    result: Findings | None


def analysis_body(analysis: Analysis | None) -> AnalysisBody:
    if analysis is None:
        return AnalysisBody("none", 0, 0, None, None, None, None)
    return AnalysisBody(
        status=analysis.status,  # type: ignore[arg-type]
        done=analysis.done,
        total=analysis.total,
        asked_at=analysis.asked_at,
        finished_at=analysis.finished_at,
        error=analysis.error or None,
        result=msgspec.convert(analysis.result, Findings | None),
    )
