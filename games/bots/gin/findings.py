"""What sort of mistake a decision of Gin Rummy was, by what its seat knew."""

from collections.abc import Iterator

from games.bots.gin.sight import sight, ways
from games.engine.cards import INDEX, card_set
from games.engine.gin import BIG_GIN, FINISH, TAKE, Action, Discard, Knock, View
from games.engine.melds import deadwood


def kinds(view: View, played: Action, better: Action) -> Iterator[str]:
    """`gin_missed`, `knock_missed`, `knock_too_early`, `dangerous_discard` and their like."""
    if is_gin(view, better) and not is_gin(view, played):
        yield "gin_missed"
    elif ends(better) and not ends(played):
        yield "knock_missed"
    elif ends(played) and not ends(better):
        yield "knock_too_early"
    elif isinstance(played, Discard) and isinstance(better, Discard):
        yield "dangerous_discard" if is_dangerous(view, played, better) else "wrong_discard"
    elif TAKE in (played, better):
        yield "card_taken" if played == TAKE else "card_left"
    elif played == FINISH:
        yield "layoff_missed"


def ends(action: Action) -> bool:
    return isinstance(action, Knock) or action == BIG_GIN


def is_gin(view: View, action: Action) -> bool:
    return action == BIG_GIN or (isinstance(action, Knock) and left(view, action.card) == 0)


def is_dangerous(view: View, played: Discard, better: Discard) -> bool:
    """Whether it gives the other seat more, and is no worse for the own hand."""
    gives_more = use(view, played.card) > use(view, better.card)
    return gives_more and left(view, played.card) <= left(view, better.card)


def use(view: View, card: str) -> tuple[int, int]:
    """How many melds the other may make with a card: of cards he is known to hold, and of any."""
    seen = sight(view)
    return ways(INDEX[card], seen.known), ways(INDEX[card], seen.known | seen.hidden)


def left(view: View, card: str) -> int:
    """The deadwood of the own hand without a card."""
    return deadwood(card_set(view.hand or ()) & ~(1 << INDEX[card]))
