"""Bots for Pyramid, weakest first, and its solver."""

from games.bots.pyramid.levels import clearable, easy, expert, hard, medium

__all__ = ["BOTS", "clearable"]

BOTS = {"easy": easy, "medium": medium, "hard": hard, "expert": expert}

THINKERS = ("hard", "expert")
