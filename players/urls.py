"""The addresses of players under /api/v1/."""

from django.urls import path

from players import views, webhook_views

urlpatterns = [
    path("players", views.PlayersView.as_view(), name="players"),
    path("players/guest", views.GuestsView.as_view(), name="guests"),
    path("players/<str:name>", views.PlayerView.as_view(), name="player"),
    path("sessions", views.SessionsView.as_view(), name="sessions"),
    path("sessions/current", views.CurrentSessionView.as_view(), name="current-session"),
    path("me", views.MeView.as_view(), name="me"),
    path("me/account", views.AccountView.as_view(), name="account"),
    path("me/tokens", views.TokensView.as_view(), name="tokens"),
    path("me/tokens/<uuid:token_id>", views.TokenView.as_view(), name="token"),
    path("me/webhooks", webhook_views.WebhooksView.as_view(), name="webhooks"),
    path("me/webhooks/<uuid:webhook_id>", webhook_views.WebhookView.as_view(), name="webhook"),
    path(
        "me/webhooks/<uuid:webhook_id>/test",
        webhook_views.WebhookTestView.as_view(),
        name="webhook-test",
    ),
    path(
        "me/webhooks/<uuid:webhook_id>/deliveries",
        webhook_views.DeliveriesView.as_view(),
        name="deliveries",
    ),
]
