"""Bots against bots on the same decks from every seat, and the command that tells the result."""

import io
import os
import signal
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import psutil
import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from msgspec.structs import replace

from games.arena import Contest, share, trial, trials
from games.bots import BOTS, LEVELS, at_random
from games.bots.means import Mean, mean
from games.engine import GAMES
from games.management.commands import arena

ROOT = Path(__file__).resolve().parents[2]
GIN, RUMMY, PYRAMID = (GAMES[name].Options() for name in ("gin", "rummy", "pyramid"))
EASY = BOTS["gin"]["easy"]
MATCHES_OF_GIN = Contest("gin", GIN, (EASY, at_random), seats=2, matches=True)


def without_times(found):
    return [replace(one, seconds=((), ())) for one in found]


# What is played


@pytest.mark.parametrize("matches", [False, True])
@pytest.mark.parametrize(
    ("game", "level", "seats"),
    [(game, LEVELS[game][1], seats) for game in GAMES for seats in GAMES[game].SEATS],
)
def test_a_bot_against_itself_comes_to_exactly_nothing(game, level, seats, matches):
    bot, options = BOTS[game][level], GAMES[game].Options()
    for found in trials(Contest(game, options, (bot, bot), seats, matches), 3, jobs=1):
        assert found.points[0] == pytest.approx(found.points[1])
        assert found.won == pytest.approx(1 / max(seats, 2))


def test_the_same_seed_plays_the_same_and_another_plays_otherwise():
    once, again = (without_times(trials(MATCHES_OF_GIN, 3, jobs=1)) for _ in range(2))
    other = without_times(trials(replace(MATCHES_OF_GIN, seed=2), 3, jobs=1))
    assert once == again
    assert once != other
    assert once[0] != once[1]


def test_many_processes_find_what_one_does_and_in_its_order():
    one, three = (without_times(trials(MATCHES_OF_GIN, 7, jobs=jobs)) for jobs in (1, 3))
    assert one == three


class Spy:
    """Two bots unlike each other that note the cards they are dealt: by deal and seat."""

    def __init__(self):
        self.dealt = defaultdict(dict)

    def bots(self):
        return self.bot("first", at_random), self.bot("second", lambda view, rng: view.legal[0])

    def bot(self, name, play):
        def noted(view, rng):
            self.dealt[name].setdefault((view.deal, view.seat), view.hand)
            return play(view, rng)

        return noted


def test_the_first_bot_sits_in_every_seat_once_and_the_cards_stay_where_they_are():
    spy = Spy()
    trial(Contest("rummy", RUMMY, spy.bots(), seats=3), 0)
    first, second = spy.dealt["first"], spy.dealt["second"]
    assert {seat for _, seat in first} == {seat for _, seat in second} == {0, 1, 2}
    # Its hand when it is first asked holds no card drawn: the cards it was dealt.
    assert first == second
    assert len(set(first.values())) == 3


def test_deals_are_the_first_of_a_match_and_matches_have_the_same_decks_deal_by_deal():
    spy = Spy()
    options = replace(GIN, max_deals=3)
    trial(Contest("gin", options, spy.bots(), seats=2), 0)
    assert {deal for deal, _ in spy.dealt["first"]} == {1}
    trial(Contest("gin", options, spy.bots(), seats=2, matches=True), 0)
    assert {deal for deal, _ in spy.dealt["first"]} == {1, 2, 3}
    assert spy.dealt["first"] == spy.dealt["second"]
    assert len(set(spy.dealt["first"].values())) == 6


def test_a_restock_does_not_end_a_deal():
    def never_melds(view, rng):
        return view.legal[0] if view.phase == "draw" else view.legal[-1]

    for options, matches, stalemates in ((RUMMY, False, 1), (replace(RUMMY, max_deals=3), True, 3)):
        contest = Contest("rummy", options, (never_melds, never_melds), 2, matches)
        assert trial(contest, 0).counts[0]["stalemates"] == stalemates


def test_a_game_for_one_is_played_by_each_alone_on_the_same_deck():
    seen = defaultdict(list)

    def one(view, rng):
        seen["one"].append(view.pyramid)
        return view.legal[0]

    def other(view, rng):
        seen["other"].append(view.pyramid)
        return view.legal[-1]

    found = trial(Contest("pyramid", PYRAMID, (one, other), seats=1), 0)
    assert seen["one"][0] == seen["other"][0]
    assert found.points[0] > found.points[1]
    assert found.won == 1
    assert found.counts[0]["removed"] > found.counts[1]["removed"]
    assert [len(seconds) for seconds in found.seconds] == [len(seen["one"]), len(seen["other"])]


def test_points_are_those_of_the_first_over_the_mean_of_the_others():
    contest = Contest("rummy", RUMMY, (BOTS["rummy"]["easy"], at_random), seats=4)
    found = list(trials(contest, 10, jobs=1))
    deals = sum(one.counts[0].get("deals_won", 0) for one in found)
    others = sum(one.counts[1].get("deals_won", 0) for one in found)
    stalemates = sum(one.counts[0].get("stalemates", 0) for one in found)
    assert deals + 3 * others + stalemates == pytest.approx(10)
    assert sum(one.points[0] for one in found) > sum(one.points[1] for one in found)


def test_a_bot_that_answers_nonsense_ends_the_measurement():
    contest = Contest("gin", GIN, (lambda view, rng: "pass", at_random), seats=2)
    with pytest.raises(ValueError, match="answered pass, which is not legal"):
        trial(contest, 0)


# What it comes to


def test_an_interval_is_that_of_the_mean():
    found = mean([1.0, 2.0, 3.0, 4.0])
    assert found.mean == 2.5
    assert found.half == pytest.approx(1.96 * (5 / 3) ** 0.5 / 2)
    assert (found.low + found.high) / 2 == pytest.approx(2.5)


def test_the_interval_of_a_share_is_never_empty_and_never_beyond_all():
    found = share([1.0] * 96)
    assert (found.mean, found.high) == (1, 1)
    assert found.low == pytest.approx(0.98 - 1.96 * (98 * 2 / 99) ** 0.5 / 100, abs=1e-4)
    assert share([0.0] * 96) == Mean(0, 0, pytest.approx(1 - found.low), 96)


# The command


def told(*arguments, errors=None):
    out = io.StringIO()
    call_command("arena", *arguments, stdout=out, stderr=errors or io.StringIO())
    return out.getvalue().splitlines()


def test_the_last_line_is_the_result_and_the_one_before_the_time_of_a_decision():
    *table, pace, last = told("gin", "easy", "random", "--deals=20", "--jobs=1", "--seed=7")
    assert table[0] == "| a deal | easy | random | difference |"
    assert table[2].startswith("| points | ")
    assert any(line.startswith("| knocks | ") for line in table)
    assert pace.startswith("A decision takes on average: easy 0.")
    start, _, rest = last.partition(" +")
    assert start == "gin (arcade), seats: 2: easy over random"
    points, _, half = rest.partition(" points a deal (95 %")[0].partition(" ± ")
    assert 30 < float(points) < 70
    assert 0 < float(half) < 20
    assert rest.endswith("20 times the same cards from every seat, seed 7)")


def test_matches_tell_the_share_won_and_the_points():
    last = told("rummy", "easy", "random", "--matches=6", "--seats=3", "--preset=strict")[-1]
    assert last.startswith("rummy (strict), seats: 3: easy wins 100.0 % (")
    assert " to 100.0) of matches against random, +" in last
    assert " points a match (even would be 33.3 %; 95 %, 6 times" in last


def test_matches_for_one_tell_how_often_the_first_scores_more():
    last = told("pyramid", "easy", "random", "--matches=20", "--jobs=1")[-1]
    start, _, rest = last.partition(" % (")
    assert start.startswith("pyramid (standard), seats: 1: easy scores more in ")
    assert float(start.rpartition(" ")[2]) > 50
    assert " of matches against random, +" in rest


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["whist", "easy", "easy"], "There is no game called 'whist'; there are: gin, rummy"),
        (["gin", "easy", "god"], "no bot for gin, and no program, called 'god'; there are: random"),
        (["gin", "easy", "easy", "--preset=x"], "no preset of gin called 'x'; there are: arcade"),
        (["gin", "easy", "easy", "--seats=3"], "Gin Rummy is for 2, not for 3."),
        (["rummy", "easy", "easy", "--seats=5"], "Basic Rummy is for 2 to 4, not for 5."),
        (["gin", "easy", "easy", "--deals=1"], "'1' is not a number of 2 or more"),
        (["gin", "easy", "easy", "--jobs=0"], "'0' is not a number of 1 or more"),
        (["gin", "easy", "easy", "--deals=9", "--matches=9"], "not allowed with"),
    ],
)
def test_what_cannot_be_measured_is_refused_in_a_sentence(arguments, told):
    with pytest.raises(CommandError, match=told):
        call_command("arena", *arguments)


def test_progress_is_a_line_for_each_tenth():
    errors = io.StringIO()
    told("gin", "random", "random", "--deals=25", "--jobs=1", errors=errors)
    lines = errors.getvalue().splitlines()
    assert [line.partition(",")[0] for line in lines[:3]] == ["3 of 25", "5 of 25", "8 of 25"]
    assert len(lines) == 10


def test_on_a_terminal_it_is_a_bar():
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    errors = Terminal()
    told("gin", "random", "random", "--deals=25", "--jobs=1", errors=errors)
    *_, last = errors.getvalue().split("\r")
    assert last == "█" * 30 + " 25 of 25, 0 s left   \n"


def test_only_the_first_decisions_are_kept_for_their_times(monkeypatch):
    monkeypatch.setattr(arena, "TIMES_KEPT", 3)
    kept = []
    monkeypatch.setattr(arena, "pace", lambda levels, times: kept.extend(times) or ["pace"])
    told("gin", "random", "random", "--deals=5", "--jobs=1")
    assert [len(times) for times in kept] == [3, 3]


def started(tmp_path, *arguments):
    """The command where there is no service: no database, and no data folder."""
    environment = {"PATH": os.environ["PATH"], "DATA_DIR": str(tmp_path / "none")}
    return subprocess.Popen(
        [sys.executable, "manage.py", "arena", *arguments],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def test_it_needs_no_database(tmp_path):
    process = started(tmp_path, "gin", "random", "random", "--deals=4", "--jobs=2")
    out, errors = process.communicate()
    assert process.returncode == 0, errors
    assert out.splitlines()[-1].startswith("gin (arcade), seats: 2: random over random +0.00 ± 0")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("jobs", "number"), [(1, "SIGINT"), (2, "SIGINT"), (2, "SIGTERM")])
def test_an_interrupt_ends_it_with_what_it_has(tmp_path, jobs, number):
    """Ctrl-C goes to every process of the terminal, `timeout` tells the first one only."""
    process = started(tmp_path, "gin", "easy", "random", "--deals=10000", f"--jobs={jobs}")
    assert process.stderr.readline().startswith("1,000 of 10,000")
    workers = psutil.Process(process.pid).children()
    send = os.killpg if number == "SIGINT" else os.kill
    send(process.pid, signal.Signals[number])
    out, errors = process.communicate(timeout=30)
    assert process.returncode == 130, errors
    assert "Traceback" not in errors
    stopped = errors.splitlines()[-1]
    assert stopped.startswith("Stopped after ")
    assert len(workers) == (0 if jobs == 1 else jobs)
    count = f"{int(stopped.split()[2]):,}"
    assert f"(95 %, {count} times the same cards" in out.splitlines()[-1]
    assert [worker for worker in workers if worker.is_running()] == []
