"""When a round of Pyramid became impossible to clear: exact, by a solver that knows every card."""

from collections.abc import Sequence

from games.bots.findings import Moment, Step
from games.bots.pyramid.levels import clearable
from games.engine.pyramid import View

TAKING_BACK = ("undo",)
SAMPLES = (64, 128, 1024)
"""In the first pass; afterwards all is known."""


def moment(steps: Sequence[Step]) -> Moment:
    """Which decision of a round lost it. What cannot be cleared now cannot be cleared later.

    So the first view that cannot is found by halving. Where the solver reaches its cap the answer
    is `unknown`.
    """
    views = [before for _, before, _, _ in steps] + [steps[-1][3]]
    if is_cleared(views[-1]):
        return Moment("cleared", None, None, 0)
    solver = Solver()
    at_the_end = solver.verdict(views[-1])
    if at_the_end is not False:
        return Moment("unknown" if at_the_end is None else "open", None, None, solver.nodes)
    low, high = 0, len(views) - 1  # the first that cannot lies here
    while low < high:
        middle = (low + high) // 2
        if solver.verdict(views[middle]) is False:
            high = middle
        else:
            low = middle + 1
    if high == 0:
        return Moment("never", None, None, solver.nodes)
    if solver.verdict(views[high - 1]) is None:
        return Moment("unknown", None, None, solver.nodes)
    version, _, played, _ = steps[high - 1]
    return Moment("lost", version, played, solver.nodes)


class Solver:
    """Verdicts, and how many positions were looked at for them."""

    def __init__(self) -> None:
        self.nodes = 0

    def verdict(self, view: View) -> bool | None:
        if view.turn is None:
            return is_cleared(view)
        found = clearable(view)
        self.nodes += found.nodes
        return found.clearable


def is_cleared(view: View) -> bool:
    return bool(view.pyramid) and not any(view.pyramid)
