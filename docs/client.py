"""A whole client in one file: becomes a guest, plays a match of Gin Rummy against a bot.

    python3 docs/client.py [http://127.0.0.1:8000]

Only the standard library. Start from it when you write your own player.
"""

import json
import sys
import time
from urllib.error import HTTPError
from urllib.request import Request, urlopen
from uuid import uuid4

API = (sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000") + "/api/v1"
HEADERS = {"Content-Type": "application/json"}
RANKS = "A23456789TJQK"


def call(method, path, body=None, key="", tries=4):
    """The answer. Where the line breaks it is asked again; what has a key is done only once."""
    data = None if body is None else json.dumps(body).encode()
    headers = HEADERS | ({"Idempotency-Key": key} if key else {})
    try:
        with urlopen(Request(API + path, data, headers, method=method)) as answer:
            return json.load(answer)
    except HTTPError as error:
        problem = json.load(error)  # every error has a code for programs and words for people
        raise SystemExit(f"{problem['code']}: {problem['detail']}") from None
    except OSError as error:
        if tries == 1:
            raise SystemExit(f"No service answers at {API}: {error}") from None
    time.sleep(1)
    return call(method, path, body, key, tries - 1)


def wait_for_my_turn(path):
    """The match once there is something to do in it, or it is over."""
    match = call("GET", path)
    while match["status"] == "playing" and not match["view"]["legal"]:
        call("GET", f"{path}/events?after={match['version']}&wait=25")  # until something happens
        match = call("GET", path)
    return match


def choose(view):
    """One of the legal actions, to be echoed: a knock if there is one, else the least use."""
    legal = {}
    for action in view["legal"]:
        legal.setdefault(action["type"], []).append(action)
    for kind in ("big_gin", "knock", "lay_off", "finish_layoffs", "draw_stock", "pass"):
        if kind in legal:
            return legal[kind][0]
    return min(legal["discard"], key=lambda action: use(action["card"], view["hand"]))


def use(card, hand):
    """How many cards of the hand go with a card; among equals the dearest is of least use."""
    rank, suit = RANKS.index(card[0]), card[1]
    near = [c for c in hand if c[1] == suit and abs(RANKS.index(c[0]) - rank) <= 2]
    return len(near) + sum(c[0] == card[0] for c in hand), -rank


def main():
    HEADERS["Authorization"] = "Bearer " + call("POST", "/players/guest", tries=1)["token"]
    table = {"game": "gin", "seats": ["me", {"bot": "easy"}]}
    match = call("POST", "/matches", table, key=f"{uuid4()}")
    path = f"/matches/{match['id']}"
    while (match := wait_for_my_turn(path))["status"] == "playing":
        move = {"version": match["version"], "action": choose(match["view"])}
        call("POST", path + "/moves", move, key=f"{uuid4()}")
    for deal in call("GET", path + "/deals?limit=100")["results"]:
        print(f"deal {deal['number']}: {deal['result']['ending']}, {deal['result']['points']}")
    for seat in match["seats"]:
        print(seat["player"] or seat["bot"], "wins" if seat["place"] == 1 else "has", seat["score"])


if __name__ == "__main__":
    main()
