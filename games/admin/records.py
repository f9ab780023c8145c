"""What ended matches leave behind, to look at."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import path, reverse
from django.utils.html import format_html

from games.admin import mending
from games.admin.search import GameFilter, OfMatches
from games.admin.words import listed
from games.models import Board, Rating, RatingChange, Score, Standing, Tally
from games.services.records import shown
from players.admin import ReadOnlyAdmin


@admin.register(Score)
class ScoreAdmin(OfMatches):
    list_display = ["game", "points", "player", "day", "posted_at", "match"]
    list_select_related = ["match", "player"]
    asked_by = ("day",)
    ordering = ["-id"]
    fields = list_display

    def get_queryset(self, request: HttpRequest) -> QuerySet[Score]:
        return super().get_queryset(request).defer("match__position", "match__secret")


@admin.register(Rating)
class RatingAdmin(OfMatches):
    list_display = ["player", "game", "rating", "mu", "sigma", "matches", "changed_at"]
    list_select_related = ["player"]
    list_filter = [GameFilter]
    by_match = None
    ordering = ["-id"]
    fields = [*list_display, "mending"]
    readonly_fields = ["mending"]

    def get_urls(self) -> list[Any]:
        page = self.admin_site.admin_view(mending.restore_rating)
        return [path("<int:object_id>/restore/", page, name="games_rating_restore")] + (
            super().get_urls()
        )

    @admin.display(description="if it is wrong")
    def mending(self, rating: Rating) -> str:
        address = reverse("admin:games_rating_restore", args=[rating.pk])
        return format_html('<a class="house-button" href="{}">Restore it</a>', address)

    @admin.display(description="rating")
    def rating(self, rating: Rating) -> str:
        return f"{shown(rating.mu)} ± {shown(rating.sigma)}"


@admin.register(RatingChange)
class RatingChangeAdmin(OfMatches):
    list_display = ["player", "game", "before", "after", "at", "match"]
    list_select_related = ["match", "player"]
    ordering = ["-id"]
    fields = [*list_display, "mu_before", "sigma_before", "mu", "sigma", "bots"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[RatingChange]:
        return super().get_queryset(request).defer("match__position", "match__secret")

    @admin.display(description="before")
    def before(self, change: RatingChange) -> str:
        return f"{shown(change.mu_before)} ± {shown(change.sigma_before)}"

    @admin.display(description="after")
    def after(self, change: RatingChange) -> str:
        return f"{shown(change.mu)} ± {shown(change.sigma)}"


@admin.register(Tally)
class TallyAdmin(OfMatches):
    list_display = ["player", "game", "ended_at", "score", "told_done", "told_counts", "match"]
    list_select_related = ["match", "player"]
    ordering = ["-id"]
    fields = [*list_display, "public", "opponents"]

    @admin.display(description="done")
    def told_done(self, tally: Tally) -> str:
        return listed(tally.done)

    @admin.display(description="counts")
    def told_counts(self, tally: Tally) -> str:
        return listed(tally.counts)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Tally]:
        return super().get_queryset(request).defer("match__position", "match__secret")


@admin.register(Board)
class BoardAdmin(ReadOnlyAdmin):
    list_display = ["game", "period", "starts", "version"]
    list_filter = ["game", "period"]
    ordering = ["-id"]
    fields = list_display


@admin.register(Standing)
class StandingAdmin(OfMatches):
    """Replaced lines are kept for as long as pages may need them."""

    list_display = ["board", "player", "value", "matches", "reached_at", "since", "until"]
    list_select_related = ["board", "player"]
    asked_by = ("board", "until__isnull")
    by_match = None
    ordering = ["-id"]
    fields = [*list_display, "replaced_at"]
