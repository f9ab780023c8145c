"""What decisions were worth, by roll-outs from what their seat knew, and what they add up to.

Pure. What was better is picked by one sample, and what it is better by is told by a fresh one:
picked and told by the same, the luckiest would look best. So no number here is of the sample by
which its action was chosen.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, Final, Literal

from msgspec import Struct

from games.bots import advice, findings
from games.bots.means import Mean, Z, mean
from games.engine import log
from games.engine.game import Game

SCREENED: Final = 128
"""Guessed deals by which the best action is picked."""
FEWEST: Final = 256
MOST: Final = 2048
"""Fresh ones by which what was played is compared with it: more, the closer the first sample."""
FLAGGED: Final = 3.0
"""What was played is a mistake where its loss lies so many standard errors above zero."""
WORST: Final = 3


class Estimate(Struct, frozen=True):
    """Expected points by so many samples, and between which bounds they lie with 95 %."""

    points: float
    low: float
    high: float
    samples: int


class Decision(Struct, frozen=True):
    """What a seat did at a version (the one before its move), and what it lost by that.

    `bot`: the level that played there then. `better` is null where the first sample held nothing
    better by more than its own error: the loss is 0 then, and the samples are its.
    `kinds`: what sort of mistake it is.
    """

    version: int
    seat: int
    deal: int
    bot: str | None
    played: Any
    words: str
    better: Any
    better_words: str | None
    loss: Estimate
    mistake: bool
    kinds: tuple[str, ...]
    reason: str | None


class Split(Struct, frozen=True):
    """A seat's margin over so many deals, and what of it is skill and what luck."""

    deals: int
    margin: float
    skill: Estimate
    luck: Estimate
    words: str


class Report(Struct, frozen=True):
    """A seat's decisions together. `worst`: versions of its worst mistakes, the worst first.

    `kinds`: how many mistakes there are of each sort. `result`: null where one plays alone.
    """

    seat: int
    decisions: int
    mistakes: int
    loss: Estimate
    kinds: dict[str, int]
    worst: tuple[int, ...]
    result: Split | None


class Moment(Struct, frozen=True):
    """Whether a deal could be cleared, by a solver that knows every card, and until when.

    `version`: the last at which it could, where `played` lost it. `before`: it could not from where
    this match went on with it; `never`: not as it was dealt. `positions`: so many were looked at;
    there is nothing to guess.
    """

    deal: int
    outcome: Literal["cleared", "never", "before", "lost", "open", "unknown"]
    version: int | None
    played: Any
    words: str
    positions: int


class Findings(Struct, frozen=True):
    """All that is told of a match."""

    seats: tuple[Report, ...]
    decisions: tuple[Decision, ...]
    moments: tuple[Moment, ...]


def can_coach(game: str) -> bool:
    """Whether there is anybody who could judge how that game was played."""
    return advice.advice_of(game) is not None or findings.can_tell_moments(game)


def judge(
    game: str, rules: Game, before: log.Position, entry: log.Entry, seed: str
) -> Decision | None:
    """What the seat lost by this entry, from its view of the position before; for a seed the same.

    None where there was nothing to decide, or nobody can judge it.
    """
    seen = rules.view(before.state, entry.seat)
    if len(seen.legal) < 2 or advice.advice_of(game) is None:
        return None
    better, loss, mistake = compared(game, seen, entry.action, seed)
    return Decision(
        version=before.version,
        seat=entry.seat,
        deal=before.state.deal,
        bot=before.seats[entry.seat].bot,
        played=log.plain(entry.action),
        words=rules.words(entry.action, None),
        better=log.plain(better),
        better_words=None if better is None else rules.words(better, None),
        loss=loss,
        mistake=mistake,
        kinds=findings.kinds(game, seen, entry.action, better) if mistake else (),
        reason=advice.advice_of(game).reason(seen, better, entry.action) if mistake else None,
    )


class Doubt(Struct, frozen=True):
    """A first sample's opinion: what was better, or None; of how many guesses; how many to come."""

    better: Any
    samples: int
    wanted: int = 0


def compared(game: str, seen: Any, played: Any, seed: str) -> tuple[Any, Estimate, bool]:
    """The action that a first sample holds best, by how much by a fresh one, and if for sure.

    None where that is what was played, or where it comes to about as much.
    """
    doubt = picked(game, seen, played, Random(f"{seed} pick"))
    if doubt.better is None:
        return None, Estimate(0, 0, 0, doubt.samples), False
    rng = Random(f"{seed} judge")
    return doubt.better, *fresh(game, seen, played, doubt.better, rng, doubt.wanted)


def picked(game: str, seen: Any, played: Any, rng: Random) -> Doubt:
    """What a sample holds best by more than its standard error, and how many would make sure."""
    found = advice.advice_of(game).candidates(seen, rng)
    actions = found if played in found else (*found, played)
    if len(actions) == 1:
        return Doubt(None, 0)
    first, fewest, most = findings.samples(game, (SCREENED, FEWEST, MOST))
    rolled = advice.rolled(game, seen, rng, first, actions)
    assert rolled is not None
    count = len(rolled.points)
    loss = advice.loss(rolled, played)
    if loss.mean <= loss.error:
        return Doubt(None, count)
    better = actions[int(rolled.weighed.mean(axis=0).argmax())]
    sure = (FLAGGED + 1) * loss.error / loss.mean
    return Doubt(better, count, min(most, max(fewest, round(count * sure**2))))


def fresh(
    game: str, seen: Any, played: Any, better: Any, rng: Random, samples: int
) -> tuple[Estimate, bool]:
    """How many points less the one comes to than the other in deals guessed for that alone.

    And whether that is a mistake for sure: in points, and in what they count at this score.
    """
    rolled = advice.rolled(game, seen, rng, samples, (better, played))
    assert rolled is not None
    loss = as_estimate(mean(rolled.points[:, 0] - rolled.points[:, 1]))
    weighed = as_estimate(advice.loss(rolled, played, better))
    return loss, is_sure(loss) and is_sure(weighed)


def as_estimate(found: Mean) -> Estimate:
    return estimate(found.mean, found.error**2, found.samples)


def is_sure(loss: Estimate) -> bool:
    """Whether it lies above zero for so sure that it is called a mistake."""
    return loss.points - FLAGGED * spread(loss) ** 0.5 > 0


def moment(
    game: str, rules: Any, deal: int, steps: Sequence[findings.Step], whole: bool = True
) -> Moment:
    """Until when a deal could be cleared: `steps` with the game's states.

    Not `whole`: it was begun before them, in another match or before it was shuffled anew.
    """
    seen = [(v, rules.revealed(a), act, rules.revealed(b)) for v, a, act, b in steps]
    found = findings.moment(game, seen)
    played = None if found.played is None else rules.words(found.played, None)
    outcome = "before" if found.outcome == "never" and not whole else found.outcome
    words = OUTCOMES[outcome].format(played=played)
    plain = log.plain(found.played)
    return Moment(deal, outcome, found.version, plain, words, found.nodes)


OUTCOMES: Final = {
    "cleared": "It was cleared.",
    "never": "It could not be cleared, whatever was done.",
    "before": "What was left of it when it was taken up again could not be cleared.",
    "lost": "It could be cleared until this: {played}.",
    "open": "It could still be cleared when the match ended.",
    "unknown": "The solver could not tell until when it could be cleared.",
}


def found(
    seats: int,
    decisions: Sequence[Decision],
    moments: Sequence[Moment],
    points: Mapping[int, Sequence[int]],
) -> Findings:
    """All of it. `points`: of each deal that was played out, by seat."""
    scored = [one for one in decisions if one.deal in points]
    lost = [total(one for one in scored if one.seat == seat) for seat in range(seats)]
    reports = (report(seat, decisions, lost, points) for seat in range(seats))
    return Findings(tuple(reports), tuple(decisions), tuple(moments))


def report(
    seat: int,
    decisions: Sequence[Decision],
    lost: Sequence[Estimate],
    points: Mapping[int, Sequence[int]],
) -> Report:
    own = [one for one in decisions if one.seat == seat]
    mistakes = sorted((one for one in own if one.mistake), key=lambda one: -one.loss.points)
    kinds = Counter(kind for one in mistakes for kind in one.kinds)
    return Report(
        seat=seat,
        decisions=len(own),
        mistakes=len(mistakes),
        loss=total(own),
        kinds=dict(sorted(kinds.items())),
        worst=tuple(one.version for one in mistakes[:WORST]),
        result=split(seat, lost, points) if len(lost) > 1 and points else None,
    )


def split(seat: int, lost: Sequence[Estimate], points: Mapping[int, Sequence[int]]) -> Split:
    """What of a seat's margin in the deals that were played out is skill, and what luck.

    Skill is by how much the others have lost more by their decisions, on average, than the seat
    by its own; luck is all the rest: who dealt, and what was dealt and drawn.
    """
    margin = sum(before_others(dealt, seat) for dealt in points.values())
    losses = [loss.points for loss in lost]
    variance = (
        spread(lost[seat])
        + sum(spread(loss) for other, loss in enumerate(lost) if other != seat)
        / (len(lost) - 1) ** 2
    )
    samples = sum(loss.samples for loss in lost)
    skill = estimate(-before_others(losses, seat), variance, samples)
    luck = estimate(margin + before_others(losses, seat), variance, samples)
    return Split(len(points), round(margin, 2), skill, luck, split_words(margin, skill, luck))


def before_others(values: Sequence[float], seat: int) -> float:
    """By how much a seat's value is above the mean of the others'."""
    others = [value for other, value in enumerate(values) if other != seat]
    return values[seat] - sum(others) / len(others)


def split_words(margin: float, skill: Estimate, luck: Estimate) -> str:
    ahead = "ahead" if margin >= 0 else "behind"
    return (
        f"{abs(margin):g} points {ahead}: {told(skill)} by the decisions of both sides, "
        f"{told(luck)} by the cards."
    )


def told(value: Estimate) -> str:
    return f"{value.points:+.1f} (95 %: {value.low:+.1f} to {value.high:+.1f})"


def total(decisions: Iterable[Decision]) -> Estimate:
    """The sum of losses: the samples of each were drawn apart, so that variances add up."""
    found = [one.loss for one in decisions]
    points, variance = sum(loss.points for loss in found), sum(map(spread, found))
    return estimate(points, variance, sum(loss.samples for loss in found))


def spread(value: Estimate) -> float:
    """The variance of an estimate, by the width of its interval."""
    return ((value.high - value.low) / 2 / Z) ** 2


def estimate(points: float, variance: float, samples: int) -> Estimate:
    wide = Z * float(variance) ** 0.5
    low, high = points - wide, points + wide
    return Estimate(round(points, 2), round(low, 2), round(high, 2), samples)
