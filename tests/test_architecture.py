"""The house's rules, kept by a program: who may import whom, and who may know a game."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connection

from games.engine import GAMES

ROOT = Path(__file__).resolve().parents[1]
PURE = sorted(
    path for package in ("engine", "bots") for path in (ROOT / "games" / package).rglob("*.py")
)
GENERIC = [
    path
    for package in ("games", "players", "ginservice")
    for path in sorted((ROOT / package).rglob("*.py"))
    if path not in PURE
]


def run(*arguments, **environment):
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_imports_go_strictly_downward():
    """The contracts stand in pyproject.toml."""
    kept = run("-c", "from importlinter.cli import lint_imports_command as c; c(['--no-cache'])")

    assert kept.returncode == 0, kept.stdout + kept.stderr


@pytest.mark.parametrize("path", PURE, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_chance_comes_in_as_an_argument(path):
    """Of `random` only the class, as the type of a generator handed in."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            assert "random" not in [name.name for name in node.names]
        if isinstance(node, ast.ImportFrom) and node.module == "random":
            assert [name.name for name in node.names] == ["Random"]


@pytest.mark.parametrize("path", GENERIC, ids=lambda path: str(path.relative_to(ROOT)))
def test_outside_engine_and_bots_no_line_asks_which_game_it_is(path):
    games = {"gin", "rummy", "pyramid", *GAMES}
    rules = {f"games.{package}.{game}" for package in ("engine", "bots") for game in games}

    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Compare | ast.MatchValue):
            named = {inner.value for inner in ast.walk(node) if isinstance(inner, ast.Constant)}
            assert not named & games, f"line {node.lineno} asks for a game"
        if isinstance(node, ast.ImportFrom):
            told = {node.module} | {f"{node.module}.{name.name}" for name in node.names}
            assert not told & rules, f"line {node.lineno} imports the rules of a game"


@pytest.mark.django_db(transaction=True)
def test_a_fourth_game_is_one_file_and_one_line(tmp_path):
    """It is created, joined, played, watched, replayed, exported and proved by what is there."""
    at = connection.settings_dict
    url = f"postgresql://{at['USER']}:{at['PASSWORD']}@{at['HOST']}:{at['PORT']}/{at['NAME']}"

    done = run("-m", "tests.play_highest", str(tmp_path / "schema.yml"), DATABASE_URL=url)

    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-5000:]
    assert "HighestView" in (tmp_path / "schema.yml").read_text()
