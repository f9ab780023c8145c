"""Players and tokens to look at. They change only through services."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.models import Group
from django.db.models.constants import LOOKUP_SEP
from django.http import HttpRequest

from players.models import Delivery, Player, Token, Webhook

admin.site.unregister(Group)  # the service has no groups, and the admin changes nothing


class ReadOnlyAdmin(admin.ModelAdmin):
    """Also closed to questions: by the query only what a page filters by can be asked for.

    Django would answer for any field, and so tell piece by piece what no page shows.
    """

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        filters = [each if isinstance(each, str) else each[0] for each in self.list_filter]
        return lookup in filters or lookup.rpartition(LOOKUP_SEP)[0] in filters

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Player)
class PlayerAdmin(ReadOnlyAdmin):
    list_display = ["name", "is_guest", "is_staff", "is_active", "created_at", "last_login"]
    list_filter = ["is_guest", "is_staff", "is_active", "created_at"]
    search_fields = ["name"]
    ordering = ["-id"]
    fields = ["id", "name", "is_guest", "is_staff", "is_active", "created_at", "last_login"]


@admin.register(Token)
class TokenAdmin(ReadOnlyAdmin):
    list_display = ["prefix", "name", "player", "scopes", "last_used_at", "revoked_at"]
    list_filter = [("revoked_at", admin.EmptyFieldListFilter), "created_at"]
    search_fields = ["prefix", "name", "player__name"]
    list_select_related = ["player"]
    ordering = ["-id"]
    fields = ["id", "created_at", *list_display]


@admin.register(Webhook)
class WebhookAdmin(ReadOnlyAdmin):
    """Without its secret, and without its address, in which there may be another."""

    list_display = ["id", "player", "events", "created_at", "off_since"]
    search_fields = ["player__name"]
    list_select_related = ["player"]
    ordering = ["-id"]
    fields = list_display


@admin.register(Delivery)
class DeliveryAdmin(ReadOnlyAdmin):
    list_display = ["id", "event", "created_at", "attempts", "status", "error", "delivered_at"]
    list_filter = ["event", ("delivered_at", admin.EmptyFieldListFilter), "created_at"]
    ordering = ["-id"]
    fields = [*list_display, "webhook", "next_at", "data"]
