"""Callbacks in the description: what a receiver gets, and what it is to do."""

from typing import Any

from pydantic.json_schema import models_json_schema

from schemas.callback_bodies import EXAMPLE, CallbackBody

TEXT = """\
A POST to the `callbackUrl` of a session, for every change of its status and when a recipient opens the documents,
signs, declines, or cannot be reached. It says what `GET /api/v1/Events` says too, for whoever cannot be called.
What a recipient entered is in it only if the session was made with `callbackValues`.

**Check the signature** (Standard Webhooks). `webhook-signature` holds signatures such as `v1,K5oZ...`, separated by
spaces: there are several while a secret is being rotated, and one that is right is enough. Each is the HMAC-SHA256,
in base64, of `webhook-id`, a full stop, `webhook-timestamp`, a full stop, and the body byte for byte as it came. The
key is what stands behind `whsec_` in the secret of the organisation, decoded from base64. Operators show the secret
with `undersign webhook secret show` and rotate it with `undersign webhook secret rotate`, after which the old one
signs too, for 24 hours. Refuse what has a timestamp more than five minutes away from your clock.

**Answer 2xx** within 15 seconds, and do the work afterwards. Nothing else is a success; redirects are not followed.
Otherwise it is tried again: at once, then after 5 seconds, 5 minutes, 30 minutes, and 2, 5, 10, 14, 20 and 24 hours,
each wait lengthened by up to a tenth, ten times in all. `Retry-After` in your answer makes a wait longer, up to a
day. 410 says that you want this callback no more, and it is not tried again. When a receiver has failed for three
days without one success, its callbacks are held until the operator resumes them; List Callbacks shows every try, and
Redeliver Callback makes one at once.

**Make your receiver idempotent by `webhook-id`**: deliveries are at least once. They may overtake each other: order
them by `data.sequence`, and ignore what is lower than what you have.
"""


def _header(name: str, description: str, example: str) -> dict[str, Any]:
    schema = {"type": "string"}
    return {
        "name": name,
        "in": "header",
        "required": True,
        "description": description,
        "schema": schema,
        "example": example,
    }


_HEADERS = [
    _header("webhook-id", "identifier of the event, the same at every try", "6f1c3f0e-7d0b-5b7e-9c55-2a4f0e8d1b3a"),
    _header("webhook-timestamp", "when this try was made, in seconds since 1970 (UTC)", "1781260200"),
    _header(
        "webhook-signature",
        "one signature or several, separated by spaces",
        "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    ),
]


def add_webhooks(described: dict[str, Any]) -> None:
    """Adds to `described`, in place, what is sent to receivers."""
    _, schemas = models_json_schema([(CallbackBody, "serialization")], ref_template="#/components/schemas/{model}")
    members = schemas["$defs"]["AnnouncedSession"]["properties"]
    for member in (members["recipient"], members["files"]):
        del member["default"]  # it is left out where there is none, and never null
        member.update(next(kind for kind in member.pop("anyOf") if kind.get("type") != "null"))
    for name, schema in schemas["$defs"].items():
        described["components"]["schemas"].setdefault(name, schema)
    content = {"schema": {"$ref": f"#/components/schemas/{CallbackBody.__name__}"}, "example": EXAMPLE}
    described["webhooks"] = {
        "callback": {
            "post": {
                "operationId": "callback",
                "summary": "Callback",
                "description": TEXT,
                "tags": ["Callbacks"],
                "security": [],
                "parameters": _HEADERS,
                "requestBody": {"required": True, "content": {"application/json": content}},
                "responses": {
                    "2XX": {"description": "It has arrived"},
                    "410": {"description": "It is not wanted any more, and not tried again"},
                    "default": {"description": "It has not arrived, and is tried again; `Retry-After` is honoured"},
                },
            }
        }
    }
