"""The addresses of games and matches under /api/v1/."""

from django.urls import path

from games import views

urlpatterns = [
    path("games", views.GamesView.as_view(), name="games"),
    path("matches", views.MatchesView.as_view(), name="matches"),
    path("matches/<uuid:id>", views.MatchView.as_view(), name="match"),
    path("matches/<uuid:id>/seats", views.SeatsView.as_view(), name="seats"),
    path("matches/<uuid:id>/start", views.StartView.as_view(), name="start"),
    path("matches/<uuid:id>/moves", views.MovesView.as_view(), name="moves"),
    path("matches/<uuid:id>/deals", views.DealsView.as_view(), name="deals"),
    path("matches/<uuid:id>/deals/<int:number>", views.DealView.as_view(), name="deal"),
    path("matches/<uuid:id>/resignation", views.ResignationView.as_view(), name="resignation"),
    path("matches/<uuid:id>/rematch", views.RematchView.as_view(), name="rematch"),
    path("matches/<uuid:id>/replay", views.ReplayView.as_view(), name="replay"),
    path("matches/<uuid:id>/export", views.ExportView.as_view(), name="export"),
]
