"""What a line looks like: colours for terminals only, cards with their signs, bars."""

import re
import sys

from service import env

QUIET = env("QUIET", "") not in ("", "0")
TTY = sys.stdout.isatty() and not env("NO_COLOR") and env("TERM") != "dumb"
SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
WIDTH = 80


def say(text="", end="\n"):
    if not QUIET:
        print(text, end=end, flush=True)


def paint(text, code):
    return f"\033[{code}m{text}\033[0m" if TTY else text


def bold(text):
    return paint(text, 1)


def length(text):
    return len(re.sub("\033\\[\\d*m", "", text))


def count(number, noun):
    return f"{number} {noun}{'' if number == 1 else 's'}"


def padded(text, width):
    return text + " " * (width - length(text))


def shown(card):
    """TD as 10♦."""
    text = card[0].replace("T", "10") + SIGNS[card[1]]
    return paint(text, 31) if card[1] in "DH" else text


def row(cards):
    order = sorted(cards, key=lambda card: ("CDHS".index(card[1]), "A23456789TJQK".index(card[0])))
    return " ".join(map(shown, order))


def bar(part, whole):
    full = min(30, part * 30 // whole)
    return f"{paint('█' * full, 32)}{'░' * (30 - full)}"
