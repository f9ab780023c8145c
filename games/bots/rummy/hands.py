"""Other hands, guessed: by chance they would be far worse than those of anybody who plays well."""

from typing import Final

from games.bots.rummy.sight import Sight, rounds
from games.bots.rummy.throws import FRIENDS
from games.engine.cards import VALUES, members
from games.engine.melds import fits, in_melds
from games.engine.rummy import Ints

OFFERED: Final = 2
"""Cards among which a seat could choose in each round: the top discard and that of the stock."""

SINCE: Final = 8
"""The most among which one who has tabled has chosen since."""

NEARLY_OUT: Final = 2
"""Loose cards of a hand that would have gone out, had it bettered itself much more."""


def guessed_hands(seen: Sight, hidden: list[int], below: int) -> Ints:
    """By seat. The others have bettered theirs in every round.

    `hidden`, in any order, is then what is left: first the stock, and last as many as lie `below`
    the top of the pile, which are rather what was thrown. Hands have then about the points, the
    loose cards and the ways to go out that those of `hard` have.
    """
    hands = list(seen.taken)
    hands[seen.seat] = seen.hand
    for seat in seen.others:
        for _ in range(seen.sizes[seat] - hands[seat].bit_count()):
            hands[seat] |= 1 << hidden.pop()
    fitting, thrown = _fitting(seen), []
    for offered in range(round(OFFERED * rounds(seen))):
        for seat in seen.others:
            if hidden and _betters(seen, seat, hands[seat], fitting, offered):
                hands[seat] |= 1 << hidden.pop()
                card = _thrown(seen, seat, hands[seat], fitting)
                hands[seat] ^= 1 << card
                thrown.append(card)
        while len(thrown) > below:
            hidden.insert(0, thrown.pop(0))
    hidden += thrown
    return tuple(hands)


def _fitting(seen: Sight) -> int:
    """What can be laid off on the table."""
    cards = 0
    for meld in seen.table:
        cards |= fits(meld)
    return cards


def _betters(seen: Sight, seat: int, hand: int, fitting: int, offered: int) -> bool:
    """Whether a hand is bettered once more, after so many times."""
    if seen.is_silent(seat):
        return (hand & ~(in_melds(hand) | fitting)).bit_count() > NEARLY_OUT
    return offered < SINCE or _tabled(seen, seat, hand, fitting) != 0


def _tabled(seen: Sight, seat: int, hand: int, fitting: int) -> int:
    """The cards that a seat would have tabled, had it held them: all that one who tables can."""
    if seen.is_silent(seat):
        return 0
    return hand & (fitting | in_melds(hand)) & ~seen.taken[seat]


def _thrown(seen: Sight, seat: int, hand: int, fitting: int) -> int:
    """What it would have tabled; or else of the cards in no meld the dearest, but for friends.

    None that it was seen to take.
    """
    unknown = hand & ~seen.taken[seat]
    loose = _tabled(seen, seat, hand, fitting) or unknown & ~in_melds(hand) or unknown

    def worth(card: int) -> float:
        return VALUES[card] / 3 - 4 * (FRIENDS[card] & loose).bit_count()

    return max(members(loose), key=worth)
