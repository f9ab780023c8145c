"""Bots for Basic Rummy.

`easy` tables at once and throws its highest card. `medium` throws what it, and the next seat,
can use least. `hard` also holds its melds while that pays: who goes out with all his cards in
one turn is paid double, and nobody can lay off on melds he does not see. `expert`, with few loose
cards left, counts for each throw the cards that would then let it go out.
"""

from random import Random

from games.bots.rummy.holding import holding_pays
from games.bots.rummy.sight import sight
from games.bots.rummy.tabling import Step, fewest_left, step, takes
from games.bots.rummy.throws import racing, ranked
from games.engine.cards import INDEX, NAMES, VALUES, card_set, value
from games.engine.melds import fits, in_melds
from games.engine.rummy import (
    DISCARDS,
    DRAW,
    MELDS,
    TAKE,
    Action,
    Discard,
    LayOff,
    Meld,
    View,
)


def easy(view: View, rng: Random) -> Action:
    """Tables all it can at once, takes only what it can table, throws its highest card."""
    if view.phase == "draw":
        return TAKE if _can_be_tabled(view) else DRAW
    melds = [action for action in view.legal if isinstance(action, Meld)]
    if melds:
        return max(melds, key=lambda meld: value(card_set(meld.cards)))
    if isinstance(view.legal[0], LayOff):
        return view.legal[0]
    throws = [action for action in view.legal if isinstance(action, Discard)]
    return max(throws, key=lambda throw: (VALUES[INDEX[throw.card]], rng.random()))


def _can_be_tabled(view: View) -> bool:
    """Whether the top discard would complete a meld or can be laid off."""
    seen = sight(view)
    if seen.top & in_melds(seen.hand | seen.top):
        return True
    return any(fits(meld) & seen.top for meld in seen.open_melds)


def medium(view: View, rng: Random) -> Action:
    """Tables all it can at once; throws what it and the next seat can use least."""
    return _draw(view) if view.phase == "draw" else _play(view, rng, holds=False)


def hard(view: View, rng: Random) -> Action:
    """As `medium`, but holds its melds until it can go out, or as long as it pays."""
    return _draw(view) if view.phase == "draw" else _play(view, rng, holds=True)


def expert(view: View, rng: Random) -> Action:
    """As `hard`, but throws so that most cards let it go out, once it has few loose ones."""
    return _draw(view) if view.phase == "draw" else _play(view, rng, holds=True, races=True)


def _draw(view: View) -> Action:
    return TAKE if takes(sight(view)) else DRAW


def _play(view: View, rng: Random, holds: bool, races: bool = False) -> Action:
    seen = sight(view)
    loose = fewest_left(seen)
    tabled = None if holds and holding_pays(seen, loose) else step(seen, loose)
    if tabled:
        return _action(tabled)
    throws = ranked(seen, loose, rng)
    if races:
        throws = racing(seen, loose, throws)
    return DISCARDS[throws[0]] if throws else view.legal[0]  # which can only be laid off


def _action(tabled: Step) -> Action:
    cards, index = tabled
    return MELDS[cards] if index is None else LayOff(NAMES[cards.bit_length() - 1], index)
