"""Plays a match over HTTP and shows it as a person would like to read it.

    make demo                         or: python3 docs/demo
    make demo GAME=rummy SEATS=4
    make demo GAME=pyramid PORT=8001 SEED=7

Standard library only; all it knows of the service is its address. From the environment:
BASE_URL, or HOST and PORT (else http://127.0.0.1:8000); GAME (gin), SEATS (the fewest), PRESET
(the game's first), TARGET (the preset's), BOT (easy); SEED for its own choices (the shuffles are
the server's); QUIET=1 for the last line only, as when twenty of them run at once. Ends with 0, or
with 1 and a sentence.
"""

import os
import sys
from random import Random

import gin
import pyramid
import rummy
import story
from page import QUIET, say
from service import BASE, Service, Trouble, env

TELLERS = {"gin": gin, "rummy": rummy, "pyramid": pyramid}


def play(service, rng):
    game = game_in(service.call("GET", "/games"))
    teller = TELLERS.get(game["name"], story)
    wish = wish_for(game)
    me = service.come_in(teller.Story.guest)
    match = service.call("POST", "/matches", wish)
    tale = teller.Story(service, match)
    tale.open(f"{game['title']}, {env('PRESET') or next(iter(game['presets']))}", me)
    seen = (lambda match: None) if QUIET else tale.follow
    seen(match)
    while match["status"] == "playing":
        match = service.my_turn(tale.path, match, seen)
        if match["status"] == "playing":
            move = {"version": match["version"], "action": teller.choose(match["view"], rng)}
            match = service.call("POST", f"{tale.path}/moves", move)
            seen(match)
    if not QUIET:
        tale.close(match)
    tale.prove(match)
    return tale.finish(match)


def game_in(games):
    name = env("GAME") or "gin"
    for game in games:
        if game["name"] == name:
            return game
    there = listed([game["name"] for game in games], "and")
    raise Trouble(f"The service at {BASE} has no game {name}; it has {there}.")


def listed(items, joint):
    *others, last = map(str, items)
    return f"{', '.join(others)} {joint} {last}" if others else last


def wish_for(game):
    """The match to be made: we sit first, bots in the other seats."""
    seats = env("SEATS") or str(game["seats"][0])
    if seats not in map(str, game["seats"]):
        raise Trouble(f"{game['title']} is for {listed(game['seats'], 'or')}, not for {seats}.")
    bot = env("BOT") or ("easy" if "easy" in game["bots"] else game["bots"][-1])
    options = {"preset": env("PRESET")} if env("PRESET") else {}
    if env("TARGET"):
        options["target"] = number("TARGET")
    seated = ["me"] + [{"bot": bot}] * (int(seats) - 1)
    return {"game": game["name"], "options": options, "seats": seated}


def number(name):
    try:
        return int(env(name))
    except ValueError:
        raise Trouble(f"{name} is a whole number, not {env(name)}.") from None


def main():
    sys.stdout.reconfigure(errors="replace")
    try:
        print(play(Service(), Random(env("SEED") or None)))
    except Trouble as trouble:
        say()
        sys.exit(str(trouble))
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:  # whoever read has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
