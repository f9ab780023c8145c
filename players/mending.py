"""What an operator can do to a player: a button, a page that asks for the reason, a service."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse

from players import services
from players.asking import ReasonForm, ask
from players.models import Player

MEND = "players.mend_player"


class Mend(NamedTuple):
    title: str
    words: str
    does: Callable[..., None]
    fits: Callable[[Player], bool]


MENDS = {
    "disable": Mend(
        "Disable",
        "Neither a token nor a password opens anything any more; open streams end. Seats stay "
        "taken: put a bot into them, or let the clock run out.",
        services.disable,
        lambda player: player.is_active,
    ),
    "enable": Mend(
        "Enable again",
        "Password and tokens open again what they opened before.",
        services.enable,
        lambda player: not player.is_active and not player.name.startswith(services.GONE_PREFIX),
    ),
    "revoke-tokens": Mend(
        "Revoke all tokens",
        "Every token stops working at once; the player may sign in for another.",
        services.revoke_tokens,
        lambda player: player.tokens.filter(revoked_at=None).exists(),
    ),
    "anonymise": Mend(
        "Anonymise",
        "The name goes, and with it password, tokens and webhooks, for ever. Matches, ratings and "
        "stats stay, under a made-up name.",
        services.anonymise,
        lambda player: not player.name.startswith(services.GONE_PREFIX),
    ),
}


def offered(request: HttpRequest, player: Player) -> Iterator[tuple[str, str]]:
    """Title and address of each thing that this operator may do to this player now."""
    if not request.user.has_perm(MEND):
        return
    for name, mend in MENDS.items():
        if mend.fits(player):
            yield mend.title, reverse("admin:players_player_mend", args=[player.pk, name])


def page(request: HttpRequest, object_id: Any, name: str) -> HttpResponse:
    """Asks for the reason, and does it."""
    if name not in MENDS:
        raise Http404
    if not request.user.has_perm(MEND):
        raise PermissionDenied
    player, mend = get_object_or_404(Player, pk=object_id), MENDS[name]
    return ask(
        request,
        player,
        mend.title,
        mend.words,
        ReasonForm(request.POST if request.method == "POST" else None),
        partial(mend.does, player.pk, request.user),
        (services.Refused,),
        reverse("admin:players_player_change", args=[player.pk]),
    )
