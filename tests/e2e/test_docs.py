"""The scripts of docs/ and the commands of the README, against the running service."""

import json
import re
import shutil
import subprocess
import sys

import pytest

from tests.e2e.conftest import ROOT
from tests.e2e.players import new_match

USUAL = "http://localhost:8000"


def run(*command, **environment):
    return subprocess.run(
        command,
        cwd=ROOT,
        env={"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"} | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def script(name, *arguments, **environment):
    return run(sys.executable, f"docs/{name}", *arguments, **environment)


@pytest.fixture(scope="module")
def demo(service):
    """A whole demo, seen once for all tests of it."""
    done = script("demo.py", BASE_URL=service.url)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def export(service, demo):
    """The export whose address the demo shows."""
    path = re.search(r"^export +\S+?(/api/\S+)", demo, re.MULTILINE)[1]
    status, text = service.call("GET", path)
    assert status == 200
    file = service.data_dir / "export.jsonl"
    file.write_text(text)
    return file


def test_the_client_plays_a_match(service):
    done = script("client.py", service.url)
    assert done.returncode == 0, done.stderr
    winner = re.search(r"^\S+ wins (\d+)$", done.stdout, re.MULTILINE)
    assert int(winner[1]) >= 100


def test_the_demo_ends_with_the_winner(demo):
    ending = re.fullmatch(r"(guest-\w+|the bot easy) wins (\d+) : (\d+)\.", demo.splitlines()[-1])
    assert int(ending[2]) >= 100


def test_the_demo_shows_what_a_person_would_like_to_read(demo):
    for words in ("Deal 1 ", "your hand ", "deadwood", "of 100", "kept", "♠"):
        assert words in demo
    assert "\033[" not in demo  # no colours: nobody is at the other end
    assert all(line == line.rstrip() for line in demo.splitlines())


def test_a_quiet_demo_says_one_line(service):
    done = script("demo.py", BASE_URL=service.url, PRESET="classic", QUIET="1", SEED="1")
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"[^\n]+ wins \d+ : \d+\.\n", done.stdout)


def test_a_demo_without_a_service_says_what_to_do():
    done = script("demo.py", PORT="1")
    assert done.returncode == 1
    assert "make run" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_export_is_verified_without_django(export):
    done = run(
        sys.executable,
        "-c",
        "import runpy, sys; sys.modules['django'] = None; sys.argv = sys.argv[1:];"
        " runpy.run_path(sys.argv[0], run_name='__main__')",
        "docs/verify.py",
        export,
    )
    assert done.returncode == 0, done.stderr
    assert "By the rules the match ends as it says: finished" in done.stdout


def test_a_match_that_never_began_is_verified_too(service, tmp_path):
    token = service.guest()
    body = {"game": "gin", "seats": ["me", "open"]}
    path = f"/api/v1/matches/{service.call('POST', '/api/v1/matches', body, token)[1]['id']}"
    assert service.call("DELETE", f"{path}/seats/me", token=token)[0] == 204
    export = tmp_path / "left.jsonl"
    export.write_text(service.call("GET", f"{path}/export", token=token)[1])
    done = script("verify.py", str(export))
    assert done.returncode == 0, done.stderr
    assert "By the rules the match ends as it says: aborted, scores None" in done.stdout


def test_the_example_of_the_page_about_fairness_works(service, tmp_path):
    if shutil.which("curl") is None:
        pytest.skip("There is no curl for this test (Debian: apt install curl).")
    page = (ROOT / "docs" / "fairness.md").read_text()
    commands, said = re.findall(r"```(?:bash)?\n(.*?)```", page, re.DOTALL)[:2]
    done = run("bash", "-ec", f"cd {tmp_path}\n" + commands.replace(USUAL, service.url))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(said)
    assert "NOT CHECKED" in done.stdout


def curl_lines():
    section = (ROOT / "README.md").read_text().split("## Play a match with curl", 1)[1]
    return re.search(r"```bash\n(.*?)```", section, re.DOTALL)[1].splitlines()


def test_the_readme_plays_a_match_in_six_lines_of_curl(service):
    if shutil.which("curl") is None:
        pytest.skip("There is no curl for this test (Debian: apt install curl).")
    lines = curl_lines()
    assert len(lines) == 6
    assert USUAL in lines[0]
    done = run("bash", "-c", "\n".join(lines).replace(USUAL, service.url))
    assert done.returncode == 0, done.stderr
    *actions, mine, theirs = done.stdout.splitlines()
    assert len([json.loads(action)["type"] for action in actions]) > 5
    scores = [int(score.removeprefix('"score":')) for score in (mine, theirs)]
    assert max(scores) >= 100 > min(scores)


def test_the_move_of_the_api_page_works(service):
    page = (ROOT / "docs" / "api.md").read_text()
    new, move = (json.loads(body) for body in re.findall(r"-d '(.*)'$", page, re.MULTILINE))
    token = service.guest()
    match = new_match(service, token, **new)
    status, answer = service.call("POST", f"/api/v1/matches/{match['id']}/moves", move, token)
    assert match["version"] == move["version"]
    assert status == 201 or answer["code"] in ("not-your-turn", "stale-version")  # the bot began
