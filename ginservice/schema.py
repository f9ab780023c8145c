"""What the OpenAPI document says beyond the views: how every address can fail."""

from typing import Any

from drf_spectacular.openapi import AutoSchema
from rest_framework.permissions import SAFE_METHODS

from ginservice.problems import PROBLEMS

USUAL = "http://localhost:8000"
JSON = "application/problem+json"
REF = {"$ref": "#/components/schemas/Problem"}
ERROR = {
    "type": "object",
    "required": ["code", "detail"],
    "properties": {
        "pointer": {"type": "string", "description": "A JSON pointer into the body."},
        "parameter": {"type": "string", "description": "A name in the query."},
        "header": {"type": "string", "description": "The name of a header."},
        "code": {"type": "string"},
        "detail": {"type": "string"},
    },
}
PROBLEM = {
    "type": "object",
    "description": "RFC 9457. Some codes bring more: a refused move the `version` that the match "
    "has, and `legal`.",
    "required": ["type", "title", "status", "detail", "code", "request_id"],
    "properties": {
        "type": {"type": "string", "format": "uri-reference", "description": "A page about it."},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "code": {"type": "string", "enum": sorted(PROBLEMS)},
        "request_id": {"type": ["string", "null"]},
        "errors": {"type": "array", "items": ERROR},
    },
}

LOCATION = {
    "Location": {
        "description": "Where what was made is to be seen; of a move, a claim and the like: in "
        "the match.",
        "schema": {"type": "string", "format": "uri-reference"},
    }
}


class Schema(AutoSchema):
    """Knows our own permission of what anyone may read."""

    def get_auth(self) -> list[dict[str, Any]]:
        auth = super().get_auth()
        open_to_all = any(getattr(p, "anyone_reads", False) for p in self.view.get_permissions())
        return [*auth, {}] if open_to_all and self.method in SAFE_METHODS else auth


def add_problems(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """A hook of drf-spectacular. A view names the codes of its own as extension `x-problems`."""
    result.setdefault("components", {}).setdefault("schemas", {})["Problem"] = PROBLEM
    for path, operations in result["paths"].items():
        for method, operation in operations.items():
            named = [*operation.pop("x-problems", []), *usual(path, method, operation)]
            codes = list(dict.fromkeys(named))
            for status in sorted({PROBLEMS[code].status for code in codes}):
                told = [code for code in codes if PROBLEMS[code].status == status]
                operation["responses"].setdefault(str(status), describe(status, told))
            if "201" in operation["responses"]:
                operation["responses"]["201"]["headers"] = LOCATION
            operation["responses"]["default"] = {
                "description": "Any other problem.",
                "content": {JSON: {"schema": REF}},
            }
    return result


def usual(path: str, method: str, operation: dict[str, Any]) -> list[str]:
    """The problems that follow from what the operation asks for."""
    codes = ["throttled"]
    if "requestBody" in operation:
        codes += ["malformed", "too-large", "unsupported-media-type"]
    elif any(parameter["in"] == "query" for parameter in operation.get("parameters", [])):
        codes += ["malformed"]
    if any(told["name"] == "Idempotency-Key" for told in operation.get("parameters", [])):
        codes += ["malformed", "key-reused"]
    if operation.get("security"):
        codes += ["invalid-token"]
        if {} not in operation["security"]:
            codes += ["not-authenticated", "missing-scope"]
    return codes + (["not-found"] if "{" in path else [])


def describe(status: int, codes: list[str]) -> dict[str, Any]:
    names = " · ".join(f"[`{code}`](/problems/{code})" for code in codes)
    examples = {code: {"value": example(code)} for code in codes}
    return {"description": names, "content": {JSON: {"schema": REF, "examples": examples}}}


def example(code: str) -> dict[str, Any]:
    told = PROBLEMS[code]
    return {
        "type": f"/problems/{code}",
        "title": told.title,
        "status": told.status,
        "detail": told.text,
        "code": code,
        "request_id": "019a3c5e-7d52-7c30-9b1e-0f6f1f1c2a77",
    }
