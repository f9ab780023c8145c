"""What the rest of a round comes to, the order known."""

from typing import Final

from games.bots.pyramid.plan import plan
from games.bots.pyramid.solver import hopeless, solve
from games.engine.cards import NAMES, rank
from games.engine.pyramid import BONUS, CARD_POINTS, COVERERS, GONE, KING, Remove, State

PROOF: Final = 20_000
"""Nodes of the solver to prove something; what it cannot prove within them is not known."""

Reach = tuple[int, int]
"""How far is searched: the width of the plan, and nodes of the solver if it does not clear."""

FAR: Final = (128, PROOF)
NEAR: Final = (4, 300)


def worth(state: State, reach: Reach = FAR) -> int:
    """Points that can still be made of a round by one who knows the order of the draw pile.

    As a search finds them, so they may be too few. Kings of the stock count where they come.
    """
    if state.turn is None or state.turn < 0:
        return 0
    (width, cap), (pyramid, draw, waste, redeals, overlap) = reach, _position(state)
    planned = plan(pyramid, draw, waste, redeals, overlap, width)
    pairs = [card for pair in planned.pairs for card in pair]
    points = CARD_POINTS * (len(pairs) + _kings(state, pyramid, {*pairs}, redeals))
    if not any(pyramid):
        return points
    if planned.clears:
        return points + BONUS * state.deal
    found = solve(pyramid, draw, waste, redeals, overlap, cap)
    if not found.clearable:
        return points
    cleared = sum(len(action.cards) for action in found.line if isinstance(action, Remove))
    return max(points, CARD_POINTS * cleared + BONUS * state.deal)


def _kings(state: State, pyramid: list[str | None], gone: set[str], redeals: int) -> int:
    """Those that go besides the pairs: laid open by them, or coming up in the stock."""
    left = [None if name in gone else name for name in pyramid]
    kings = 0
    for place, name in reversed([*enumerate(left)]):
        if name and name[0] == "K" and not any(left[over] for over in COVERERS[place]):
            left[place], kings = None, kings + 1
    stock = [*state.draw, *(state.waste if redeals else state.waste[-1:])]
    return kings + sum(rank(card) == KING for card in stock)


def clears(state: State) -> bool | None:
    """Whether the pyramid can be cleared by one who knows the order; None: not known."""
    return solve(*_position(state), PROOF).clearable


def never_clears(state: State) -> bool:
    """Whether it can be cleared in no order of the stock, as is certain."""
    pyramid, draw, waste, _, overlap = _position(state)
    return hopeless(pyramid, [*draw, *waste], overlap, PROOF)


def _position(state: State) -> tuple[list[str | None], list[str], list[str], int, bool]:
    """The pyramid, the draw pile, the waste, the redeals left, and whether pairs may overlap."""
    pyramid = [None if card == GONE else NAMES[card] for card in state.pyramid]
    draw, waste = ([NAMES[card] for card in pile] for pile in (state.draw, state.waste))
    redeals = state.options.redeals - state.redeals
    if not any(pyramid) and state.options.after_clear != "all_deals":
        redeals = 0
    return pyramid, draw, waste, redeals, state.options.overlap
