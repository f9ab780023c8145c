"""A match at any move, from any seat; and its export.

Of one that lives a spectator's view is shown. Only who has broken it open, and said why, may see
more for a while.
"""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any, NamedTuple

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe

from games import replays
from games.admin.words import from_one, seat_name, sitting, words_from_one
from games.answers import event_body
from games.engine import log
from games.models import Match
from games.pictures import rows
from games.pictures.cards import drawn
from games.replays import Step
from games.services import mending
from players.models import Intervention

OPEN_FOR = timedelta(minutes=15)
AROUND = 8
"""So many moves before and after are listed."""

SPECTATOR, ALL = "spectator", "all"
UNTOLD = ("options", "legal", "last", "seat", "turns")
"""Fields of a view that the list of moves or the match's own page tells better."""


class Seen(NamedTuple):
    """What one reader sees."""

    title: str
    picture: SafeString
    facts: list[tuple[str, str]]


def page(request: HttpRequest, object_id: Any) -> HttpResponse:
    match = found(request, object_id)
    context = {
        **admin.site.each_context(request),
        "title": f"{match.game} {match.pk}",
        "opts": Match._meta,
        "original": match,
        "back": reverse("admin:games_match_change", args=[match.pk]),
    }
    is_locked = not match.over and not opened(request, match)
    seat = SPECTATOR if is_locked else request.GET.get("seat", "")
    context |= {"locked": is_locked, **shown(match, request.GET.get("at", ""), seat)}
    if is_locked:
        context["whose"] = []
        if request.user.has_perm("games.open_match"):
            context["open"] = reverse("admin:games_match_mend", args=[match.pk, "open"])
    else:
        context["export"] = reverse("admin:games_match_export", args=[match.pk])
    return render(request, "admin/games/replay.html", context)


def export(request: HttpRequest, object_id: Any) -> HttpResponse:
    """As the API exports it. One that lives: to who has broken it open, so far, and it is kept."""
    match = found(request, object_id)
    if not match.over:
        breaking = opened(request, match)
        if breaking is None:
            raise PermissionDenied("A match that lives is exported by who has broken it open.")
        mending.note(match.pk, request.user, "export", breaking.reason, version=match.version)
    answer = StreamingHttpResponse(replays.export(match), content_type="application/jsonl")
    answer["Content-Disposition"] = f'attachment; filename="{match.pk}.jsonl"'
    return answer


def found(request: HttpRequest, object_id: Any) -> Match:
    if not request.user.has_perm("games.view_match"):
        raise PermissionDenied
    match = Match.objects.filter(pk=object_id).first()
    if match is None:
        raise Http404
    return match


def opened(request: HttpRequest, match: Match) -> Intervention | None:
    """By what this operator, who may and does not sit there, has just broken it open."""
    if not request.user.has_perm("games.open_match"):
        return None
    if match.seats.filter(player=request.user).exists():
        return None
    since = timezone.now() - OPEN_FOR
    done = Intervention.objects.filter(kind="match", about=str(match.pk), what="break open")
    return done.filter(by=request.user, at__gte=since).last()


def shown(match: Match, at: str, seat: str) -> dict[str, Any]:
    """The context of the page; a version or a seat that there is not becomes the nearest."""
    last = match.version
    version = min(max(int(at), 1), last) if at.isdecimal() else last
    seats = {
        str(one.number): one for one in match.seats.order_by("number").select_related("player")
    }
    seat = seat if seat in (*seats, SPECTATOR) else ALL
    steps = list(replays.steps(match, max(0, version - AROUND - 1), min(last, version + AROUND)))
    names = replays.names_in(steps)
    step = next(step for step in steps if step.position.version == version)
    titles = {number: f"{seat_name(int(number))}: {sitting(one)}" for number, one in seats.items()}
    readers = [int(seat)] if seat in seats else [None] if seat == SPECTATOR else range(len(seats))

    def link(to: int, whose: str = seat) -> str:
        return f"?at={to}&seat={whose}"

    return {
        "version": version,
        "last": last,
        "at": step.at,
        "first_link": link(1),
        "previous_link": link(version - 1) if version > 1 else "",
        "next_link": link(version + 1) if version < last else "",
        "last_link": link(last),
        "whose": [
            (title, link(version, name), name == seat)
            for name, title in {ALL: "every seat", **titles, SPECTATOR: "a spectator"}.items()
        ],
        "deals": [
            (deal.number, link(deal.first_version)) for deal in match.deals.order_by("number")
        ],
        "status": step.position.status,
        "seen": [seen(match, step, reader, titles) for reader in readers],
        "moves": [
            (
                each.position.version,
                seat_name(each.entry.seat),
                words_from_one(event_body(match.rules, names, each, whose_words(each, seat)).words),
                link(each.position.version),
                each.position.version == version,
            )
            for each in steps
        ],
    }


def whose_words(step: Step, seat: str) -> int | None:
    """The reader who is told of a move: for all seats its mover, who knows the card he drew."""
    if seat == ALL:
        return step.entry.seat if step.entry.seat >= 0 else 0
    return None if seat == SPECTATOR else int(seat)


def seen(match: Match, step: Step, reader: int | None, titles: dict[str, str]) -> Seen:
    view = log.view(match.rules, step.position, reader)
    title = "a spectator" if reader is None else titles[str(reader)]
    if view is None:
        return Seen(title, mark_safe(""), [])
    picture = mark_safe(drawn(rows(match.game, view), 420))  # its words are escaped there
    return Seen(title, picture, list(facts(log.plain(view))))


def facts(view: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """What a view tells in numbers and words, not in cards."""
    for name, value in view.items():
        if name in UNTOLD or value is None:
            continue
        if isinstance(value, list) and value and all(isinstance(each, int) for each in value):
            yield name.replace("_", " "), " : ".join(map(str, value))
        elif isinstance(value, int | str):
            yield name.replace("_", " "), from_one(name, value)
