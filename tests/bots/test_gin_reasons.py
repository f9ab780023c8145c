"""Reasons of Gin Rummy are facts: each is found again from the view alone, by plain counting."""

import re
from collections import Counter
from itertools import combinations
from random import Random

from games.bots.gin.advice import reason
from games.bots.gin.reasons import in_ten
from games.bots.gin.sight import sight
from games.engine import gin
from games.engine.cards import INDEX, NAMES, card_set
from games.engine.melds import best_arrangement, best_layoffs, deadwood, is_meld
from tests.bots.test_gin_advice import OPTIONS, states, views

CARD = "([A23456789TJQK][CDHS])"


MELDS = {card: [] for card in NAMES}
"""For each card the pairs that it makes a meld of three with."""
for meld in combinations(NAMES, 3):
    if is_meld(card_set(meld)):
        for one in meld:
            MELDS[one].append({*meld} - {one})


def unseen(view):
    """Cards that lie in the stock or the other hand, for all that this seat knows."""
    seen = {*view.hand, *view.discards, *view.taken[1 - view.seat]}
    return [card for card in NAMES if card not in seen]


def melds_with(card, cards):
    """The melds of three of this card and two of those."""
    return [{card, *pair} for pair in MELDS[card] if pair <= {*cards}]


def completing(view, hand):
    return [card for card in unseen(view) if melds_with(card, hand)]


def refused(view, card):
    """Thrown by this seat; then the other drew from the stock instead."""
    for turn, after in zip(view.turns, view.turns[1:], strict=False):
        if turn.thrown == card and turn.seat == view.seat and after.source == "stock":
            return True
    return False


def without(view, action):
    return [card for card in view.hand if card != action.card]


def left(cards):
    return deadwood(card_set(cards))


def number(words):
    return 0 if words == "No" else int(words)


# Each kind of sentence, and what makes it true


def leaves(view, action, over, points):
    assert int(points) == left(without(view, action))


def keeps_in_a_meld(view, action, over, card):
    hand = without(view, action)
    assert card == over.card
    assert melds_with(card, hand)


def keeps_with_ways(view, action, over, card, what):
    hand = without(view, action)
    assert card == over.card
    ways = [one for one in unseen(view) if any(one in m for m in melds_with(card, [*hand, one]))]
    if number := re.fullmatch("([0-9]+) unseen cards", what):
        assert int(number[1]) == len(ways) > 4
    else:
        assert re.findall(CARD, what) == ways


def was_refused(view, action, over, card):
    assert refused(view, card)
    assert card in view.discards or card in view.taken[1 - view.seat]
    assert any(is_meld(card_set([card, action.card, one])) for one in NAMES)


def other_took(view, action, over, taken, card):
    assert card == over.card
    assert taken in view.taken[1 - view.seat]
    could_hold = [*unseen(view), *view.taken[1 - view.seat]]
    assert any(taken in meld for meld in melds_with(card, could_hold))
    assert not any(taken in meld for meld in melds_with(action.card, could_hold))


def no_meld_there(view, action, over, card):
    assert card == action.card
    assert not melds_with(card, [*unseen(view), *view.taken[1 - view.seat]])


def would_complete(view, action, over, count):
    hand = view.hand if isinstance(action, gin.DrawStock) else without(view, action)
    assert number(count) == len(completing(view, hand))


def would_make_gin(view, action, over, count):
    hand = without(view, action)
    gins = [
        card
        for card in unseen(view)
        if any(left([one for one in [*hand, card] if one != thrown]) == 0 for thrown in hand)
    ]
    assert number(count) == len(gins)


def knocks_with(view, action, over, points):
    if action.melds is None:
        assert int(points) == left(without(view, action))
    assert 0 < int(points) <= view.knock_limit


def is_gin(view, action, over, bonus):
    assert left(without(view, action)) == 0
    assert int(bonus) == view.options.gin_bonus


def is_big_gin(view, action, over, bonus):
    assert left(view.hand) == 0
    assert int(bonus) == view.options.gin_bonus + view.options.big_gin_extra


def makes_the_meld(view, action, over, meld):
    cards = meld.split()
    assert view.discards[-1] in cards
    assert set(cards) <= {*view.hand, view.discards[-1]}
    assert is_meld(card_set(cards))


def with_the_top(view, action, over, card, then, now):
    assert card == view.discards[-1]
    thrown = [*view.hand, card] if view.options.may_return_taken else view.hand
    eleven = [*view.hand, card]
    assert int(then) == min(left([one for one in eleven if one != gone]) for gone in thrown)
    assert int(now) == left(view.hand)


def completes_none(view, action, over, card):
    assert card == view.discards[-1]
    assert not melds_with(card, view.hand)


def after_a_pass(view, action, over, who):
    assert view.phase == "offer"
    assert (who == "the dealer may take it") == (view.seat != view.dealer)


def all_passed(view, action, over):
    assert view.phase == "first_draw"


def draws_the_deal(view, action, over):
    assert view.phase == "wall"


def layoff_leaves(view, action, over, points, knocker):
    assert int(points) == left(without(view, action))
    assert int(knocker) == view.showdown.deadwood


def could_be_reached(view, action, over, points, best):
    assert int(points) == left(view.hand) > int(best)
    assert int(best) == best_layoffs(card_set(view.hand), tables(view))[0]


def no_layoff_leaves_fewer(view, action, over, points):
    assert int(points) == left(view.hand) == best_layoffs(card_set(view.hand), tables(view))[0]


def tables(view):
    return tuple(map(card_set, view.showdown.melds))


def tenths(view, action, over, *_):
    """What the network expects; the test below looks at how it fares."""


FACTS = {
    r"It leaves ([0-9]+) points of deadwood\.": leaves,
    rf"It keeps {CARD}, which is in a meld\.": keeps_in_a_meld,
    rf"It keeps {CARD}, which (.+) would meld\.": keeps_with_ways,
    rf"{CARD} was refused by the other player\.": was_refused,
    rf"The other player took {CARD}, with which {CARD} could meld\.": other_took,
    rf"The other hand can have no meld with {CARD}: the cards for it are seen\.": no_meld_there,
    r"([0-9]+|No) unseen cards? would complete a meld\.": would_complete,
    r"([0-9]+) unseen cards? would make gin\.": would_make_gin,
    r"To knock with [0-9]+ would meet more about [0-9]+ times in 10\.": tenths,
    r"It knocks with ([0-9]+); the other hand is likely to be left with .+": knocks_with,
    r"It is gin: ([0-9]+) points and the other hand's deadwood\.": is_gin,
    r"All eleven cards are in melds: ([0-9]+) points and the other hand's deadwood\.": is_big_gin,
    r"It makes the meld (.+)\.": makes_the_meld,
    rf"With {CARD} and a card thrown you have ([0-9]+) points of deadwood; now ([0-9]+)\.": (
        with_the_top
    ),
    rf"{CARD} completes no meld of yours\.": completes_none,
    r"If you pass, (.+)\.": after_a_pass,
    r"Both players passed the upcard, so the first card is from the stock\.": all_passed,
    r"The deal is drawn and nobody scores\.": draws_the_deal,
    r"It leaves ([0-9]+) points of deadwood; the knocker has ([0-9]+)\.": layoff_leaves,
    r"It leaves ([0-9]+) points of deadwood; ([0-9]+) could be reached\.": could_be_reached,
    r"No lay-off leaves fewer than your ([0-9]+) points of deadwood\.": no_layoff_leaves_fewer,
}


def sentences(words):
    return re.findall(r"\S.*?\.(?=\s|$)", words)


def compared(view, rng):
    """Some actions of a view, each with another that it is compared with."""
    plain = [action for action in view.legal if getattr(action, "melds", None) is None]
    some = rng.sample(plain, min(3, len(plain)))
    yield from zip(some, [*some[1:], some[0]], strict=True)
    yield from (
        (action, plain[0]) for action in view.legal if action not in plain and rng.random() < 0.3
    )
    yield from (
        (knock, plain[0])
        for knock in plain
        if knock not in some and not isinstance(knock, gin.Discard)
    )


def test_every_sentence_of_thousands_of_positions_is_true_and_each_kind_is_told():
    told, positions, rng = Counter(), 0, Random(1)
    for preset, options in OPTIONS.items():
        for seed, level in enumerate(("easy", "medium", "easy", "medium", "random"), 1):
            for view in views(options, seed, level, deals=12):
                positions += 1
                for action, over in compared(view, rng):
                    words = reason(view, action, over)
                    assert words, (preset, action)
                    for sentence in sentences(words):
                        told[checked(sentence, view, action, over)] += 1
    assert positions > 2000
    assert set(told) == set(FACTS), set(FACTS) - set(told)


def checked(sentence, view, action, over):
    for pattern, fact in FACTS.items():
        if match := re.fullmatch(pattern, sentence):
            fact(view, action, over, *match.groups())
            return pattern
    raise AssertionError(sentence)


def test_what_the_other_hand_is_left_with_is_as_likely_as_told():
    """Over hundreds of knocks that could have been; the hands are those of `medium`."""
    told, came = [], []
    for seed in range(1, 40):
        for state in states(OPTIONS["classic"], seed, "medium"):
            view = gin.view(state, state.turn)
            knocks = [a for a in view.legal if isinstance(a, gin.Knock) and a.melds is None]
            for knock in knocks[:1]:
                own = card_set(without(view, knock))
                other = best_layoffs(state.hands[1 - state.turn], best_arrangement(own, 0))[0]
                told.append(in_ten(view, sight(view), INDEX[knock.card], deadwood(own)))
                came.append(10 * (other > deadwood(own)))
    assert len(told) > 100
    assert abs(sum(told) - sum(came)) / len(told) < 1
    unlikely = [c for t, c in zip(told, came, strict=True) if t < 7]
    likely = [c for t, c in zip(told, came, strict=True) if t >= 7]
    assert sum(unlikely) / len(unlikely) < sum(likely) / len(likely)
