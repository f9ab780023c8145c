"""Bots for Gin Rummy, weakest first."""

from games.bots.gin.easy import easy
from games.bots.gin.expert import expert
from games.bots.gin.hard import hard
from games.bots.gin.medium import medium

BOTS = {"easy": easy, "medium": medium, "hard": hard, "expert": expert}

THINKERS = ("expert",)

RIVALS = {"expert": "easy"}
"""Its lead over `hard` takes more deals to see than the short check of the ladder plays."""

RATINGS = {"random": 7.6, "easy": 25.0, "medium": 27.3, "hard": 30.6, "expert": 31.9}
"""As people's ratings (mu); docs/bots.md tells how they were measured."""
