"""The addresses of games and matches under /api/v1/."""

from django.urls import path

from games.views import analyses, events, matches, moves, practice, records

urlpatterns = [
    path("me/invites", matches.InvitesView.as_view(), name="invites"),
    path("games", matches.GamesView.as_view(), name="games"),
    path("matches", matches.MatchesView.as_view(), name="matches"),
    path("matches/quick", matches.QuickView.as_view(), name="quick"),
    path("matches/<uuid:id>", matches.MatchView.as_view(), name="match"),
    path("matches/<uuid:id>/seats", matches.SeatsView.as_view(), name="seats"),
    path("matches/<uuid:id>/seats/me", matches.MySeatView.as_view(), name="my-seat"),
    path("matches/<uuid:id>/start", matches.StartView.as_view(), name="start"),
    path("matches/<uuid:id>/moves", moves.MovesView.as_view(), name="moves"),
    path("matches/<uuid:id>/events", events.EventsView.as_view(), name="events"),
    path("matches/<uuid:id>/deals", moves.DealsView.as_view(), name="deals"),
    path("matches/<uuid:id>/deals/<int:number>", moves.DealView.as_view(), name="deal"),
    path("matches/<uuid:id>/resignation", matches.ResignationView.as_view(), name="resignation"),
    path("matches/<uuid:id>/claims", matches.ClaimsView.as_view(), name="claims"),
    path("matches/<uuid:id>/abort", matches.AbortView.as_view(), name="abort"),
    path("matches/<uuid:id>/rematch", matches.RematchView.as_view(), name="rematch"),
    path(
        "matches/<uuid:id>/continuations",
        practice.ContinuationsView.as_view(),
        name="continuations",
    ),
    path("matches/<uuid:id>/hint", practice.HintView.as_view(), name="hint"),
    path("matches/<uuid:id>/clearable", practice.ClearableView.as_view(), name="clearable"),
    path("matches/<uuid:id>/restart", practice.RestartView.as_view(), name="restart"),
    path("matches/<uuid:id>/replay", moves.ReplayView.as_view(), name="replay"),
    path("matches/<uuid:id>/export", moves.ExportView.as_view(), name="export"),
    path("matches/<uuid:id>/analysis", analyses.AnalysisView.as_view(), name="analysis"),
    path("matches/<uuid:id>/score", records.ScoreView.as_view(), name="score"),
    path("leaderboards/<str:game>", records.LeaderboardView.as_view(), name="leaderboard"),
    path("players/<str:name>/stats", records.StatsView.as_view(), name="stats"),
]
