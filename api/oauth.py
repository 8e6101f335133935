"""The token endpoint, the public keys and the metadata of the authorization server (Specification 5.1, RFC 8414)."""

from datetime import UTC, datetime
from typing import Any

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import JSONResponse

from application.errors import RateLimited
from application.oauth.client_tokens import (
    FORM_TYPE,
    MAX_MEMBERS,
    MAX_TOKEN_REQUEST,
    TokenRequest,
    TokenResponse,
    grant_client_credentials,
    refuse,
    revoke,
)
from application.oauth.registration import RegisteredRead, Registration, RegistrationErrorRead, answer_registration
from application.oauth.user_tokens import GRANT_TYPES, exchange
from application.schemas.oauth import ResourceMetadata, ServerMetadata, TokenErrorRead, TokenRead
from application.scopes import Scope
from application.tokens.access_tokens import API_PATH, TOOLS_PATH
from domain.shared.errors import Unavailable
from web.asgi.dependencies import InjectedServices, InjectedTokens
from web.asgi.error_handlers import error_responses
from web.asgi.json_body import json_body
from web.asgi.query_validation import BodilessRoute
from web.asgi.rate_limits import count_registration, count_token

router = APIRouter(route_class=BodilessRoute, tags=["Access"])

_FORM_MEMBERS: dict[str, Any] = {
    "grant_type": {"type": "string", "enum": ["client_credentials", "authorization_code", "refresh_token"]},
    "scope": {"type": "string", "description": "space-separated; none means all scopes that the client may have"},
    "client_id": {"type": "string", "description": "unless given by HTTP Basic"},
    "client_secret": {"type": "string", "description": "unless given by HTTP Basic, or the client has none"},
    "code": {"type": "string", "description": "with `authorization_code`"},
    "code_verifier": {"type": "string", "description": "with `authorization_code` (RFC 7636)"},
    "redirect_uri": {"type": "string", "description": "with `authorization_code`: as in the authorization request"},
    "refresh_token": {"type": "string", "description": "with `refresh_token`"},
    "resource": {"type": "string", "description": "the resource of the token (RFC 8707); none: the approved one"},
}
_REVOKED: dict[str, Any] = {
    "token": {"type": "string", "description": "an access token or a refresh token of a grant"},
    "token_type_hint": {"type": "string", "description": "not needed"},
    "client_id": _FORM_MEMBERS["client_id"],
    "client_secret": _FORM_MEMBERS["client_secret"],
}


def _form(members: dict[str, Any], required: str) -> dict[str, Any]:
    bounded = {name: {"maxLength": MAX_TOKEN_REQUEST, **member} for name, member in members.items()}
    schema = {"type": "object", "required": [required], "properties": bounded}
    return {
        "requestBody": {"required": True, "content": {FORM_TYPE: {"schema": schema}}},
        "security": [{"clientSecret": []}],
    }


async def _read_form(request: Request) -> TokenRequest | None:
    """Returns the form in the body; None if it is no form, or has too many members."""
    media_type = request.headers.get("content-type", FORM_TYPE).partition(";")[0].strip().lower()
    form = (await request.body()).decode(errors="replace") if media_type == FORM_TYPE else None
    if form is None or form.count("&") >= MAX_MEMBERS:
        return None
    return TokenRequest(form, request.headers.get("authorization"), datetime.now(UTC))


def _json(answer: TokenResponse) -> JSONResponse:
    return JSONResponse(answer.body, answer.status, answer.headers)


_NO_FORM = refuse(400, "invalid_request", "Send the request as application/x-www-form-urlencoded, not in another form.")
_EXCHANGE_ERRORS = "`invalid_request`, `invalid_grant`, `invalid_scope`, `invalid_target`, `unsupported_grant_type`"


@router.post(
    "/oidc/token",
    response_model=TokenRead,
    dependencies=[Depends(count_token)],
    responses={
        400: {"model": TokenErrorRead, "description": _EXCHANGE_ERRORS},
        401: {"model": TokenErrorRead, "description": "`invalid_client`"},
        **error_responses(RateLimited, Unavailable),
    },
    openapi_extra=_form(_FORM_MEMBERS, "grant_type"),
)
async def create_token(request: Request, services: InjectedServices, tokens: InjectedTokens) -> JSONResponse:
    """Returns an access token that is valid for an hour.

    A client of the operator sends its id and secret (`client_credentials`, RFC 6749 section 4.4). A registered
    application that a user has approved sends its code (`authorization_code`, with the verifier of PKCE), then the
    refresh token of the last response (`refresh_token`). Codes and refresh tokens work once; a second use revokes the
    grant, except that a refresh which is repeated within a minute gets the same refresh token again.
    """
    form = await _read_form(request)
    if form is None:
        return _json(_NO_FORM)
    grant = exchange if form.value("grant_type") in GRANT_TYPES else grant_client_credentials
    return _json(await grant(services, tokens, form))


@router.post(
    "/oidc/revoke",
    response_class=JSONResponse,
    dependencies=[Depends(count_token)],
    responses={
        400: {"model": TokenErrorRead, "description": "`invalid_request`"},
        401: {"model": TokenErrorRead, "description": "`invalid_client`"},
        **error_responses(RateLimited, Unavailable),
    },
    openapi_extra=_form(_REVOKED, "token"),
)
async def revoke_token(request: Request, services: InjectedServices, tokens: InjectedTokens) -> JSONResponse:
    """Revokes the grant of a user to an application, with all its tokens (RFC 7009).

    The response is the same for an expired token and for a token of another application, which stays valid.
    """
    form = await _read_form(request)
    return _json(_NO_FORM if form is None else await revoke(services, tokens, form))


@router.post(
    "/oidc/register",
    status_code=201,
    response_model=RegisteredRead,
    dependencies=[Depends(count_registration)],
    responses={
        400: {"model": RegistrationErrorRead, "description": "`invalid_redirect_uri`, `invalid_client_metadata`"},
        **error_responses(RateLimited, Unavailable),
    },
    openapi_extra=json_body(Registration),
)
async def register_application(request: Request, services: InjectedServices) -> JSONResponse:
    """Registers an application that asks users for approval (RFC 7591).

    A registration grants nothing: a user of an organisation has to approve the application in the app. Without an
    approval it is deleted after a day. Unlisted members are ignored.
    """
    return _json(await answer_registration(services.grants, await request.body(), datetime.now(UTC)))


async def allow_every_origin(response: Response) -> None:
    """Lets browsers of other origins read the response, which is public."""
    response.headers["Access-Control-Allow-Origin"] = "*"


metadata = APIRouter(route_class=BodilessRoute, dependencies=[Depends(allow_every_origin)])


@metadata.get("/.well-known/jwks.json")
async def get_public_keys(tokens: InjectedTokens, response: Response) -> dict[str, Any]:
    """Returns the public keys that verify access tokens (RFC 7517). Fetch them again when a token names another key."""
    response.headers["Cache-Control"] = "public, max-age=300"
    return tokens.public_keys(datetime.now(UTC))


@metadata.get("/.well-known/oauth-authorization-server/mcp", include_in_schema=False)
@metadata.get("/.well-known/oauth-authorization-server/api/v1", include_in_schema=False)
@metadata.get("/mcp/.well-known/oauth-authorization-server", include_in_schema=False)
@metadata.get("/.well-known/openid-configuration/mcp", include_in_schema=False)
@metadata.get("/mcp/.well-known/openid-configuration", include_in_schema=False)
@metadata.get("/.well-known/openid-configuration", include_in_schema=False)  # where many libraries ask first
@metadata.get("/.well-known/oauth-authorization-server")
async def get_metadata(services: InjectedServices) -> ServerMetadata:
    """Returns the metadata that a client needs to get a token (RFC 8414)."""
    base = services.base_url
    return ServerMetadata(
        issuer=base,
        authorization_endpoint=f"{base}/app/authorize",
        token_endpoint=f"{base}/oidc/token",
        registration_endpoint=f"{base}/oidc/register",
        revocation_endpoint=f"{base}/oidc/revoke",
        jwks_uri=f"{base}/.well-known/jwks.json",
        scopes_supported=[scope.value for scope in Scope],
        service_documentation=f"{base}/docs",
    )


@metadata.get("/.well-known/oauth-protected-resource", include_in_schema=False)
@metadata.get("/mcp/.well-known/oauth-protected-resource", include_in_schema=False)
@metadata.get("/.well-known/oauth-protected-resource/mcp")
async def get_tools_metadata(services: InjectedServices) -> ResourceMetadata:
    """Returns the issuer of tokens for the assistant tools at `/mcp` (RFC 9728)."""
    return _resource(services.base_url, TOOLS_PATH, "Undersign, tools for assistants")


@metadata.get("/.well-known/oauth-protected-resource/api/v1", summary="Get API Metadata")
async def get_api_metadata(services: InjectedServices) -> ResourceMetadata:
    """Returns the issuer of tokens for the API (RFC 9728)."""
    return _resource(services.base_url, API_PATH, "Undersign")


def _resource(base: str, path: str, name: str) -> ResourceMetadata:
    return ResourceMetadata(
        resource=f"{base}{path}",
        authorization_servers=[base],
        jwks_uri=f"{base}/.well-known/jwks.json",
        scopes_supported=[scope.value for scope in Scope],
        resource_name=name,
        resource_documentation=f"{base}/docs",
    )


router.include_router(metadata)
