"""A scenario for every reason for which a game refuses an action: code -> (state, action)."""

from typing import Any

from msgspec.structs import replace

from games.engine import gin
from games.engine.gin import Options
from tests.engine import pyramid_decks, rummy_decks
from tests.engine.decks import action, dealt, played

READY = "AC 2C 3C 7D 7H 7S TH JH QH 5S"
LOST = "2D 4D 6D 8D TD QD 3S 9S KS 6H"
TO_PLAY = dealt(first=READY, upcard="9D", stock="KD")
OFFERED = dealt(Options(opening="offer"), first=READY, upcard="9D", stock="KD")
DRAWN = played(TO_PLAY, "draw")
KNOCKED = played(DRAWN, "knock KD")
AT_THE_WALL = replace(TO_PLAY, phase="wall")
TAKEN_AT_THE_WALL = played(replace(dealt(first=READY, upcard="4C"), phase="wall"), "take")
NO_BIG_GIN = dealt(Options(big_gin=False), first=READY.replace("5S", "KH"), stock="4C")

GIN: dict[str, tuple[gin.State, str]] = {
    "already-drawn": (DRAWN, "draw"),
    "big-gin-off": (played(NO_BIG_GIN, "draw"), "big gin"),
    "deadwood-too-high": (DRAWN, "knock AC"),
    "does-not-fit": (replace(KNOCKED, hands=(KNOCKED.hands[0], 1 << 12)), "lay off KC on 0"),
    "draw-first": (TO_PLAY, "discard 5S"),
    "lay-off-phase": (KNOCKED, "draw"),
    "meld-overlap": (
        played(dealt(first="5H 6H 7H 7C 7D AC 2C 3C AS 2S", stock="KD"), "draw"),
        "knock KD: 5H 6H 7H / 7C 7D 7H",
    ),
    "no-knock": (TO_PLAY, "finish"),
    "no-meld": (DRAWN, "knock KD: AC 2C 5S"),
    "no-pass": (TO_PLAY, "pass"),
    "no-such-meld": (
        played(dealt(first="AC 2C 3C 7C 7D 7H 7S 5S 4H AH", stock="KD"), "draw", "knock KD"),
        "lay off 8C on 2",
    ),
    "no-wall-knock": (replace(dealt(first=LOST, upcard="KC"), phase="wall"), "take"),
    "not-big-gin": (DRAWN, "big gin"),
    "not-in-hand": (DRAWN, "discard KS"),
    "stock-only": (played(OFFERED, "pass", "pass"), "take"),
    "taken-this-turn": (played(TO_PLAY, "take"), "discard 9D"),
    "upcard-offered": (OFFERED, "draw"),
    "wall": (AT_THE_WALL, "draw"),
    "wall-knock-only": (TAKEN_AT_THE_WALL, "discard 5S"),
}

REFUSALS: dict[str, dict[str, tuple[Any, Any]]] = {
    "gin": {code: (state, action(line)) for code, (state, line) in GIN.items()},
    "rummy": {
        code: (state, rummy_decks.action(line))
        for code, (state, line) in rummy_decks.SCENARIOS.items()
    },
    "pyramid": {
        code: (state, pyramid_decks.action(line))
        for code, (state, line) in pyramid_decks.SCENARIOS.items()
    },
}
