"""What the operator himself is told of: bots' errors, and the hours behind the dashboard."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.template.defaultfilters import filesizeformat

from games.admin.search import OfMatches
from games.models import BotError, Hour
from players.admin import MadeFilter, ReadOnlyAdmin


@admin.register(BotError)
class BotErrorAdmin(OfMatches):
    list_display = ["match", "version", "bot", "reason", "place", "at"]
    list_select_related = ["match"]
    list_filter = [MadeFilter]
    by_player = None
    ordering = ["-id"]
    fields = list_display

    def get_queryset(self, request: HttpRequest) -> QuerySet[BotError]:
        return super().get_queryset(request).defer("match__position", "match__secret")


@admin.register(Hour)
class HourAdmin(ReadOnlyAdmin):
    list_display = [
        *("starts", "moves", "matches", "players", "guests"),
        *("bot_errors", "live", "open", "database"),
    ]
    ordering = ["-starts"]
    fields = [*list_display, "bot_waits", "counted_at"]

    @admin.display(description="database")
    def database(self, hour: Hour) -> str:
        return filesizeformat(hour.database_bytes) if hour.database_bytes else "—"
