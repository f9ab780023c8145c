"""The engine against OpenSpiel's gin_rummy (C++), both driven from Python. `make bench`

    pip install -r benchmarks/requirements.txt && python -m benchmarks.bench

Prints a table in Markdown and exits 1 where a ratio is below the bar. Both sides get the same
hands and the same packs, each in its own representation, made before the clock runs: a 52-bit set
here, a list of card numbers there. Rounds of the two alternate, times are of the CPU, medians of
all rounds. Random deals end at other times under the two rules (OpenSpiel declares each meld in a
move of its own; here a knock names them), so they are compared by deal and by action. Our states
are immutable, OpenSpiel's is changed in place: neither side copies.
"""

import gc
import os
import platform
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, NamedTuple

import numpy as np

from games.bots import choose
from games.bots.gin.playout import dealt as dealt_at_once
from games.bots.gin.playout import play
from games.bots.gin.policies import AtRandom
from games.engine import gin
from games.engine.cards import NAMES, card_set, names
from games.engine.melds import deadwood

try:
    import pyspiel
    from pyspiel.gin_rummy import GinRummyUtils
except ImportError:
    sys.exit("OpenSpiel is not installed: pip install -r benchmarks/requirements.txt")

BAR, PLAYOUT_BAR = 2.0, 20.0
ROUNDS = 9
HANDS, DEALS, AT_ONCE = 10_000, 100, 10

LIKE_OPEN_SPIEL = gin.Options(
    opening="offer",
    may_return_taken=True,
    wall="knock_upcard",
    big_gin=False,
    max_deals=1,
)
SPIEL = pyspiel.load_game("gin_rummy")
NUMBERS: list[int] = GinRummyUtils(13, 4, 10).card_strings_to_card_ints(
    [name[0] + name[1].lower() for name in NAMES]
)
"""OpenSpiel's number of each of our cards."""


class Row(NamedTuple):
    """One comparison: what, its unit, its bar, and the seconds a piece in every round."""

    what: str
    unit: str
    bar: float | None
    ours: list[float]
    theirs: list[float]

    @property
    def ratio(self) -> float:
        return median(their / our for our, their in zip(self.ours, self.theirs, strict=True))

    def line(self) -> str:
        scale = {"µs": 1e6, "ms": 1e3}[self.unit[:2]]
        ours, theirs = median(self.ours) * scale, median(self.theirs) * scale
        bar = "" if self.bar is None else f"{self.bar}: {'passed' if self.passed else 'FAILED'}"
        return (
            f"| {self.what} | {self.unit} | {ours:.2f} | {theirs:.2f} "
            f"| **{self.ratio:.1f}** | {bar} |"
        )

    @property
    def passed(self) -> bool:
        return self.bar is None or self.ratio >= self.bar


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """CPU seconds, and what came out."""
    gc.collect()
    gc.disable()
    start = time.process_time()
    result = work()
    seconds = time.process_time() - start
    gc.enable()
    return seconds, result


def least_deadwood(what: str, hands: list[tuple[str, ...]], bar: float | None) -> Row:
    sets = [card_set(hand) for hand in hands]
    lists = [[NUMBERS[NAMES.index(card)] for card in hand] for hand in hands]
    theirs = GinRummyUtils(13, 4, 10).min_deadwood
    row = Row(what, "µs a hand", bar, [], [])
    for _ in range(ROUNDS):
        our_seconds, our_points = timed(lambda: [deadwood(hand) for hand in sets])
        their_seconds, their_points = timed(lambda: [theirs(hand) for hand in lists])
        assert our_points == their_points
        row.ours.append(our_seconds / len(hands))
        row.theirs.append(their_seconds / len(hands))
    return row


def random_hands(rng: Random) -> list[tuple[str, ...]]:
    return [tuple(rng.sample(NAMES, 10)) for _ in range(HANDS)]


def hands_in_play(rng: Random) -> list[tuple[str, ...]]:
    """The hands of ten of two easy bots, whenever one has thrown."""
    hands: list[tuple[str, ...]] = []
    while len(hands) < HANDS:
        state = dealt(tuple(rng.sample(NAMES, 52)))
        while state.turn is not None:
            seat = state.turn
            action = choose("gin", gin.view(state, seat), "easy", rng)
            state = gin.apply(state, action)
            if isinstance(action, gin.Discard):
                hands.append(names(state.hands[seat]))
    return hands[:HANDS]


def dealt(pack: tuple[str, ...]) -> gin.State:
    """Seat 0 begins, as in OpenSpiel."""
    return gin.apply(gin.new(LIKE_OPEN_SPIEL, 2), gin.Deal(1, pack))


def our_random_deals(packs: list[tuple[str, ...]]) -> int:
    """Play each pack at random; the number of actions."""
    rng, actions = Random(1), 0
    for pack in packs:
        state = dealt(pack)
        while state.turn is not None:
            state = gin.apply(state, rng.choice(gin.legal_actions(state)))
            actions += 1
    return actions


def our_playouts(packs: list[tuple[str, ...]]) -> int:
    """The bots' playouts of many deals at once."""
    cards = np.array([[NAMES.index(card) for card in pack] for pack in packs])
    options = gin.PRESETS["research"]
    deals = dealt_at_once(cards, np.ones(len(packs), int), options)
    play(deals, AtRandom(1, options), options)
    return len(packs)


def their_random_deals(packs: list[list[int]]) -> int:
    """The same. Cards dealt and drawn are moves of chance there: timed, but not counted."""
    rng, actions = Random(1), 0
    for pack in packs:
        state, cards = SPIEL.new_initial_state(), iter(pack)
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(next(cards))
            else:
                state.apply_action(rng.choice(state.legal_actions()))
                actions += 1
    return actions


def random_deals(rng: Random) -> list[Row]:
    packs = [tuple(rng.sample(NAMES, 52)) for _ in range(DEALS)]
    numbers = [[NUMBERS[NAMES.index(card)] for card in pack] for pack in packs]
    by_deal = Row("a random deal through legal_actions and apply", "ms a deal", BAR, [], [])
    by_action = Row("the same, by action of a player", "µs an action", BAR, [], [])
    playout = Row("a random deal in the bots' playouts", "ms a deal", PLAYOUT_BAR, [], [])
    for _ in range(ROUNDS):
        our_seconds, our_actions = timed(lambda: our_random_deals(packs))
        their_seconds, their_actions = timed(lambda: their_random_deals(numbers))
        by_deal.ours.append(our_seconds / DEALS)
        by_deal.theirs.append(their_seconds / DEALS)
        seconds, deals = timed(lambda: our_playouts(packs * AT_ONCE))
        playout.ours.append(seconds / deals)
        playout.theirs.append(their_seconds / DEALS)
        by_action.ours.append(our_seconds / our_actions)
        by_action.theirs.append(their_seconds / their_actions)
    return [by_deal, by_action, playout]


def machine() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    models = [line.partition(": ")[2] for line in lines if line.startswith("model name")]
    cpu = models[0] if models else platform.machine()
    return (
        f"{cpu}, {os.cpu_count()} cores, {platform.system()}, "
        f"{platform.python_implementation()} {platform.python_version()}, OpenSpiel 2.0.2"
    )


def main() -> None:
    rng = Random(2026)
    rows = [
        least_deadwood("least deadwood of 10 random cards", random_hands(rng), BAR),
        least_deadwood("least deadwood of 10 cards in play", hands_in_play(rng), None),
        *random_deals(rng),
    ]
    print(machine())
    print(f"{HANDS:,} hands, {DEALS} packs, {ROUNDS} rounds, medians\n")
    print("| | unit | ours | OpenSpiel | times as fast | bar |\n|---|---|---|---|---|---|")
    for row in rows:
        print(row.line())
    sys.exit(not all(row.passed for row in rows))


if __name__ == "__main__":
    main()
