"""Plays a match against a bot over HTTP and shows it as a person would like to read it.

    make demo                         or: python3 docs/demo.py
    make demo PORT=8001 PRESET=classic SEED=7

Standard library only; all it knows of the service is its address. From the environment:
BASE_URL, or HOST and PORT (else http://127.0.0.1:8000); GAME (gin), PRESET (the game's first),
BOT (easy); SEED for its own choices (the shuffles are the server's); QUIET=1 for the last line
only, as when twenty of them run at once. Ends with 0, or with 1 and a sentence.
"""

import hashlib
import json
import os
import re
import sys
import time
from functools import cache
from http.client import HTTPException
from itertools import combinations
from random import Random
from urllib.error import HTTPError
from urllib.request import Request, urlopen

env = os.environ.get
BASE = env("BASE_URL") or f"http://{env('HOST') or '127.0.0.1'}:{env('PORT') or '8000'}"
PATIENCE = 60  # seconds that a bot may take
QUIET = env("QUIET", "") not in ("", "0")


class Trouble(Exception):
    """The match cannot go on; the text says why."""


# The service


class Service:
    """One player at one service. Remembers the ETag of the match it saw last."""

    def __init__(self):
        self.token = self.etag = None

    def call(self, method, path, body=None, **headers):
        """The answer as data; None for a 304. Tries again what the service was too busy for."""
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        if body is not None:
            headers["Content-Type"] = "application/json"
            body = json.dumps(body).encode()
        address = f"{BASE.rstrip('/')}/api/v1{path}"
        for _ in range(20):
            try:
                request = Request(address, body, headers, method=method)
                with urlopen(request, timeout=30) as answer:
                    self.etag = answer.headers.get("ETag", self.etag)
                    return json.load(answer)
            except HTTPError as error:
                if error.code == 304:
                    return None
                if error.code not in (429, 503):
                    raise Trouble(f"{method} {path}: {told(error)}") from None
                time.sleep(int(error.headers.get("Retry-After", 1)))
            except ValueError as error:
                raise Trouble(f"No ginservice answers at {BASE}: {error}.") from None
            except (OSError, HTTPException) as error:
                reason = getattr(error, "reason", error)
                raise Trouble(
                    f"No service answers at {BASE} ({reason}). Start one with `make run`,"
                    " or say where it is: make demo PORT=8001, or BASE_URL=http://host:port."
                ) from None
        raise Trouble(f"{method} {path}: the service stays too busy.")

    def my_turn(self, path, match, seen=lambda match: None):
        """The match once it is our turn or over; calls `seen` whenever it has changed."""
        patient_until, pause = time.monotonic() + PATIENCE, 0.05
        while match["status"] == "playing" and not match["view"]["legal"]:
            if time.monotonic() > patient_until:
                bot = match["seats"][match["turn"]]["bot"]
                raise Trouble(
                    f"The bot {bot} has not moved for {PATIENCE} seconds. Does a worker run?"
                    f" The match waits: {BASE}/api/v1{path}"
                )
            time.sleep(pause)
            pause = min(1, pause * 1.5)
            changed = self.call("GET", path, If_None_Match=self.etag)
            if changed:
                match, patient_until, pause = changed, time.monotonic() + PATIENCE, 0.05
                seen(match)
        return match


def told(error):
    """A problem in words."""
    try:
        return f"{error.code} {json.load(error)['detail']}"
    except (ValueError, KeyError):
        return f"{error.code} {error.reason}: is that a ginservice?"


# A simple, sensible player of gin


def points(card):
    return min(10, "A23456789TJQK".index(card[0]) + 1)


def melds_in(hand):
    """Every set and run in a hand."""
    for rank in {card[0] for card in hand}:
        same = sorted(card for card in hand if card[0] == rank)
        for size in (3, 4):
            yield from map(frozenset, combinations(same, size))
    for suit in "CDHS":
        ranks = "".join(r if r + suit in hand else " " for r in "A23456789TJQK")
        for run in ranks.split():
            for start, end in combinations(range(len(run) + 1), 2):
                if end - start >= 3:
                    yield frozenset(rank + suit for rank in run[start:end])


@cache
def arrange(hand):
    """The least deadwood of a frozenset of cards, and melds that leave it."""
    best = sum(map(points, hand)), ()
    for meld in melds_in(hand):
        left, others = arrange(hand - meld)
        best = min(best, (left, (meld, *others)), key=lambda found: found[0])
    return best


def deadwood(hand):
    return arrange(frozenset(hand))[0]


def choose_in_gin(view, rng):
    """Takes what completes a meld, keeps least deadwood, knocks as soon as it may."""
    legal, hand = view["legal"], set(view["hand"])
    by_type = {}
    for action in legal:
        if "melds" not in action:  # the service lays the best melds of a knock by itself
            by_type.setdefault(action["type"], []).append(action)

    def left(action):
        """Deadwood after it; among equals the dearest card goes, then any."""
        return deadwood(hand - {action["card"]}), -points(action["card"]), rng.random()

    if "finish_layoffs" in by_type:
        best = min(by_type.get("lay_off", []), key=left, default=None)
        return best if best and left(best)[0] < deadwood(hand) else legal[-1]
    if "take_discard" in by_type:
        upcard = view["discards"][-1]
        if view["phase"] == "wall" or any(upcard in meld for meld in melds_in(hand | {upcard})):
            return by_type["take_discard"][0]
    for kind in ("draw_stock", "pass", "big_gin"):
        if kind in by_type:
            return by_type[kind][0]
    return min(by_type.get("knock") or by_type["discard"], key=left)


# How it is shown

TTY = sys.stdout.isatty() and not env("NO_COLOR") and env("TERM") != "dumb"
SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
ENDINGS = {
    "knock": "by the difference",
    "undercut": "by an undercut",
    "tie": "Equal deadwood: nobody scores.",
    "gin": "by gin",
    "big_gin": "by big gin",
    "wall": "The stock has run down: nobody scores.",
    "idle": "Nobody drew from the stock for too long: nobody scores.",
}


def paint(text, code):
    return f"\033[{code}m{text}\033[0m" if TTY else text


def length(text):
    return len(re.sub("\033\\[\\d*m", "", text))


def shown(card):
    """TD as 10♦."""
    text = card[0].replace("T", "10") + SIGNS[card[1]]
    return paint(text, 31) if card[1] in "DH" else text


def row(cards):
    order = sorted(cards, key=lambda card: ("CDHS".index(card[1]), "A23456789TJQK".index(card[0])))
    return " ".join(map(shown, order))


def grouped(hand, melds=None):
    """A hand by its melds, and the loose cards last."""
    melds = list(arrange(frozenset(hand))[1] if melds is None else map(frozenset, melds))
    loose = set(hand).difference(*melds)
    return " │ ".join([row(meld) for meld in melds] + ([row(loose)] if loose else []))


def say(text="", end="\n"):
    if not QUIET:
        print(text, end=end, flush=True)


class Story:
    """Tells a match from its list of moves, in order, as far as it has come."""

    def __init__(self, service, path, match):
        self.service, self.path, self.version = service, path, 0
        self.names = [
            "you" if seat["number"] == match["you"] else seat["bot"] or seat["player"]
            for seat in match["seats"]
        ]
        self.wide = max(map(len, self.names))
        self.scores = [0] * len(self.names)
        self.target = match["options"].get("target")

    def does(self, seat, verb):
        """Who does it: "you knock", "easy knocks"."""
        return f"{self.names[seat]} {verb}{'' if self.names[seat] == 'you' else 's'}"

    def follow(self, match):
        while self.version < match["version"] and not QUIET:
            page = self.service.call("GET", f"{self.path}/moves?after={self.version}&limit=1000")
            for event in page["results"]:
                self.version = event["version"]
                self.tell(event)

    def tell(self, event):
        seat = event["last"]["seat"]
        say(f"   {self.names[seat]} {event['words']}" if seat >= 0 else event["words"])

    def end(self, match):
        """The final scores."""
        self.scores = match["view"]["scores"]
        self.board()

    def board(self):
        """The score of each seat, and how far it has come towards the target."""
        for name, score in zip(self.names, self.scores, strict=True):
            bar = ""
            if self.target:
                full = min(30, score * 30 // self.target)
                bar = f"  {paint('█' * full, 32)}{'░' * (30 - full)}  of {self.target}"
            say(f"   {name:{self.wide}} {score:4}{bar}")


class GinStory(Story):
    """Two turns to a line, then what a knock lays down, and points."""

    deal = 0
    line = ""

    def tell(self, event):
        seat, action = event["last"]["seat"], event["last"]["action"]
        match action["type"]:
            case "deal":
                self.begin(event["version"], action["dealer"])
            case "draw_stock":
                card = event["last"]["card"]
                self.turn(seat, f"+{shown(card) if card else '··'}")
            case "take_discard":
                self.turn(seat, f"↑{shown(event['last']['card'])}")
            case "pass":
                self.turn(seat, "pass")
            case "discard":
                self.write(f" −{shown(action['card'])}")
            case "knock":
                self.write(f" −{shown(action['card'])}")
                self.lay(event["version"], f"{self.does(seat, 'knock')}:")
            case "big_gin":
                self.lay(event["version"], f"{self.does(seat, 'declare')} big gin:")
            case "lay_off":
                view = self.view_at(event["version"])
                grown = row(view["showdown"]["melds"][action["meld"]])
                say(f"   {self.does(seat, 'lay')} {shown(action['card'])} off: {grown}")

    def view_at(self, version):
        return self.service.call("GET", f"{self.path}/replay?at={version}")["view"]

    def begin(self, version, dealer):
        """A new deal: its header, and our hand as it was dealt."""
        if self.deal:
            self.settle()
        view = self.view_at(version)
        self.deal, self.turns = view["deal"], 0
        say()
        who = f"{self.does(dealer, 'deal')}, {self.does(1 - dealer, 'begin')}"
        say(f"{paint(f'Deal {self.deal}', 1)}   {who}")
        say(f"   your hand  {grouped(view['hand'])}   deadwood {view['deadwood']}")
        limit = view["knock_limit"]
        rule = f"knock with {limit} or less" if limit else "gin only"
        double = ", all points double" if view["doubled"] else ""
        say(f"   upcard     {shown(view['discards'][-1])}   {rule}{double}")

    def turn(self, seat, text):
        """A turn begins: the first of a line, or the second."""
        if self.turns % 2:
            self.write(" " * (self.wide + 20 - length(self.line)))
        else:
            self.end_line()
            self.write(f"   {self.turns // 2 + 1:2}  ")
        self.write(f"{self.names[seat]:{self.wide}} {text}{' ' * (4 - length(text))}")
        self.turns += 1

    def write(self, text):
        self.line += text
        say(text, end="")

    def end_line(self):
        if self.line:
            say()
        self.line = ""

    def lay(self, version, words):
        """What a knocker lays down, his loose cards last."""
        self.end_line()
        laid = self.view_at(version)["showdown"]
        cards = [card for meld in laid["melds"] for card in meld] + laid["loose"]
        self.hold(words, grouped(cards, laid["melds"]), laid["deadwood"])

    def hold(self, words, hand, deadwood):
        say(f"   {words} {hand}   deadwood {deadwood}")

    def settle(self):
        """The end of a deal: the hands not yet shown, the points, the score."""
        self.end_line()
        result = self.service.call("GET", f"{self.path}/deals/{self.deal}")["result"]
        points, knocker = result["points"], result["knocker"]
        for seat in range(2):
            if seat != knocker:
                melds = result["melds"][seat] if knocker is not None else None
                hand = grouped(result["hands"][seat], melds)
                self.hold(f"{self.does(seat, 'hold')}:", hand, result["deadwood"][seat])
        words = ENDINGS.get(result["ending"], result["ending"])
        if any(points):
            scorer = points.index(max(points))
            words = f"{self.does(scorer, 'score')} {points[scorer]} {words}"
        say(paint(f"   {words}", 1))
        self.scores = [a + b for a, b in zip(self.scores, points, strict=True)]
        self.board()

    def end(self, match):
        self.settle()
        bonuses = match["view"]["bonuses"]
        if any(bonuses):
            say()
            say(f"Bonuses at the end of the match: {bonuses[0]} : {bonuses[1]}")
            super().end(match)


# The match


def play(service, rng):
    game = next(
        (g for g in service.call("GET", "/games") if g["name"] == (env("GAME") or "gin")), None
    )
    if game is None:
        raise Trouble(f"The service at {BASE} has no game {env('GAME')}.")
    player = service.call("POST", "/players/guest")
    service.token, me = player["token"], player["player"]["name"]
    bot = env("BOT") or ("easy" if "easy" in game["bots"] else game["bots"][-1])
    seats = ["me"] + [{"bot": bot}] * (game["seats"][0] - 1)
    options = {"preset": env("PRESET")} if env("PRESET") else {}
    match = service.call(
        "POST", "/matches", {"game": game["name"], "options": options, "seats": seats}
    )
    path, commitment = f"/matches/{match['id']}", match["commitment"]
    preset = env("PRESET") or next(iter(game["presets"]))
    say(paint(f"{game['title']}, {preset}: {me} (you) against the bot {bot}", 1))
    say(f"match       {BASE}/api/v1{path}")
    say(f"commitment  {commitment}")
    gin = game["name"] == "gin"
    if gin:
        say("+ from the stock   ↑ the upcard taken   − thrown   │ between melds, loose cards last")
    story = (GinStory if gin else Story)(service, path, match)
    story.follow(match)
    while match["status"] == "playing":
        match = service.my_turn(path, match, story.follow)
        if match["status"] == "playing":
            view = match["view"]
            action = choose_in_gin(view, rng) if gin else rng.choice(view["legal"])
            match = service.call(
                "POST", f"{path}/moves", {"version": match["version"], "action": action}
            )
            story.follow(match)
    if not QUIET:
        story.end(match)
    return summary(match, me, commitment, path)


def summary(match, me, commitment, path):
    """Checks the commitment; the last line names the winner."""
    kept = hashlib.sha256(bytes.fromhex(match["secret"])).hexdigest() == commitment
    say()
    say(f"{match['deal']['number']} deals, {match['version']} entries in the log")
    say(f"replay      {BASE}/api/v1{path}/replay?seat=all&at={match['version']}")
    say(f"export      {BASE}/api/v1{path}/export   (docs/verify.py checks every shuffle and move)")
    say(f"secret      {match['secret']}")
    if not kept:
        raise Trouble("The secret revealed is NOT the one committed to before the first card.")
    say("its SHA-256 is the commitment shown before the first card: kept")
    ranked = sorted(match["seats"], key=lambda seat: seat["place"])
    names = [seat["player"] or f"the bot {seat['bot']}" for seat in ranked]
    scores = " : ".join(str(seat["score"]) for seat in ranked)
    say()
    if len(ranked) > 1 and ranked[1]["place"] == 1:
        return f"{' and '.join(names)} share the first place, {scores}."
    return f"{names[0]} wins {scores}."


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
