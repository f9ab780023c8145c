"""The rules, pure: standard library and msgspec only. Nothing else in the service knows a rule."""

from games.engine import gin, pyramid, rummy
from games.engine.game import Game

GAMES: dict[str, Game] = {
    "gin": gin,
    "rummy": rummy,
    "pyramid": pyramid,
}
