"""Lists are read page by page, and stay stable while others write."""

from typing import Any

from django.core.exceptions import ValidationError as BadValue
from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.request import Request


class Pages(CursorPagination):
    """{"results", "next", "previous"}; newest first by the UUIDv7 id, which an index serves.

    `next` and `previous` are addresses to follow as they are, from the root of this server.
    A list in another order sets `ordering` to one unique column.
    """

    ordering = "-id"
    page_size = 20
    max_page_size = 100
    page_size_query_param = "limit"
    page_size_query_description = "How many to a page: 1 to 100, 20 when not said."
    cursor_query_description = "Where the page begins: follow `next` and `previous`."
    template = None

    def paginate_queryset(
        self, queryset: QuerySet[Any], request: Request, view: Any = None
    ) -> list[Any] | None:
        try:
            return super().paginate_queryset(queryset, request, view)
        except (BadValue, ValueError):
            raise ValidationError({"cursor": "This cursor was not made here."}) from None

    def get_page_size(self, request: Request) -> int:
        limit = request.query_params.get("limit", str(self.page_size))
        digits = limit.isascii() and limit.isdigit() and len(limit) < 10
        if not (digits and 1 <= int(limit) <= self.max_page_size):
            raise ValidationError({"limit": f"limit is a number from 1 to {self.max_page_size}."})
        return int(limit)

    def decode_cursor(self, request: Request) -> Cursor | None:
        try:
            return super().decode_cursor(request)
        except Exception:  # the framework calls a bad cursor "not found"
            raise ValidationError({"cursor": "This cursor was not made here."}) from None

    def encode_cursor(self, cursor: Cursor) -> str:
        address = super().encode_cursor(cursor)
        return "/" + address.split("://", 1)[-1].split("/", 1)[-1]

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        cursor, limit = super().get_schema_operation_parameters(view)
        limit["schema"].update(minimum=1, maximum=self.max_page_size, default=self.page_size)
        return [cursor, limit]

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        link = {"type": "string", "format": "uri-reference", "nullable": True}
        return {
            "type": "object",
            "required": ["results", "next", "previous"],
            "properties": {"results": schema, "next": link, "previous": link},
        }


PAGING = [
    OpenApiParameter(
        "limit",
        {"type": "integer", "minimum": 1, "maximum": Pages.max_page_size, "default": 20},
        description=Pages.page_size_query_description,
    ),
    OpenApiParameter("cursor", description=Pages.cursor_query_description),
]
"""For views that page by hand."""
