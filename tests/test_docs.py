"""What there is, is documented; what is documented, is there."""

import ast
import doctest
import re
import sys
from itertools import pairwise
from pathlib import Path
from typing import get_args, get_type_hints

import msgspec
import pytest
from django.urls import URLPattern, get_resolver
from drf_spectacular.generators import SchemaGenerator

from games import bots
from games.bots import LEVELS
from games.engine import GAMES
from games.engine.cards import NAMES
from games.engine.game import ByNumber, Game
from games.engine.shuffle import shuffle
from games.services import records
from ginservice.problems import PROBLEMS
from tests.engine.refusals import REFUSALS

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.glob("*.md")])
every_game = pytest.mark.parametrize("game", GAMES)
every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)


def text(path):
    return (ROOT / path).read_text()


def rows(path):
    """The cells of every table's rows, without their ticks."""
    lines = [line for line in text(path).splitlines() if line.startswith("|")]
    return [[cell.strip().strip("`") for cell in line[1:-1].split("|")] for line in lines]


def first_cells(path):
    return {row[0] for row in rows(path)}


def json_of(value):
    return msgspec.json.encode(value).decode()


# Games


@every_game
def test_a_game_has_a_page_of_rules(game):
    assert (DOCS / f"rules-{game}.md").exists()


@every_game
def test_every_option_is_told_with_its_default(game):
    told = [row[:2] for row in rows(f"docs/rules-{game}.md")]
    for field in msgspec.structs.fields(GAMES[game].Options):
        assert [field.name, json_of(field.default)] in told


@every_game
def test_every_preset_is_told_by_how_it_differs_from_the_defaults(game):
    rules = GAMES[game]
    told = {row[0]: row[1] for row in rows(f"docs/rules-{game}.md")}
    defaults = msgspec.structs.asdict(rules.Options())
    for name, preset in rules.PRESETS.items():
        differs = {
            option: json_of(value)
            for option, value in msgspec.structs.asdict(preset).items()
            if value != defaults[option]
        }
        assert dict(re.findall(r"`(\w+)`? = `([^`|]+)`?", f"`{told[name]}`")) == differs, name


@every_game
def test_every_bot_refusal_and_ending_is_told(game):
    rules, told = GAMES[game], first_cells(f"docs/rules-{game}.md")
    assert set(LEVELS[game]) <= told
    assert set(REFUSALS[game]) <= told
    endings = get_args(get_type_hints(rules.Result)["ending"])
    assert {f"`{ending}`" for ending in endings} <= ticked(f"docs/rules-{game}.md")


@every_game
def test_every_action_is_told(game):
    page = text(f"docs/rules-{game}.md")
    for action in get_args(GAMES[game].Action):
        assert f'{{"type": "{action.__struct_config__.tag}"' in page


def ticked(path):
    return set(re.findall(r"`[^`\n]+`", text(path)))


def test_every_name_in_the_contract_of_a_game_is_told():
    page = text("ARCHITECTURE.md")
    for name in {*vars(Game), *vars(ByNumber)}:
        if not name.startswith("_"):
            assert re.search(rf"`{name}[`(]", page), name


@every_game
def test_the_page_of_bots_tells_every_level(game):
    title = GAMES[game].TITLE
    page = text("docs/bots.md").partition(f"## {title}\n")[2].partition("\n## ")[0]
    assert re.findall(r"^\| `(\w+)`", page, re.MULTILINE) == list(LEVELS[game])


def test_ratings_of_bots_follow_from_the_shares_of_matches_that_are_told():
    told = [row for row in rows("docs/bots.md") if row[0] in GAMES and len(row) == 5]
    rated = [name for name in GAMES if GAMES[name].BOARD == "rating"]
    assert [(r[0], r[1]) for r in told] == [(game, lv) for game in rated for lv in LEVELS[game]]
    for below, (game, level, share, mu, command) in pairwise([None, *told]):
        assert float(mu) == bots.rating(game, level)
        assert bool(share) == bool(command) == (level != LEVELS[game][0])
        if share:
            strengths = [
                [records.MODEL.rating(float(m), records.BOT_SIGMA)] for m in (mu, below[3])
            ]
            expected, _ = records.MODEL.predict_win(strengths)
            assert 100 * expected == pytest.approx(float(share.removesuffix(" %")), abs=0.3)
            assert command.startswith(f"{game} {level} {below[1]} --matches ")


# The API


def test_every_address_of_the_api_is_told_and_no_other():
    paths = SchemaGenerator().get_schema(public=True)["paths"]
    there = {
        f"{method.upper()} {path.removeprefix('/api/v1')}"
        for path, methods in paths.items()
        for method in methods
    }
    told = {cell for cell in first_cells("docs/api.md") if re.match("[A-Z]+ /", cell)}
    assert told == there
    patterns = {re.sub(r"<\w+:(\w+)>", r"{\1}", pattern) for pattern in patterns_of_the_api()}
    assert {cell.split()[1].lstrip("/") for cell in told} == patterns


def patterns_of_the_api():
    for included in get_resolver().url_patterns:
        if str(included.pattern) == "api/v1/":
            for pattern in included.url_patterns:
                assert isinstance(pattern, URLPattern)
                yield str(pattern.pattern)


def test_every_address_beside_the_api_is_told():
    told = "".join(page.read_text() for page in PAGES)
    for pattern in get_resolver().url_patterns:
        path = str(pattern.pattern)
        if path and path != "api/v1/" and "<" not in path:
            assert f"/{path}`" in told or f"/{path}/" in told, path


def test_every_error_is_told_with_its_status_and_no_other():
    told = {row[1]: int(row[0]) for row in rows("docs/api.md") if row[0].isdigit()}
    assert told == {code: problem.status for code, problem in PROBLEMS.items()}


def test_the_actions_of_rummy_that_the_api_page_tells_are_its_actions():
    section = text("docs/api.md").split("## A turn of Rummy", 1)[1].split("\n## ", 1)[0]
    actions = re.findall(r'`(\{"type": .*?\})`', section)
    told = {type(msgspec.json.decode(action, type=GAMES["rummy"].Action)) for action in actions}
    assert told == set(get_args(GAMES["rummy"].Action))


# Settings


def settings_in_python():
    """Name and default of each variable that the service's own code reads."""
    for path in sorted((ROOT / "ginservice").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            match node:
                case ast.Call(
                    func=ast.Attribute(value=ast.Name(id="env")),
                    args=[ast.Constant(value=name), *_],
                    keywords=keywords,
                ):
                    defaults = [word.value for word in keywords if word.arg == "default"]
                    yield name, defaults[0] if defaults else None


def settings_elsewhere():
    yield from re.findall(r"\$\{(\w+)", text("docker-compose.yml"))
    for path in (DOCS / "demo").glob("*.py"):
        yield from re.findall(r'(?:env|number)\("(\w+)"', text(path))
    for path in (ROOT / "tests").rglob("*.py"):
        yield from re.findall(r'os\.environ\.get\("(\w+)"\)', path.read_text())


def test_every_setting_is_told_and_no_other():
    there = {name for name, _ in settings_in_python()} | set(settings_elsewhere())
    told = {
        name for cell in first_cells("docs/settings.md") for name in re.findall("[A-Z_]+", cell)
    }
    assert told == there


def test_the_defaults_of_settings_are_told():
    told = {}
    for row in rows("docs/settings.md"):
        told.setdefault(row[0], row[1])
    for name, default in settings_in_python():
        match default:
            case ast.Constant(value=bool(value)):
                assert told[name] == str(value).lower(), name
            case ast.Constant(value=value) if value:
                assert told[name] == str(value), name
            case ast.List(elts=items):
                assert told[name] == (",".join(item.value for item in items) or "none"), name


# What the pages say


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "docs/operations.md"])
def test_the_targets_of_make_that_a_page_names_are_there(page):
    targets = set(re.findall(r"^(\w+):", text("Makefile"), re.MULTILINE))
    named = set(re.findall(r"(?:`|^)make (\w+)", text(page), re.MULTILINE))
    assert named
    assert named <= targets


@every_page
def test_the_files_that_a_page_links_to_or_names_are_there(page):
    links = re.findall(r"\]\(([^)#:]+)\)", page.read_text())
    assert [link for link in links if not (page.parent / link).exists()] == []
    named = re.findall(r"`((?:docs|games|ginservice|players|tests)/[\w/.-]+)`", page.read_text())
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_every_guarantee_names_a_test_that_is_there():
    rows_of_it = rows("docs/guarantees.md")
    held = [row for row in rows_of_it if row[0] != "guarantee" and set(row[0]) != {"-"}]
    assert held
    for guarantee, named in held:
        tests = re.findall(r"(tests/[\w/]+\.py)::(\w+)", named)
        assert tests, guarantee
        for path, test in tests:
            assert test in names_in(path), f"{path}::{test}"


def names_in(path):
    """The names of a file's tests."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    found = [node for node in ast.parse(text(path)).body if isinstance(node, functions)]
    return {function.name for function in found if function.name.startswith("test_")}


def test_every_requirement_has_its_reason():
    told = {name for cell in first_cells("ARCHITECTURE.md") for name in cell.split(", ")}
    for path in ("requirements.txt", "requirements-dev.txt"):
        for line in text(path).splitlines():
            if line[:1].isalpha():
                assert re.split(r"[\[=]", line)[0] in told, line


def test_the_example_of_the_shuffle_computes_and_is_the_engines():
    failed, tried = doctest.testfile(str(DOCS / "shuffle.md"), module_relative=False)
    assert tried
    assert not failed
    order = shuffle(bytes(range(32)), (b"4 1 6 6 2", b"", b"heads"), 0, NAMES)
    for half in (order[:26], order[26:]):
        assert "\n" + " ".join(half) + "\n" in text("docs/shuffle.md")


def test_the_client_is_short():
    assert len(text("docs/client.py").splitlines()) < 80


@pytest.mark.parametrize(
    "script", [DOCS / "client.py", *(DOCS / "demo").glob("*.py")], ids=lambda path: path.stem
)
def test_a_script_that_speaks_http_needs_only_the_standard_library(script):
    beside = {path.stem for path in script.parent.glob("*.py")}
    for node in ast.walk(ast.parse(script.read_text())):
        modules = []
        if isinstance(node, ast.Import):
            modules = [name.name for name in node.names]
        if isinstance(node, ast.ImportFrom):
            modules = [node.module]
        for module in modules:
            assert module.split(".")[0] in sys.stdlib_module_names | beside
