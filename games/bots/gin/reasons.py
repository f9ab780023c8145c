"""Why to do this rather than that in Gin Rummy: facts that a seat can see for itself."""

import numpy as np

from games.bots.gin import many, network
from games.bots.gin.hard import as_deal
from games.bots.gin.sight import Sight, sight, ways
from games.engine.cards import INDEX, NAMES, VALUES, card_set, members, names
from games.engine.gin import BIG_GIN, DRAW, TAKE, Action, Discard, Knock, LayOff, View
from games.engine.melds import best_layoffs, completing, deadwood, in_melds, is_meld, melds_in

MOST = 3
"""Sentences that are told."""
NAMED = 4
"""Cards that are named one by one; more are counted."""


def reason(view: View, action: Action, over: Action) -> str:
    """Some sentences for an action, the other being what it is compared with."""
    seen = sight(view)
    if isinstance(action, Discard):
        told = _of_throw(view, seen, INDEX[action.card], over)
    elif isinstance(action, Knock):
        told = [_of_knock(view, seen, action)]
    elif action == BIG_GIN:
        bonus = view.options.gin_bonus + view.options.big_gin_extra
        told = [f"All eleven cards are in melds: {bonus} points and the other hand's deadwood."]
    elif view.phase == "layoff":
        told = [_of_layoff(view, action)]
    elif action == TAKE:
        told = _of_taking(view, seen)
    else:
        told = _of_leaving(view, seen, action)
    return " ".join([sentence for sentence in told if sentence][:MOST])


# What is thrown


def _of_throw(view: View, seen: Sight, card: int, over: Action) -> list[str]:
    kept = seen.hand & ~(1 << card)
    told = [f"It leaves {deadwood(kept)} points of deadwood."]
    if isinstance(over, Discard):
        other = INDEX[over.card]
        told += [_kept(seen, kept, other), _left_lying(view, card)]
        told += [_wanted(seen, card, other), _useless(seen, card)]
    elif isinstance(over, Knock):
        told += [_of_playing_on(view, seen, kept, over), _left_lying(view, card)]
    return [*told, _outs(seen, kept)]


def _kept(seen: Sight, kept: int, card: int) -> str:
    """What speaks for a card that is not thrown."""
    if in_melds(kept) >> card & 1:
        return f"It keeps {NAMES[card]}, which is in a meld."
    if found := _melding(kept, card, seen.hidden):
        return f"It keeps {NAMES[card]}, which {_any_of(found)} would meld."
    return ""


def _melding(hand: int, card: int, hidden: int) -> list[str]:
    """The unseen cards that make a meld with this card and another of the hand."""
    others = [1 << one for one in members(hand & ~(1 << card))]
    return [
        NAMES[out]
        for out in members(hidden & completing(hand))
        if any(is_meld(1 << card | 1 << out | other) for other in others)
    ]


def _any_of(cards: list[str]) -> str:
    if len(cards) > NAMED:
        return f"{len(cards)} unseen cards"
    *but_last, last = cards
    return f"{', '.join(but_last)} or {last}" if but_last else last


def _left_lying(view: View, card: int) -> str:
    """A card of use beside this one that the other player has refused."""
    refused = [one for one in refusals(view) if _beside(card, INDEX[one])]
    refused.sort(key=lambda one: INDEX[one] % 13 != card % 13)
    return f"{refused[0]} was refused by the other player." if refused else ""


def refusals(view: View) -> list[str]:
    """Cards that the other player left lying, to draw from the stock instead, latest first."""
    tops = [turn.thrown for turn in view.turns]
    answers = zip(tops, view.turns[1:], strict=False)
    found = [top for top, turn in answers if turn.seat != view.seat and turn.source == "stock"]
    return [card for card in reversed(found) if card]


def _beside(card: int, other: int) -> bool:
    """Whether two cards can lie in a meld of three."""
    if card % 13 == other % 13:
        return card != other
    return card // 13 == other // 13 and abs(card - other) <= 2


def _wanted(seen: Sight, card: int, instead: int) -> str:
    """A card that the other player took, which could meld the one card and not the other."""
    for one in members(seen.known):
        if _melds_with(seen, instead, one) and not _melds_with(seen, card, one):
            return f"The other player took {NAMES[one]}, with which {NAMES[instead]} could meld."
    return ""


def _melds_with(seen: Sight, card: int, known: int) -> bool:
    """Whether there is a meld of the card, one known in the other hand, and another there."""
    rest = (seen.hidden | seen.known) & ~(1 << known)
    return any(is_meld(1 << card | 1 << known | 1 << one) for one in members(rest))


def _useless(seen: Sight, card: int) -> str:
    if ways(card, seen.hidden | seen.known):
        return ""
    return f"The other hand can have no meld with {NAMES[card]}: the cards for it are seen."


def _outs(seen: Sight, kept: int) -> str:
    count = (completing(kept) & seen.hidden).bit_count()
    return f"{_unseen(count)} would complete a meld."


def _unseen(count: int) -> str:
    return "1 unseen card" if count == 1 else f"{count or 'No'} unseen cards"


# Knocks


def _of_knock(view: View, seen: Sight, knock: Knock) -> str:
    rest = seen.hand & ~(1 << INDEX[knock.card])
    left = deadwood(rest) if knock.melds is None else _left_of(rest, knock)
    if left == 0:
        return f"It is gin: {view.options.gin_bonus} points and the other hand's deadwood."
    return f"It knocks with {left}; {_likely(view, seen, knock, left)}"


def _left_of(rest: int, knock: Knock) -> int:
    laid = card_set(card for meld in knock.melds or () for card in meld)
    return sum(VALUES[card] for card in members(rest & ~laid))


def _likely(view: View, seen: Sight, knock: Knock, left: int) -> str:
    tenths = in_ten(view, seen, INDEX[knock.card], left)
    if tenths == 0:
        return "the other hand is likely to be left with no more."
    return f"the other hand is likely to be left with more, about {tenths} times in 10."


def in_ten(view: View, seen: Sight, card: int, left: int) -> int:
    """How often the network expects the other hand to be left with more, lay-offs made."""
    deal, hand = as_deal(view, seen), many.sets([seen.hand & ~(1 << card)])
    inputs = network.own(deal, np.zeros(1, int), hand, np.array([card]))
    odds = network.deadwood_odds(network.shared("knock", deal, network.THROWN), inputs)
    return round(10 * float(odds[0, left + 1 :].sum()))


def _of_playing_on(view: View, seen: Sight, kept: int, knock: Knock) -> str:
    gins = many.gins(many.sets([kept]), many.sets([completing(kept) & seen.hidden]))[0]
    if gins:
        return f"{_unseen(int(gins))} would make gin."
    left = deadwood(seen.hand & ~(1 << INDEX[knock.card]))
    tenths = in_ten(view, seen, INDEX[knock.card], left)
    return f"To knock with {left} would meet more about {tenths} times in 10."


# What is taken, and laid off


def _of_taking(view: View, seen: Sight) -> list[str]:
    with_top = seen.hand | 1 << seen.top
    thrown = members(with_top if view.options.may_return_taken else seen.hand)
    least = min(deadwood(with_top & ~(1 << card)) for card in thrown)
    top, now = NAMES[seen.top], deadwood(seen.hand)
    at_best = f"With {top} and a card thrown you have {least} points of deadwood; now {now}."
    return [_melds_top(with_top, seen.top), at_best]


def _melds_top(with_top: int, top: int) -> str:
    melds = [meld for meld in melds_in(with_top) if meld >> top & 1]
    return f"It makes the meld {' '.join(names(max(melds)))}." if melds else ""


def _of_leaving(view: View, seen: Sight, action: Action) -> list[str]:
    if view.phase == "wall":
        return ["The deal is drawn and nobody scores."]
    if view.phase == "first_draw":
        return ["Both players passed the upcard, so the first card is from the stock."]
    top = NAMES[seen.top]
    melded = _melds_top(seen.hand | 1 << seen.top, seen.top)
    told = "" if melded else f"{top} completes no meld of yours."
    if action == DRAW:
        return [told, _outs(seen, seen.hand)]
    first = view.seat != view.dealer
    after = "the dealer may take it" if first else "the other player must draw from the stock"
    return [told, f"If you pass, {after}."]


def _of_layoff(view: View, action: Action) -> str:
    shown = view.showdown
    assert shown is not None and view.hand is not None
    hand = card_set(view.hand)
    if isinstance(action, LayOff):
        left = deadwood(hand & ~(1 << INDEX[action.card]))
        return f"It leaves {left} points of deadwood; the knocker has {shown.deadwood}."
    left, best = deadwood(hand), best_layoffs(hand, tuple(map(card_set, shown.melds)))[0]
    if best < left:
        return f"It leaves {left} points of deadwood; {best} could be reached."
    return f"No lay-off leaves fewer than your {left} points of deadwood."
