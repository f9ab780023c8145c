"""How the admin looks: its name, and what its sidebar leads to."""

from typing import Any

from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import reverse, reverse_lazy


def item(title: str, icon: str, model: str) -> dict[str, Any]:
    """A line of the sidebar, for who may look at the rows it leads to."""
    app, name = model.split(".")

    def may_look(request: HttpRequest) -> bool:
        return bool(request.user.has_perm(f"{app}.view_{name}"))

    address = reverse_lazy(f"admin:{app}_{name}_changelist")
    return {"title": title, "icon": icon, "link": address, "permission": may_look}


def is_index(request: HttpRequest) -> bool:
    return request.path == reverse("admin:index")


UNFOLD: dict[str, Any] = {
    "SITE_TITLE": "ginservice",
    "SITE_HEADER": "ginservice",
    "SITE_SUBHEADER": "The operator's pages",
    "SITE_SYMBOL": "playing_cards",
    "SITE_URL": "/",
    "SITE_FAVICONS": [
        {
            "rel": "icon",
            "type": "image/svg+xml",
            "href": lambda request: static("client/icon.svg"),
        }
    ],
    "SHOW_HISTORY": False,
    "SHOW_VIEW_ON_SITE": False,
    "DASHBOARD_CALLBACK": "games.admin.dashboard.show",
    "STYLES": [lambda request: static("admin/house.css")],
    "COLORS": {
        "primary": {
            "50": "oklch(98.2% .018 155.826)",
            "100": "oklch(96.2% .044 156.743)",
            "200": "oklch(92.5% .084 155.995)",
            "300": "oklch(87.1% .15 154.449)",
            "400": "oklch(79.2% .209 151.711)",
            "500": "oklch(62% .17 149.579)",
            "600": "oklch(52.7% .154 150.069)",
            "700": "oklch(44.8% .119 151.328)",
            "800": "oklch(39.3% .095 152.535)",
            "900": "oklch(26.6% .065 152.934)",
            "950": "oklch(20% .05 153)",
        }
    },
    "SIDEBAR": {
        "show_search": False,
        "show_all_applications": False,
        "navigation": [
            {
                "items": [
                    {
                        "title": "Is all well?",
                        "icon": "monitor_heart",
                        "link": reverse_lazy("admin:index"),
                        "active": is_index,
                    }
                ]
            },
            {
                "title": "Care",
                "separator": True,
                "items": [
                    item("Bots' errors", "smart_toy", "games.boterror"),
                    item("Analyses", "school", "games.analysis"),
                    item("What operators did", "build", "players.intervention"),
                    item("Hour by hour", "schedule", "games.hour"),
                ],
            },
            {
                "title": "Matches",
                "separator": True,
                "items": [
                    item("Matches", "playing_cards", "games.match"),
                    item("Deals", "style", "games.deal"),
                    item("Seats", "chair", "games.seat"),
                    item("Moves", "list_alt", "games.move"),
                ],
            },
            {
                "title": "Players",
                "separator": True,
                "items": [
                    item("Players", "group", "players.player"),
                    item("Tokens", "key", "players.token"),
                    item("Webhooks", "webhook", "players.webhook"),
                    item("Deliveries", "outbox", "players.delivery"),
                ],
            },
            {
                "title": "Records",
                "separator": True,
                "items": [
                    item("Posted scores", "scoreboard", "games.score"),
                    item("Ratings", "trending_up", "games.rating"),
                    item("Rating changes", "swap_vert", "games.ratingchange"),
                    item("Tallies", "calculate", "games.tally"),
                    item("Boards", "leaderboard", "games.board"),
                    item("Standings", "format_list_numbered", "games.standing"),
                ],
            },
        ],
    },
}
