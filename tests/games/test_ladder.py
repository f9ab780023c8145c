"""The ladder of a game's levels, its ratings, and the check that notices a broken level."""

import io
import itertools

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from games import ladder
from games.arena import Trial
from games.bots import BOTS, LEVELS, at_random
from games.bots import gin as gin_bots
from games.bots.means import Mean
from games.engine import GAMES
from games.management.commands import arena
from games.services import records
from tests.games.test_arena import told

NOTHING = ({}, {})


def trials_won(*shares):
    return [Trial((share, 0.0), NOTHING, share) for share in shares]


# Ratings


@pytest.mark.parametrize("share", [0.05, 0.5, 0.663, 0.89, 0.998])
def test_ratings_are_as_far_apart_as_the_service_expects_that_share(share):
    better, worse = (
        [records.MODEL.rating(25 + far, records.BOT_SIGMA)] for far in (ladder.apart(share), 0.0)
    )
    expected, _ = records.MODEL.predict_win([better, worse])
    assert expected == pytest.approx(share, abs=0.001)


def test_elo_is_400_points_for_ten_to_one():
    assert ladder.elo_apart(10 / 11) == pytest.approx(400)
    assert ladder.elo_apart(0.5) == 0


def test_easy_keeps_its_rating_and_the_others_stand_by_their_shares():
    shares = [("easy", 0.9), ("medium", 0.6), ("hard", 0.7)]
    low, easy, medium, hard = ladder.climbed(shares, "rating")
    assert easy == 25
    assert easy - low == pytest.approx(ladder.apart(0.9))
    assert hard - medium == pytest.approx(ladder.apart(0.7))
    assert ladder.climbed(shares, "elo")[1] == 0


def test_who_wins_all_is_rated_by_the_lower_end_of_its_interval():
    assert ladder.surest(Mean(1, 0.98, 1, 96)) == 0.98
    assert ladder.surest(Mean(0, 0, 0.02, 96)) == 0.02
    assert ladder.surest(Mean(0.6, 0.5, 0.7, 96)) == 0.6


# The table


def test_a_row_tells_shares_points_and_times():
    step = ladder.Step(
        "hard", "medium", trials_won(1, 1, 0, 1), trials_won(1, 1, 1, 1), [0.001] * 30
    )
    cells = [cell.strip() for cell in ladder.row(step).split("|")[1:-1]]
    assert cells[0] == "`hard`"
    assert cells[1].startswith("75.0 % (")
    assert cells[2].startswith("100.0 % (")
    assert cells[3:] == ["4, 4", "+0.75 ± 0.49", "1.000", "1.000"]


@pytest.mark.parametrize("game", GAMES)
def test_the_command_measures_every_level_against_the_one_below_and_easy(game, monkeypatch):
    few = {level: BOTS[game][level] for level in LEVELS[game][:3]}
    monkeypatch.setitem(BOTS, game, few)
    errors = io.StringIO()
    title, blank, head, _, *rest = told(
        game, "--ladder", "--matches=4", "--jobs=2", "--seed=3", errors=errors
    )
    preset = next(iter(GAMES[game].PRESETS))
    seats = GAMES[game].SEATS[0]
    assert title == f"{game} ({preset}), seats: {seats}, 4 matches in every seat, seed 3"
    assert blank == ""
    assert head.startswith(
        "| level | against the one below | against `easy` | times | points a match"
    )
    levels = [line.split("|")[1].strip().strip("`") for line in rest if line.startswith("| `")]
    assert levels == [*list(few)[1:], *few]
    assert f"{LEVELS[game][1]} against random" in errors.getvalue()


def test_a_level_is_also_measured_against_easy_unless_that_is_the_one_below(monkeypatch):
    monkeypatch.setitem(
        BOTS,
        "gin",
        {"random": at_random, "easy": BOTS["gin"]["easy"], "a": at_random, "b": at_random},
    )
    errors = io.StringIO()
    lines = told("gin", "--ladder", "--deals=30", "--jobs=1", errors=errors)
    contests = [line for line in errors.getvalue().splitlines() if " against " in line]
    assert contests == ["easy against random", "a against easy", "b against a", "b against easy"]
    assert "points a deal over the one below" in lines[2]
    [b] = [line for line in lines if line.startswith("| `b` |") and "%" in line]
    below, standard = (float(cell.split("%")[0]) for cell in b.split("|")[2:4])
    assert 30 < below < 70
    assert standard < 20
    assert b.split("|")[4].strip() == "30, 30"


def test_a_pair_of_levels_ends_when_its_minutes_are_over(monkeypatch):
    clock = itertools.count(0, 25)
    monkeypatch.setattr(arena.time, "monotonic", lambda: next(clock))
    monkeypatch.setitem(BOTS, "gin", {"easy": BOTS["gin"]["easy"], "a": at_random})
    row = told("gin", "--ladder", "--deals=300", "--minutes=5", "--jobs=1")[4]
    times, again = (int(cell) for cell in row.split("|")[4].split(","))
    assert 2 <= times == again < 13


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--ladder"], "name the game only"),
        (["gin", "easy", "random", "--ladder"], "name the game only"),
        (["whist", "--ladder"], "no game called 'whist'"),
        (["gin", "--check"], "of all games: name none"),
        (["gin", "easy"], "Name a game and two levels"),
        ([], "Name a game and two levels"),
        (["gin", "--check", "--ladder"], "not allowed with"),
    ],
)
def test_what_makes_no_ladder_is_refused_in_a_sentence(arguments, said):
    with pytest.raises(CommandError, match=said):
        call_command("arena", *arguments)


# The check


def two(monkeypatch, low, high):
    """Gin alone, and two levels of it."""
    monkeypatch.setattr(ladder, "GAMES", {"gin": GAMES["gin"]})
    monkeypatch.setitem(BOTS, "gin", {"low": low, "high": high})


def test_the_check_sees_that_a_level_is_better_and_stops_when_it_is_sure(monkeypatch):
    two(monkeypatch, at_random, BOTS["gin"]["easy"])
    [line] = told("--check", "--jobs=1")
    assert line.startswith("gin: high is better than low, by +")
    assert line.endswith("(20 times)")


def test_the_check_notices_levels_that_are_swapped(monkeypatch):
    two(monkeypatch, BOTS["gin"]["easy"], at_random)
    out = io.StringIO()
    with pytest.raises(CommandError, match=r"Not better than the level below: high of gin\."):
        call_command("arena", "--check", "--jobs=2", stdout=out)
    assert out.getvalue().startswith("gin: high IS NOT SEEN TO BE BETTER than low, by -")


def test_the_check_notices_a_level_that_is_no_better_than_the_one_below(monkeypatch):
    monkeypatch.setattr(ladder, "MOST", 60)
    two(monkeypatch, at_random, at_random)
    [found] = ladder.checks(jobs=1)
    assert not found.passed
    assert found.count == 60


def test_the_check_takes_another_rival_where_the_level_below_is_close(monkeypatch):
    two(monkeypatch, at_random, BOTS["gin"]["easy"])
    BOTS["gin"]["best"] = BOTS["gin"]["high"]
    monkeypatch.setattr(gin_bots, "RIVALS", {"best": "low"})
    high, best = ladder.checks(jobs=1)
    assert (high.level, high.below, best.level, best.below) == ("high", "low", "best", "low")
    assert best.passed


def test_the_check_plays_the_same_however_many_processes_there_are(monkeypatch):
    two(monkeypatch, at_random, BOTS["gin"]["easy"])
    assert list(ladder.checks(jobs=1)) == list(ladder.checks(jobs=3))


def test_the_check_is_of_every_level_of_every_game():
    pairs = {(game, level) for game in GAMES for level, _ in ladder.steps(game)}
    assert pairs == {(game, level) for game in GAMES for level in LEVELS[game][1:]}
