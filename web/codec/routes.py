"""`/codec`: decrypts for operators, as Temporal's codec protocol asks for it. Not there where nothing is encrypted."""

from typing import Annotated

import structlog
from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import JSONResponse

from application.codec import CodecDesk
from application.operator_tokens import token_id
from asgi.dependencies import InjectedServices
from asgi.json_body import read_json
from asgi.rate_limits import count_page
from web.codec.schemas import PayloadsBody, body_of
from web.codec.sign_in import PATH, operator_of, show_sign_in, sign_in, token_of
from web.error_pages import PageRoute
from web.errors import PageNotFound

router = APIRouter(prefix=PATH, route_class=PageRoute, include_in_schema=False)

log = structlog.get_logger(__name__)

NOBODY = {
    "message": "Sign in at /codec with a token of an operator, or send it as a Bearer: undersign operator token NAME",
    "error": "UNAUTHORIZED",
}

_PREFLIGHT_SECONDS = "600"


async def get_desk(services: InjectedServices) -> CodecDesk:
    """Raises `PageNotFound` where nothing is encrypted."""
    if services.codec is None:
        raise PageNotFound
    return services.codec


Desk = Annotated[CodecDesk, Depends(get_desk)]


# Only the entrance is counted: Temporal asks for each payload of a history by itself.
@router.get("", dependencies=[Depends(count_page)])
async def entrance(request: Request, desk: Desk) -> Response:
    return show_sign_in(request, desk)


@router.post("", dependencies=[Depends(count_page)])
async def enter(request: Request, desk: Desk, services: InjectedServices) -> Response:
    return await sign_in(request, desk, services.base_url)


@router.options("/{act}")
async def preflight(request: Request, desk: Desk) -> Response:
    """Whether a page of another site may ask: those of the Temporal UI may."""
    asked = request.headers.get("access-control-request-headers", "content-type")
    granted = {
        "Access-Control-Allow-Methods": "POST",
        "Access-Control-Allow-Headers": asked,
        "Access-Control-Max-Age": _PREFLIGHT_SECONDS,
    }
    return Response(status_code=204, headers=cross_origin(request, desk, granted))


@router.post("/decode")
async def decode(request: Request, desk: Desk) -> Response:
    headers = cross_origin(request, desk)
    if operator_of(request, desk) is None:
        return JSONResponse(NOBODY, 401, {**headers, "WWW-Authenticate": "Bearer"})
    body = await read_json(request, PayloadsBody)
    payloads = await desk.codec.decrypt(body.plain())
    log.info("payloads were handed out", token_id=token_id(token_of(request)), payloads=len(payloads))
    return JSONResponse(body_of(payloads).model_dump(), headers=headers)


def cross_origin(request: Request, desk: CodecDesk, also: dict[str, str] | None = None) -> dict[str, str]:
    """The headers that let a page of the Temporal UI read the answer; for others only what caches must know."""
    origin = request.headers.get("origin", "")
    if origin not in desk.origins:
        return {"Vary": "Origin"}
    return {
        "Vary": "Origin",
        "Access-Control-Allow-Origin": origin,
        "Access-Control-Allow-Credentials": "true",
        **(also or {}),
    }
