"""Checks the export of an ended match by itself: no service, no network, nothing to install.

    curl -s http://localhost:8000/api/v1/matches/ID/export > match.jsonl
    python3 verify.py match.jsonl --commitment COMMITMENT

COMMITMENT is the one that you noted before the first card. With this file alone it checks that
the file came whole, that the secret is the one committed to, and that every shuffle follows from
it and from what the players gave. In a clone of the repository, or with --rules FOLDER (a clone)
and msgspec, also that every move was legal and that scores and places are what the rules make of
them. It says what it has checked and what not. It ends with 0, with 1 at the first line that is
wrong, and says why, or with 2 when it cannot begin.
"""

import argparse
import hashlib
import hmac
import json
import re
import sys
from pathlib import Path

DEALER, TABLE = -1, -2
MOST_SEATS = 10
NUMBERS = 1_000_000
PACK = [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"]
SEALED = re.compile(rb'(\{.*),"sha256":"([0-9a-f]{64})"\}', re.DOTALL)
HEX = re.compile(r"[0-9a-f]{64}")
HEAD = {
    "match": str,
    "game": str,
    "options": dict,
    "clock": (dict, type(None)),
    "seats": int,
    "commitment": str,
    "secret": str,
    "status": str,
    "ended_by": str,
    "versions": int,
    "scores": (list, type(None)),
    "places": (list, type(None)),
}
ENTRY = {"version": int, "at": str, "seat": int, "action": dict}


class Wrong(Exception):
    """What is wrong, and where. `line` counts from 1, the head."""

    def __init__(self, line, words):
        what = f"version {line - 1}" if line > 1 else "the head"
        super().__init__(f"line {line} ({what}): {words}")


def require(holds, line, words):
    if not holds:
        raise Wrong(line, words)


def verify(data, commitment=None, rules=None):
    """Check an export (bytes). Returns what was checked, a list of sentences; raises Wrong.

    `commitment`: the one that was noted. `rules`: the modules GAMES and log of the engine.
    """
    head, entries = read(data)
    done = [f"The file is whole: {len(entries)} entries, each with the checksum it should have."]
    done += check_secret(head, commitment)
    done += check_versions(head, entries)
    done += check_shuffles(head, entries)
    if rules is not None:
        done += check_moves(head, entries, *rules)
    return done


# The file


def read(data):
    """The head, and the entries in order."""
    lines = data.split(b"\n")
    require(lines.pop() == b"", len(lines) + 1, "the file does not end with a whole line")
    require(lines, 1, "the file is empty")
    objects, digest = [], b""
    for number, line in enumerate(lines, 1):
        parts = SEALED.fullmatch(line)
        require(parts, number, "this is no line of an export, or one that was written anew")
        text = parts[1] + b"}"
        right = hashlib.sha256(digest + text).hexdigest().encode()
        require(parts[2] == right, number, "its checksum is another: something was changed here")
        digest = right
        objects.append(shaped(text, HEAD if number == 1 else ENTRY, number))
    require(1 <= objects[0]["seats"] <= MOST_SEATS, 1, "so many seats has no game")
    return objects[0], objects[1:]


def shaped(text, shape, number):
    """The JSON object, which must have just these fields."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise Wrong(number, "this is not JSON") from None
    require(found.keys() == shape.keys(), number, f"its fields are not {', '.join(shape)}")
    for field, kind in shape.items():
        right = isinstance(found[field], kind) and not isinstance(found[field], bool)
        require(right, number, f"{field} cannot be {json.dumps(found[field])}")
    return found


def check_versions(head, entries):
    for version, entry in enumerate(entries, 1):
        words = f"version {version} should stand here, not {entry['version']}"
        require(entry["version"] == version, version + 1, words)
        seats = range(TABLE, head["seats"])
        require(entry["seat"] in seats, version + 1, f"there is no seat {entry['seat']}")
    last = len(entries)
    require(last == head["versions"], 1, f"there are {last} entries, not {head['versions']}")
    return [f"The versions are 1 to {last} without a gap."]


# The secret and the shuffles


def check_secret(head, noted):
    secret, promised = head["secret"], head["commitment"]
    require(HEX.fullmatch(secret), 1, "the secret is not 32 bytes, in small hex digits")
    found = hashlib.sha256(bytes.fromhex(secret)).hexdigest()
    require(found == promised, 1, f"the secret is not the one committed to; its SHA-256 is {found}")
    if noted is None:
        return [f"The secret is the one committed to: compare {promised} with what you noted."]
    require(noted == promised, 1, f"the match was committed to {promised}, not {noted}")
    return ["The secret is the one committed to, and the commitment is the one you noted."]


def check_shuffles(head, entries):
    """Every entry of the dealer, computed again from the secret and what the players gave."""
    secret, table = bytes.fromhex(head["secret"]), Table(head["seats"])
    number, deals, unshuffled, dealt = 0, 0, 0, [0]
    for line, entry in enumerate(entries, 2):
        seat, action = entry["seat"], entry["action"]
        if seat == TABLE:
            table.note(action, number, line)
            deals = gone_back(action, dealt, line)
        dealt.append(deals + (seat == DEALER and action.get("type") == "deal"))
        if seat != DEALER:
            continue
        deals += action.get("type") == "deal"
        if action.get("type") == "restock" and head["options"].get("restock") == "turn_over":
            unshuffled += 1
        else:
            public = public_source(head, deals) if action.get("type") == "deal" else None
            source = public or table.copied(number) or (secret, table.entropies, number)
            check_shuffle(head, action, source, number == 0, line)
        number += 1
    gave = ", ".join(json.dumps(entropy.decode()) for entropy in table.entropies) or "none"
    told = [
        f"Every shuffle ({number - unshuffled}) follows from the secret and the entropies: {gave}."
    ]
    if table.shuffles:
        told = table.origin(number)
    if public_source(head, 1):
        told = [f"Every deal ({dealt[-1]}) is that of its public number; no secret is in it."]
    if unshuffled:
        told.append(f"Restocks that turn the discards over, without a shuffle: {unshuffled}.")
    return told


def gone_back(action, dealt, line):
    """How many deals there have been, which is fewer where an operator took the match back.

    `dealt`: how many at each version so far. Shuffles are counted on all the same.
    """
    if action.get("type") != "rolled_back":
        return dealt[-1]
    to = action.get("to")
    known = type(to) is int and 0 < to < len(dealt)
    require(known, line, f"the match cannot go back to version {json.dumps(to)}")
    return dealt[to]


class Table:
    """Who has sat down where, by what each gave; `entropies` is fixed when the match starts.

    An operator who takes back a match whose secret was shown adds one.

    `shuffles`: of a match that goes on from another, what its first shuffles follow from.
    """

    def __init__(self, seats):
        self.given, self.entropies, self.started = [None] * seats, [], False
        self.match, self.shuffles = None, []

    def note(self, action, shuffled, line):
        kind, seat = action.get("type"), action.get("seat")
        if kind == "continued":
            self.go_on(action, shuffled, line)
            return
        if kind == "rolled_back" and action.get("entropy") is not None:
            self.entropies.append(text_of(action["entropy"], line).encode())
        if kind not in ("joined", "left", "invited", "started"):
            return
        require(not self.started, line, "the match had started already")
        if kind == "started":
            self.start(action.get("entropy"), line)
            return
        known = type(seat) is int and 0 <= seat < len(self.given)
        require(known, line, f"there is no seat {json.dumps(seat)}")
        if kind == "left":
            self.given[seat] = None
            return
        require(self.given[seat] is None, line, f"seat {seat} was taken")
        if kind == "joined":
            self.given[seat] = text_of(action.get("entropy") or "", line)

    def start(self, entropy, line):
        require(None not in self.given, line, "the match cannot start: a seat is empty")
        self.started = True
        if entropy is not None:
            self.entropies = [text.encode() for text in (*self.given, text_of(entropy, line))]

    def go_on(self, action, shuffled, line):
        words = "a match can go on from another only before its first card"
        require(self.started and not shuffled and not self.shuffles, line, words)
        listed = action.get("shuffles") or []
        require(isinstance(listed, list), line, "shuffles is no list")
        self.match = action.get("match")
        self.shuffles = [source_of(each, line) for each in listed]

    def copied(self, number):
        return self.shuffles[number] if number < len(self.shuffles) else None

    def origin(self, number):
        """What to compare: the other match's commitment, of which this file cannot tell."""
        secrets = dict.fromkeys(secret for secret, *_ in self.shuffles)
        sums = ", ".join(hashlib.sha256(secret).hexdigest() for secret in secrets)
        words = (
            f"The match goes on from {self.match}: its first {len(self.shuffles)} shuffles follow "
            f"from that one's secret. Compare its commitment: {sums} (several: it went on from "
            "others itself)."
        )
        own = f"The {number - len(self.shuffles)} after them follow from this match's own secret."
        return [words, own]


def source_of(shuffle, line):
    """Secret, entropies and number of a shuffle that was copied."""
    fields = shuffle if isinstance(shuffle, dict) else {}
    secret, given, number = (fields.get(name) for name in ("secret", "entropies", "number"))
    known = isinstance(secret, str) and HEX.fullmatch(secret)
    known = known and isinstance(given, list) and type(number) is int and 0 <= number < 2**63
    require(known, line, "what a shuffle follows from is a secret, entropies and a number")
    return bytes.fromhex(secret), [text_of(text, line).encode() for text in given], number


def text_of(entropy, line):
    right = isinstance(entropy, str) and len(entropy) <= 64 and entropy.isascii()
    require(right, line, "an entropy is a text of at most 64 ASCII characters")
    return entropy


def check_shuffle(head, action, source, first, line):
    cards = action.get("cards")
    known = isinstance(cards, list) and all(isinstance(card, str) for card in cards)
    require(known, line, "the dealer's entry has no cards")
    require(set(cards) <= set(PACK), line, "there are cards that no pack has")
    require(len(set(cards)) == len(cards), line, "a card is there twice")
    if action.get("type") == "deal":
        require(len(cards) == 52, line, f"the pack has {len(cards)} cards")
    right = shuffle(*source, sorted(cards, key=PACK.index))
    if cards != right:
        place = next(n for n, card in enumerate(right) if cards[n] != card)
        raise Wrong(line, f"the shuffle gives {right[place]} at place {place}, not {cards[place]}")
    if first and "dealer" in action:
        drawn = below(head["seats"], stream(b"lot", *source))
        require(action["dealer"] == drawn, line, f"the lot fell on seat {drawn} as dealer")


def public_source(head, deal):
    """Where deals have public numbers: what stands for the secret of that deal, from 1 on."""
    options = head["options"]
    first = options.get("deal_number") if options.get("practice") else None
    if first is None:
        return None
    require(isinstance(first, int), 1, "deal_number is no number")
    number = (first + deal - 2) % NUMBERS + 1
    return b"ginservice deal %d" % number, (), 0


def shuffle(secret, entropies, number, cards):
    """Fisher-Yates by numbers that HMAC-SHA-256 makes of the secret: docs/shuffle.md."""
    numbers, order = stream(b"shuffle", secret, entropies, number), list(cards)
    for last in range(len(order) - 1, 0, -1):
        other = below(last + 1, numbers)
        order[last], order[other] = order[other], order[last]
    return order


def stream(label, secret, entropies, number):
    message = label + number.to_bytes(8, "big")
    for entropy in entropies:
        message += len(entropy).to_bytes(4, "big") + entropy
    seed = hmac.digest(secret, message, "sha256")
    for block in range(2**64):
        digest = hmac.digest(seed, block.to_bytes(8, "big"), "sha256")
        for at in range(0, 32, 4):
            yield int.from_bytes(digest[at : at + 4], "big")


def below(n, numbers):
    bound = 2**32 - 2**32 % n
    return next(word for word in numbers if word < bound) % n


# The moves, by the rules


def check_moves(head, entries, games, log):
    """The match played again by the engine: legal moves only, and the same end."""
    require(head["game"] in games, 1, f"these rules know no game {head['game']!r}")
    game, secret = games[head["game"]], bytes.fromhex(head["secret"])
    options, position = by_the_rules(1, opening, log, game, head)
    seen = [position]
    for line, entry in enumerate(entries, 2):
        position = by_the_rules(line, step, log, game, options, seen, entry, secret, line)
        seen.append(position)
    end = {
        "status": position.status,
        "ended_by": position.ended_by,
        "scores": position.state and list(position.state.scores),
        "places": position.places and list(position.places),
    }
    for field, value in end.items():
        words = f"by the rules {field} is {json.dumps(value)}, not {json.dumps(head[field])}"
        require(same(head[field], value), 1, words)
    actions = sum(entry["seat"] >= 0 for entry in entries)
    scores = f"scores {end['scores']}, places {end['places']}"
    return [
        f"Every move ({actions}) was legal, and by the seat whose turn it was.",
        "By the times that stand here no move was late, and nobody was timed out too early.",
        f"By the rules the match ends as it says: {position.status}, {scores}.",
    ]


def same(told, value):
    """Equal, and not only as true equals 1 or 5.0 equals 5."""
    return json.dumps(told, sort_keys=True) == json.dumps(value, sort_keys=True)


def by_the_rules(line, function, *arguments):
    """What the function of the engine says; what it cannot read or fold is wrong."""
    try:
        return function(*arguments)
    except Wrong:
        raise
    except Exception as error:
        raise Wrong(line, f"the rules cannot make sense of it: {error!r}") from error


def opening(log, game, head):
    from msgspec import convert

    require(head["seats"] in game.SEATS, 1, f"the game has no {head['seats']} seats")
    clock = convert(head["clock"], log.Clock | None)
    return convert(head["options"], game.Options), log.opened(head["seats"], clock)


def step(log, game, options, seen, told, secret, line):
    """The next position, after those seen."""
    entry = log.read_entry(game, told["seat"], told["action"], log.read_time(told["at"]))
    position, entry = seen[-1], log.aimed(entry, seen.__getitem__)
    spelled = same(told["action"], log.plain(entry.action))
    require(spelled, line, "the action is not in its one spelling")
    if entry.seat != TABLE:
        turn = position.turn
        require(entry.seat == turn, line, f"it was not seat {entry.seat}'s turn, but {turn}'s")
    if entry.seat == DEALER:
        dealt = log.dealers_entry(game, position, secret).action
        words = f"the dealer had to do {log.plain(dealt)}"
        require(entry.action == dealt, line, words)
    elif entry.seat != TABLE:
        legal = game.legal_actions(position.state)
        require(entry.action in legal, line, f"{json.dumps(told['action'])} was not legal")
    untimely = log.untimely(position, entry)
    require(untimely is None, line, untimely)
    return log.fold(game, options, position, entry)


def load_rules(folder):
    """GAMES and log of the engine, or None, and why."""
    if not (folder / "games" / "engine" / "log.py").is_file():
        return None, f"there are no rules in {folder}"
    sys.path.insert(0, str(folder))
    try:
        from games.engine import GAMES, log
    except ImportError as error:
        return None, str(error)
    return (GAMES, log), ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("export", help="the file; - for standard input")
    parser.add_argument(
        "--commitment", type=str.lower, help="the one that you noted before the first card"
    )
    parser.add_argument("--rules", type=Path, help="a clone of the repository")
    asked = parser.parse_args()
    rules, why = load_rules(asked.rules or Path(__file__).resolve().parent.parent)
    if asked.rules and rules is None:
        parser.error(why)
    try:
        data = sys.stdin.buffer.read() if asked.export == "-" else Path(asked.export).read_bytes()
    except OSError as error:
        parser.error(str(error))
    try:
        done = verify(data, asked.commitment, rules)
    except Wrong as error:
        sys.exit(f"WRONG: {error}.")
    print("\n".join(done))
    if rules is None:
        print(f"NOT CHECKED, for {why}: that moves were legal, which cards a restock")
        print("takes up, who deals after the first deal, scores and places. See --rules.")
    print("Nobody can check from a file: who sat there, and when. Your own moves you know.")
    print("RIGHT.")


if __name__ == "__main__":
    main()
