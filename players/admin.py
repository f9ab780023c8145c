"""Players and tokens to look at. They change only through services."""

from datetime import timedelta
from typing import Any

from django.contrib import admin
from django.contrib.auth.models import Group
from django.db.models import Q, QuerySet
from django.db.models.constants import LOOKUP_SEP
from django.db.models.functions import Lower
from django.http import HttpRequest
from django.urls import path, reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from unfold.admin import ModelAdmin, TabularInline
from unfold.decorators import display
from unfold.paginator import InfinitePaginator

from players import mending, operators
from players.models import Delivery, Intervention, Player, Token, Webhook, first_id

admin.site.unregister(Group)  # the service has no groups, and the admin changes nothing


class ReadOnlyAdmin(ModelAdmin):
    """Also closed to questions: by the query only what a page filters by can be asked for.

    Django would answer for any field, and so tell piece by piece what no page shows. Lists come
    in the order of their index, newest first, and are not counted.
    """

    paginator = InfinitePaginator
    show_full_result_count = False
    list_per_page = 50
    sortable_by = ()
    compressed_fields = False
    actions = None
    asked_by: tuple[str, ...] = ()
    """By what else it may be asked for: links of other pages lead here."""

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        filters = [getattr(each, "parameter_name", each) for each in self.list_filter]
        filters += self.asked_by
        return lookup in filters or lookup.rpartition(LOOKUP_SEP)[0] in filters

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class TokenInline(TabularInline):
    model = Token
    fields = readonly_fields = [
        "prefix",
        "name",
        "scopes",
        "created_at",
        "last_used_at",
        "revoked_at",
    ]
    ordering = ["-id"]
    extra = 0
    per_page = 10
    can_delete = False
    hide_title = True

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class UndeliveredFilter(admin.SimpleListFilter):
    title = "waits"
    parameter_name = "waits"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("yes", "to be tried (again)")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Delivery]) -> QuerySet[Delivery]:
        return queryset.filter(next_at__isnull=False) if self.value() else queryset


class MadeFilter(admin.SimpleListFilter):
    """By when it was made, which its id tells: the lists are in the order of ids."""

    title = "made"
    parameter_name = "made"
    times = {"hour": timedelta(hours=1), "day": timedelta(days=1), "month": timedelta(days=30)}

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("hour", "in the last hour"), ("day", "in 24 hours"), ("month", "in 30 days")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() not in self.times:
            return queryset
        return queryset.filter(pk__gte=first_id(timezone.now() - self.times[self.value()]))


class KindFilter(admin.SimpleListFilter):
    """Guests told apart from who has an account."""

    title = parameter_name = "kind"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("account", "with an account"), ("guest", "guests"), ("staff", "operators")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Player]) -> QuerySet[Player]:
        match self.value():
            case "account":
                return queryset.filter(is_guest=False)
            case "guest":
                return queryset.filter(is_guest=True)
            case "staff":
                return queryset.filter(is_guest=False, is_staff=True)
        return queryset


@admin.register(Player)
class PlayerAdmin(ReadOnlyAdmin):
    list_display = ["name", "kind", "is_active", "created_at", "last_login"]
    list_filter = [KindFilter, MadeFilter, "is_active"]
    search_fields = ["name"]
    search_help_text = "How a name begins."
    ordering = ["-id"]
    inlines = [TokenInline]
    change_form_outer_before_template = "admin/doings.html"
    fields = [
        ("name", "kind", "is_active"),
        ("created_at", "last_login", "id"),
        "may",
        "leads_to",
    ]

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Player], search_term: str
    ) -> tuple[QuerySet[Player], bool]:
        """By the beginning of the name, whatever its capitals: an index serves it."""
        term = search_term.strip().lower()
        if not term:
            return queryset, False
        return queryset.alias(lowered=Lower("name")).filter(lowered__startswith=term), False

    def get_urls(self) -> list[Any]:
        page = self.admin_site.admin_view(mending.page)
        own = path("<uuid:object_id>/mend/<slug:name>/", page, name="players_player_mend")
        return [own, *super().get_urls()]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> Any:
        """With what can be done to the player, and what was done."""
        done = Intervention.objects.filter(kind="player", about=object_id).select_related("by")
        player = self.get_object(request, object_id)
        told = {
            "mends": list(mending.offered(request, player)) if player else [],
            "interventions": done.order_by("-id")[:20],
        }
        return super().change_view(request, object_id, form_url, {**told, **(extra_context or {})})

    @display(label={"guest": "info", "operator": "warning", "account": "success"})
    def kind(self, player: Player) -> str:
        return "operator" if player.is_staff else "guest" if player.is_guest else "account"

    @admin.display(description="may")
    def may(self, player: Player) -> str:
        return "; ".join(operators.rights_of(player)) or "nothing in the admin"

    @admin.display(description="look at")
    def leads_to(self, player: Player) -> str:
        """Where the rows are that have to do with the player; the pages of other apps by name."""
        return format_html_join(
            " · ",
            '<a class="text-primary-600" href="{}?{}={}">{}</a>',
            (
                (reverse(f"admin:{page}_changelist"), query, value, words)
                for page, query, value, words in (
                    ("games_match", "q", player.name, "matches"),
                    ("games_seat", "player", player.pk, "seats"),
                    ("games_ratingchange", "q", player.name, "rating changes"),
                    ("games_tally", "q", player.name, "tallies"),
                    ("players_webhook", "q", player.name, "webhooks"),
                )
            ),
        )


@admin.register(Token)
class TokenAdmin(ReadOnlyAdmin):
    list_display = ["prefix", "name", "player", "scopes", "last_used_at", "revoked_at"]
    asked_by = ("player",)
    search_fields = ["prefix", "player__name"]
    search_help_text = "The first ten characters of a token, or the name of its player: whole."
    list_select_related = ["player"]
    ordering = ["-id"]
    fields = [("player", "prefix", "name"), "scopes", ("created_at", "last_used_at", "revoked_at")]

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Token], search_term: str
    ) -> tuple[QuerySet[Token], bool]:
        term = search_term.strip()
        players = list(Player.objects.named(term).values_list("pk", flat=True))
        return (
            queryset.filter(Q(prefix=term) | Q(player__in=players)) if term else queryset
        ), False


@admin.register(Webhook)
class WebhookAdmin(ReadOnlyAdmin):
    """Without its secret, and without its address, in which there may be another."""

    list_display = ["player", "events", "created_at", "off_since", "id"]
    search_fields = ["player__name"]
    search_help_text = "The name of a player, or a part of it."
    list_select_related = ["player"]
    ordering = ["-id"]
    fields = list_display


@admin.register(Delivery)
class DeliveryAdmin(ReadOnlyAdmin):
    list_display = [
        *("event", "player", "created_at", "attempts"),
        *("status", "error", "delivered_at", "next_at"),
    ]
    list_filter = [UndeliveredFilter]
    list_select_related = ["webhook__player"]
    ordering = ["-id"]
    fields = [*list_display, "webhook", "id", "data"]

    @admin.display(description="player")
    def player(self, delivery: Delivery) -> Player:
        return delivery.webhook.player


@admin.register(Intervention)
class InterventionAdmin(ReadOnlyAdmin):
    """What operators did. Nobody can change or delete a line."""

    list_display = ["at", "by", "what", "kind", "leads_to", "reason"]
    list_filter = [MadeFilter]
    list_select_related = ["by"]
    search_fields = ["about"]
    search_help_text = "The id of what it was done to: the whole of it."
    ordering = ["-id"]
    fields = ["at", "by", "what", "kind", "about", "reason", "detail"]

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Intervention], search_term: str
    ) -> tuple[QuerySet[Intervention], bool]:
        term = search_term.strip()
        kinds = [kind for kind, _ in Intervention._meta.get_field("kind").flatchoices]
        return (queryset.filter(kind__in=kinds, about=term) if term else queryset), False

    @admin.display(description="to")
    def leads_to(self, done: Intervention) -> str:
        page = {"match": "games_match", "player": "players_player", "rating": "games_rating"}
        address = reverse(f"admin:{page[done.kind]}_change", args=[done.about])
        return format_html('<a class="text-primary-600" href="{}">{}</a>', address, done.about)
