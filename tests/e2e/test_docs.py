"""The scripts of docs/ and the commands of the README, against the running service."""

import json
import re
import shutil
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.request import Request, urlopen

import pytest

from tests.e2e.players import new_match
from tests.processes import ROOT

USUAL = "http://localhost:8000"
DEMOS = {
    "gin": {},
    "rummy": {"GAME": "rummy", "TARGET": "10"},
    "rummy of four": {"GAME": "rummy", "SEATS": "4", "TARGET": "10"},
    "pyramid": {"GAME": "pyramid"},
}
every_demo = pytest.mark.parametrize("name", DEMOS)
each_rummy = pytest.mark.parametrize(("name", "seats"), [("rummy", 2), ("rummy of four", 4)])


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
def demos(service):
    """What whole demos print, seen once for all tests of them."""

    def played(settings):
        done = script("demo", BASE_URL=service.url, **settings)
        assert done.returncode == 0, done.stderr
        return done.stdout

    with ThreadPoolExecutor() as at_once:
        return dict(zip(DEMOS, at_once.map(played, DEMOS.values()), strict=True))


@pytest.fixture(scope="module")
def demo(demos):
    return demos["gin"]


def exported(service, demo, folder):
    """The export whose address a demo shows."""
    path = re.search(r"^export +\S+?(/api/\S+)", demo, re.MULTILINE)[1]
    status, text = service.call("GET", path)
    assert status == 200
    file = folder / "export.jsonl"
    file.write_text(text)
    return file


def test_the_client_plays_a_match(service):
    done = script("client.py", service.url)
    assert done.returncode == 0, done.stderr
    winner = re.search(r"^\S+ wins (\d+)$", done.stdout, re.MULTILINE)
    assert int(winner[1]) >= 100


def test_the_client_sends_again_what_the_line_has_lost_and_nothing_is_done_twice(service):
    kept = []

    class Line(BaseHTTPRequestHandler):
        """Passes everything on; the first answers of the match and of a move are lost."""

        def pass_on(self):
            body = self.rfile.read(int(self.headers.get("Content-Length", 0))) or None
            asked = Request(service.url + self.path, body, dict(self.headers), method=self.command)
            with urlopen(asked) as answer:
                told, status = answer.read(), answer.status
            if key := self.headers["Idempotency-Key"]:
                kept.append((key, told))
                if len(kept) in (1, 3):
                    return
            self.send_response(status)
            self.end_headers()
            self.wfile.write(told)

        do_GET = do_POST = pass_on  # noqa: N815

    with ThreadingHTTPServer(("127.0.0.1", 0), Line) as line:
        threading.Thread(target=line.serve_forever).start()
        done = script("client.py", f"http://127.0.0.1:{line.server_port}")
        line.shutdown()
    assert done.returncode == 0, done.stderr
    assert " wins " in done.stdout
    assert kept[0] == kept[1]
    assert kept[2] == kept[3]
    assert len({key for key, _ in kept}) == len(kept) - 2


def test_the_demo_ends_with_the_winner(demo):
    ending = re.fullmatch(r"(guest-\w+|the bot easy) wins (\d+) : (\d+)\.", demo.splitlines()[-1])
    assert int(ending[2]) >= 100


def test_the_demo_shows_what_a_person_would_like_to_read(demo):
    for words in ("Deal 1 ", "your hand ", "deadwood", "of 100", "kept", "♠"):
        assert words in demo


@every_demo
def test_a_demo_is_text_that_fits_the_page(demos, name):
    assert "\033[" not in demos[name]  # no colours: nobody is at the other end
    lines = demos[name].splitlines()
    assert all(line == line.rstrip() for line in lines)
    assert max(len(line) for line in lines if line.startswith("  ")) <= 80


@each_rummy
def test_the_demo_of_rummy_tells_what_was_tabled_and_how_the_deals_ended(demos, name, seats):
    demo = demos[name]
    for words in ("Deal 1 ", "your hand ", "on the table:", "kept"):
        assert words in demo
    assert re.search(r"  melds? \w+[♣♦♥♠] ", demo)
    assert re.search(r" goe?s? (out|rummy) and scores? \d+", demo)
    bars = re.findall(r"^ +(?:you|easy(?: \d)?) +(\d+)  [█░]{30}  of 10$", demo, re.MULTILINE)
    assert len(bars) == seats * demo.count("\nDeal ")
    final = sorted(map(int, bars[-seats:]), reverse=True)
    assert demo.splitlines()[-1].endswith(f" wins {' : '.join(map(str, final))}.")
    assert final[0] >= 10


@each_rummy
def test_in_the_demo_of_rummy_one_goes_out_and_the_others_show_their_hands(demos, name, seats):
    for deal in demos[name].split("\nDeal ")[1:]:
        won = " and score" in deal
        assert len(re.findall(r" out$", deal, re.MULTILINE)) == won
        assert len(re.findall(r" holds?: ", deal)) == seats - won


def test_the_demo_of_pyramid_shows_the_pyramid_and_posts_the_score(demos, service):
    demo = demos["pyramid"]
    for words in ("Round 1\n", "pass 1 ", "draw pile       24", "redeals left", "of 28 cards"):
        assert words in demo
    rows = demo.split("Round 1\n")[1].splitlines()[:7]
    assert [len(re.findall("[♣♦♥♠]", row[:38])) for row in rows] == [1, 2, 3, 4, 5, 6, 7]
    name, points, rank = re.fullmatch(
        r"(demo-\w+) scores (\d+) in \d+ rounds?: rank (\d+) of the day\.", demo.splitlines()[-1]
    ).groups()
    assert re.search(rf"^  ▸ +{rank} +{points}  {name}$", demo, re.MULTILINE)
    status, board = service.call("GET", "/api/v1/leaderboards/pyramid?period=day")
    assert status == 200
    assert (name, int(points)) in [(line["player"], line["value"]) for line in board["results"]]


def test_a_quiet_demo_says_one_line(service):
    done = script("demo", BASE_URL=service.url, PRESET="classic", QUIET="1", SEED="1")
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"[^\n]+ wins \d+ : \d+\.\n", done.stdout)


def test_a_demo_without_a_service_says_what_to_do():
    done = script("demo", PORT="1")
    assert done.returncode == 1
    assert "make run" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"GAME": "chess"}, "has no game chess; it has gin, rummy and pyramid.\n"),
        ({"GAME": "rummy", "SEATS": "5"}, "Basic Rummy is for 2, 3 or 4, not for 5.\n"),
        ({"GAME": "pyramid", "SEATS": "2"}, "Pyramid is for 1, not for 2.\n"),
        ({"TARGET": "many"}, "TARGET is a whole number, not many.\n"),
        ({"GAME": "pyramid", "TARGET": "10"}, "Pyramid has no option 'target'.\n"),
    ],
)
def test_a_demo_that_cannot_be_given_says_why(service, settings, words):
    done = script("demo", BASE_URL=service.url, **settings)
    assert done.returncode == 1
    assert done.stderr.endswith(words)
    assert "Traceback" not in done.stderr


@every_demo
def test_an_export_is_verified_without_django(service, demos, name, tmp_path):
    export = exported(service, demos[name], tmp_path)
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
    assert uncounted(done.stdout).startswith(uncounted(said))
    assert "NOT CHECKED" in done.stdout


def uncounted(text):
    """Without the number of entries: the bot may have moved before she resigned."""
    return re.sub(r"\d+ entries|1 to \d+", "…", text)


def curl_lines():
    section = (ROOT / "README.md").read_text().split("## Play a match with curl", 1)[1]
    return re.search(r"```bash\n(.*?)```", section, re.DOTALL)[1].splitlines()


def test_the_readme_plays_a_match_in_six_lines_of_curl(service):
    if shutil.which("curl") is None:
        pytest.skip("There is no curl for this test (Debian: apt install curl).")
    lines = curl_lines()
    assert len(lines) == 6
    assert USUAL in lines[0]
    *actions, mine, theirs = output_of(impatient(lines, service))
    assert len([json.loads(action)["type"] for action in actions]) > 5
    scores = [int(score.removeprefix('"score":')) for score in (mine, theirs)]
    assert max(scores) >= 100 > min(scores)


def impatient(lines, service):
    """The lines for this service, which ask sooner whose turn it is than one does at a prompt."""
    assert any("sleep 0.2" in line for line in lines)
    return "\n".join(lines).replace(USUAL, service.url).replace("sleep 0.2", "sleep 0.01")


def output_of(script):
    done = run("bash", "-c", script)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_the_six_lines_play_the_other_games_of_the_readme_too(service):
    if shutil.which("curl") is None:
        pytest.skip("There is no curl for this test (Debian: apt install curl).")
    lines = impatient(curl_lines(), service)
    gin = '{"game": "gin", "seats": ["me", {"bot": "easy"}]}'
    assert gin in lines
    others = re.findall(r'`(\{"game": .*?\})`', (ROOT / "README.md").read_text())
    assert [json.loads(other)["game"] for other in others] == ["rummy", "pyramid"]
    for other in others:
        wish = json.loads(other)
        if wish["game"] == "rummy":  # else the test would play for a while
            wish["options"] = {"target": 5}
        *_, last = output_of(lines.replace(gin, json.dumps(wish)))
        assert re.fullmatch(r'"score":\d+', last)


def test_the_move_of_the_api_page_works(service):
    page = (ROOT / "docs" / "api.md").read_text()
    section = page.split("## A match by hand", 1)[1].split("\n## ", 1)[0]
    new, move = (json.loads(body) for body in re.findall(r"-d '(.*)'$", section, re.MULTILINE))
    token = service.guest()
    match = new_match(service, token, **new)
    status, answer = service.call("POST", f"/api/v1/matches/{match['id']}/moves", move, token)
    assert match["version"] == move["version"]
    assert status == 201 or answer["code"] in ("not-your-turn", "stale-version")  # the bot began


def test_every_match_of_the_api_page_can_be_made(service):
    page = (ROOT / "docs" / "api.md").read_text()
    wishes = [json.loads(body) for body in re.findall(r"-d '(\{\"game\".*)'$", page, re.MULTILINE)]
    assert {wish["game"] for wish in wishes} == {"gin", "rummy", "pyramid"}
    token = service.guest()
    assert all(new_match(service, token, **wish)["status"] == "playing" for wish in wishes)
