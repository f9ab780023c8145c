"""Matches to look at. They change only through services.

Of a live match nothing is shown that a spectator may not know: no secret, position, deck or
hand. The secret is shown once the match has ended, as in the API.
"""

from typing import Any

from django.contrib import admin
from django.db.models import Max, QuerySet
from django.http import HttpRequest

from games.engine import log
from games.engine.game import DEALER
from games.models import (
    Board,
    Deal,
    Match,
    Move,
    Rating,
    RatingChange,
    Score,
    Seat,
    Standing,
    Tally,
)
from games.services.records import shown
from players.admin import ReadOnlyAdmin


class ReadOnlyInline(admin.TabularInline):
    extra = 0
    can_delete = False
    show_change_link = True

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class SeatInline(ReadOnlyInline):
    model = Seat
    fields = ["number", "player", "bot", "invited", "score", "place"]
    ordering = ["number"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Seat]:
        return super().get_queryset(request).select_related("player", "invited")


class DealInline(ReadOnlyInline):
    model = Deal
    fields = ["number", "dealer", "first_version", "last_version", "result", "ended_at"]
    ordering = ["number"]


@admin.register(Match)
class MatchAdmin(ReadOnlyAdmin):
    list_display = [
        "id",
        "game",
        "status",
        "ended_by",
        "who",
        "version",
        "waits_for",
        "attempts",
        "bot_errors",
        "last_move",
    ]
    list_filter = ["game", "status", "ended_by", "bot_to_move", "visibility", "rated", "created_at"]
    search_fields = ["id__exact", "seats__player__name"]
    ordering = ["-id"]
    list_per_page = 50
    show_full_result_count = False
    inlines = [SeatInline, DealInline]
    fields = [
        "id",
        "game",
        "options",
        "visibility",
        "starts",
        "rated",
        "fill_at",
        "fill_with",
        "clock",
        "created_by",
        "status",
        "ended_by",
        "version",
        "waits_for",
        "queued_at",
        "attempts",
        "deadline",
        "ends_at",
        "bot_errors",
        "commitment",
        "revealed_secret",
        "created_at",
        "started_at",
        "last_move",
        "finished_at",
    ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Match]:
        matches = super().get_queryset(request).defer("position", "secret")
        return matches.prefetch_related("seats__player").annotate(moved_at=Max("moves__created_at"))

    @admin.display(description="seats")
    def who(self, match: Match) -> str:
        seats = sorted(match.seats.all(), key=lambda seat: seat.number)
        return " · ".join(seat.player.name if seat.player else seat.bot or "open" for seat in seats)

    @admin.display(description="waits for")
    def waits_for(self, match: Match) -> str:
        if match.turn is None:
            return "—"
        seats = {seat.number: seat for seat in match.seats.all()}
        seat = seats.get(match.turn)
        return f"seat {match.turn}: {seat.player or seat.bot}" if seat else "the dealer"

    @admin.display(description="last move", ordering="moved_at")
    def last_move(self, match: Any) -> Any:
        return match.moved_at

    @admin.display(description="secret")
    def revealed_secret(self, match: Match) -> str:
        return match.secret_hex if match.over else "hidden while the match lives"


@admin.register(Deal)
class DealAdmin(ReadOnlyAdmin):
    list_display = ["match", "number", "dealer", "first_version", "last_version", "ended_at"]
    list_select_related = ["match"]
    search_fields = ["match__id__exact"]
    ordering = ["-id"]
    show_full_result_count = False
    fields = [*list_display, "started_at", "result"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Deal]:
        return super().get_queryset(request).defer("before", "match__position", "match__secret")


@admin.register(Seat)
class SeatAdmin(ReadOnlyAdmin):
    list_display = ["match", "number", "player", "bot", "invited", "score", "place"]
    list_select_related = ["match", "player", "invited"]
    list_filter = ["bot"]
    search_fields = ["match__id__exact", "player__name"]
    ordering = ["-id"]
    show_full_result_count = False
    fields = list_display


@admin.register(Move)
class MoveAdmin(ReadOnlyAdmin):
    list_display = ["match", "version", "by", "told", "created_at"]
    list_select_related = ["match"]
    search_fields = ["match__id__exact"]
    ordering = ["-id"]
    show_full_result_count = False
    fields = list_display

    @admin.display(description="by", ordering="seat")
    def by(self, move: Move) -> str:
        return {log.TABLE: "the table", DEALER: "the dealer"}.get(move.seat, f"seat {move.seat}")

    @admin.display(description="action")
    def told(self, move: Move) -> str:
        """The action, without the cards of a dealer's entry while the match lives."""
        action = dict(move.action)
        if move.seat == DEALER and not move.match.over:
            action = {"type": action["type"], "cards": "hidden while the match lives"}
        kind = action.pop("type")
        return f"{kind} {action}" if action else kind


@admin.register(Score)
class ScoreAdmin(ReadOnlyAdmin):
    list_display = ["game", "points", "player", "day", "posted_at", "match"]
    list_select_related = ["match", "player"]
    list_filter = ["game", "day"]
    search_fields = ["match__id__exact", "player__name"]
    ordering = ["-id"]
    show_full_result_count = False
    fields = list_display

    def get_queryset(self, request: HttpRequest) -> QuerySet[Score]:
        return super().get_queryset(request).defer("match__position", "match__secret")


@admin.register(Rating)
class RatingAdmin(ReadOnlyAdmin):
    list_display = ["player", "game", "rating", "mu", "sigma", "matches", "changed_at"]
    list_select_related = ["player"]
    list_filter = ["game"]
    search_fields = ["player__name"]
    ordering = ["-id"]
    show_full_result_count = False
    fields = list_display

    @admin.display(description="rating", ordering="mu")
    def rating(self, rating: Rating) -> str:
        return f"{shown(rating.mu)} ± {shown(rating.sigma)}"


@admin.register(RatingChange)
class RatingChangeAdmin(ReadOnlyAdmin):
    list_display = ["player", "game", "before", "after", "at", "match"]
    list_select_related = ["match", "player"]
    list_filter = ["game", "at"]
    search_fields = ["match__id__exact", "player__name"]
    ordering = ["-id"]
    show_full_result_count = False
    fields = [*list_display, "mu_before", "sigma_before", "mu", "sigma"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[RatingChange]:
        return super().get_queryset(request).defer("match__position", "match__secret")

    @admin.display(description="before")
    def before(self, change: RatingChange) -> str:
        return f"{shown(change.mu_before)} ± {shown(change.sigma_before)}"

    @admin.display(description="after")
    def after(self, change: RatingChange) -> str:
        return f"{shown(change.mu)} ± {shown(change.sigma)}"


@admin.register(Tally)
class TallyAdmin(ReadOnlyAdmin):
    list_display = ["player", "game", "ended_at", "score", "done", "counts", "match"]
    list_select_related = ["match", "player"]
    list_filter = ["game", "ended_at"]
    search_fields = ["match__id__exact", "player__name"]
    ordering = ["-id"]
    show_full_result_count = False
    fields = [*list_display, "public", "opponents"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Tally]:
        return super().get_queryset(request).defer("match__position", "match__secret")


@admin.register(Board)
class BoardAdmin(ReadOnlyAdmin):
    list_display = ["game", "period", "starts", "version"]
    list_filter = ["game", "period"]
    ordering = ["-id"]
    show_full_result_count = False
    fields = list_display


@admin.register(Standing)
class StandingAdmin(ReadOnlyAdmin):
    """Replaced lines are kept for as long as pages may need them."""

    list_display = ["board", "player", "value", "matches", "reached_at", "since", "until"]
    list_select_related = ["board", "player"]
    list_filter = ["board__game", "board__period", ("until", admin.EmptyFieldListFilter)]
    search_fields = ["player__name"]
    ordering = ["-id"]
    show_full_result_count = False
    fields = [*list_display, "replaced_at"]
