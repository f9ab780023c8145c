"""Whether to take the top discard, and what to table of a hand."""

from typing import NamedTuple

from games.bots.rummy.sight import Sight
from games.engine.cards import members, value
from games.engine.melds import Arrangement, chained, completing, fits, in_melds, leftovers, melds_in


class Step(NamedTuple):
    """Cards to table: a meld of their own, or one card for the meld of that index."""

    cards: int
    onto: int | None = None


def takes(sight: Sight) -> bool:
    """Whether, with the top discard, a turn can leave as few cards as without any draw."""
    hand, top, table = sight.hand, sight.top, sight.open_melds
    more = hand | top
    if not top & in_melds(more) and not any(chained(meld, more) & top for meld in table):
        return False
    return min(map(int.bit_count, leftovers(more, table))) <= min(
        map(int.bit_count, leftovers(hand, table))
    )


def fewest_left(sight: Sight) -> int:
    """The best of what this turn's melds and lay-offs can leave: fewest, then cheapest cards."""
    left = leftovers(sight.hand, sight.open_melds)
    if len(left) == 1:
        return sight.hand
    live = sight.live
    count = live.bit_count() or 1

    def preference(left: int) -> tuple[int, float, int]:
        ways = (completing(left) & live).bit_count() * 100 / count
        return left.bit_count(), value(left) - ways, left

    admitted = [cards for cards in left if _is_admitted(sight, cards)]
    fewest = min(map(int.bit_count, admitted), default=0)
    best = [cards for cards in admitted if cards.bit_count() == fewest]
    return min(best, key=preference, default=sight.hand) if len(best) != 1 else best[0]


def is_free(sight: Sight) -> bool:
    """Whether no option keeps this seat from tabling whatever fits, all in one turn."""
    options = sight.options
    early = options.layoff_needs_meld and not sight.melds_laid[sight.seat]
    return options.max_melds_per_turn is None and not options.must_discard_to_go_out and not early


def goes_out(sight: Sight, table: Arrangement) -> bool:
    """Whether this turn's further melds, lay-offs on these melds and a throw can end the deal."""
    if sight.options.max_melds_per_turn is not None:
        return False
    ends = (left for left in leftovers(sight.hand, table) if left & left - 1 == 0)
    return any(_is_admitted(sight, left) for left in ends)


def _is_admitted(sight: Sight, left: int) -> bool:
    """Whether the options let a turn's melds and lay-offs leave these cards."""
    if left == 0:
        return not sight.options.must_discard_to_go_out
    return not sight.banned or sight.options.last_card_exempt or left != sight.banned


def step(sight: Sight, loose: int) -> Step | None:
    """A meld or lay-off on the way to the loose cards alone."""
    if loose == sight.hand:
        return None
    open_melds = sight.open_melds
    for meld in melds_in(sight.hand & ~loose) if sight.may_meld else ():
        rest = sight.hand ^ meld
        leads = loose in leftovers(rest, (*open_melds, meld))
        if leads and _may_leave(sight, rest, (*sight.table, meld)):
            return Step(meld)
    for index, meld in enumerate(open_melds):
        for card in members(fits(meld) & sight.hand & ~loose):
            rest = sight.hand ^ 1 << card
            table = (*open_melds[:index], meld | 1 << card, *open_melds[index + 1 :])
            if loose in leftovers(rest, table) and _may_leave(sight, rest, table):
                return Step(1 << card, index)
    return None


def _may_leave(sight: Sight, rest: int, table: Arrangement) -> bool:
    """As the engine has it: not what can then neither be thrown nor tabled."""
    options = sight.options
    if rest == 0:
        return not options.must_discard_to_go_out
    if rest == sight.banned and not options.last_card_exempt:
        return not options.must_discard_to_go_out and any(fits(meld) & rest for meld in table)
    return True
