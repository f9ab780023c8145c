"""How a match is told. What is here does for any game; gin, rummy and pyramid tell it better."""

import hashlib

from page import WIDTH, bar, bold, count, length, say
from service import BASE, Trouble


def choose(view, rng):
    return rng.choice(view["legal"])


class Story:
    """Tells a match from its list of moves, in order, as far as it has come."""

    guest = True  # may its player be one?
    signs = ""  # what the signs in it mean
    unit = "deal"

    def __init__(self, service, match):
        self.service, self.path, self.version = service, f"/matches/{match['id']}", 0
        self.commitment = match["commitment"]
        self.names = list(names_of(match))
        self.wide = max(map(len, self.names))
        self.scores = [0] * len(self.names)
        self.target = match["view"].get("target") or match["options"].get("target")

    def open(self, title, me):
        bots = [name for name in self.names if name != "you"]
        against = f" against {'the bot' if len(bots) == 1 else 'the bots'} {', '.join(bots)}"
        say(bold(f"{title}: {me} (you){against if bots else ''}"))
        say(f"match       {BASE}/api/v1{self.path}")
        say(f"commitment  {self.commitment}")
        if self.signs:
            say(self.signs)

    def verb(self, seat, verb):
        """As it is said of a seat: you knock, easy knocks."""
        ending = "" if self.names[seat] == "you" else "es" if verb == "go" else "s"
        return verb + ending

    def does(self, seat, verb):
        return f"{self.names[seat]} {self.verb(seat, verb)}"

    def follow(self, match):
        while self.version < match["version"]:
            page = self.service.call("GET", f"{self.path}/moves?after={self.version}&limit=1000")
            for event in page["results"]:
                self.version = event["version"]
                self.tell(event)

    def tell(self, event):
        seat = event["last"]["seat"]
        say(f"   {self.names[seat]} {event['words']}" if seat >= 0 else event["words"])

    def close(self, match):
        """The final scores."""
        self.scores = match["view"]["scores"]
        self.board()

    def board(self):
        """The score of each seat, and how far it has come towards the target."""
        for name, score in zip(self.names, self.scores, strict=True):
            way = f"  {bar(score, self.target)}  of {self.target}" if self.target else ""
            say(f"   {name:{self.wide}} {score:4}{way}")

    def prove(self, match):
        """Checks the commitment."""
        secret = match["secret"]
        say()
        say(f"{count(match['deal']['number'], self.unit)}, {match['version']} entries in the log")
        address = f"{BASE}/api/v1{self.path}"
        say(f"replay      {BASE}{self.path}/replay   (as JSON: {address}/replay?seat=all)")
        say(f"export      {address}/export   (docs/verify.py checks every shuffle and move)")
        say(f"secret      {secret}")
        if hashlib.sha256(bytes.fromhex(secret)).hexdigest() != self.commitment:
            raise Trouble("The secret revealed is NOT the one committed to before the first card.")
        say("its SHA-256 is the commitment shown before the first card: kept")
        say()

    def finish(self, match):
        """The last line, which names the winner."""
        ranked = sorted(match["seats"], key=lambda seat: seat["place"])
        names = [seat["player"] or f"the bot {self.names[seat['number']]}" for seat in ranked]
        scores = " : ".join(str(seat["score"]) for seat in ranked)
        first = [name for name, seat in zip(names, ranked, strict=True) if seat["place"] == 1]
        if len(first) > 1:
            return f"{' and '.join(first)} share the first place, {scores}."
        return f"{first[0]} wins {scores}."


def names_of(match):
    """By seat: you, easy; or easy 1, easy 2 where several bots play."""
    bots = sum(seat["bot"] is not None for seat in match["seats"])
    for seat in match["seats"]:
        if seat["number"] == match["you"]:
            yield "you"
        else:
            yield seat["bot"] + (f" {seat['number']}" if bots > 1 else "")


class DealStory(Story):
    """Tells a match deal by deal: how each begins, what is done in it, how it is settled."""

    deal = 0
    line = ""

    def tell(self, event):
        last = event["last"]
        if last["action"]["type"] == "deal":
            self.settled()
            view = self.view_at(event["version"])
            self.deal = view["deal"]
            say()
            self.begin(view)
        elif self.deal:
            self.act(event["version"], last["seat"], last["action"], last.get("card"))

    def settled(self):
        if self.deal:
            result = self.service.call("GET", f"{self.path}/deals/{self.deal}")["result"]
            self.settle(result)

    def close(self, match):
        self.settled()

    def view_at(self, version):
        return self.service.call("GET", f"{self.path}/replay?at={version}")["view"]

    def score(self, points):
        self.scores = [a + b for a, b in zip(self.scores, points, strict=True)]

    # A line in the making

    def write(self, text, indent=7):
        """More of the line; a new one, indented, if it would grow too long."""
        if length(self.line) + length(text) > WIDTH:
            self.end_line()
            text = " " * indent + text.lstrip()
        self.line += text
        say(text, end="")

    def to_column(self, column):
        self.write(" " * (column - length(self.line)))

    def end_line(self):
        if self.line:
            say()
        self.line = ""
