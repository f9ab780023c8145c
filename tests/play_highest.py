"""Run by test_architecture: one line in GAMES, and the service plays a fourth game."""

from games.engine import GAMES
from tests import highest

GAMES["highest"] = highest  # the one line

import json  # noqa: E402
import sys  # noqa: E402
from io import StringIO  # noqa: E402

import django  # noqa: E402

django.setup()

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.test import Client  # noqa: E402

from games.models import Match  # noqa: E402
from games.tasks import play_bot_turn  # noqa: E402

settings.ALLOWED_HOSTS = ["testserver"]
client = Client()


def ask(method, path, body=None, token=None, status=200):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    data = b"" if body is None else json.dumps(body)
    response = client.generic(method, f"/api/v1{path}", data, "application/json", headers=headers)
    assert response.status_code == status, (method, path, response.content)
    if response.streaming:
        return [json.loads(line) for line in b"".join(response.streaming_content).splitlines()]
    return response.json()


ann, bob = (ask("POST", "/players/guest", status=201)["token"] for _ in range(2))

# It is described
[described] = [game for game in ask("GET", "/games") if game["name"] == "highest"]
assert (described["title"], described["seats"]) == ("Highest", [2, 3, 4])
assert described["bots"] == ["random"]
assert described["presets"]["shortest"] == {"target": 1, "practice": False}
call_command("spectacular", "--validate", "--fail-on-warn", f"--file={sys.argv[1]}")

# It is created, and refused, like any other
new = {"game": "highest", "seats": ["me", {"bot": "random"}, "open"], "options": {"target": 2}}
for wrong, pointer in (
    ({"options": {"target": 11}}, "/options/target"),
    ({"seats": ["me"]}, "/seats"),
    ({"seats": ["me", {"bot": "easy"}]}, "/seats/1/bot"),
):
    told = ask("POST", "/matches", {**new, **wrong}, ann, 400)
    assert told["errors"][0]["pointer"] == pointer
match = ask("POST", "/matches", new, ann, 201)
path = f"/matches/{match['id']}"
match = ask("POST", f"{path}/seats", {}, bob, 201)
assert match["options"] == {"target": 2, "practice": False}

# It is played, watched and replayed
seen = {}
while match["status"] == "playing":
    version, turn = match["version"], match["turn"]
    for seat, token in ((0, ann), (2, bob), (None, None)):
        seen[version, seat] = ask("GET", path, token=token)["view"]
    if turn == 1:
        play_bot_turn(match["id"], version)
    else:
        action = seen[version, turn]["legal"][-1]
        move = {"version": version, "action": action}
        token = ann if turn == 0 else bob
        assert ask("POST", f"{path}/moves?dry_run=true", move, token)["foresight"] == {"hand": None}
        ask("POST", f"{path}/moves", {**move, "action": {"type": "fold"}}, token, 400)
        ask("POST", f"{path}/moves", move, ann if turn else bob, 409)
        ask("POST", f"{path}/moves", move, token, 201)
    match = ask("GET", path)
assert max(seat["score"] for seat in match["seats"]) == 2
assert {seat["place"] for seat in match["seats"]} <= {1, 2, 3}  # 3: behind two who share the first

for (version, seat), view in seen.items():
    asked = "spectator" if seat is None else seat
    assert ask("GET", f"{path}/replay?at={version}&seat={asked}")["view"] == view
    views = ask("GET", f"{path}/replay?at={version}&seat=all")["views"]
    assert seat is None or views[seat] == view
rows = ask("GET", f"{path}/moves?limit=1000")["results"]
assert len(rows) == match["version"]
assert {"stays", "swaps", "the cards are dealt"} >= {row["words"] for row in rows[4:]}
deals = ask("GET", f"{path}/deals")["results"]
assert len(deals) == match["deal"]["number"]
assert all(deal["result"]["ending"] == "shown" for deal in deals)
assert [line["id"] for line in ask("GET", "/matches?game=highest")["results"]] == [match["id"]]
head, *entries = ask("GET", f"{path}/export")
assert (head["game"], len(entries)) == ("highest", match["version"])

# It is resigned and played again
following = ask("POST", f"{path}/rematch", token=ann, status=201)
ask("POST", f"{path}/rematch", token=bob)
ask("POST", f"/matches/{following['id']}/resignation", token=bob, status=201)
assert Match.objects.count() == 2
out = StringIO()
call_command("verify_logs", stdout=out)
assert out.getvalue().startswith("2 matches verified, no difference")
