"""What a token may do."""

from rest_framework.exceptions import NotAuthenticated, PermissionDenied
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from players.models import Token

IMPLIED = {
    "read": {"read"},
    "play": {"read", "play"},
    "bot": {"read", "play", "bot"},
    "admin": {"read", "play", "bot", "admin"},
}
BROWSER_SCOPES = IMPLIED["play"]


class HasScope(BasePermission):
    """Signed in, and with the scope that the view asks for. The default of every view.

    A view says `required_scope = "play"` (which is also what silence means). Reading needs
    only `read`, except where the view asks for `admin`.
    """

    def has_permission(self, request: Request, view: object) -> bool:
        if not request.user.is_authenticated:
            raise NotAuthenticated()
        scope = needed_scope(request.method or "GET", view)
        if scope not in granted_scopes(request.auth):
            raise PermissionDenied(f"This needs a token with the scope {scope}.", "missing-scope")
        return True


def needed_scope(method: str, view: object) -> str:
    scope = str(getattr(view, "required_scope", "play"))
    return "read" if method in SAFE_METHODS and scope != "admin" else scope


def granted_scopes(token: Token | None) -> set[str]:
    """Without a token it is a browser session, which may do all that a player does."""
    if token is None:
        return BROWSER_SCOPES
    return set().union(*(IMPLIED[scope] for scope in token.scopes))
