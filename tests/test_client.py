"""The browser's client as files: what it may contain, and that what is vendored is what it says.

How it behaves is seen in tests/browser.
"""

import hashlib
import json
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders

from games.engine import GAMES
from ginservice.pages import FIRST

CLIENT = Path(__file__).resolve().parents[1] / "client"
VENDORED = json.loads((CLIENT / "vendor/vendored.json").read_text())
SCRIPTS = sorted(path for path in CLIENT.rglob("*.js") if path.parent.name != "vendor")
STYLES = sorted(CLIENT.rglob("*.css"))


def names(paths):
    return [str(path.relative_to(CLIENT)) for path in paths]


@pytest.mark.parametrize("told", VENDORED, ids=lambda told: told["file"])
def test_what_is_vendored_is_unchanged_and_has_its_licence(told):
    content = (CLIENT / "vendor" / told["file"]).read_bytes()

    assert hashlib.sha256(content).hexdigest() == told["sha256"]
    assert "MIT" in (text := (CLIENT / "vendor" / told["licence"]).read_text()) or "Apache" in text


def test_nothing_is_vendored_in_silence():
    told = {each["file"] for each in VENDORED} | {each["licence"] for each in VENDORED}

    assert {path.name for path in (CLIENT / "vendor").iterdir()} == told | {"vendored.json"}


@pytest.mark.parametrize("path", SCRIPTS, ids=names(SCRIPTS))
def test_outside_its_games_no_script_knows_a_game(path):
    text = path.read_text()
    if path.relative_to(CLIENT).parts[0] != "games":
        assert not re.search(rf"[\"'`]({'|'.join(GAMES)})[\"'`]", text)


@pytest.mark.parametrize("path", SCRIPTS, ids=names(SCRIPTS))
def test_scripts_import_only_what_is_there(path):
    for name in re.findall(r'(?:from|import) "([^"]+)"', path.read_text()):
        if name.startswith("."):
            assert (path.parent / name).resolve().is_file(), name
        else:
            assert name in ("preact", "preact/hooks", "htm")


@pytest.mark.parametrize("path", SCRIPTS, ids=names(SCRIPTS))
def test_scripts_keep_to_the_policy_and_to_what_the_framework_escapes(path):
    for forbidden in ("eval(", "new Function", "innerHTML", "document.write"):
        assert forbidden not in path.read_text()


@pytest.mark.parametrize("path", [*SCRIPTS, *STYLES], ids=names([*SCRIPTS, *STYLES]))
def test_files_can_be_read_in_one_sitting_and_say_what_they_are_for(path):
    lines = path.read_text().splitlines()

    assert len(lines) <= 300
    assert lines[0].startswith(("//", "/*"))


@pytest.mark.parametrize("name", sorted({name for names in FIRST.values() for name in names}))
def test_what_the_shell_preloads_is_served(client, name):
    assert finders.find(name)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("/play/gin", "Play"),
        ("/tables", "Tables"),
        ("/matches/01a22c43-8828-7797-b7e1-51d5d03bfaba", "Table"),
        ("/boards", "Boards"),
        ("/boards/gin", "Boards"),
        ("/players/ann", "Player"),
        ("/me", "My matches"),
        ("/me/tokens", "Tokens"),
        ("/me/webhooks", "Webhooks"),
        ("/sign-in", "Sign in"),
    ],
)
def test_every_address_of_the_client_answers_with_the_shell(client, path, title):
    page = client.get(path).content.decode()

    assert f"<title>{title} · ginservice</title>" in page
    assert "<noscript>" in page and "client/main.js" in page


def test_the_shell_tells_which_games_have_a_page(client):
    told = re.search('name="game-pages" content="([^"]*)"', client.get("/").content.decode())

    assert told[1].split() == sorted(path.stem for path in (CLIENT / "games").glob("*.js"))


@pytest.mark.django_db
def test_the_shell_tells_who_is_signed_in_and_is_kept_by_nobody_else(client):
    made = client.post("/api/v1/players/guest", {"cookie": True}, "application/json").json()

    page = client.get("/")
    assert f"&quot;{made['player']['name']}&quot;" in page.content.decode()
    assert "private" in page["Cache-Control"] and "Cookie" in page["Vary"]
    client.delete("/api/v1/sessions/current")
    assert 'name="player"' not in client.get("/").content.decode()
