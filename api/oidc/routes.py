"""The token endpoint, the public keys and the metadata of the authorization server (contract 2, RFC 8414)."""

from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qsl

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import JSONResponse

from api.dependencies import InjectedServices, InjectedTokens
from api.oidc.credentials import presented
from api.oidc.grant import TokenRequest, grant, refuse_form
from api.oidc.schemas import ServerMetadata, TokenErrorRead, TokenRead
from api.problems import refused
from api.rate_limits import count_token
from api.refusals import RateLimited
from api.scopes import Scope
from domain.errors import Unavailable
from domain.ids import ClientId, is_identifier

router = APIRouter(tags=["Access"])

_FORM_TYPE = "application/x-www-form-urlencoded"
_FORM_MEMBERS: dict[str, Any] = {
    "grant_type": {"type": "string", "const": "client_credentials"},
    "scope": {"type": "string", "description": "space-separated; none means all that the client may ask for"},
    "client_id": {"type": "string", "description": "unless given by HTTP Basic"},
    "client_secret": {"type": "string", "description": "unless given by HTTP Basic"},
}
_FORM = {"schema": {"type": "object", "required": ["grant_type"], "properties": _FORM_MEMBERS}}


@router.post(
    "/oidc/token",
    response_model=TokenRead,
    dependencies=[Depends(count_token)],
    responses={
        400: {"model": TokenErrorRead, "description": "`invalid_request`, `invalid_scope`, `unsupported_grant_type`"},
        401: {"model": TokenErrorRead, "description": "`invalid_client`"},
        **refused(RateLimited, Unavailable),
    },
    openapi_extra={
        "requestBody": {"required": True, "content": {_FORM_TYPE: _FORM}},
        "security": [{"clientSecret": []}],
    },
)
async def create_token(request: Request, services: InjectedServices, tokens: InjectedTokens) -> JSONResponse:
    """Trades a client's id and secret for an access token that is valid for an hour (RFC 6749 section 4.4)."""
    if request.headers.get("content-type", _FORM_TYPE).partition(";")[0].strip().lower() != _FORM_TYPE:
        answer = refuse_form()
        return JSONResponse(answer.body, answer.status, answer.headers)
    form = (await request.body()).decode(errors="replace")
    credentials = presented(request.headers.get("authorization"), dict(parse_qsl(form)))
    known = is_identifier(credentials.client_id)
    client = await services.organisations.find_client(ClientId(credentials.client_id)) if known else None
    answer = grant(TokenRequest(form, credentials, client, datetime.now(UTC)), tokens)
    return JSONResponse(answer.body, answer.status, answer.headers)


@router.get("/.well-known/jwks.json")
async def read_public_keys(tokens: InjectedTokens, response: Response) -> dict[str, Any]:
    """The public keys that verify access tokens (RFC 7517). Look again when a token names one that is not there."""
    response.headers["Cache-Control"] = "public, max-age=300"
    return tokens.public_keys(datetime.now(UTC))


@router.get("/.well-known/oauth-authorization-server")
async def read_metadata(services: InjectedServices) -> ServerMetadata:
    """What a client needs to know to get a token (RFC 8414)."""
    return ServerMetadata(
        issuer=services.base_url,
        token_endpoint=f"{services.base_url}/oidc/token",
        jwks_uri=f"{services.base_url}/.well-known/jwks.json",
        scopes_supported=[scope.value for scope in Scope],
        service_documentation=f"{services.base_url}/docs",
    )
