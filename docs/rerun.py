"""Runs an exported match again with the rules alone: no Django, no database, no network.

    curl -s http://localhost:8000/api/v1/matches/ID/export | python docs/rerun.py

(or give it a file). Checks that the secret is the one committed to, that every shuffle follows
from the secret, that every action was legal, and that the scores are what the rules make of
them. Needs this repository and msgspec.
"""

import json
import sys
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).parent.parent))

from games.engine import GAMES, log
from games.engine.game import DEALER
from games.engine.shuffle import commitment


class Differs(Exception):
    """The export contradicts itself; the text says where."""


def rerun(lines):
    """The last position of an export (an iterable of JSON lines). Raises Differs."""
    head = json.loads(next(lines))
    game, secret = GAMES[head["game"]], bytes.fromhex(head["secret"])
    options = msgspec.convert(head["options"], game.Options)
    require(commitment(secret) == head["commitment"], "The secret is not the one committed to")
    position = log.opened(head["seats"])
    for line in map(json.loads, lines):
        where = f"version {line['version']}"
        require(line["version"] == position.version + 1, f"{where} does not follow")
        entry = log.read_entry(game, line["seat"], line["action"])
        if entry.seat == DEALER:
            dealt = log.dealers_entry(game, position, secret)
            require(entry == dealt, f"{where}: the shuffle is not the secret's")
        elif entry.seat != log.TABLE:
            legal = game.legal_actions(position.state)
            require(entry.seat == position.turn, f"{where}: it was not seat {entry.seat}'s turn")
            require(entry.action in legal, f"{where}: {line['action']} was not legal")
        position = log.fold(game, options, position, entry)
    require(position.version == head["versions"], "Entries are missing at the end")
    require(position.status == head["status"], f"It ends {position.status}, not {head['status']}")
    require(list(position.places or ()) == (head["places"] or []), "The places are others")
    scores = list(position.state.scores) if position.state else None
    require(scores == head["scores"], f"By the rules the scores are {scores}")
    return position


def require(holds, words):
    if not holds:
        raise Differs(f"{words}.")


def main():
    text = Path(sys.argv[1]).read_text() if len(sys.argv) > 1 else sys.stdin.read()
    try:
        position = rerun(iter(text.splitlines()))
    except Differs as error:
        sys.exit(str(error))
    scores = list(position.state.scores) if position.state else "none: it never began"
    print(
        f"{position.version} entries, {position.shuffles} shuffles: all as the rules and the"
        f" secret say. The match is {position.status}, scores {scores}."
    )


if __name__ == "__main__":
    main()
