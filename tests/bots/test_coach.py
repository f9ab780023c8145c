"""What the coach says: from a seat's knowledge, and only what holds when looked at again."""

from itertools import islice
from random import Random

import pytest
from msgspec.structs import replace

from games import bots, coach
from games.bots import findings
from games.bots.pyramid import clearable
from games.bots.pyramid.findings import moment
from games.engine import GAMES, gin, log, pyramid, rummy
from games.engine.cards import NAMES
from games.engine.game import parse
from games.engine.shuffle import public_secret, shuffle
from tests.bots.test_gin_advice import in_another_world
from tests.engine import decks, pyramid_decks


def decided(game, options, levels, seed):
    """Every decision of a match of bots: the position before, and the entry."""
    rules, rng = GAMES[game], Random(seed)
    position = log.opened(len(levels))
    joined = [log.Joined(seat, bot=level, entropy="") for seat, level in enumerate(levels)]
    entries = [log.Entry(log.TABLE, each) for each in (*joined, log.Started(""))]
    while True:
        for entry, after in log.follow(rules, options, position, entries, bytes([seed] * 32)):
            if entry.seat >= 0:
                yield position, entry
            position = after
        if position.turn is None:
            return
        view = rules.view(position.state, position.turn)
        action = bots.choose(game, view, position.seats[position.turn].bot, rng)
        entries = [log.Entry(position.turn, action)]


def looked_at_again(game, levels, options, seed):
    """Of each flagged mistake, its loss in many more guesses that nobody has seen."""
    rules = GAMES[game]
    for before, entry in decided(game, options, levels, seed):
        found = coach.judge(game, rules, before, entry, f"{seed} {before.version}")
        if found is None or not found.mistake:
            continue
        seen = rules.view(before.state, entry.seat)
        better, rng = parse(rules, found.better), Random(f"again {before.version}")
        yield coach.fresh(game, seen, entry.action, better, rng, 1024)[0]


@pytest.mark.parametrize(
    ("game", "levels", "options", "count"),
    [
        ("gin", ("easy", "random"), gin.Options(max_deals=3), 20),
        ("rummy", ("medium", "random"), rummy.Options(max_deals=1), 3),
        ("pyramid", ("easy",), pyramid.Options(), 1),
    ],
)
def test_what_is_called_a_mistake_is_one_when_looked_at_again(game, levels, options, count):
    losses = list(islice(looked_at_again(game, levels, options, 3), count))

    assert len(losses) == count
    assert sum(loss.points > 0 for loss in losses) >= 0.95 * len(losses)


def test_nothing_that_the_seat_did_not_know_changes_what_is_said():
    judged, rules = 0, GAMES["gin"]
    for before, entry in decided("gin", gin.Options(max_deals=1), ("random", "random"), 5):
        other = replace(before, state=in_another_world(before.state, before.version))
        assert other.state != before.state
        told = [coach.judge("gin", rules, each, entry, "seed") for each in (before, other)]
        assert told[0] == told[1]
        judged += told[0] is not None and told[0].better is not None
        if judged >= 3:
            return
    raise AssertionError("too few decisions were looked at")


def test_without_a_choice_there_is_nothing_to_judge():
    state = replace(decks.dealt(gin.Options(opening="offer")), phase="first_draw", turn=0, dealer=1)
    before = log.Position(seats=(log.Seat(bot="easy"),) * 2, version=7, state=state)

    assert coach.judge("gin", GAMES["gin"], before, log.Entry(0, gin.DRAW), "seed") is None


# Sums


def decision(seat, points, half=0.0, deal=1, mistake=False, version=1, kinds=()):
    loss = coach.Estimate(points, points - half, points + half, 100)
    return coach.Decision(
        version, seat, deal, None, {}, "", {}, "", loss, mistake, kinds, "because"
    )


def test_skill_is_what_the_others_lost_more_and_luck_the_rest():
    decisions = [decision(0, 4, 1.0), decision(1, 10, 2.0), decision(2, 6, 2.0), decision(0, 1)]
    own, *others = coach.found(3, decisions, [], {1: (30, 0, 0), 2: (0, 12, 0)}).seats

    assert own.result.margin == 24  # 30, less the half of 12
    assert own.result.skill.points == (10 + 6) / 2 - 5
    assert own.result.luck.points == 24 - 3
    half = (own.result.skill.high - own.result.skill.low) / 2
    assert half == pytest.approx((1 + (2**2 + 2**2) / 4) ** 0.5, abs=0.01)
    assert own.result.words.startswith("24 points ahead: +3.0 (95 %: +1.3 to +4.7)")
    assert sum(one.result.skill.points for one in (own, *others)) == pytest.approx(0)
    assert sum(one.result.margin for one in (own, *others)) == pytest.approx(0)


def test_a_deal_that_was_cut_off_counts_for_losses_and_not_for_the_split():
    decisions = [decision(0, 4), decision(0, 9, deal=2)]
    own, _ = coach.found(2, decisions, [], {1: (0, 0)}).seats

    assert own.loss.points == 13
    assert own.result.skill.points == -4


def test_the_worst_three_are_named_and_kinds_counted():
    losses = [2, 9, 5, 7]
    decisions = [
        decision(0, loss, mistake=True, version=loss, kinds=("knock_missed",)) for loss in losses
    ]
    decisions.append(decision(0, 20, version=20))  # not for sure
    own, other = coach.found(2, decisions, [], {}).seats

    assert (own.worst, own.mistakes, own.decisions) == ((9, 7, 5), 4, 5)
    assert own.kinds == {"knock_missed": 4}
    assert (other.worst, other.mistakes, other.result) == ((), 0, None)


# What sort of mistake


HAND = "AC 2C 3C 7D 7H 7S TH JH QH 5S"


@pytest.mark.parametrize(
    ("drawn", "played", "better", "kind"),
    [
        ("KH", gin.Discard("KH"), gin.Knock("5S"), "gin_missed"),
        ("KC", gin.Discard("KC"), gin.Knock("KC"), "knock_missed"),
        ("KC", gin.Knock("KC"), gin.Discard("KC"), "knock_too_early"),
        ("KC", gin.Discard("TH"), gin.Discard("KC"), "wrong_discard"),
        ("6S", gin.Discard("5S"), gin.Discard("6S"), None),
    ],
)
def test_mistakes_of_gin_are_told_apart(drawn, played, better, kind):
    state = decks.dealt(first=HAND, stock=f"{drawn} JS")
    seen = gin.view(gin.apply(state, gin.DRAW), state.turn)
    told = findings.kinds("gin", seen, played, better)

    assert told == ((kind,) if kind else told)
    assert len(told) == 1


# Until when a pyramid could be cleared


def round_of(number, choose):
    """The decisions of a deal by number, and the state after the last."""
    cards = shuffle(public_secret(number), (), 0, NAMES)
    state = pyramid.apply(pyramid.new(pyramid.Options(), 1), pyramid.Deal(cards))
    steps = []
    while state.turn == 0 and pyramid.NEXT_ROUND not in pyramid.legal_actions(state):
        action = choose(state)
        if action is None:
            break
        after = pyramid.apply(state, action)
        steps.append((len(steps) + 2, pyramid.revealed(state), action, pyramid.revealed(after)))
        state = after
    return steps


def greedy(state):
    return bots.choose("pyramid", pyramid.view(state, 0), "easy", Random(1))


def test_the_move_that_lost_a_round_is_found_exactly():
    lost = 0
    for number in range(1, 40):
        steps = round_of(number, greedy)
        found = moment(steps)
        verdicts = [clearable(before).clearable for _, before, _, _ in steps]
        if found.outcome == "lost":
            lost += 1
            index = next(i for i, step in enumerate(steps) if step[0] == found.version)
            assert steps[index][2] == found.played
            assert verdicts[: index + 1] == [True] * (index + 1)
            assert True not in verdicts[index + 1 :]
        elif found.outcome == "never":
            assert verdicts[0] is False
    assert lost >= 5


def test_a_round_that_was_cleared_left_or_hopeless_is_told_so():
    line = iter(clearable(round_of(8, greedy)[0][1]).line)
    assert moment(round_of(8, lambda state: next(line, None))).outcome == "cleared"
    assert moment(round_of(8, greedy)[:1]).outcome in ("open", "lost")

    state = pyramid_decks.amid(places="AC", draw="2D 3D")
    after = pyramid.apply(state, pyramid.DRAW)
    steps = [(4, pyramid.revealed(state), pyramid.DRAW, pyramid.revealed(after))]
    assert moment(steps).outcome == "never"


def test_a_moment_is_told_in_words():
    states = [pyramid_decks.amid(places="AC", draw="QD 3D", redeals=2)]
    for action in (pyramid.DRAW, pyramid.DRAW):
        states.append(pyramid.apply(states[-1], action))
    steps = [
        (version, states[at], pyramid.DRAW, states[at + 1]) for at, version in enumerate((7, 8))
    ]
    told = coach.moment("pyramid", GAMES["pyramid"], 1, steps)

    assert (told.outcome, told.version, told.deal) == ("lost", 8, 1)
    assert told.words == "It could be cleared until this: puts the draw card on the waste."
