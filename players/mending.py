"""What an operator can do to a player: a button, a page that asks for the reason, a service."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

from django import forms
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget

from players import operators, services
from players.asking import ReasonForm, ask
from players.models import Player

MEND = "players.mend_player"


class PermitForm(ReasonForm):
    """What an operator may do."""

    given = forms.MultipleChoiceField(
        label="may do this", widget=UnfoldAdminCheckboxSelectMultipleWidget, required=False
    )
    field_order = ("given", "reason")

    def __init__(self, player: Player, data: Any = None) -> None:
        choices = list(operators.rights())
        held = set(operators.rights_of(player))
        super().__init__(data, initial={"given": [n for n, words in choices if words in held]})
        self.fields["given"].choices = choices


def only_why(player: Player, data: Any = None) -> ReasonForm:
    return ReasonForm(data)


class Mend(NamedTuple):
    title: str
    words: str
    does: Callable[..., None]
    fits: Callable[[Player], bool]
    form: Callable[..., ReasonForm] = only_why
    for_superusers: bool = False

    def may(self, by: Any) -> bool:
        return bool(by.is_superuser if self.for_superusers else by.has_perm(MEND))


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
    "permit": Mend(
        "Say what he may do",
        "Who may do anything here is an operator: he signs in to the admin with his own password. "
        "Nothing ticked: he is none any more.",
        operators.permit,
        lambda player: player.is_active and not player.is_guest and not player.is_superuser,
        PermitForm,
        for_superusers=True,
    ),
}


def offered(request: HttpRequest, player: Player) -> Iterator[tuple[str, str]]:
    """Title and address of each thing that this operator may do to this player now."""
    for name, mend in MENDS.items():
        if mend.may(request.user) and mend.fits(player):
            yield mend.title, reverse("admin:players_player_mend", args=[player.pk, name])


def page(request: HttpRequest, object_id: Any, name: str) -> HttpResponse:
    """Asks for the reason, and does it."""
    if name not in MENDS:
        raise Http404
    if not MENDS[name].may(request.user):
        raise PermissionDenied
    player, mend = get_object_or_404(Player, pk=object_id), MENDS[name]
    return ask(
        request,
        player,
        mend.title,
        mend.words,
        mend.form(player, request.POST if request.method == "POST" else None),
        partial(mend.does, player.pk, request.user),
        (services.Refused,),
        reverse("admin:players_player_change", args=[player.pk]),
    )
