"""Registering, signing in and out, tokens, and who a player is."""

from typing import Any
from uuid import UUID

from django.contrib.auth import login, logout, update_session_auth_hash
from django.contrib.auth.signals import user_logged_in
from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import status
from rest_framework.generics import ListAPIView
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer
from rest_framework.views import APIView

from ginservice.idempotency import idempotent, refuses_key
from players import services
from players.models import Player, Token
from players.permissions import granted_scopes
from players.serializers import (
    CredentialsSerializer,
    IssuedTokenSerializer,
    MeSerializer,
    NewGuestSerializer,
    NewPasswordSerializer,
    NewTokenSerializer,
    PlayerSerializer,
    SignedInSerializer,
    SignInSerializer,
    TokenSerializer,
)

ANN = {"name": "ann", "password": "correct horse battery"}


class OpenDoor(APIView):
    """A view for who has no token yet. An old token sent along is not looked at."""

    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_kind = "doors"


class PlayersView(OpenDoor):
    @extend_schema(
        operation_id="register",
        summary="Register",
        description="Makes an account and signs it in.",
        request=SignInSerializer,
        responses={201: SignedInSerializer},
        examples=[OpenApiExample("a player", ANN, request_only=True)],
        extensions={
            "x-problems": ["name-not-allowed", "weak-password", "key-not-supported", "name-taken"]
        },
    )
    @refuses_key
    def post(self, request: Request) -> Response:
        body = read(SignInSerializer, request)
        player = services.register(body["name"], body["password"])
        return signed_in(request, player, "registered", body["cookie"], player_url(player))


class GuestsView(OpenDoor):
    @extend_schema(
        operation_id="make_guest",
        summary="Become a guest",
        description="The first call: a player with a made-up name and a token, from no body. "
        "`POST /me/account` turns the guest into an account later.",
        request=NewGuestSerializer,
        responses={201: SignedInSerializer},
        examples=[OpenApiExample("a guest", {}, request_only=True)],
        extensions={"x-problems": ["key-not-supported"]},
    )
    @refuses_key
    def post(self, request: Request) -> Response:
        body = read(NewGuestSerializer, request)
        player = services.make_guest()
        return signed_in(request, player, "guest", body["cookie"], player_url(player))


class PlayerView(APIView):
    permission_classes = (AllowAny,)

    @extend_schema(operation_id="player", summary="Look up a player", responses=PlayerSerializer)
    def get(self, request: Request, name: str) -> Response:
        if not services.NAME.fullmatch(name):
            raise Http404
        return Response(PlayerSerializer(get_object_or_404(Player.objects.named(name))).data)


class SessionsView(OpenDoor):
    @extend_schema(
        operation_id="sign_in",
        summary="Sign in",
        description="Answers with a token or, with `cookie: true`, with a browser's cookie.",
        request=SignInSerializer,
        responses={201: SignedInSerializer},
        examples=[OpenApiExample("by name", ANN, request_only=True)],
        extensions={"x-problems": ["key-not-supported", "wrong-credentials"]},
    )
    @refuses_key
    def post(self, request: Request) -> Response:
        body = read(SignInSerializer, request)
        player = services.sign_in(request._request, body["name"], body["password"])
        return signed_in(request, player, "signed in", body["cookie"], reverse("current-session"))


class CurrentSessionView(APIView):
    required_scope = "read"

    @extend_schema(
        operation_id="sign_out",
        summary="Sign out",
        description="Revokes the token that is sent, or ends the browser's session.",
        request=None,
        responses={204: None},
    )
    def delete(self, request: Request) -> Response:
        if request.auth:
            services.revoke_token(request.auth)
        else:
            logout(request._request)
        return Response(status=status.HTTP_204_NO_CONTENT)


class MeView(APIView):
    @extend_schema(operation_id="me", summary="Who am I", responses=MeSerializer)
    def get(self, request: Request) -> Response:
        return Response(me(request))

    @extend_schema(
        operation_id="change_password",
        summary="Change my password",
        description="Ends the other browser sessions; tokens stay valid until revoked.",
        request=NewPasswordSerializer,
        responses=MeSerializer,
        extensions={"x-problems": ["weak-password", "wrong-credentials"]},
    )
    @idempotent
    def patch(self, request: Request) -> Response:
        body = read(NewPasswordSerializer, request)
        services.change_password(
            request._request, request.user, body["current_password"], body["password"]
        )
        keep_session(request, request.user)
        return Response(me(request))


class AccountView(APIView):
    @extend_schema(
        operation_id="become_account",
        summary="Turn a guest into an account",
        description="The same player under a name of its own: its matches and tokens stay.",
        request=CredentialsSerializer,
        responses=MeSerializer,
        examples=[OpenApiExample("an account", ANN, request_only=True)],
        extensions={
            "x-problems": ["name-not-allowed", "weak-password", "not-a-guest", "name-taken"]
        },
    )
    @idempotent
    def post(self, request: Request) -> Response:
        body = read(CredentialsSerializer, request)
        player = services.become_account(request.user, body["name"], body["password"])
        keep_session(request, player)
        return Response(me(request))


class TokensView(ListAPIView[Token]):
    serializer_class = TokenSerializer

    def get_queryset(self) -> QuerySet[Token]:
        return living_tokens(self.request)

    @extend_schema(operation_id="tokens", summary="List my tokens")
    def get(self, request: Request) -> Response:
        return self.list(request)

    @extend_schema(
        operation_id="issue_token",
        summary="Make a token",
        description="`play` includes `read`, `bot` includes `play`, `admin` includes all and is "
        "for staff, who make such a token from a browser session or with another one.",
        request=NewTokenSerializer,
        responses={201: IssuedTokenSerializer},
        examples=[
            OpenApiExample("for a bot", {"name": "my bot", "scopes": ["bot"]}, request_only=True)
        ],
        extensions={"x-problems": ["key-not-supported", "scope-not-allowed"]},
    )
    @refuses_key
    def post(self, request: Request) -> Response:
        body = read(NewTokenSerializer, request)
        if "admin" in body["scopes"] and request.auth and "admin" not in request.auth.scopes:
            raise services.ScopeNotAllowed("A token cannot make one that may do more than itself.")
        token, text = services.issue_token(request.user, body["name"], body["scopes"])
        answer = {"token": text, **TokenSerializer(token).data}
        where = reverse("token", args=[token.pk])
        return Response(answer, status.HTTP_201_CREATED, headers={"Location": where})


class TokenView(APIView):
    @extend_schema(operation_id="token", summary="Look at a token", responses=TokenSerializer)
    def get(self, request: Request, token_id: UUID) -> Response:
        return Response(
            TokenSerializer(get_object_or_404(living_tokens(request), pk=token_id)).data
        )

    @extend_schema(
        operation_id="revoke_token", summary="Revoke a token", request=None, responses={204: None}
    )
    @idempotent
    def delete(self, request: Request, token_id: UUID) -> Response:
        services.revoke_token(get_object_or_404(living_tokens(request), pk=token_id))
        return Response(status=status.HTTP_204_NO_CONTENT)


def read(shape: type[BaseSerializer[Any]], request: Request) -> dict[str, Any]:
    """The body in its shape; raises ValidationError."""
    body = shape(data=request.data)
    body.is_valid(raise_exception=True)
    return body.validated_data  # type: ignore[no-any-return]


def signed_in(request: Request, player: Player, what: str, cookie: bool, where: str) -> Response:
    text = None
    if cookie:
        login(request._request, player, "django.contrib.auth.backends.ModelBackend")
    else:
        user_logged_in.send(Player, request=request._request, user=player)
        _, text = services.issue_token(player, what, ["play"])
    answer = {"token": text, "player": PlayerSerializer(player).data}
    return Response(answer, status.HTTP_201_CREATED, headers={"Location": where})


def keep_session(request: Request, player: Player) -> None:
    """A new password ends browser sessions, but not the one that asked for it."""
    if request.auth is None:
        update_session_auth_hash(request._request, player)


def me(request: Request) -> dict[str, Any]:
    may = {"staff": request.user.is_staff, "scopes": sorted(granted_scopes(request.auth))}
    return {**PlayerSerializer(request.user).data, **may}


def living_tokens(request: Request) -> QuerySet[Token]:
    return Token.objects.filter(player=request.user, revoked_at=None)


def player_url(player: Player) -> str:
    return reverse("player", args=[player.name])
