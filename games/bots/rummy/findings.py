"""What sort of mistake a decision of Basic Rummy was, and how closely a coach looks at one."""

from collections.abc import Iterator

from games.engine.rummy import Action, Discard, LayOff, Meld, TakeDiscard, View

SAMPLES = (48, 96, 768)
"""Deals are played on one by one here, and a match has many decisions."""


def kinds(view: View, played: Action, better: Action) -> Iterator[str]:
    """`not_tabled`, `tabled_too_early`, `wrong_discard`, `card_taken` and their like."""
    tabled, should = (isinstance(action, Meld | LayOff) for action in (played, better))
    if tabled and should:
        yield "wrong_tabling"
    elif should:
        yield "not_tabled"
    elif tabled:
        yield "tabled_too_early"
    elif isinstance(played, Discard):
        yield "wrong_discard"
    else:
        yield "card_taken" if isinstance(played, TakeDiscard) else "card_left"
