"""What a reason says of a position of Basic Rummy is so, as worked out in another way."""

import re
from collections import Counter
from collections.abc import Callable
from random import Random

from msgspec.structs import replace

from games.bots.rummy.advice import candidates, reason
from games.bots.rummy.guesses import guessed
from games.engine import rummy
from games.engine.cards import INDEX, NAMES
from games.engine.melds import is_meld
from games.engine.rummy import Action, Discard, LayOff, Meld, View
from tests.bots.test_rummy_advice import views

CARD = "[A23456789TJQK][CDHS]"


class Case:
    """A view, the action that a reason is for, and the one that it is compared with."""

    def __init__(self, view: View, action: Action, over: Action) -> None:
        self.view, self.action, self.over = view, action, over
        self.hand = set(view.hand or ())
        self.thrown = action.card if isinstance(action, Discard) else None
        taken = {card for cards in view.taken for card in cards}
        shown = {card for meld in view.table for card in meld} | taken | {*view.discards}
        self.unseen = {*NAMES} - self.hand - shown
        early = view.options.layoff_needs_meld and not view.melds_laid[view.seat or 0]
        self.table = [] if early else [set(meld) for meld in view.table]

    @property
    def silent(self) -> bool:
        seat = self.view.seat or 0
        return not self.view.melds_laid[seat] and not self.view.layoffs_made[seat]

    def melds_with(self, card: str) -> bool:
        hand = sorted(self.hand - {card})
        return any(melds(card, one, two) for one in hand for two in hand if one < two)

    def goes_on(self, card: str, meld: set[str]) -> bool:
        """Perhaps after other cards of the hand."""
        grown, before = {*meld}, 0
        while len(grown) > before:
            before = len(grown)
            grown |= {c for c in self.hand - {card} if melds(*grown, c)}
        return card not in grown and melds(*grown, card)

    def fits_somewhere(self, card: str) -> bool:
        return any(self.goes_on(card, meld) for meld in self.table)


def melds(*cards: str) -> bool:
    return len({*cards}) == len(cards) and is_meld(sum(1 << INDEX[card] for card in cards))


def points(card: str) -> int:
    return min("A23456789TJQK".index(card[0]) + 1, 10)


def listed(text: str) -> list[str]:
    return re.findall(CARD, text)


def ends(state: rummy.State, action: Action) -> bool:
    """Whether the deal can end in this turn after an action, every way tried."""
    seen = set()

    def from_here(state: rummy.State) -> bool:
        if state.phase != "meld" or (state.hands, state.table) in seen:
            return state.result is not None and state.result.winner is not None
        seen.add((state.hands, state.table))
        return any(from_here(rummy.apply(state, one)) for one in rummy.legal_actions(state))

    started = replace(state, result=None)
    return from_here(rummy.apply(started, action))


def lets_go_out(case: Case, thrown: str, card: str) -> bool:
    """Whether the seat could go out with this card, drawn in its next turn."""
    guess = guessed(case.view, Random(1))
    assert guess.turn is not None
    hand = sum(1 << INDEX[name] for name in {*case.hand, card} - {thrown})
    hands = [*guess.hands]
    hands[guess.turn] = hand
    now = rummy.Turn(False, INDEX[card])
    state = replace(guess, hands=tuple(hands), now=now, result=None, discards=(0,))
    return any(ends(state, action) for action in rummy.legal_actions(state))


# The sentences


def completes_none(case: Case, card: str) -> bool:
    return not case.melds_with(card) and not case.fits_somewhere(card)


def completes(case: Case, card: str, meld: str) -> bool:
    return melds(*listed(meld)) and {*listed(meld)} - {card} <= case.hand and card in listed(meld)


def goes_on(case: Case, card: str, meld: str) -> bool:
    return {*listed(meld)} in case.table and case.goes_on(card, {*listed(meld)})


def goes_with(case: Case, card: str, friends: str) -> bool:
    def near(other: str) -> bool:
        apart = abs("A23456789TJQK".index(card[0]) - "A23456789TJQK".index(other[0]))
        return apart == 0 or (other[1] == card[1] and apart <= 2)

    return {*listed(friends)} == set(filter(near, case.hand))


def no_use(case: Case) -> bool:
    return completes_none(case, case.view.discards[-1])


def would_meld(case: Case, card: str) -> bool:
    return case.melds_with(card)


def only_laid_off(case: Case, card: str) -> bool:
    return case.fits_somewhere(card) and not case.melds_with(card)


def can_go_out(case: Case) -> bool:
    return ends(guessed(case.view, Random(1)), case.action)


def is_paid(case: Case, more: str) -> bool:
    return case.silent and case.view.options.going_rummy == {"double": "double"}.get(more, "plus10")


def no_longer_count(case: Case, count: str) -> bool:
    assert isinstance(case.action, Meld | LayOff)
    cards = case.action.cards if isinstance(case.action, Meld) else (case.action.card,)
    return sum(map(points, cards)) == int(count)


def fits(case: Case, card: str, meld: str) -> bool:
    assert isinstance(case.action, LayOff)
    there = case.view.table[case.action.meld] == tuple(listed(meld))
    return there and melds(*listed(meld), card)


def last_card(case: Case, card: str) -> bool:
    return case.hand == {card} and can_go_out(case)


def held_back(case: Case, meld: str) -> bool:
    return {*listed(meld)} <= case.hand - {case.thrown} and melds(*listed(meld))


def held_to_be_paid(case: Case, meld: str, more: str) -> bool:
    return held_back(case, meld) and is_paid(case, more)


def would_let_out(case: Case, thrown: str | None, told: str) -> bool:
    assert thrown
    found = {card for card in case.unseen if lets_go_out(case, thrown, card)}
    if told == "no card":
        return not found
    number = re.fullmatch(r"any of (\d+) cards", told)
    return len(found) == int(number[1]) if number else found == {*listed(told)}


def after_it(case: Case, told: str) -> bool:
    return would_let_out(case, case.thrown, told)


def after_both(case: Case, told: str, other: str, others: str) -> bool:
    assert isinstance(case.over, Discard) and case.over.card == other
    return after_it(case, told) and would_let_out(case, other, others)


def could_be_used(case: Case, took: str, card: str, meld: str) -> bool:
    follower = ((case.view.seat or 0) + 1) % len(case.view.scores)
    held = {*case.view.taken[follower]}
    rest = {*listed(meld)} - {card}
    possible = rest - held <= case.unseen
    room = case.view.hand_sizes[follower] - len(held) >= len(rest - held)
    other = isinstance(case.over, Discard) and case.over.card == card
    return other and melds(*listed(meld)) and {*listed(took)} == rest & held and possible and room


def keeps_meld(case: Case, meld: str) -> bool:
    assert isinstance(case.over, Discard)
    return held_back(case, meld) and case.over.card in listed(meld)


def keeps_pair(case: Case, pair: str, told: str) -> bool:
    one, two = listed(pair)
    kept = {one, two} <= case.hand - {case.thrown}
    return kept and {*listed(told)} == {card for card in case.unseen if melds(one, two, card)}


def rids(case: Case, count: str) -> bool:
    return points(case.thrown or "") == int(count)


def rids_more(case: Case, count: str, other: str, fewer: str) -> bool:
    return rids(case, count) and points(other) == int(fewer) < int(count)


C, SOME = f"({CARD})", f"((?:{CARD}(?:, | and | or | )?)+|any of \\d+ cards|no card)"

SENTENCES: dict[str, Callable[..., bool]] = {
    f"{C} completes no meld of yours and fits none that you may lay off on": completes_none,
    f"{C} completes {SOME}": completes,
    f"{C} can go on {SOME}, which is on the table": goes_on,
    f"{C} goes with {SOME}": goes_with,
    "You know what you get; a card of the stock may be worse": no_use,
    f"{C} would go into a meld, but all would see you take it": would_meld,
    f"{C} could only be laid off; a card of the stock may do more": only_laid_off,
    "You can go out in this turn": can_go_out,
    "With all cards in one turn it is paid (double|10 more)": is_paid,
    r"(\d+) points? of your hand no longer counts? against you": no_longer_count,
    f"{C} fits {SOME}": fits,
    f"{C} is your last card, so you go out": last_card,
    f"You hold {SOME} back: nobody can lay off on what is not on the table": held_back,
    f"You hold {SOME} back: to go out with all cards in one turn is paid (double|10 more)": (
        held_to_be_paid
    ),
    f"After it {SOME} would let you go out in your next turn": after_it,
    f"After it {SOME} would let you go out in your next turn; after {C} {SOME} would": after_both,
    f"The next seat took {SOME} and could use {C} in {SOME}": could_be_used,
    f"It keeps the meld {SOME}": keeps_meld,
    f"It keeps {SOME}, which {SOME} would complete": keeps_pair,
    r"It rids you of (\d+) points?": rids,
    rf"It rids you of (\d+) points?, {C} of (\d+)": rids_more,
}


def test_what_reasons_say_is_so():
    told: Counter[str] = Counter()
    for number, view in enumerate(views(60)):
        actions = candidates(view, Random(number))
        over = Random(number).choice(actions)
        for action in {actions[0], Random(-number).choice(actions)}:
            case = Case(view, action, over)
            for sentence in re.findall(r"[^.]+(?=\.)", reason(view, action, over)):
                text = sentence.strip()
                found = [(p, m) for p in SENTENCES if (m := re.fullmatch(p, text))]
                assert len(found) == 1, text
                pattern, match = found[0]
                assert SENTENCES[pattern](case, *match.groups()), (text, view)
                told[pattern] += 1
    assert {*told} == {*SENTENCES}


def test_every_action_has_a_reason_even_over_itself():
    for view in views(10):
        for action in view.legal:
            assert reason(view, action, action).endswith(".")
