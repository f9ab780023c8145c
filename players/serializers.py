"""The shapes of bodies and answers about players."""

from collections.abc import Mapping
from typing import Any

from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from players.models import EVENTS, SCOPES, Delivery, Player, Token, Webhook
from players.services import NAME

MOST_UNKNOWN = 10
"""How many unknown fields an answer names."""
LONGEST = 60
"""As much of an unknown field's name as is repeated."""


class Body(serializers.Serializer[Any]):
    """A body in which an unknown field is an error, so that a typing mistake is never silent."""

    def to_internal_value(self, data: Any) -> Any:
        unknown = sorted(set(data) - set(self.fields)) if isinstance(data, Mapping) else []
        if unknown:
            known = ", ".join(self.fields) or "none"
            words = f"There is no such field here; the fields are: {known}."
            told = dict.fromkeys((name[:LONGEST] for name in unknown[:MOST_UNKNOWN]), words)
            raise serializers.ValidationError(told, "unknown-field")
        return super().to_internal_value(data)


class Text(serializers.CharField):
    """A string, and nothing that could be made one."""

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class Flag(serializers.BooleanField):
    """true or false, and nothing that means one."""

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


@extend_schema_field({"type": "string", "pattern": f"^{NAME.pattern}$"})
class Name(Text):
    """A player's name as it is sent; services say which can be given."""


class PlayerSerializer(serializers.ModelSerializer[Player]):
    guest = serializers.BooleanField(source="is_guest")

    class Meta:
        model = Player
        fields = ["id", "name", "guest", "created_at"]
        read_only_fields = fields


class MeSerializer(PlayerSerializer):
    staff = serializers.BooleanField(help_text="Whether tokens may have the scope `admin`.")
    scopes = serializers.ListField(
        child=serializers.ChoiceField(SCOPES), help_text="What this token or session may do."
    )

    class Meta(PlayerSerializer.Meta):
        fields = [*PlayerSerializer.Meta.fields, "staff", "scopes"]
        read_only_fields = fields


class NewGuestSerializer(Body):
    cookie = Flag(default=False, help_text="Answer with the session cookie in place of a token.")


class CredentialsSerializer(Body):
    name = Name(max_length=30, help_text="2 to 30 letters, digits, `_` or `-`.")
    password = Text(max_length=128, trim_whitespace=False)


class SignInSerializer(CredentialsSerializer, NewGuestSerializer):
    pass


class NewPasswordSerializer(Body):
    current_password = Text(max_length=128, trim_whitespace=False)
    password = Text(max_length=128, trim_whitespace=False)


class SignedInSerializer(serializers.Serializer[Any]):
    token = serializers.CharField(
        allow_null=True, help_text="Shown this once. Null when a cookie was asked for."
    )
    player = PlayerSerializer()


class NewTokenSerializer(Body):
    name = Text(max_length=60, help_text="To tell it from the others.")
    scopes = serializers.ListField(child=serializers.ChoiceField(SCOPES), min_length=1)


class TokenSerializer(serializers.ModelSerializer[Token]):
    class Meta:
        model = Token
        fields = ["id", "name", "prefix", "scopes", "created_at", "last_used_at"]
        read_only_fields = fields


class IssuedTokenSerializer(TokenSerializer):
    token = serializers.CharField(help_text="The text to send. Shown this once.")

    class Meta(TokenSerializer.Meta):
        fields = ["token", *TokenSerializer.Meta.fields]
        read_only_fields = fields


class NewWebhookSerializer(Body):
    url = Text(max_length=300, help_text="`https://…`, at a public address.")
    events = serializers.ListField(
        child=serializers.ChoiceField(EVENTS),
        default=list(EVENTS),
        min_length=1,
        max_length=len(EVENTS),
        help_text="What to be told of; else everything.",
    )


class ChangedWebhookSerializer(NewWebhookSerializer):
    url = Text(required=False, max_length=300)
    on = Flag(required=False, help_text="false: it is told nothing. Without: as it is.")
    events = serializers.ListField(
        child=serializers.ChoiceField(EVENTS),
        required=False,
        min_length=1,
        max_length=len(EVENTS),
    )


class WebhookSerializer(serializers.ModelSerializer[Webhook]):
    events = serializers.ListField(child=serializers.ChoiceField(EVENTS))

    class Meta:
        model = Webhook
        fields = ["id", "url", "events", "created_at", "off_since"]
        read_only_fields = fields


class MadeWebhookSerializer(WebhookSerializer):
    secret = serializers.CharField(help_text="What messages are signed with. Shown this once.")

    class Meta(WebhookSerializer.Meta):
        fields = [*WebhookSerializer.Meta.fields, "secret"]
        read_only_fields = fields


class DeliverySerializer(serializers.ModelSerializer[Delivery]):
    class Meta:
        model = Delivery
        fields = [
            "id",
            "event",
            "data",
            "created_at",
            "attempts",
            "next_at",
            "status",
            "error",
            "delivered_at",
        ]
        read_only_fields = fields


class ClosedBody(OpenApiSerializerExtension):
    """Says in the schema that unknown fields are refused."""

    target_class = "players.serializers.Body"
    match_subclasses = True

    def map_serializer(self, auto_schema: Any, direction: str) -> dict[str, Any]:
        schema = auto_schema._map_serializer(self.target, direction, bypass_extensions=True)
        return {**schema, "additionalProperties": False}
