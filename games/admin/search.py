"""How lists about matches are searched and filtered: by what an index serves, and nothing else."""

from typing import Any
from uuid import UUID

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest

from games.engine import GAMES
from games.models import Match
from games.queries import STATUSES
from players.admin import ReadOnlyAdmin
from players.models import Player


class OfMatches(ReadOnlyAdmin):
    """A list that is searched by a match's whole id, or by a player's whole name.

    `by_match` and `by_player` lead from a row to the two; None where there is no such way.
    """

    by_match: str | None = "match"
    by_player: str | None = "player"
    search_fields = ("id",)  # that there is a field to type into; see get_search_results
    search_help_text = "The id of a match, or the name of a player: the whole of it."

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        term = search_term.strip()
        if not term:
            return queryset, False
        found = Q(pk__in=[])
        if self.by_match and (match := match_id(term)):
            found |= Q(**{self.by_match: match})
        elif self.by_player:
            players = Player.objects.named(term).values_list("pk", flat=True)
            found |= Q(**{f"{self.by_player}__in": list(players)})
        return queryset.filter(found), False


def match_id(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


class GameFilter(admin.SimpleListFilter):
    """By game. (Django's own filter would look for the games in all the rows.)"""

    title = parameter_name = "game"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(name, rules.TITLE) for name, rules in GAMES.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(game=self.value()) if self.value() else queryset


class StatusFilter(admin.SimpleListFilter):
    title = parameter_name = "status"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(status, status) for status in STATUSES]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Match]) -> QuerySet[Match]:
        return queryset.filter(status=self.value()) if self.value() else queryset


class WaitsForFilter(admin.SimpleListFilter):
    """By what a match waits for: each is a few of all, and has an index."""

    title = "waits for"
    parameter_name = "waits"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [
            ("players", "players to join"),
            ("person", "a person's move"),
            ("bot", "a bot's move"),
            ("stuck", "a bot's move, tried again"),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Match]) -> QuerySet[Match]:
        match self.value():
            case "players":
                return queryset.filter(status="open")
            case "person":
                return queryset.filter(status="playing", bot_to_move=False)
            case "bot":
                return queryset.filter(bot_to_move=True)
            case "stuck":
                return queryset.filter(bot_to_move=True, attempts__gt=0)
        return queryset
