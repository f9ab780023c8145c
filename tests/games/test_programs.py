"""Outside programs in the arena: what they are sent, and what is told of those that fail."""

import ast
import json
import os
import sys
from pathlib import Path
from random import Random

import psutil
import pytest

from games import programs
from games.arena import Contest, trials
from games.bots import BOTS
from games.engine import GAMES, gin
from games.programs import Foul, Program, is_program
from tests.engine.decks import dealt
from tests.games.test_arena import told

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = f"{sys.executable} {ROOT / 'docs' / 'bot.py'}"
VIEW = gin.view(dealt(), 0)


@pytest.fixture(autouse=True)
def _nothing_stays():
    yield
    programs.stop_all()


def program(tmp_path, body, seconds=30.0):
    """A program of gin that does this with each `line` it reads."""
    script = tmp_path / "bot.py"
    script.write_text(
        "import json, os, sys, time\n"
        "say = lambda text: print(text, flush=True)\n"
        f"for line in sys.stdin:\n    {body}\n"
    )
    return Program("gin", f"{sys.executable} {script}", seconds)


def foul(tmp_path, body, seconds=30.0):
    with pytest.raises(Foul) as caught:
        program(tmp_path, body, seconds)(VIEW, Random(1))
    return str(caught.value).splitlines()


# What works


@pytest.mark.parametrize("game", GAMES)
def test_the_example_plays_any_game_legally(game):
    rules = GAMES[game]
    for preset in rules.PRESETS.values():
        for seats in rules.SEATS:
            bots = Program(game, EXAMPLE, 30), BOTS[game]["easy"]
            found = list(trials(Contest(game, preset, bots, seats), 2, jobs=1))
            assert len(found) == 2


def test_the_example_is_short_and_needs_only_the_standard_library():
    text = (ROOT / "docs" / "bot.py").read_text()
    assert len(text.splitlines()) <= 30
    imports = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import)]
    assert {name.name for node in imports for name in node.names} <= sys.stdlib_module_names
    assert os.access(ROOT / "docs" / "bot.py", os.X_OK)


def test_it_is_sent_the_view_and_answers_an_action(tmp_path):
    bot = program(tmp_path, f"open({str(tmp_path / 'sent')!r}, 'w').write(line); "
                            "say(json.dumps(json.loads(line)['legal'][1]))")  # fmt: skip
    assert bot(VIEW, Random(1)) == gin.TAKE
    sent = json.loads((tmp_path / "sent").read_text())
    assert sent["hand"] == list(VIEW.hand)
    assert sent["legal"] == [{"type": "draw_stock"}, {"type": "take_discard"}]


def test_it_is_started_once_and_asked_many_times(tmp_path):
    note = tmp_path / "started"
    bot = program(
        tmp_path, f"open({str(note)!r}, 'a').write(f'{{os.getpid()}} '); "
                  "say(json.dumps(json.loads(line)['legal'][0]))")  # fmt: skip
    for _ in range(5):
        assert bot(VIEW, Random(1)) == gin.DRAW
    pids = note.read_text().split()
    assert len(pids) == 5
    assert len(set(pids)) == 1


def test_a_view_longer_than_a_pipe_holds_gets_through(tmp_path):
    bot = program(tmp_path, "say(json.dumps({'type': 'draw_stock', 'n': len(line)}))")
    long = b"[" + b" " * 300_000 + b"]\n"
    answer = programs._exchange(programs._started(bot.command), long, 30)
    assert json.loads(answer)["n"] == len(long)


def test_the_command_measures_it_against_a_level_on_several_processes():
    last = told("gin", "random", EXAMPLE, "--deals=20", "--jobs=2")[-1]
    assert last.startswith(f"gin (arcade), seats: 2: random over {EXAMPLE} -")
    pace = told("gin", EXAMPLE, "random", "--deals=4", "--jobs=1")[-2]
    assert pace.startswith("A decision takes on average: ")
    assert programs.running == {}


def test_it_ends_with_the_arena(tmp_path):
    bot = program(tmp_path, "say(json.dumps(json.loads(line)['legal'][0]))")
    bot(VIEW, Random(1))
    process = psutil.Process(programs.running[bot.command].pid)
    programs.stop_all()
    assert not process.is_running()


def test_a_process_of_the_arena_that_is_ended_leaves_no_program_behind(tmp_path):
    contest = Contest("gin", gin.Options(), (Program("gin", EXAMPLE, 30), BOTS["gin"]["easy"]), 2)
    found = trials(contest, 1000, jobs=2)
    next(found)
    mine = psutil.Process().children(recursive=True)
    bots = [child for child in mine if "docs/bot.py" in " ".join(child.cmdline())]
    found.close()
    _, alive = psutil.wait_procs(bots, timeout=30)
    assert bots
    assert alive == []


# What does not


def test_an_illegal_action_is_told_with_what_was_sent_and_what_would_be_right(tmp_path):
    what, sent, right = foul(tmp_path, """say('{"type": "discard", "card": "7H"}')""")
    assert what.endswith('answered {"type": "discard", "card": "7H"}, which is not legal here.')
    assert json.loads(sent.removeprefix("It was sent: "))["hand"] == list(VIEW.hand)
    legal = '[{"type":"draw_stock"},{"type":"take_discard"}]'
    assert right == f"Right would be a line with one of these: {legal}"


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("say('draw')", "answered draw: JSON is malformed"),
        ("say('')", "answered : Input data was truncated"),
        ("""say('{"type": "fly"}')""", "Invalid value 'fly'"),
        ("say('[' + 'x' * 9999)", "xxx ...: JSON is malformed"),
        ("sys.exit(3)", "ended with 3; what it wrote to stderr stands above."),
        ("os.kill(os.getpid(), 9)", "was killed by signal 9; what it wrote to stderr"),
        ("os.close(1); time.sleep(100)", "closed its stdin or stdout."),
    ],
)
def test_what_is_no_answer_is_told_in_words(tmp_path, body, told):
    assert told in foul(tmp_path, body)[0]


def test_one_that_died_before_it_was_asked_is_told_too(tmp_path):
    bot = program(tmp_path, "say(json.dumps(json.loads(line)['legal'][0])); sys.exit()")
    bot(VIEW, Random(1))
    programs.running[bot.command].wait()
    with pytest.raises(Foul, match="ended with 0"):
        bot(VIEW, Random(1))


@pytest.mark.parametrize(
    ("body", "said"),
    [("time.sleep(100)", "nothing"), ("print('[', end='', flush=True); time.sleep(9)", "only [")],
)
def test_one_that_takes_too_long_is_told_and_ended(tmp_path, body, said):
    what, *_ = foul(tmp_path, body, seconds=0.5)
    assert what.endswith(f"wrote {said} for 0.5 seconds; does it flush its lines?")
    assert programs.running == {}


def test_the_command_ends_with_what_a_program_did_wrong():
    process = os.popen(f"cd {ROOT} && {sys.executable} manage.py arena gin cat easy --deals=4 2>&1")
    out = process.read()
    assert os.waitstatus_to_exitcode(process.close()) == 1
    assert "CommandError: cat answered {" in out
    assert "Right would be" in out
    assert "Traceback" not in out


@pytest.mark.parametrize("command", ["", "no-such-program", "./none.py", "'half a quotation"])
def test_what_cannot_be_started_is_no_program(command):
    assert not is_program(command)
    assert is_program(f"{sys.executable} {command}") == (command != "'half a quotation")
