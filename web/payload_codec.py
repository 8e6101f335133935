"""`/codec`: the codec server for the Temporal UI, which decrypts payloads for operators.

It exists only if payloads are encrypted. Requests carry a bearer token, or a cookie that contains one. Payloads are
protobuf JSON, in which bytes are base64.
"""

from base64 import b64encode
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated

import structlog
from fastapi import Depends, Request, Response
from fastapi.responses import JSONResponse, RedirectResponse
from pydantic import BaseModel, ConfigDict, Field, PlainSerializer

from application.operator_tokens import Operator, token_id
from application.services import CodecConfig
from domain.ports.temporal import PlainPayload
from web.asgi.dependencies import InjectedServices
from web.asgi.json_body import read_json
from web.asgi.rate_limits import count_page
from web.errors import PageNotFound
from web.forms import check_same_origin, read_form
from web.html_response import render
from web.page_route import page_router

PATH = "/codec"
COOKIE = "undersign-operator"

router = page_router(PATH, is_counted=False)

log = structlog.get_logger(__name__)

UNAUTHORIZED = {
    "message": "Sign in at /codec with an operator token, or send it as a bearer token. Create one: "
    "undersign operator token NAME",
    "error": "UNAUTHORIZED",
}

NOT_OFFERED = {
    "message": "Payloads are encrypted by the API and the workers only. Commands without input work.",
    "error": "FORBIDDEN",
}

MAX_DATA = 4_000_000
"""In bytes: more than Temporal allows in one message."""

_PREFLIGHT_SECONDS = "600"

Bytes = Annotated[
    bytes,
    Field(max_length=MAX_DATA),
    PlainSerializer(lambda content: b64encode(content).decode("ascii"), return_type=str),
]


MetadataName = Annotated[str, Field(max_length=100)]


class PayloadBody(BaseModel):
    model_config = ConfigDict(val_json_bytes="base64")

    metadata: dict[MetadataName, Bytes] = Field(default_factory=dict, max_length=20)
    data: Bytes = b""


class PayloadsBody(BaseModel):
    payloads: list[PayloadBody] = Field(default_factory=list, max_length=10_000)

    def plain(self) -> list[PlainPayload]:
        return [PlainPayload(payload.metadata, payload.data) for payload in self.payloads]


def body_of(payloads: Sequence[PlainPayload]) -> PayloadsBody:
    bodies = [PayloadBody.model_construct(metadata=dict(one.metadata), data=one.data) for one in payloads]
    return PayloadsBody.model_construct(payloads=bodies)


def token_of(request: Request) -> str:
    """Returns the token of the request; empty without one."""
    scheme, _, presented = request.headers.get("authorization", "").partition(" ")
    return presented.strip() if scheme.lower() == "bearer" else request.cookies.get(COOKIE, "")


def operator_of(request: Request, config: CodecConfig) -> Operator | None:
    """Returns the operator who sent the request, if any."""
    token = token_of(request)
    return config.operators.find(token, datetime.now(UTC)) if token else None


async def get_codec(services: InjectedServices) -> CodecConfig:
    """Returns the codec; raises `PageNotFound` if payloads are not encrypted."""
    if services.codec is None:
        raise PageNotFound
    return services.codec


InjectedCodec = Annotated[CodecConfig, Depends(get_codec)]


# Only the sign-in page has a rate limit: the Temporal UI requests each payload of a history by itself.
@router.get("", dependencies=[Depends(count_page)])
async def show_sign_in(request: Request, config: InjectedCodec) -> Response:
    """Shows the form for a token, and the operator who is signed in."""
    return _form(operator_of(request, config))


def _form(operator: Operator | None, *, refused: bool = False) -> Response:
    page = render("codec.html", 403 if refused else 200, operator=operator, refused=refused)
    page.headers["Content-Language"] = "en"
    return page


@router.post("", dependencies=[Depends(count_page)])
async def sign_in(request: Request, config: InjectedCodec, services: InjectedServices) -> Response:
    """Stores the token in a cookie that expires with it; raises `CrossSitePost`."""
    check_same_origin(request, services.base_url)
    token = (await read_form(request)).get("token", "").strip()
    operator = config.operators.find(token, datetime.now(UTC))
    if operator is None:
        return _form(operator_of(request, config), refused=True)
    response = RedirectResponse(PATH, 303)
    is_secure = services.base_url.startswith("https:")
    response.set_cookie(
        COOKIE,
        token,
        expires=operator.until,
        path=PATH,
        secure=is_secure,
        httponly=True,
        # The Temporal UI may be another site: its requests carry the cookie only with None, which browsers accept
        # over https only. Without https both are on one machine.
        samesite="none" if is_secure else "lax",
    )
    return response


@router.options("/{act}")
async def preflight(request: Request, config: InjectedCodec) -> Response:
    """Returns the response to a CORS preflight request of the Temporal UI."""
    requested_headers = request.headers.get("access-control-request-headers", "content-type")
    granted = {
        "Access-Control-Allow-Methods": "POST",
        "Access-Control-Allow-Headers": requested_headers,
        "Access-Control-Max-Age": _PREFLIGHT_SECONDS,
    }
    return Response(status_code=204, headers=cross_origin(request, config, granted))


@router.post("/encode")
async def encode(request: Request, config: InjectedCodec) -> Response:
    """Returns no payloads for none, as commands without input send, such as `temporal workflow query`; otherwise 403.

    Only API and workers encrypt, so that an operator token cannot write into sessions.
    """
    headers = cross_origin(request, config)
    if operator_of(request, config) is None:
        return _unauthorized(headers)
    body = await read_json(request, PayloadsBody)
    if body.payloads:
        return JSONResponse(NOT_OFFERED, 403, headers)
    return JSONResponse(body_of(()).model_dump(), headers=headers)


def _unauthorized(headers: dict[str, str]) -> Response:
    return JSONResponse(UNAUTHORIZED, 401, {**headers, "WWW-Authenticate": "Bearer"})


@router.post("/decode")
async def decode(request: Request, config: InjectedCodec) -> Response:
    headers = cross_origin(request, config)
    if operator_of(request, config) is None:
        return _unauthorized(headers)
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
