"""What an operator can do to a match: a button, a page that asks for the reason, a service."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

from django import forms
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from unfold.widgets import (
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
)

from games.admin.words import seat_name
from games.bots import LEVELS
from games.engine.game import RuleError
from games.models import Match, Rating
from games.services import mending
from games.services.errors import Refused
from players.asking import ReasonForm, ask
from players.services import Refused as PlayerRefused

REFUSALS = (Refused, RuleError, PlayerRefused)
MEND, OPEN = "games.mend_match", "games.open_match"


class Mend(NamedTuple):
    """One thing to do. `fits` says of which matches; `asks` which fields its page has."""

    name: str
    title: str
    words: str
    does: Callable[..., None]
    fits: Callable[[Match], bool]
    asks: tuple[str, ...] = ()
    permission: str = MEND


def lives(match: Match) -> bool:
    return not match.over


MENDS = {
    mend.name: mend
    for mend in (
        Mend(
            "requeue",
            "Queue the bot's turn again",
            "A worker is told once more that it is the bot's turn, and attempts are counted anew.",
            mending.requeue,
            lambda match: match.bot_to_move,
        ),
        Mend(
            "seat-bot",
            "Put a bot into a seat",
            "It takes an open seat, or plays a seat on. A player whom it replaces has given the "
            "match up, and is placed behind those who have not.",
            mending.seat_bot,
            lives,
            ("version", "seat", "level"),
        ),
        Mend(
            "start",
            "Start it",
            "A full table whose maker does not start it begins now.",
            mending.start,
            lambda match: match.status == "open" and match.starts == "later",
            ("version",),
        ),
        Mend(
            "roll-back",
            "Roll back",
            "The match goes on as it was at a version, its clock anew, with those who sat there "
            "then. Nothing is deleted: it is an entry of the log. What nobody had seen then is "
            "shuffled anew. What a finished match gave goes back.",
            mending.roll_back,
            lambda match: match.started_at is not None and match.version > 1,
            ("version", "to"),
        ),
        Mend(
            "end",
            "End it",
            "The match is aborted: nobody is placed, and it counts for nothing.",
            mending.end,
            lives,
            ("version",),
        ),
        Mend(
            "void",
            "Void it",
            "It counts for nothing any more: ratings, boards, stats and posted scores go back.",
            mending.void,
            lambda match: match.status == "finished",
            ("version",),
        ),
        Mend(
            "fold-again",
            "Fold again from the log",
            "Everything that repeats the log, from the position to the seats' scores, is written "
            "anew from it. It is what to do where verify_logs names a difference.",
            mending.refold,
            lambda match: True,
        ),
        Mend(
            "open",
            "Break open",
            "For a quarter of an hour you alone may see this live match at any move from any "
            "seat, and its log. That you looked is kept for ever.",
            mending.open_up,
            lives,
            permission=OPEN,
        ),
    )
}


class MendForm(ReasonForm):
    """Why, and what the page of a mend asks for besides. The version is that which was seen."""

    seat = forms.TypedChoiceField(coerce=int, widget=UnfoldAdminSelectWidget)
    level = forms.ChoiceField(label="bot", widget=UnfoldAdminSelectWidget)
    to = forms.IntegerField(label="to version", min_value=1, widget=UnfoldAdminIntegerFieldWidget)
    version = forms.IntegerField(widget=forms.HiddenInput)
    field_order = ("seat", "level", "to", "reason")

    def __init__(self, match: Match, mend: Mend, data: Any = None) -> None:
        super().__init__(data, initial={"version": match.version, "to": match.version - 1})
        for name in ("seat", "level", "to", "version"):
            if name not in mend.asks:
                del self.fields[name]
        if "seat" in self.fields:
            self.fields["seat"].choices = [(n, seat_name(n)) for n in range(match.seats.count())]
        if "level" in self.fields:
            self.fields["level"].choices = [(level, level) for level in LEVELS[match.game]]


def offered(request: HttpRequest, match: Match) -> Iterator[tuple[str, str]]:
    """Title and address of each thing that this operator may do to this match now."""
    for mend in MENDS.values():
        if mend.fits(match) and request.user.has_perm(mend.permission):
            yield mend.title, reverse("admin:games_match_mend", args=[match.pk, mend.name])


def page(request: HttpRequest, object_id: str, name: str) -> HttpResponse:
    """Asks for the reason, and does it."""
    mend = MENDS.get(name)
    match = Match.objects.defer("position", "secret").filter(pk=object_id).first()
    if mend is None or match is None:
        raise Http404
    if not request.user.has_perm(mend.permission):
        raise PermissionDenied
    return ask(
        request,
        match,
        mend.title,
        mend.words,
        MendForm(match, mend, request.POST if request.method == "POST" else None),
        partial(mend.does, match.pk, request.user),
        REFUSALS,
        reverse("admin:games_match_change", args=[match.pk]),
    )


def restore_rating(request: HttpRequest, object_id: int) -> HttpResponse:
    rating = get_object_or_404(Rating, pk=object_id)
    if not request.user.has_perm(MEND):
        raise PermissionDenied
    return ask(
        request,
        rating,
        "Restore it from its changes",
        "It is set to where its last change led, and to how many changes there are.",
        ReasonForm(request.POST or None),
        partial(mending.restore_rating, rating.pk, request.user),
        REFUSALS,
        reverse("admin:games_rating_change", args=[rating.pk]),
    )
