"""What a new match is asked to be: its options, and who is to sit where."""

from collections.abc import Iterable, Sequence
from typing import Annotated, Any

import msgspec
from django.conf import settings
from django.db.models import QuerySet

from games.bots import LEVELS
from games.engine import GAMES, log
from games.engine.clock import Clock, OnTimeout
from games.engine.game import Game
from games.services.errors import Malformed
from games.services.numbers import comparable, numbered
from players.models import Player
from players.services import NAME

SECONDS, DAYS = range(5, 3601), range(1, 15)
"""What a clock may give for a move."""


class Wish(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A seat wished for: a bot of a level, or a player invited by name."""

    bot: str | None = None
    invite: str | None = None


class Limit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A clock wished for: one of the two."""

    seconds: Annotated[int, msgspec.Meta(ge=SECONDS[0], le=SECONDS[-1])] | None = None
    days: Annotated[int, msgspec.Meta(ge=DAYS[0], le=DAYS[-1])] | None = None


def rules_of(game: str) -> Game:
    """Raises Malformed."""
    if game not in GAMES:
        raise Malformed(f"There is no game {game!r}; there are {', '.join(GAMES)}.", "/game")
    return GAMES[game]


def joined(
    seat: int, player: str | None = None, bot: str | None = None, entropy: str = ""
) -> log.Entry:
    """The entry of a player (his id) or bot who takes a seat. Who gives no entropy gives ""."""
    return log.Entry(log.TABLE, log.Joined(seat, player=player, bot=bot, entropy=entropy))


def read_seats(
    game: str, creator: Player, wishes: Sequence[str | Wish], entropy: str = ""
) -> list[log.Entry]:
    """The entries that fill or keep the seats: "me", "open" or a Wish. Raises Malformed."""
    rules = rules_of(game)
    if len(wishes) not in rules.SEATS:
        raise Malformed(
            f"{rules.TITLE} has {seat_numbers(rules.SEATS)} seats, not {len(wishes)}.", "/seats"
        )
    if entropy and "me" not in wishes:
        raise Malformed("Entropy comes with a seat; without one, give it at the start.", "/entropy")
    sitting: set[str] = set()
    return [
        entry
        for number, wish in enumerate(wishes)
        for entry in _taken(game, number, wish, creator, sitting, entropy)
    ]


def seat_numbers(seats: range) -> str:
    return str(seats[0]) if len(seats) == 1 else f"{seats[0]} to {seats[-1]}"


def bot_level(game: str, level: str | None) -> str:
    """The level asked for, or the game's first but `random`. Raises Malformed."""
    levels = LEVELS[game]
    if level is None:
        return levels[min(1, len(levels) - 1)]
    if level not in levels:
        raise Malformed(f"There is no bot {level!r}; there are {', '.join(levels)}.", "/bots")
    return level


def read_options(game: str, data: dict[str, Any]) -> Any:
    """The game's options of a preset (default: the game's defaults) and changes to it.

    Raises Malformed, and as `numbered`.
    """
    rules = GAMES[game]
    changes = dict(data)
    preset = changes.pop("preset", next(iter(rules.PRESETS)))
    if not isinstance(preset, str) or preset not in rules.PRESETS:
        raise Malformed(
            f"There is no preset {preset!r}; there are {', '.join(rules.PRESETS)}.",
            "/options/preset",
        )
    whole = msgspec.structs.asdict(rules.PRESETS[preset])
    if unknown := sorted(changes.keys() - whole.keys()):
        place = unknown[0].replace("~", "~0").replace("/", "~1")
        raise Malformed(f"{rules.TITLE} has no option {unknown[0]!r}.", f"/options/{place}")
    return numbered(game, read_as(rules.Options, whole | changes, "/options"))


def counting(wish: bool | None, game: str, options: Any) -> bool:
    """Whether a new match is to count; None: if it can. Raises Malformed where it cannot."""
    if wish and not comparable(game, options):
        presets = ", ".join(GAMES[game].PRESETS)
        raise Malformed(
            f"Only a match by a preset ({presets}), with no option changed, can count: leave "
            "`rated` out, or the changes.",
            "/rated",
        )
    return wish is not False and comparable(game, options)


def read_as(kind: Any, data: Any, pointer: str) -> Any:
    """Data as a struct of that kind. Raises Malformed, which points below the pointer."""
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        words, _, path = str(error).partition(" - at `$")
        raise Malformed(f"{words}.", pointer + path.rstrip("`").replace(".", "/")) from None


def read_clock(data: dict[str, Any] | None, on_timeout: OnTimeout = "choose") -> Clock:
    """A clock of seconds or days for each move; None: without. Raises Malformed."""
    limit: Limit = read_as(Limit, data or {}, "/clock")
    if data is not None and (limit.seconds is None) == (limit.days is None):
        raise Malformed('A clock is {"seconds": 60} or {"days": 3}, for each move.', "/clock")
    return Clock(
        limit.seconds, limit.days, on_timeout, settings.CLAIM_DAYS, settings.ABANDONED_DAYS
    )


def _taken(
    game: str, number: int, wish: str | Wish, creator: Player, sitting: set[str], entropy: str
) -> Iterable[log.Entry]:
    """The entry that fills or keeps a seat; none for an open one. `sitting`: ids of players."""
    pointer = f"/seats/{number}"
    if wish == "open":
        return
    if wish == "me":
        yield joined(number, player=_once(creator, sitting, pointer), entropy=entropy)
        return
    if isinstance(wish, str) or (wish.bot is None) == (wish.invite is None):
        raise Malformed('A seat is "me", "open", {"bot": level} or {"invite": name}.', pointer)
    if wish.bot is not None:
        if wish.bot not in LEVELS[game]:
            levels = ", ".join(LEVELS[game])
            raise Malformed(f"There is no bot {wish.bot!r}; there are {levels}.", f"{pointer}/bot")
        yield joined(number, bot=wish.bot)
        return
    assert wish.invite is not None
    invited = players_named(wish.invite).filter(is_active=True).first()
    if invited is None:
        raise Malformed(f"There is no player {wish.invite!r}.", f"{pointer}/invite")
    yield log.Entry(log.TABLE, log.Invited(number, player=_once(invited, sitting, pointer)))


def players_named(name: str) -> QuerySet[Player]:
    """The player of that name; nobody for a text that can be no name."""
    return Player.objects.named(name) if NAME.fullmatch(name) else Player.objects.none()


def _once(player: Player, sitting: set[str], pointer: str) -> str:
    """The player's id, now among those who sit. Raises Malformed if it was there before."""
    key = str(player.pk)
    if key in sitting:
        raise Malformed("Nobody sits twice at a table.", pointer)
    sitting.add(key)
    return key
