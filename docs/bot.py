#!/usr/bin/env python3
"""A player for `manage.py arena`: reads a view on each line of stdin, writes an action.

    manage.py arena gin docs/bot.py easy

It plays any game legally: of what it may do it takes what leaves it fewest points, as far as
that can be told from the action alone. Only the standard library. Start from it.
"""

import json
import random
import sys

VALUES = {rank: min(n, 10) for n, rank in enumerate("A23456789TJQK", start=1)}


def choose(view):
    """One of the legal actions: most cards removed, melded or laid off, else a dear one thrown."""
    return max(view["legal"], key=lambda action: (worth(action), random.random()))


def worth(action):
    cards = action.get("cards") or [action.get("card")]
    points = sum(VALUES[card[0]] for card in cards if isinstance(card, str))
    tables = action["type"] in {"knock", "big_gin", "remove", "meld", "lay_off"}
    return tables, points


for line in sys.stdin:
    print(json.dumps(choose(json.loads(line))), flush=True)
