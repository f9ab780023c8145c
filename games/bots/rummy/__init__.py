"""Bots for Basic Rummy, weakest first."""

from games.bots.rummy.levels import easy, expert, hard, medium

BOTS = {"easy": easy, "medium": medium, "hard": hard, "expert": expert}

RATINGS = {"random": 9.4, "easy": 25.0, "medium": 27.5, "hard": 35.0, "expert": 35.1}
"""As people's ratings (mu); docs/bots.md tells how they were measured."""

RIVALS = {"expert": "medium"}
"""Its lead over `hard` takes more deals to see than the short check of the ladder plays."""
