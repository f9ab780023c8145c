"""What a reason says of a position of Pyramid is so, as worked out in another way."""

import re
from collections import Counter
from collections.abc import Callable
from random import Random

from games.bots.pyramid.advice import candidates, reason
from games.bots.pyramid.solver import solve
from games.engine import pyramid
from games.engine.cards import NAMES
from games.engine.pyramid import COVERERS, DRAW, NEXT_ROUND, Action, Options, Remove, View
from tests.bots.test_pyramid_advice import positions
from tests.engine.pyramid_decks import amid

CARD = "[A23456789TJQK][CDHS]"
RANKS = "A23456789TJQK"
PLURALS = [
    *("aces", "twos", "threes", "fours", "fives", "sixes"),
    *("sevens", "eights", "nines", "tens", "jacks", "queens"),
]


class Case:
    """A position, the action that a reason is for, and the one that it is compared with."""

    def __init__(self, state: pyramid.State, action: Action, over: Action) -> None:
        self.state, self.action, self.over = state, action, over
        self.view = pyramid.view(state, 0)
        self.cards = action.cards if isinstance(action, Remove) else ()
        self.pyramid = [card for card in self.view.pyramid if card]
        self.seen = {*self.view.pyramid, *self.view.draw, *self.view.waste, *self.view.removed}

    def after(self, action: Action) -> pyramid.State:
        return pyramid.apply(self.state, action)


def listed(text: str) -> list[str]:
    return re.findall(CARD, text)


def number(card: str) -> int:
    return RANKS.index(card[0]) + 1


def thirteen(card: str, other: str) -> bool:
    return number(card) + number(other) == 13


def open_cards(view: View) -> set[str]:
    lying = enumerate(view.pyramid)
    return {c for at, c in lying if c and not any(view.pyramid[over] for over in COVERERS[at])}


def clearable(state: pyramid.State) -> bool | None:
    """By one who knows the order."""
    view, redeals = pyramid.revealed(state), state.options.redeals - state.redeals
    draw = [card for card in view.draw if card]
    return solve(view.pyramid, draw, view.waste, redeals, state.options.overlap).clearable


# The sentences


def clears_after(case: Case, pair: str) -> bool:
    assert isinstance(case.over, Remove) and [*case.over.cards] == listed(pair)
    return bool(clearable(case.after(case.action))) and clearable(case.after(case.over)) is False


def never_clears(case: Case, pair: str) -> bool:
    """Many orders of the unseen cards, and all that come back: none can be cleared."""
    assert isinstance(case.over, Remove) and [*case.over.cards] == listed(pair)
    after, rng = case.after(case.over), Random(1)
    for _ in range(6):
        order = [*after.draw, *after.waste]
        rng.shuffle(order)
        if clearable(pyramid.replace(after, draw=tuple(order), waste=())) is not False:
            return False
    return None in case.view.draw


def too_few(case: Case, pair: str, rank: str, other: str) -> bool:
    assert isinstance(case.over, Remove) and [*case.over.cards] == listed(pair)
    gone = {*case.view.removed, *case.over.cards}
    few, many = PLURALS.index(rank) + 1, PLURALS.index(other) + 1
    left = [card for card in NAMES if card not in gone and number(card) == few]
    there = [card for card in case.pyramid if card not in gone and number(card) == many]
    return few + many == 13 and len(left) < len(there)


def as_well(case: Case, card: str, other: str) -> bool:
    assert isinstance(case.over, Remove)
    free = other in case.pyramid and other not in case.over.cards
    return card in case.over.cards and free and thirteen(card, other)


def a_king(case: Case) -> bool:
    return len(case.cards) == 1 and case.cards[0][0] == "K"


def lays_open(case: Case, cards: str) -> bool:
    after = pyramid.view(case.after(case.action), 0)
    return open_cards(after) - open_cards(case.view) == {*listed(cards)}


def last_partner(case: Case, other: str, card: str) -> bool:
    partners = [c for c in NAMES if thirteen(c, card) and c not in case.view.removed]
    return {card, other} == {*case.cards} and partners == [other] and card in case.pyramid


def both(case: Case) -> bool:
    return len({*case.cards} & {*case.pyramid}) == 2


def neither(case: Case) -> bool:
    return len(case.cards) == 2 and not {*case.cards} & {*case.pyramid}


def brings(case: Case, points: str) -> bool:
    return int(points) == 10 * len(case.cards)


def nothing(case: Case) -> bool:
    return case.action == DRAW and not any(isinstance(a, Remove) for a in case.view.legal)


def last_of_draw(case: Case, card: str) -> bool:
    return case.view.draw == (card,)


def comes_next(case: Case, card: str) -> bool:
    return case.view.draw[1] == card


def fit(case: Case, some: str, unseen: str) -> bool:
    hidden = {*NAMES} - case.seen
    good = {c for c in hidden if any(thirteen(c, other) for other in open_cards(case.view))}
    return (len(good), len(hidden)) == (int(some), int(unseen)) and None in case.view.draw


def redeals_left(case: Case, left: str) -> bool:
    after = pyramid.view(case.after(case.action), 0)
    return after.redeals_left == int(left) and [*after.draw] == [*case.view.waste]


def cleared(case: Case) -> bool:
    return case.action == NEXT_ROUND and not case.pyramid


C, SOME = f"({CARD})", f"((?:{CARD}(?:, | and )?)+)"

SENTENCES: dict[str, Callable[..., bool]] = {
    f"The pyramid can be cleared after it, and not after {SOME}": clears_after,
    f"After {SOME} the pyramid cannot be cleared, however the unseen cards lie": never_clears,
    rf"After {SOME} fewer (\w+) are left than there are (\w+) in the pyramid": too_few,
    f"{C} can go with {C} of the pyramid as well": as_well,
    "A king goes alone and costs no other card": a_king,
    f"It lays {SOME} open": lays_open,
    f"{C} is the last card that {C} can go with": last_partner,
    "Both cards are of the pyramid": both,
    "Neither card is of the pyramid: it brings 20 points and opens nothing": neither,
    r"It brings (\d+) points": brings,
    "Nothing can be removed": nothing,
    f"{C} is the last card of the draw pile": last_of_draw,
    f"Next on the draw pile is {C}": comes_next,
    r"(\d+) of the (\d+) unseen cards (?:go|goes) with one that is open in the pyramid": fit,
    r"The waste becomes the draw pile; redeals left after this: (\d+)": redeals_left,
    "The pyramid is cleared, and a new one is dealt": cleared,
}


def told(state: pyramid.State, action: Action, over: Action) -> list[str]:
    """The sentences of a reason, each looked up and found true."""
    case, patterns = Case(state, action, over), []
    for sentence in re.findall(r"[^.]+(?=\.)", reason(case.view, action, over)):
        text = sentence.strip()
        [(pattern, match)] = [(p, m) for p in SENTENCES if (m := re.fullmatch(p, text))]
        assert SENTENCES[pattern](case, *match.groups()), (text, case.view)
        patterns.append(pattern)
    assert patterns
    return patterns


def test_what_reasons_say_is_so():
    counts: Counter[str] = Counter()
    for number, state in enumerate(positions(24)):
        rng = Random(number)
        actions = candidates(pyramid.view(state, 0), rng)
        if len(actions) > 1:
            counts.update(told(state, actions[0], rng.choice(actions[1:])))
        counts.update(told(state, rng.choice(actions), rng.choice(actions)))
    counts.update(told(FEW_QUEENS, DRAW, Remove(("QC", "AS"))))
    assert {*counts} == {*SENTENCES}


FEW_QUEENS = amid(Options(), places="AC AD AH", draw="QC QD QH 2D", waste="AS")
"""For three aces in the pyramid there are three queens."""


def test_why_not_to_spend_a_card_that_the_pyramid_needs():
    view = pyramid.view(FEW_QUEENS, 0)
    spent = Remove(("QC", "AS"))
    assert spent in view.legal
    assert reason(view, DRAW, spent).startswith(
        "After QC and AS fewer queens are left than there are aces in the pyramid."
    )


def test_every_action_has_a_reason_even_over_itself():
    for state in positions(8):
        view = pyramid.view(state, 0)
        for action in view.legal:
            assert reason(view, action, action).endswith(".")
