"""What the operator himself is told of: bots' errors, analyses of matches, and the hours
behind the dashboard."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.template.defaultfilters import filesizeformat

from games.admin.search import OfMatches
from games.models import Analysis, BotError, Hour
from games.services.analyses import STATUSES
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


class AnalysisStatusFilter(admin.SimpleListFilter):
    """By status: an index serves it."""

    title = parameter_name = "status"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(status, status) for status in STATUSES]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Analysis]) -> QuerySet[Analysis]:
        return queryset.filter(status=self.value()) if self.value() else queryset


@admin.register(Analysis)
class AnalysisAdmin(OfMatches):
    list_display = ["match", "status", "progress", "asked_by", "asked_at", "finished_at", "error"]
    list_select_related = ["match", "asked_by"]
    list_filter = [AnalysisStatusFilter]
    by_player = "asked_by"
    ordering = ["-id"]
    fields = [*list_display, "attempts", "queued_at", "taken_at"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Analysis]:
        hidden = ("match__position", "match__secret", "found", "result")
        return super().get_queryset(request).defer(*hidden)

    @admin.display(description="units judged")
    def progress(self, analysis: Analysis) -> str:
        return f"{analysis.done} of {analysis.total}"
