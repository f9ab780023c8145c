import json
import re
from pathlib import Path

import psycopg
import pytest
from django.core.exceptions import PermissionDenied
from django.db import OperationalError
from django.http import HttpResponseNotAllowed
from django.test import Client
from django.urls import include, path
from rest_framework.exceptions import Throttled
from rest_framework.response import Response
from rest_framework.views import APIView

from ginservice import urls as real
from ginservice.errors import REFUSALS
from ginservice.problems import PROBLEMS
from players.services import Refused

MISSING = "/api/v1/nothing/here"


class Fails(APIView):
    """Whatever goes wrong in a view of REST framework."""

    authentication_classes = ()
    permission_classes = ()

    def get(self, request, how):
        raise {
            "crash": RuntimeError("the secret cause"),
            "database": OperationalError("terminating connection"),
            "cursor": psycopg.errors.AdminShutdown("terminating connection"),
            "throttled": Throttled(wait=1.2),
            "denied": PermissionDenied(),
        }[how]

    def post(self, request, how):
        return Response(request.data)


class Sold(Refused):
    code = "seat-taken"


def plain(request, how):
    if how == "refused":
        raise Sold("Somebody was faster.", version=7)
    if how == "method":
        return HttpResponseNotAllowed(["PUT"])
    raise RuntimeError("the secret cause")


urlpatterns = [
    path("api/v1/fails/<how>", Fails.as_view()),
    path("api/v1/plain/<how>", plain),
    path("plain/<how>", plain),
    path("", include(real)),
]
handler400, handler403 = real.handler400, real.handler403
handler404, handler500 = real.handler404, real.handler500


@pytest.fixture
def client(settings):
    settings.ROOT_URLCONF = __name__
    return Client(raise_request_exception=False)


def told(response):
    assert response["Content-Type"] == "application/problem+json"
    body = response.json()
    assert body["status"] == response.status_code == PROBLEMS[body["code"]].status
    assert body["type"] == f"/problems/{body['code']}"
    assert body["request_id"] == response["X-Request-ID"]
    assert body["title"] and body["detail"]
    return body


def test_a_problem_says_all_that_rfc_9457_asks_for(client):
    body = told(client.get(MISSING))

    assert set(body) == {"type", "title", "status", "detail", "code", "request_id"}
    assert body["code"] == "not-found"


def test_an_unknown_address_is_told_also_while_debugging(client, settings):
    settings.DEBUG = True

    assert told(client.get(MISSING))["code"] == "not-found"
    assert told(client.get("/api/v1/plain/crash"))["code"] == "server-error"


def test_an_address_with_a_slash_too_many_is_not_found(client):
    assert told(client.get("/api/v1/me/"))["code"] == "not-found"


def test_a_crash_tells_nothing_but_the_request_id(client):
    for address in ("/api/v1/fails/crash", "/api/v1/plain/crash", "/plain/crash"):
        response = client.get(address, headers={"X-Request-ID": "abc"})
        assert told(response)["code"] == "server-error"
        assert response.json()["request_id"] == "abc"
        assert b"secret" not in response.content


@pytest.mark.parametrize("how", ["database", "cursor"])
def test_a_database_that_cannot_be_used_is_no_fault_of_the_service(client, how):
    response = client.get(f"/api/v1/fails/{how}")

    assert told(response)["code"] == "unavailable"
    assert response["Retry-After"] == "1"


def test_a_wrong_method_lists_the_right_ones(client):
    response = client.delete("/api/v1/fails/x")
    assert told(response)["code"] == "method-not-allowed"
    assert "POST" in response["Allow"]

    response = client.get("/api/v1/plain/method")
    assert told(response)["code"] == "method-not-allowed"
    assert response["Allow"] == "PUT"


def test_who_asks_too_often_is_told_when_to_ask_again(client):
    response = client.get("/api/v1/fails/throttled")

    assert told(response)["code"] == "throttled"
    assert response["Retry-After"] == "2"


def test_a_refusal_outside_rest_framework_is_told_too(client):
    body = told(client.get("/api/v1/plain/refused"))

    assert (body["code"], body["detail"], body["version"]) == (
        "seat-taken",
        "Somebody was faster.",
        7,
    )


def test_what_is_denied_is_forbidden(client):
    assert told(client.get("/api/v1/fails/denied"))["code"] == "forbidden"


def test_no_other_form_than_json_is_answered(client):
    response = client.get("/api/v1/me", headers={"Accept": "application/xml"})

    assert told(response)["code"] == "not-acceptable"


@pytest.mark.parametrize(
    "body", ["{", b"\xff", '{"a": NaN}', "[" * 100_000, '{"a": "\\ud800"}', ""]
)
def test_a_body_that_is_not_json_is_malformed(client, body):
    response = client.post("/api/v1/players", body, content_type="application/json")

    assert told(response)["code"] == "malformed"


@pytest.mark.parametrize("body", [[], "x", 1, None, [{}]])
def test_a_body_that_is_no_object_is_malformed(client, body):
    response = client.post("/api/v1/players", json.dumps(body), content_type="application/json")

    assert told(response)["code"] == "malformed"
    assert response.json()["errors"][0]["pointer"] == ""


def test_errors_point_into_lists(client, db):
    response = client.post(
        "/api/v1/players", {"name": [1], "password": {}}, content_type="application/json"
    )

    pointers = [error["pointer"] for error in told(response)["errors"]]
    assert pointers == ["/name", "/password"]


def test_a_form_is_no_json(client):
    response = client.post("/api/v1/players", {"name": "ann"})

    assert told(response)["code"] == "unsupported-media-type"


def test_a_body_of_more_than_a_megabyte_is_too_large(client):
    response = client.post("/api/v1/players", "x" * 1_000_001, content_type="application/json")

    assert told(response)["code"] == "too-large"


def test_an_unknown_host_is_told(client):
    response = client.get("/api/v1/me", headers={"Host": "elsewhere.example"})

    assert told(response)["code"] == "unknown-host"


def test_a_page_without_its_csrf_token_is_told(settings):
    client = Client(enforce_csrf_checks=True)

    assert told(client.post("/admin/login/"))["code"] == "csrf-failed"


def test_a_browser_sees_a_page_outside_the_api(client):
    html = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}

    for address, status in (("/nothing", 404), ("/plain/crash", 500)):
        response = client.get(address, headers=html)
        assert response.status_code == status
        assert response["Content-Type"].startswith("text/html")
        assert response["X-Request-ID"] in response.content.decode()
    assert told(client.get(MISSING, headers=html))
    assert told(client.get("/nothing"))


@pytest.mark.django_db
def test_a_page_that_is_not_there_says_so_to_people_and_still_knows_who_is_signed_in(client):
    html = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    assert "Sign in" in client.get("/nothing", headers=html).content.decode()
    client.post("/api/v1/players/guest", {"cookie": True}, "application/json")

    page = client.get("/nothing", headers=html).content.decode()
    assert "The address is wrong" in page and "address of the API" not in page
    assert '<a href="/me" title="My matches">My matches</a>' in page


def test_no_answer_of_the_api_is_shared(client):
    response = client.get("/api/v1/me")

    assert response["Cache-Control"] == "private, no-store"
    assert "Authorization" in response["Vary"]
    assert "Cookie" in response["Vary"]


def test_every_problem_has_its_page(client):
    index = client.get("/problems").content.decode()
    for code, problem in PROBLEMS.items():
        assert f'href="/problems/{code}"' in index
        page = client.get(f"/problems/{code}")
        assert page.status_code == 200
        assert str(problem.status) in page.content.decode()
    assert client.get("/problems/nonsense").status_code == 404


def test_every_refusal_is_in_the_catalogue():
    def below(kind):
        return {kind} | {each for sub in kind.__subclasses__() for each in below(sub)}

    codes = {kind.code for root in REFUSALS for kind in below(root)}
    assert codes - {""} <= set(PROBLEMS)


def test_statuses_stand_only_in_the_catalogue():
    house = Path(__file__).parent.parent
    for source in [*house.glob("players/*.py"), *house.glob("ginservice/*.py")]:
        if source.name not in ("problems.py", "sidebar.py"):  # which has colours
            assert not re.search(r"\b[45]\d\d\b", source.read_text()), source.name
