"""Who is an operator, and what he may do: superusers say so, with a reason that is kept."""

from collections.abc import Collection, Iterator
from uuid import UUID

from django.contrib.auth.models import Permission
from django.db import transaction
from django.db.models import QuerySet

from players.models import Player
from players.services import NotMendable, intervene, other

LOOK = "look"
"""To see what the admin shows. All operators may: without it there is nothing to click on."""


def rights() -> Iterator[tuple[str, str]]:
    """What can be given, by name, with its words."""
    yield LOOK, "Can look at everything in the admin that no match under way has to hide"
    for each in special():
        yield name_of(each), each.name


def rights_of(player: Player) -> list[str]:
    """In words."""
    if player.is_superuser:
        return ["Superuser: may do all, and say what others may"]
    held = player.get_all_permissions() | ({LOOK} if player.is_staff else set())
    return [words for name, words in rights() if name in held]


def special() -> QuerySet[Permission]:
    """The permissions that a model names itself; not those that Django gives to each."""
    ours = Permission.objects.select_related("content_type")
    return ours.exclude(codename__regex="^(add|change|delete|view)_").order_by("codename")


def name_of(permission: Permission) -> str:
    return f"{permission.content_type.app_label}.{permission.codename}"


@transaction.atomic
def permit(player_id: UUID, by: Player, reason: str, given: Collection[str]) -> None:
    """The player may do this from now on, and nothing else; given nothing, he is no operator.

    Raises NotMendable, ReasonMissing.
    """
    if not by.is_superuser:
        raise NotMendable("Only a superuser says what others may do.")
    player = other(player_id, by)
    if player.is_superuser:
        raise NotMendable("A superuser may do all.")
    signs_in = player.is_active and player.password and player.has_usable_password()
    if given and not signs_in:
        raise NotMendable("An operator signs in with a password; this player cannot.")
    player.is_staff = bool(given)
    player.save(update_fields=["is_staff"])
    looks = Permission.objects.filter(codename__startswith="view_") if given else []
    player.user_permissions.set([*looks, *(p for p in special() if name_of(p) in given)])
    intervene(by, "permit", "player", str(player.pk), reason, given=sorted(given))
