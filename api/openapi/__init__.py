"""The OpenAPI description of the API."""

import asyncio
import threading
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic.json_schema import models_json_schema

from api.openapi import common_responses, examples
from api.openapi.apply_glossary import add_descriptions, mark_identifiers
from api.openapi.field_union import split_fields
from api.openapi.webhooks import add_webhooks
from application.oauth.registration import Registration
from schemas.invitations import InvitationCreate
from schemas.previews import PreviewCreate
from schemas.session_create import SessionCreate
from schemas.session_from_template import SessionFromTemplate
from schemas.template_changes import TemplateRename
from schemas.template_create import TemplateCreate
from schemas.uploads import FileUpload

REQUEST_BODIES = (
    SessionCreate,
    SessionFromTemplate,
    TemplateCreate,
    TemplateRename,
    InvitationCreate,
    FileUpload,
    PreviewCreate,
    Registration,
)
"""What routes read by themselves, of which FastAPI itself knows nothing."""

SUMMARY = "Signing sessions from block documents: create, send, sign, download."
TEXT = """\
Undersign lays out agreements from blocks, sends them to be signed in order, and hands out the signed PDFs with a
certificate of completion.

* Get an access token at `POST /oidc/token` and send it as `Authorization: Bearer ...`.
* A client of your own has an id and a secret. A program that works with the leave of people registers at
  `POST /oidc/register` and asks them at `/app/authorize` (OAuth 2.1: authorization code with PKCE, S256).
* Success is 200. Every error is `{"message", "error", "issues"?}`: `message` says what to do next, `error` is the code
  for programs. Checks come in the order 401, 429, 403, 404, then the request itself (400, 406, 413, 415, 422), 409.
* Requests are strict: unknown members of a body are refused, and so are query parameters that are unknown or come
  twice, and a body of an operation that takes none. All mistakes are listed at once, up to 100 of them; `path` says
  where each is.
* A body with block documents has at most 2 MB (2,000,000 bytes), every other one 64 kB (64,000 bytes); uploads have
  limits of their own, which Upload Image and Upload File say. JSON holds at most 50,000 values, nested 32 deep.
* Send an `Idempotency-Key` with what creates or sends, and repeat the request without fear: within 24 hours the same
  request with the same key is done once and answered as the first time, with `Idempotency-Replayed: true`. The same
  request is one with the same method, path and body, byte for byte: JSON with its members in another order is another
  request (422 `IDEMPOTENCY_KEY_REUSED`). Of an upload the name and the bytes of the file count, as a form or as JSON.
  Nothing is kept of a request that was refused. Once the session of the first answer has been deleted permanently, the
  same request with the same key answers 404; it makes no second one. Keys belong to the organisation.
* Email addresses are kept and shown in lower case, however they are given.
* Times are RFC 3339 in UTC with milliseconds.
* A session with a `callbackUrl` announces what happens to it: see the webhook `callback`.
* Calls are counted by organisation, reads and writes apart: `RateLimit` says what is left of the minute, and 429 comes
  with `Retry-After`.
* A client can be held to so many recipients a day (UTC), and to mail addresses at some domains. What goes beyond is
  refused before anything is done: 429 `RECIPIENT_BUDGET_SPENT` with `Retry-After`, 403 `RECIPIENT_DOMAIN_NOT_ALLOWED`.
  All recipients of a session count when it is sent, and each invitation that is asked for; reminders do not count.
* HEAD is taken wherever GET is, with the same headers and no body; it hands nothing out, so it is no event. OPTIONS
  names the methods of an address in `Allow`.
* Every response carries `X-Request-Id`; send your own (at most 128 printable ASCII characters) to have it kept.
"""

TAGS = [
    {"name": "Access", "description": "Access tokens: for clients of your own, and for programs that people let in."},
    {"name": "Documents", "description": "Block documents, before a session or a template is created."},
    {"name": "Sessions", "description": "Signing sessions: create, send, archive, restore, delete."},
    {"name": "Templates", "description": "Documents with variables, from which sessions are created."},
    {"name": "Downloads", "description": "Signed documents, certificates, values and events of a session."},
    {"name": "Callbacks", "description": "The log of callbacks, and the feed of all events."},
    {"name": "Files", "description": "Images for documents, and PDFs for reference."},
    {"name": "Operation", "description": "For the operator's own network."},
]

_MAKING = threading.Lock()

CLIENT_SECRET = {
    "type": "http",
    "scheme": "basic",
    "description": "The client's id and secret, made with `undersign client add`.",
}


async def description_of(app: FastAPI) -> dict[str, Any]:
    """The description. Who asks first waits for it to be made, in a thread; other requests go on meanwhile."""
    if app.openapi_schema is None:
        return await asyncio.to_thread(describe, app)
    return app.openapi_schema


def describe(app: FastAPI) -> dict[str, Any]:
    """The description, made once."""
    with _MAKING:
        described = app.openapi_schema or _made(app)
        app.openapi_schema = described
    return described


def _made(app: FastAPI) -> dict[str, Any]:
    described = get_openapi(
        title=app.title,
        version=app.version,
        summary=SUMMARY,
        description=TEXT,
        routes=app.routes,
        tags=TAGS,
        servers=[{"url": app.state.services.base_url}],
    )
    components = described["components"]
    requested = _request_schemas()
    components["schemas"].update(requested)
    _drop_framework_errors(described)
    _write_objects_of_queries(described)
    split_fields(components["schemas"])
    common_responses.complete(described)
    examples.add_requests(described)
    examples.add_answers(described)
    add_webhooks(described)
    add_descriptions(described)
    mark_identifiers(components["schemas"], requested)
    components["securitySchemes"]["clientSecret"] = CLIENT_SECRET
    return described


def _drop_framework_errors(described: dict[str, Any]) -> None:
    """Takes out the 422 that FastAPI adds to every route with parameters: ours answer 400 in the one error shape."""
    for item in described["paths"].values():
        for operation in item.values():
            if "HTTPValidationError" in str(operation["responses"].get("422")):
                del operation["responses"]["422"]
    for name in ("HTTPValidationError", "ValidationError"):
        described["components"]["schemas"].pop(name, None)


def _write_objects_of_queries(described: dict[str, Any]) -> None:
    """Has objects in queries described as they are read: a parameter for each key, as in `metadata[customer]`."""
    for item in described["paths"].values():
        for operation in item.values():
            for parameter in operation.get("parameters", ()):
                if parameter["in"] == "query" and parameter["schema"].get("type") == "object":
                    parameter |= {"style": "deepObject", "explode": True}


def _request_schemas() -> dict[str, Any]:
    _, schemas = models_json_schema(
        [(model, "validation") for model in REQUEST_BODIES], ref_template="#/components/schemas/{model}"
    )
    definitions: dict[str, Any] = schemas["$defs"]
    return definitions
