"""JSON bodies, read strictly.

Not by FastAPI's own body parameters: those are parsed before the caller is known, and a caller without a token would
learn what is wrong with a body instead of being asked for one.
"""

import sys
from email.message import Message
from typing import TypeVar

from fastapi import Request
from pydantic import BaseModel, ValidationError
from pydantic_core import from_json
from starlette.datastructures import Headers

from application.context import Services
from application.errors import InvalidRequest, RequestIssue, UnsupportedMediaType
from application.validation_issues import issues_of
from asgi.json_limits import excess_of
from schemas.base import PRIVATE_CALLBACKS

M = TypeVar("M", bound=BaseModel)


_LONGEST_NUMBER = 18
"""Digits of a length that is read; longer ones are more than any limit."""


def announced_length(headers: Headers) -> int:
    """How many bytes a body is said to have; 0 when nothing that makes sense is said. It may be a lie."""
    announced = headers.get("content-length", "")
    if not (announced.isascii() and announced.isdigit()):
        return 0
    return int(announced) if len(announced) <= _LONGEST_NUMBER else sys.maxsize


async def read_json(request: Request, model: type[M]) -> M:
    """The body as `model`. Raises `UnsupportedMediaType`, or `InvalidRequest` with every mistake at once."""
    if not _is_json(request.headers.get("content-type", "")):
        raise UnsupportedMediaType
    return read_members(await request.body(), model, request.app.state.services)


def read_members(body: bytes, model: type[M], services: Services) -> M:
    """`body`, which is JSON, as `model`. Raises `InvalidRequest` with every mistake at once."""
    excess = excess_of(body)
    if excess is not None:
        raise InvalidRequest([RequestIssue("", excess)])
    allowed = {PRIVATE_CALLBACKS: services.private_callbacks}
    try:
        return model.model_validate_json(body, strict=True, by_alias=True, by_name=False, context=allowed)
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False)
        parsed = None if found[0]["type"] == "json_invalid" else from_json(body)
        raise InvalidRequest(issues_of(found, parsed)) from error


async def read_optional_json(request: Request, model: type[M]) -> M:
    """As `read_json`; no body at all is one without members."""
    return await read_json(request, model) if await request.body() else model()


def _is_json(content_type: str) -> bool:
    message = Message()
    message["content-type"] = content_type
    return message.get_content_type() == "application/json"


def json_body(model: type[BaseModel], *, required: bool = True) -> dict[str, object]:
    """The `openapi_extra` of a route that reads `model`; `api.openapi` adds the schema itself."""
    schema = {"$ref": f"#/components/schemas/{model.__name__}"}
    return {"requestBody": {"required": required, "content": {"application/json": {"schema": schema}}}}
