"""A player's webhooks: addresses that are told of events, and what became of each message."""

from uuid import UUID

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import status
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ginservice.idempotency import idempotent, refuses_key
from players import webhooks
from players.models import Delivery, Webhook
from players.serializers import (
    ChangedWebhookSerializer,
    DeliverySerializer,
    MadeWebhookSerializer,
    NewWebhookSerializer,
    WebhookSerializer,
)
from players.views import read


class WebhooksView(ListAPIView[Webhook]):
    serializer_class = WebhookSerializer

    def get_queryset(self) -> QuerySet[Webhook]:
        return Webhook.objects.filter(player=self.request.user)

    @extend_schema(operation_id="webhooks", summary="List my webhooks")
    def get(self, request: Request) -> Response:
        return self.list(request)

    @extend_schema(
        operation_id="add_webhook",
        summary="Add a webhook",
        description="The address is sent a POST for each event: `match.started`, "
        "`match.your_turn`, `match.over`. Messages are signed as Standard Webhooks says, with the "
        "`secret` of the answer, and sent again for some hours until they are answered with 2xx; "
        "the status Gone switches the webhook off.",
        request=NewWebhookSerializer,
        responses={201: MadeWebhookSerializer},
        examples=[
            OpenApiExample(
                "my turns",
                {"url": "https://bot.example.org/turn", "events": ["match.your_turn"]},
                request_only=True,
            )
        ],
        extensions={"x-problems": ["key-not-supported", "url-not-allowed", "too-many-webhooks"]},
    )
    @refuses_key
    def post(self, request: Request) -> Response:
        body = read(NewWebhookSerializer, request)
        webhook = webhooks.add(request.user, body["url"], body["events"])
        where = reverse("webhook", args=[webhook.pk])
        told = MadeWebhookSerializer(webhook).data
        return Response(told, status.HTTP_201_CREATED, headers={"Location": where})


class WebhookView(APIView):
    @extend_schema(operation_id="webhook", summary="Look at a webhook", responses=WebhookSerializer)
    def get(self, request: Request, webhook_id: UUID) -> Response:
        return Response(WebhookSerializer(mine(request, webhook_id)).data)

    @extend_schema(
        operation_id="change_webhook",
        summary="Change a webhook",
        description='Its address or its events; the secret stays. `{"on": false}` switches it off: '
        "what waits is not sent, and nothing more is. Only `true` switches it on again, also "
        "where it is off (`off_since`) because it had answered Gone.",
        request=ChangedWebhookSerializer,
        responses=WebhookSerializer,
        extensions={"x-problems": ["url-not-allowed"]},
    )
    @idempotent
    def patch(self, request: Request, webhook_id: UUID) -> Response:
        body = read(ChangedWebhookSerializer, request)
        webhook = webhooks.change(mine(request, webhook_id), **body)
        return Response(WebhookSerializer(webhook).data)

    @extend_schema(
        operation_id="delete_webhook",
        summary="Delete a webhook",
        description="And its log. What was not delivered yet is not sent any more.",
        request=None,
        responses={204: None},
    )
    @idempotent
    def delete(self, request: Request, webhook_id: UUID) -> Response:
        mine(request, webhook_id).delete()
        return Response(status=status.HTTP_204_NO_CONTENT)


class WebhookTestView(APIView):
    @extend_schema(
        operation_id="test_webhook",
        summary="Send a test to a webhook",
        description="A message of the type `test`. Its log says what became of it.",
        request=None,
        responses={201: DeliverySerializer},
    )
    @idempotent
    def post(self, request: Request, webhook_id: UUID) -> Response:
        delivery = webhooks.send_test(mine(request, webhook_id))
        where = {"Location": reverse("deliveries", args=[webhook_id])}
        return Response(DeliverySerializer(delivery).data, status.HTTP_201_CREATED, headers=where)


class DeliveriesView(ListAPIView[Delivery]):
    serializer_class = DeliverySerializer

    def get_queryset(self) -> QuerySet[Delivery]:
        return Delivery.objects.filter(webhook=mine(self.request, self.kwargs["webhook_id"]))

    @extend_schema(
        operation_id="deliveries",
        summary="What was sent to a webhook",
        description="Newest first, for thirty days. `next_at`: when it is tried again; null "
        "once it was delivered or given up.",
    )
    def get(self, request: Request, webhook_id: UUID) -> Response:
        return self.list(request)


def mine(request: Request, webhook_id: UUID) -> Webhook:
    return get_object_or_404(Webhook, pk=webhook_id, player=request.user)
