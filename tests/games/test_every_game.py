"""Each game that there is, played by bots through the service, at its smallest and largest."""

import json

import pytest
from django.core.management import call_command

from games.bots import LEVELS
from games.engine import GAMES
from games.models import Match
from games.tasks import play_bot_turn

MOST_TURNS = 40
"""A match that takes longer is looked at as it then is."""

pytestmark = pytest.mark.django_db(transaction=True)
TABLES = [
    (name, seats) for name in GAMES for seats in {min(GAMES[name].SEATS), max(GAMES[name].SEATS)}
]


@pytest.fixture
def real_shuffles():
    return True


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_bots_play_it_and_everybody_may_watch(ann, nobody, name, seats):
    bots = [{"bot": level} for level in (LEVELS[name] * seats)[-seats:]]
    body = {"game": name, "seats": bots}
    path = f"/matches/{ann.post('/matches', body).json()['id']}"
    seen = {}
    for _ in range(MOST_TURNS):
        match = nobody.get(path).json()
        if match["status"] != "playing":
            break
        seen[match["version"]] = match["view"]
        play_bot_turn(match["id"], match["version"])

    assert Match.objects.get().bot_errors == 0
    for version, view in seen.items():
        assert nobody.get(f"{path}/replay?at={version}").json()["view"] == view
    rows = nobody.get(f"{path}/moves?limit=1000").json()["results"]
    assert all(row["words"] for row in rows)
    assert nobody.get(f"{path}/deals").json()["results"]
    call_command("verify_logs")


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_person_plays_it_by_echoing_what_is_legal(ann, name, seats):
    others = [{"bot": "random"}] * (seats - 1)
    match = ann.post("/matches", {"game": name, "seats": ["me", *others]}).json()
    path = f"/matches/{match['id']}"
    for _ in range(MOST_TURNS):
        if match["status"] != "playing":
            break
        if match["turn"] != 0:
            play_bot_turn(match["id"], match["version"])
        else:
            for action in match["view"]["legal"][-4:]:
                move = {"version": match["version"], "action": action}
                tried = ann.post(f"{path}/moves?dry_run=true", move)
                assert (tried.status_code, tried.json()["action"]) == (200, action)
            assert ann.post(f"{path}/moves", move).status_code == 201
        match = ann.get(path).json()
    call_command("verify_logs")


@pytest.mark.parametrize("name", GAMES)
def test_its_presets_and_defaults_are_told_and_can_be_chosen(ann, name):
    [told] = [game for game in ann.get("/games").json() if game["name"] == name]
    others = [{"bot": "random"}] * (told["seats"][0] - 1)

    for preset, options in told["presets"].items():
        body = {"game": name, "seats": ["me", *others], "options": {"preset": preset}}
        made = ann.post("/matches", body).json()
        assert made["options"] == options
        assert set(options) == set(told["options"]["properties"])
    plain = ann.post("/matches", {"game": name, "seats": ["me", *others]}).json()["options"]
    assert plain == json.loads(json.dumps(next(iter(told["presets"].values()))))
