"""`/codec`: the remote codec of Temporal, which decrypts payloads for operators. Exists only with encryption."""

from typing import Annotated

import structlog
from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import JSONResponse

from application.operator_tokens import token_id
from application.services import CodecConfig
from asgi.dependencies import InjectedServices
from asgi.json_body import read_json
from asgi.rate_limits import count_page
from web.codec.schemas import PayloadsBody, body_of
from web.codec.sign_in import PATH, operator_of, show_sign_in, sign_in, token_of
from web.error_pages import PageRoute
from web.errors import PageNotFound

router = APIRouter(prefix=PATH, route_class=PageRoute, include_in_schema=False)

log = structlog.get_logger(__name__)

UNAUTHORIZED = {
    "message": "Sign in at /codec with a token of an operator, or send it as a Bearer: undersign operator token NAME",
    "error": "UNAUTHORIZED",
}

_PREFLIGHT_SECONDS = "600"


async def get_codec(services: InjectedServices) -> CodecConfig:
    """Returns the codec; raises `PageNotFound` on an installation without encryption."""
    if services.codec is None:
        raise PageNotFound
    return services.codec


InjectedCodec = Annotated[CodecConfig, Depends(get_codec)]


# Only the sign-in page has a rate limit: the Temporal UI requests each payload of a history by itself.
@router.get("", dependencies=[Depends(count_page)])
async def entrance(request: Request, config: InjectedCodec) -> Response:
    return show_sign_in(request, config)


@router.post("", dependencies=[Depends(count_page)])
async def enter(request: Request, config: InjectedCodec, services: InjectedServices) -> Response:
    return await sign_in(request, config, services.base_url)


@router.options("/{act}")
async def preflight(request: Request, config: InjectedCodec) -> Response:
    """Answers CORS preflight requests: the Temporal UI may read responses."""
    asked = request.headers.get("access-control-request-headers", "content-type")
    granted = {
        "Access-Control-Allow-Methods": "POST",
        "Access-Control-Allow-Headers": asked,
        "Access-Control-Max-Age": _PREFLIGHT_SECONDS,
    }
    return Response(status_code=204, headers=cross_origin(request, config, granted))


@router.post("/decode")
async def decode(request: Request, config: InjectedCodec) -> Response:
    headers = cross_origin(request, config)
    if operator_of(request, config) is None:
        return JSONResponse(UNAUTHORIZED, 401, {**headers, "WWW-Authenticate": "Bearer"})
    body = await read_json(request, PayloadsBody)
    payloads = await config.codec.decrypt(body.plain())
    log.info("payloads were decrypted", token_id=token_id(token_of(request)), payloads=len(payloads))
    return JSONResponse(body_of(payloads).model_dump(), headers=headers)


def cross_origin(request: Request, config: CodecConfig, also: dict[str, str] | None = None) -> dict[str, str]:
    """Returns the CORS headers for the Temporal UI; for other origins only `Vary`."""
    origin = request.headers.get("origin", "")
    if origin not in config.origins:
        return {"Vary": "Origin"}
    return {
        "Vary": "Origin",
        "Access-Control-Allow-Origin": origin,
        "Access-Control-Allow-Credentials": "true",
        **(also or {}),
    }
