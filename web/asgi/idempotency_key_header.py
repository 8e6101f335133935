"""The header `Idempotency-Key` (Specification 10.5)."""

import re
from collections.abc import Sequence
from typing import Annotated

from fastapi import Depends, Header, Request
from pydantic import AfterValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

from application.caller import Caller
from application.errors import InvalidRequest, RequestIssue
from application.idempotency import IdempotentRequest, IdempotentResult, M
from application.off_loop import off_loop
from application.parse_json import in_one_form
from application.services import Services
from domain.shared.object_names import digest
from web.asgi.dependencies import InjectedServices
from web.asgi.required_scopes import SessionWriteCaller, TemplateWriteCaller
from web.asgi.route_signature import ModelResponse

REPLAYED, _NAME = "Idempotency-Replayed", "Idempotency-Key"

_KEY = re.compile(r"[\x20-\x7e]{1,255}")

_ABSENT = frozenset({"null", "undefined", "None"})
"""What programs send for a key that they lack. Under it, two requests would be one."""


def _check_key(key: str) -> str:
    if not _KEY.fullmatch(key):
        raise PydanticCustomError("idempotency_key", "An Idempotency-Key has 1 to 255 printable ASCII characters.")
    if key in _ABSENT:
        raise PydanticCustomError("idempotency_key", f"The key is the word {key}. Leave the header out to send none.")
    return key


IdempotencyKey = Annotated[
    str,
    AfterValidator(_check_key),
    WithJsonSchema({"type": "string", "minLength": 1, "maxLength": 255, "pattern": f"^{_KEY.pattern}$"}),
]


KeyInHeader = Annotated[
    IdempotencyKey | None,
    Header(
        alias=_NAME,
        description="any text: the same request with the same key takes effect once within 24 hours, and is "
        "answered with 404 after the session of the first response was deleted permanently",
    ),
]


def to_response(done: IdempotentResult[M]) -> ModelResponse[M]:
    """Returns the HTTP response; a header marks a replayed one."""
    headers = {REPLAYED: "true"} if done.is_replayed else None
    return ModelResponse(done.body, media_type="application/json", headers=headers)


async def idempotent_request(
    request: Request, caller: Caller, services: Services, key: str | None
) -> IdempotentRequest:
    """Reads the body, and returns the caller's request under `key`. Raises `InvalidRequest` for two keys."""
    if len(request.headers.getlist(_NAME)) > 1:
        raise InvalidRequest([RequestIssue(f"/{_NAME}", "This header occurs more than once. Give it once.")])
    body = await request.body()
    return IdempotentRequest(services.idempotency_keys, caller, key, *await sha256s_of(request, body, key))


async def sha256s_of(request: Request, body: bytes, key: str | None) -> Sequence[str]:
    """Returns the digests of a request with that key: of its JSON in one form, and of its bytes.

    Programs write equal JSON in another order or spacing when they repeat a request. Earlier versions stored the
    digest of the bytes.
    """
    if key is None:
        return []
    forms = dict.fromkeys((await off_loop(len(body), lambda: in_one_form(body)), body))
    return [digest(f"{request.method} {request.url.path}\n".encode() + form) for form in forms]


async def get_session_idempotency(
    request: Request, caller: SessionWriteCaller, services: InjectedServices, key: KeyInHeader = None
) -> IdempotentRequest:
    return await idempotent_request(request, caller, services, key)


async def get_template_idempotency(
    request: Request, caller: TemplateWriteCaller, services: InjectedServices, key: KeyInHeader = None
) -> IdempotentRequest:
    return await idempotent_request(request, caller, services, key)


SessionIdempotency = Annotated[IdempotentRequest, Depends(get_session_idempotency)]
"""An idempotent request of a caller with the scope `write:sessions`."""

TemplateIdempotency = Annotated[IdempotentRequest, Depends(get_template_idempotency)]
"""An idempotent request of a caller with the scope `write:templates`."""
