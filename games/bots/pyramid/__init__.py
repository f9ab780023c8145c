"""Bots for Pyramid, weakest first, and its solver."""

from games.bots.pyramid.levels import at_random, clearable, easy, expert, hard, medium

__all__ = ["BOTS", "at_random", "clearable"]

BOTS = {"easy": easy, "medium": medium, "hard": hard, "expert": expert}

THINKERS = ("hard", "expert")
