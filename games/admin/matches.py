"""Matches to look at: seats, deals and moves. They change only through services.

Of a live match nothing is shown that a spectator may not know: no secret, position, deck or
hand. The secret is shown once the match has ended, as in the API.
"""

from typing import Any

from django.contrib import admin
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import HttpRequest
from django.urls import path, reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.timesince import timesince
from unfold.admin import TabularInline
from unfold.decorators import display

from games.admin import mending, replay
from games.admin.search import GameFilter, OfMatches, StatusFilter, WaitsForFilter, match_id
from games.admin.words import HIDDEN, DealWords, MoveWords, SeatWords, listed, plain, sitting
from games.models import Analysis, Deal, Match, Move, Seat
from players.admin import MadeFilter
from players.models import Intervention

SHOWN = 20
COLORS = {
    "open": "info",
    "playing": "success",
    "finished": "",
    "aborted": "warning",
    "voided": "danger",
}


class ReadOnlyInline(TabularInline):
    extra = 0
    can_delete = False
    show_change_link = True
    hide_title = True

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class SeatInline(SeatWords, ReadOnlyInline):
    model = Seat
    readonly_fields = ["counted"]
    fields = ["counted", "player", "bot", "invited", "score", "place"]
    ordering = ["number"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Seat]:
        return super().get_queryset(request).select_related("player", "invited")


class DealInline(DealWords, ReadOnlyInline):
    model = Deal
    fields = readonly_fields = ["number", "dealt_by", "versions", "outcome", "ended_at"]
    ordering = ["number"]
    per_page = 20
    tab = True


class MoveInline(MoveWords, ReadOnlyInline):
    model = Move
    fields = readonly_fields = ["version", "by", "told", "created_at"]
    ordering = ["-version"]
    per_page = 20
    tab = True


@admin.register(Match)
class MatchAdmin(OfMatches):
    list_display = [
        "short",
        "shown_status",
        "who",
        "version",
        "waits_for",
        "trouble",
        "last_move",
    ]
    list_filter = [StatusFilter, GameFilter, WaitsForFilter, MadeFilter]
    by_match, by_player = "pk", "seats__player"
    list_fullwidth = True
    change_form_outer_before_template = "admin/doings.html"
    ordering = ["-id"]
    inlines = [SeatInline, DealInline, MoveInline]
    fieldsets = [
        (
            "Match",
            {
                "fields": [
                    ("id", "game", "shown_status", "ended_by"),
                    ("created_by", "created_at", "started_at", "finished_at"),
                    ("visibility", "rated", "starts", "told_clock"),
                    "told_options",
                ]
            },
        ),
        (
            "Now",
            {
                "fields": [
                    ("version", "waits_for", "last_move"),
                    ("queued_at", "attempts", "bot_errors"),
                    ("deadline", "ends_at", "fill_at", "fill_with"),
                ]
            },
        ),
        ("Fairness", {"fields": ["commitment", "revealed_secret"]}),
    ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Match]:
        matches = super().get_queryset(request).defer("position", "secret")
        last = Move.objects.filter(match=OuterRef("pk"), version=OuterRef("version"))
        return matches.prefetch_related("seats__player").annotate(
            moved_at=Subquery(last.values("created_at"))
        )

    def get_urls(self) -> list[Any]:
        pages = {
            "mend/<slug:name>/": mending.page,
            "replay/": replay.page,
            "export/": replay.export,
        }
        own = [
            path(
                f"<uuid:object_id>/{address}",
                self.admin_site.admin_view(page),
                name=f"games_match_{address.partition('/')[0]}",
            )
            for address, page in pages.items()
        ]
        return own + super().get_urls()

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> Any:
        """With what can be done to the match, what was done, its analysis, and bots' errors."""
        match = Match.objects.defer("position", "secret").filter(pk=match_id(object_id)).first()
        told = {} if match is None else self.doings(request, match)
        return super().change_view(request, object_id, form_url, {**told, **(extra_context or {})})

    def doings(self, request: HttpRequest, match: Match) -> dict[str, Any]:
        done = Intervention.objects.filter(kind="match", about=str(match.pk))
        links = [("Step through its moves", "games_match_replay")]
        links += [("Export", "games_match_export")] if match.over else []
        return {
            "links": [(words, reverse(f"admin:{page}", args=[match.pk])) for words, page in links],
            "mends": list(mending.offered(request, match)),
            "interventions": done.select_related("by").order_by("-id")[:SHOWN],
            "analysis": Analysis.objects.filter(match=match).defer("found", "result").first(),
            "bot_errors": match.errors_of_bots.order_by("-id")[:SHOWN],
        }

    @display(description="match")
    def short(self, match: Match) -> str:
        return f"{match.game}\u00a0…{str(match.pk)[-8:]}"  # on one line

    @display(description="status", label=COLORS)
    def shown_status(self, match: Match) -> str:
        return match.status

    @admin.display(description="seats")
    def who(self, match: Match) -> str:
        seats = sorted(match.seats.all(), key=lambda seat: seat.number)
        return " · ".join(map(sitting, seats))

    @admin.display(description="waits for")
    def waits_for(self, match: Any) -> str:
        """For whom a live match waits, and how long it has."""
        if match.over:
            return "—"
        seats = {seat.number: seat for seat in match.seats.all()}
        seat = seats.get(match.turn)
        who = sitting(seat) if seat else "players" if match.status == "open" else "the dealer"
        since = match.moved_at or match.created_at
        return f"{who}, for {timesince(since, timezone.now(), depth=1)}"

    @admin.display(description="trouble")
    def trouble(self, match: Match) -> str:
        """How often a bot's turn was queued again, and how often a bot has failed."""
        told = [f"tried {match.attempts}×"] if match.attempts else []
        told += [f"{match.bot_errors} bot errors"] if match.bot_errors else []
        return ", ".join(told) or "—"

    @admin.display(description="options")
    def told_options(self, match: Match) -> str:
        """Name and value of each, side by side."""
        each = [(name.replace("_", " "), plain(value)) for name, value in match.options.items()]
        rows = format_html_join("", "<div><dt>{}</dt><dd>{}</dd></div>", each)
        return format_html('<dl class="facts options">{}</dl>', rows)

    @admin.display(description="clock")
    def told_clock(self, match: Match) -> str:
        return listed(match.clock or {})

    @admin.display(description="last move")
    def last_move(self, match: Any) -> str:
        return date_format(match.moved_at, "DATETIME_FORMAT") if match.moved_at else "—"

    @admin.display(description="secret")
    def revealed_secret(self, match: Match) -> str:
        return match.secret_hex if match.over else HIDDEN


@admin.register(Deal)
class DealAdmin(DealWords, OfMatches):
    list_display = ["match", "number", "dealt_by", "versions", "outcome", "ended_at"]
    list_select_related = ["match"]
    by_player = None
    ordering = ["-id"]
    fields = [*list_display, "started_at", "result"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Deal]:
        return super().get_queryset(request).defer("before", "match__position", "match__secret")


@admin.register(Seat)
class SeatAdmin(SeatWords, OfMatches):
    list_display = ["match", "counted", "player", "bot", "invited", "score", "place"]
    list_select_related = ["match", "player", "invited"]
    asked_by = ("player",)
    ordering = ["-id"]
    fields = list_display


@admin.register(Move)
class MoveAdmin(MoveWords, OfMatches):
    list_display = ["match", "version", "by", "told", "created_at"]
    list_select_related = ["match"]
    by_player = None
    ordering = ["-id"]
    fields = list_display

    def get_queryset(self, request: HttpRequest) -> QuerySet[Move]:
        return super().get_queryset(request).defer("match__position", "match__secret")
