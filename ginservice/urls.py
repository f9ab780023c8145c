"""Every address of the service."""

from django.contrib import admin
from django.urls import include, path
from django.views.decorators.http import conditional_page

from ginservice import health, pages, scrape
from ginservice.openapi import SchemaView

urlpatterns = [
    path("", pages.start, name="start-page"),
    path("play/<slug:game>", pages.client, {"title": "Play", "page": "play"}),
    path("tables", pages.client, {"title": "Tables", "page": "tables"}),
    path("matches/<uuid:id>", pages.client, {"title": "Table", "page": "matches"}),
    path("matches/<uuid:id>/replay", pages.client, {"title": "Replay", "page": "matches"}),
    path("boards", pages.client, {"title": "Boards", "page": "boards"}),
    path("boards/<slug:game>", pages.client, {"title": "Boards", "page": "boards"}),
    path("players/<slug:name>", pages.client, {"title": "Player", "page": "players"}),
    path("me", pages.client, {"title": "My matches", "page": "me"}),
    path("me/tokens", pages.client, {"title": "Tokens", "page": "me"}),
    path("me/webhooks", pages.client, {"title": "Webhooks", "page": "me"}),
    path("sign-in", pages.client, {"title": "Sign in", "page": "sign-in"}),
    path("admin/", admin.site.urls),
    path("api/v1/", include("players.urls")),
    path("api/v1/", include("games.urls")),
    path("api/schema/", conditional_page(SchemaView.as_view()), name="schema"),
    path("api/docs/", pages.reference, name="docs"),
    path("docs/", pages.document, name="documents"),
    path("docs/<str:name>", pages.document, name="document"),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("metrics", scrape.page, name="metrics"),
    path("problems", pages.problems, name="problems"),
    path("problems/<slug:code>", pages.one_problem, name="problem"),
]
handler400 = "ginservice.errors.bad_request"
handler403 = "ginservice.errors.permission_denied"
handler404 = "ginservice.errors.page_not_found"
handler500 = "ginservice.errors.server_error"
