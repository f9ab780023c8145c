"""`medium` keeps what can still become a meld, and after an early knock's time waits for less."""

from random import Random

from games.bots.gin.easy import defend, end_turn, turned
from games.bots.gin.sight import Sight, sight, throwable, ways
from games.engine.cards import NAMES
from games.engine.gin import DISCARDS, DRAW, PASS, TAKE, Action, View
from games.engine.melds import completing, deadwood, in_melds

EARLY_STOCK, EARLY, LATE = 20, 10, 2
"""With more cards than that in the stock it knocks as soon as it may, afterwards only with so
little deadwood: by then the other hand is likely to undercut it."""
TAKING = 7  # points of deadwood that make a card from the pile worth showing
OUT = 0.36  # points that a card which would complete a meld is worth
WAY, KNOWN_WAY, AGAIN = 0.1, 0.6, 3.0
"""Points that it costs to throw what may make a meld there, by what is not seen and by what is
known of that hand; and to play a pair of card drawn and card thrown again."""


def medium(view: View, rng: Random) -> Action:
    """As `easy`, but for what it takes, throws, and knocks with."""
    match view.phase:
        case "layoff":
            return defend(view)
        case "wall":
            return view.legal[0]
        case "wall_knock" | "discard":
            return _end_turn(view, rng)
    if _wants(sight(view)) and TAKE in view.legal:
        return TAKE
    return PASS if view.phase == "offer" else DRAW


def _wants(seen: Sight) -> bool:
    with_top = seen.hand | 1 << seen.top
    if in_melds(with_top) >> seen.top & 1:
        return True
    left = min(deadwood(with_top ^ 1 << card) for card in range(52) if seen.hand >> card & 1)
    return deadwood(seen.hand) - left >= TAKING


def _end_turn(view: View, rng: Random) -> Action:
    seen, cards = sight(view), throwable(view)
    left = {card: deadwood(seen.hand ^ 1 << card) for card in cards}
    enough = min(seen.limit, EARLY if seen.stock > EARLY_STOCK else LATE)
    if view.phase == "wall_knock" or min(left.values()) <= enough:
        return end_turn(view, rng)
    again = {card for card in cards if {view.turns[-1].drawn, NAMES[card]} in turned(view)}
    costs = {card: left[card] + _cost(seen, card) + AGAIN * (card in again) for card in cards}
    least = min(costs.values())
    return DISCARDS[rng.choice([card for card in cards if costs[card] == least])]


def _cost(seen: Sight, card: int) -> float:
    """What a card thrown takes from this hand and gives to the other, in points."""
    hidden = seen.hidden
    outs = completing(seen.hand ^ 1 << card) & (hidden | seen.known)
    given = WAY * ways(card, hidden | seen.known) + KNOWN_WAY * ways(card, seen.known)
    return given - OUT * outs.bit_count()
