"""The token endpoint, the public keys and the metadata of the authorization server (Specification 5.1, RFC 8414)."""

from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qsl

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import JSONResponse

from application.errors import RateLimited
from application.oauth import resources
from application.oauth.client_credentials import (
    FORM_TYPE,
    MAX_TOKEN_REQUEST,
    MOST_MEMBERS,
    TokenRequest,
    TokenResponse,
    grant,
    refuse_form,
)
from application.oauth.code_and_refresh import GRANT_TYPES, GrantRequest, exchange
from application.oauth.credentials import read_credentials
from application.oauth.registration import RegisteredRead, Registration, RegistrationErrorRead, answer_registration
from application.oauth.revocation import RevocationRequest, revoke
from application.scopes import Scope
from asgi.dependencies import InjectedServices, InjectedTokens
from asgi.error_handlers import error_responses
from asgi.json_body import json_body
from asgi.query_validation import BodilessRoute
from asgi.rate_limits import count_registration, count_token
from domain.shared.errors import Unavailable
from domain.shared.ids import ClientId, is_identifier
from schemas.oauth import ResourceMetadata, ServerMetadata, TokenErrorRead, TokenRead

router = APIRouter(route_class=BodilessRoute, tags=["Access"])

_FORM_MEMBERS: dict[str, Any] = {
    "grant_type": {"type": "string", "enum": ["client_credentials", "authorization_code", "refresh_token"]},
    "scope": {"type": "string", "description": "space-separated; none means all that the client may ask for"},
    "client_id": {"type": "string", "description": "unless given by HTTP Basic"},
    "client_secret": {"type": "string", "description": "unless given by HTTP Basic, or the client has none"},
    "code": {"type": "string", "description": "with `authorization_code`"},
    "code_verifier": {"type": "string", "description": "with `authorization_code` (RFC 7636)"},
    "redirect_uri": {"type": "string", "description": "with `authorization_code`: as it was in the question"},
    "refresh_token": {"type": "string", "description": "with `refresh_token`"},
    "resource": {"type": "string", "description": "what the token is for (RFC 8707); none: what was approved"},
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


async def _read_form(request: Request) -> str | None:
    """The form in the body; None if it is none, or has more members than any form of ours."""
    kind = request.headers.get("content-type", FORM_TYPE).partition(";")[0].strip().lower()
    if kind != FORM_TYPE:
        return None
    form = (await request.body()).decode(errors="replace")
    return form if form.count("&") < MOST_MEMBERS else None


def _json(answer: TokenResponse) -> JSONResponse:
    return JSONResponse(answer.body, answer.status, answer.headers)


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
    """An access token that is valid for an hour.

    For a client that the operator made: by its id and secret (`client_credentials`, RFC 6749 section 4.4). For a
    program that registered and that a person has approved: by the code that it was sent (`authorization_code`, with
    the verifier of PKCE), then by the refresh token of the last answer (`refresh_token`), each of which works once. A
    code or refresh token that comes a second time ends the grant.
    """
    form = await _read_form(request)
    if form is None:
        return _json(refuse_form())
    given, at = dict(parse_qsl(form)), datetime.now(UTC)
    credentials = read_credentials(request.headers.get("authorization"), given)
    if given.get("grant_type") in GRANT_TYPES:
        return _json(await exchange(services, tokens, GrantRequest(form, credentials, at)))
    known = is_identifier(credentials.client_id)
    client = await services.organisations.find_client(ClientId(credentials.client_id)) if known else None
    return _json(grant(TokenRequest(form, credentials, client, at), tokens))


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
    """Ends what a person granted to a program, with all its tokens (RFC 7009).

    A token that is over, or not the program's, is answered like one that was ended.
    """
    form = await _read_form(request)
    if form is None:
        return _json(refuse_form())
    members = parse_qsl(form)
    credentials = read_credentials(request.headers.get("authorization"), dict(members))
    found = [value for name, value in members if name == "token"]
    asked = RevocationRequest(found[0] if len(found) == 1 else None, credentials, datetime.now(UTC))
    return _json(await revoke(services, tokens, asked))


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
    """Registers a program that wants to ask people for leave (RFC 7591).

    It gives nothing by itself: a person of an organisation has to approve the program in the app. What nobody approves
    is forgotten after a day. Members that are not listed are passed over.
    """
    return _json(await answer_registration(services.grants, await request.body(), datetime.now(UTC)))


@router.get("/.well-known/jwks.json")
async def get_public_keys(tokens: InjectedTokens, response: Response) -> dict[str, Any]:
    """Returns the public keys that verify access tokens (RFC 7517). Look again when a token names another."""
    response.headers["Cache-Control"] = "public, max-age=300"
    return tokens.public_keys(datetime.now(UTC))


@router.get("/.well-known/oauth-authorization-server")
async def get_metadata(services: InjectedServices) -> ServerMetadata:
    """Returns what a client needs to know to get a token (RFC 8414)."""
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


@router.get("/.well-known/oauth-protected-resource/mcp")
async def get_tools_metadata(services: InjectedServices) -> ResourceMetadata:
    """Returns who issues tokens for the assistant tools at `/mcp` (RFC 9728)."""
    return _resource(services.base_url, resources.TOOLS, "Undersign, tools for assistants")


@router.get("/.well-known/oauth-protected-resource/api/v1", summary="Get API Metadata")
async def get_api_metadata(services: InjectedServices) -> ResourceMetadata:
    """Returns who issues tokens for the API (RFC 9728)."""
    return _resource(services.base_url, resources.API, "Undersign")


def _resource(base: str, path: str, name: str) -> ResourceMetadata:
    return ResourceMetadata(
        resource=f"{base}{path}",
        authorization_servers=[base],
        jwks_uri=f"{base}/.well-known/jwks.json",
        scopes_supported=[scope.value for scope in Scope],
        resource_name=name,
        resource_documentation=f"{base}/docs",
    )
