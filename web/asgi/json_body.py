"""JSON bodies, read strictly."""

import sys
from email.message import Message

from fastapi import Request
from pydantic import BaseModel
from starlette.datastructures import Headers

from application.caller import Caller
from application.documents.collect_issues import with_document_issues
from application.errors import InvalidRequest, UnsupportedMediaType
from application.parse_json import M, parse_json

_MAX_NUMBER = 18
"""Maximum digits of a `Content-Length` that is parsed. Longer ones exceed every limit."""


def announced_length(headers: Headers) -> int:
    """Returns the bytes that `Content-Length` announces, unchecked; 0 without a valid header."""
    announced = headers.get("content-length", "")
    if not (announced.isascii() and announced.isdigit()):
        return 0
    return int(announced) if len(announced) <= _MAX_NUMBER else sys.maxsize


async def read_json(request: Request, model: type[M]) -> M:
    """Returns the body as `model`. Raises `UnsupportedMediaType`, or `InvalidRequest` with all issues."""
    if media_type_of(request) != "application/json":
        given = request.headers.get("content-type")
        said = f"not as “{given[:80]}”" if given else "and name this type in the header Content-Type"
        raise UnsupportedMediaType(f"Send the body as application/json, {said}.")
    body, services = await request.body(), request.app.state.services
    return await parse_json(body, model, services)


async def read_with_documents(request: Request, caller: Caller, model: type[M]) -> M:
    """Returns the body as `model`. Raises the errors of `read_json`; the issues include those of documents."""
    try:
        return await read_json(request, model)
    except InvalidRequest as refused:
        services, body = request.app.state.services, await request.body()
        raise await with_document_issues(services, caller, body, refused) from refused


async def read_optional_json(request: Request, model: type[M]) -> M:
    """Returns the body as `model`, or the defaults of `model` without a body. Raises the errors of `read_json`."""
    return await read_json(request, model) if await request.body() else model()


def media_type_of(request: Request) -> str:
    message = Message()
    message["content-type"] = request.headers.get("content-type", "")
    return message.get_content_type()


BODIES: dict[str, type[BaseModel]] = {}
"""The bodies of routes, by name: FastAPI does not describe them, because the routes parse them themselves."""


def reference_to(model: type[BaseModel]) -> dict[str, str]:
    """Returns the reference to the schema of a body, which `api.openapi` describes."""
    BODIES[model.__name__] = model
    return {"$ref": f"#/components/schemas/{model.__name__}"}


def json_body(model: type[BaseModel], *, required: bool = True) -> dict[str, object]:
    """Returns the `openapi_extra` of a route that reads `model`."""
    content = {"application/json": {"schema": reference_to(model)}}
    return {"requestBody": {"required": required, "content": content}}
