"""The OpenAPI description of the API, generated at the first request for it."""

import asyncio
import re
import threading
from collections.abc import Iterator
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic.json_schema import models_json_schema

from api.openapi import portable_schemas, responses, webhooks
from api.openapi.schema_descriptions import add_descriptions
from web.asgi.json_body import BODIES

SUMMARY = "Signing sessions from block documents: create, send, sign, download."
TEXT = """\
Undersign lays out agreements from blocks, sends them to recipients who sign in order, and provides the signed PDFs with
a certificate of completion.

* **Authentication**: get an access token at `POST /oidc/token` and send it as `Authorization: Bearer ...`. Your own
  clients have an id and a secret. Programs that act for users register at `POST /oidc/register` and request approval at
  `/app/authorize` (OAuth 2.1: authorization code with PKCE, S256).
* **Errors**: success is 200. Every error is `{"message", "error", "issues"?}`: `message` says what to do next, `error`
  is a code for programs. Requests are checked in the order 401, 429, 403, 404, then the request itself (400, 406, 413,
  415, 422), 409.
* **Strict requests**: unknown members of a body, unknown or repeated query parameters, and a body for an operation
  without one are errors. All issues are returned at once, up to 100; `path` is the place of each.
* **Limits**: a body with block documents or a batch has at most 2 MB (2,000,000 bytes), other bodies 64 kB (64,000
  bytes). Upload Image and Upload File state their own limits. JSON holds at most 50,000 values, nested 32 deep.
* **Idempotency**: send an `Idempotency-Key` with requests that create or send, and retry them safely. Within 24 hours,
  the same request with the same key is executed once, and later responses repeat the first one, with
  `Idempotency-Replayed: true`. Requests are the same if method, path and body are, byte for byte; the same key with
  another request returns 422 `IDEMPOTENCY_KEY_REUSED`. For an upload, the name and the bytes of the file are compared,
  as a form or as JSON. Refused requests are not recorded. After the permanent deletion of the created session, the same
  request with the same key returns 404. Keys belong to the organisation.
* **Email addresses** are stored and returned in lower case.
* **Times** are RFC 3339 in UTC with milliseconds.
* **Callbacks**: a session with a `callbackUrl` reports its events to it; see the webhook `callback`.
* **Rate limits**: requests are counted per organisation, reads and writes separately. `RateLimit` is the rest of the
  quota of the minute; 429 comes with `Retry-After`.
* **Sending limits**: a client may be limited to a number of recipients per day (UTC), and to mail domains. Requests
  beyond the limits have no effect: 429 `RECIPIENT_BUDGET_SPENT` with `Retry-After`, 403 `RECIPIENT_DOMAIN_NOT_ALLOWED`.
  Sending counts all recipients of a session, and Send Invitation counts one; reminders do not count.
* **HEAD** is accepted wherever GET is, with the same headers and no body, and records no event. OPTIONS lists the
  methods of an address in `Allow`.
* **Request ids**: every response has `X-Request-Id`. Send your own to use it: at most 128 printable ASCII characters,
  without `<>&"'\\` and backticks.
"""

TAGS = [
    {"name": "Access", "description": "Access tokens for your own clients and for programs that users approve."},
    {"name": "Documents", "description": "Previews of block documents."},
    {"name": "Sessions", "description": "Signing sessions: create, send, archive, restore, delete."},
    {"name": "Embedded signing", "description": "Signing within your own pages, without emails."},
    {"name": "Templates", "description": "Documents with variables, from which sessions are created."},
    {"name": "Downloads", "description": "Signed documents, certificates, values and events of a session."},
    {"name": "Callbacks", "description": "The log of callbacks, and the feed of all events."},
    {"name": "Callback receiver", "description": "The request that your receiver answers."},
    {"name": "Files", "description": "Images for documents, and PDFs for reference."},
    {"name": "Operation", "description": "For the operator's own network."},
]

CLIENT_SECRET = {
    "type": "http",
    "scheme": "basic",
    "description": "The client's id and secret, created with `undersign client add`.",
}

_LOCK = threading.Lock()
"""Threads that need the description wait for the one that generates it, which takes half a second of a core."""


async def description_of(app: FastAPI) -> dict[str, Any]:
    """Returns the OpenAPI description. The first call generates it in a thread, so that other requests continue."""
    described = app.openapi_schema
    return await asyncio.to_thread(describe, app) if described is None else described


def describe(app: FastAPI) -> dict[str, Any]:
    """Returns the OpenAPI description, which is generated once."""
    with _LOCK:
        described: dict[str, Any] = app.openapi_schema or _make(app)
        app.openapi_schema = described
    return described


def _make(app: FastAPI) -> dict[str, Any]:
    described = get_openapi(
        title=app.title,
        version=app.version,
        summary=SUMMARY,
        description=TEXT,
        routes=app.routes,
        webhooks=webhooks.router.routes,
        tags=TAGS,
        servers=[{"url": app.state.services.base_url}],
    )
    schemas = described["components"]["schemas"]
    _, bodies = models_json_schema(
        [(model, "validation") for model in BODIES.values()], ref_template="#/components/schemas/{model}"
    )
    schemas.update(bodies["$defs"])
    described["components"]["securitySchemes"]["clientSecret"] = CLIENT_SECRET
    for operation in _operations(described):
        _correct(operation)
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    add_descriptions(schemas)
    for schema in schemas.values():
        _correct_schema(schema)
    del described["webhooks"]["callback"]["post"]["responses"]["200"]  # part of 2XX
    responses.complete(described)
    portable_schemas.make_portable(described)
    return described


def _operations(described: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for part in ("paths", "webhooks"):
        for item in described[part].values():
            yield from item.values()


def _correct(operation: dict[str, Any]) -> None:
    """Removes the 422 of FastAPI, as the service returns 400, and describes lists in queries as they are parsed."""
    if "HTTPValidationError" in str(operation["responses"].get("422")):
        del operation["responses"]["422"]
    for parameter in operation.get("parameters", ()):
        parameter["schema"].pop("title", None)
        if parameter["schema"].get("type") == "array":
            # Statuses are separated by commas; a value of the metadata may have commas itself.
            parameter |= {"style": "form", "explode": parameter["name"] != "status"}


def _correct_schema(schema: dict[str, Any]) -> None:
    """Removes the titles of members, which repeat their names, and references to the specification."""
    schema["description"] = re.sub(r"\s*Specification \d+(\.\d+)?(, \d+(\.\d+)?)*\.", "", schema["description"])
    for member in schema.get("properties", {}).values():
        member.pop("title", None)
