"""The house's rules, kept by a program: who may import whom."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PURE = sorted([*(ROOT / "games/engine").glob("*.py"), *(ROOT / "games/bots").glob("*.py")])


def test_imports_go_strictly_downward():
    """The contracts stand in pyproject.toml."""
    kept = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command as c; c()"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert kept.returncode == 0, kept.stdout + kept.stderr


@pytest.mark.parametrize("path", PURE, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_chance_comes_in_as_an_argument(path):
    """Of `random` only the class, as the type of a generator handed in."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            assert "random" not in [name.name for name in node.names]
        if isinstance(node, ast.ImportFrom) and node.module == "random":
            assert [name.name for name in node.names] == ["Random"]
