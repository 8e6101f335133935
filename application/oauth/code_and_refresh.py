"""Exchange of codes and refresh tokens for access tokens (RFC 6749 sections 4.1.3 and 6, with PKCE), by oauthlib.

oauthlib validates rows that are loaded beforehand. Writing the rows decides which of several concurrent requests uses
a code or refresh token. A second use revokes the grant, since one of the two users of the code or token stole it.
"""

import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

import structlog
from oauthlib.oauth2 import (
    AuthorizationCodeGrant,
    BearerToken,
    OAuth2Error,
    RefreshTokenGrant,
    RequestValidator,
    TokenEndpoint,
)
from oauthlib.oauth2.rfc6749.errors import CustomOAuth2Error, InvalidRequestError

from application.oauth import resources
from application.oauth.access_tokens import LIFETIME, AccessTokens
from application.oauth.client_credentials import CHALLENGE, ENDPOINT, FORM_TYPE, NEVER_STORED, TokenResponse
from application.oauth.credentials import PresentedCredentials, is_secret
from application.services import Services
from domain.shared.ids import ApplicationId, is_identifier
from domain.shared.object_names import digest
from ports.database import ClientCredentials
from ports.oauth_grants import Application, Approval, RefreshToken

log = structlog.get_logger(__name__)

GRANT_TYPES = frozenset({"authorization_code", "refresh_token"})

REFRESH_LIFETIME = timedelta(days=30)
"""Lifetime of an unused refresh token. After that, the program needs a new approval."""

_ADVICE = {
    "invalid_client": "No program has registered under this client_id, or the secret is not its own. Register anew.",
    "invalid_grant": "It was used, is over or was ended, or it is not this client's. Ask the person anew.",
    "invalid_request": "Send a form (application/x-www-form-urlencoded), each member once.",
    "invalid_scope": "Ask for scopes that were granted; leave scope out to get all of them.",
    "invalid_target": "Name the resource that the person was asked for, or leave resource out.",
}
_GONE = {"error": "invalid_grant", "error_description": _ADVICE["invalid_grant"]}


@dataclass(frozen=True, slots=True)
class _GrantRows:
    """The rows that a token request names; None for a row that does not exist."""

    at: datetime
    application: Application | None
    approval: Approval | None
    token: RefreshToken | None
    client: ClientCredentials | None

    @property
    def resource(self) -> str | None:
        row = self.approval or self.token
        return row.resource if row else None

    @property
    def issued_to(self) -> ClientCredentials:
        """The client of the access token: the existing one, or the one that the approval creates."""
        if self.client is not None:
            return self.client
        if self.approval is None:
            raise LookupError("asked for the client of nothing")
        approval = self.approval
        return ClientCredentials(approval.client_id, approval.organisation_id, "", "", approval.scopes)


class _GrantValidator(RequestValidator):  # type: ignore[misc]  # oauthlib ships no types
    """Validates a token request for oauthlib against the rows in `held`."""

    def __init__(self, held: _GrantRows, credentials: PresentedCredentials, named: list[str], base_url: str) -> None:
        super().__init__()
        self._held = held
        self._credentials = credentials
        self._named = named
        self._base_url = base_url

    def client_authentication_required(self, *_: object) -> bool:
        if self._credentials.twice:
            raise InvalidRequestError(description="Present the credentials once, in the header or in the form.")
        application = self._held.application
        return application is None or application.secret_sha256 is not None

    def authenticate_client(self, request: Any, *_: object) -> bool:  # noqa: ANN401  # untyped
        known = self._held.application
        request.client = known
        return is_secret(known.secret_sha256 if known else None, self._credentials.secret)

    def authenticate_client_id(self, _client_id: str, request: Any, *_: object) -> bool:  # noqa: ANN401  # untyped
        request.client = self._held.application
        return True

    def validate_grant_type(self, *_: object) -> bool:
        return True

    def validate_code(self, _client_id: str, _code: str, client: Application, request: Any, *_: object) -> bool:  # noqa: ANN401
        """Accepts a used code: its second use is refused after all other checks pass."""
        approval = self._held.approval
        if approval is None or approval.application_id != client.application_id:
            return False
        if approval.used_at is None and approval.ends_at <= self._held.at:
            return False
        self._check_resource()
        request.user, request.scopes = approval.user_id, list(approval.scopes)
        return True

    def get_code_challenge(self, *_: object) -> str | None:
        return self._held.approval.challenge if self._held.approval else None

    def get_code_challenge_method(self, *_: object) -> str:
        return "S256"

    def is_pkce_required(self, *_: object) -> bool:
        return True

    def get_default_redirect_uri(self, *_: object) -> str | None:
        return self._held.approval.redirect_uri if self._held.approval else None

    def confirm_redirect_uri(self, _client_id: str, _code: str, redirect_uri: str, *_: object) -> bool:
        return self._held.approval is not None and redirect_uri == self._held.approval.redirect_uri

    def validate_refresh_token(self, _token: str, client: Application, *_: object) -> bool:
        """Accepts a used refresh token: its second use is refused after all other checks pass."""
        token = self._held.token
        if token is None or token.application_id != client.application_id or token.ends_at <= self._held.at:
            return False
        self._check_resource()
        return self._held.client is not None and self._held.client.revoked_at is None

    def get_original_scopes(self, *_: object) -> list[str]:
        return list(self._held.client.scopes) if self._held.client else []

    def rotate_refresh_token(self, *_: object) -> bool:
        return True

    def save_token(self, *_: object) -> None:
        """Does nothing: `exchange` stores all rows together."""

    def invalidate_authorization_code(self, *_: object) -> None:
        """Does nothing: `exchange` stores all rows together."""

    def _check_resource(self) -> None:
        """Raises `CustomOAuth2Error` if the resource is not the approved one (RFC 8707 section 2.2)."""
        try:
            wanted = resources.choose_resource(self._base_url, self._named)
        except LookupError as error:
            raise CustomOAuth2Error("invalid_target", description=_ADVICE["invalid_target"]) from error
        if wanted is not None and self._held.resource not in {None, wanted}:
            raise CustomOAuth2Error("invalid_target", description=_ADVICE["invalid_target"])


class GrantRequest(NamedTuple):
    """A token request. `form` is its body."""

    form: str
    credentials: PresentedCredentials
    at: datetime


async def exchange(services: Services, tokens: AccessTokens, asked: GrantRequest) -> TokenResponse:
    """Returns the response to a code or refresh token: new tokens, or an error of RFC 6749 section 5.2."""
    given = dict(parse_qsl(asked.form))
    held = await _find(services, given, asked)
    named = [value for name, value in parse_qsl(asked.form) if name == "resource"]
    validator = _GrantValidator(held, asked.credentials, named, services.base_url)
    resource = resources.find_resource(services.base_url, named) or held.resource
    refresh = secrets.token_urlsafe(32)

    def make(request: Any) -> str:  # noqa: ANN401  # oauthlib ships no types
        return tokens.issue(held.issued_to, request.scopes, asked.at, audience=resource)

    status, body = _ask_oauthlib(validator, asked.form, make, refresh)
    if status != HTTPStatus.OK:
        return _refuse(status, body)
    if not await _keep(services, held, _successor(held, refresh, asked.at)):
        await services.organisations.revoke_client(held.issued_to.client_id, asked.at)
        log.warning("a code or refresh token was used again; the grant is over", client_id=held.issued_to.client_id)
        return _refuse(HTTPStatus.BAD_REQUEST, dict(_GONE))
    return TokenResponse(status, body, NEVER_STORED)


async def _find(services: Services, given: Mapping[str, str], asked: GrantRequest) -> _GrantRows:
    name = asked.credentials.client_id
    application = await services.grants.find_application(ApplicationId(name)) if is_identifier(name) else None
    approval = token = client = None
    if given.get("grant_type") == "authorization_code":
        approval = await services.grants.find_approval(digest(given.get("code", "").encode()))
    else:
        token = await services.grants.find_token(digest(given.get("refresh_token", "").encode()))
        client = await services.organisations.find_client(token.client_id) if token else None
    return _GrantRows(asked.at, application, approval, token, client)


def _ask_oauthlib(
    validator: RequestValidator, form: str, make: Callable[[Any], str], refresh: str
) -> tuple[int, dict[str, Any]]:
    bearer = BearerToken(validator, make, LIFETIME, lambda _: refresh)
    grants = {"authorization_code": AuthorizationCodeGrant(validator), "refresh_token": RefreshTokenGrant(validator)}
    endpoint = TokenEndpoint("authorization_code", bearer, grants)
    try:
        _, body, status = endpoint.create_token_response(ENDPOINT, "POST", form, {"Content-Type": FORM_TYPE})
    except OAuth2Error as error:
        body, status = error.json, error.status_code
    return status, json.loads(body)


def _successor(held: _GrantRows, refresh: str, at: datetime) -> RefreshToken:
    """Returns the row of the new refresh token `refresh`."""
    row = held.approval or held.token
    if row is None:
        raise LookupError("a token was issued for nothing")
    return RefreshToken(
        secret_sha256=digest(refresh.encode()),
        client_id=row.client_id,
        application_id=row.application_id,
        resource=row.resource,
        issued_at=at,
        ends_at=at + REFRESH_LIFETIME,
    )


async def _keep(services: Services, held: _GrantRows, token: RefreshToken) -> bool:
    """Stores `token`. Returns false if the code or refresh token cannot be used."""
    if held.approval is not None:
        return await services.grants.redeem(held.approval, token)
    return held.token is not None and await services.grants.rotate(held.token.secret_sha256, token)


def _refuse(status: int, body: dict[str, Any]) -> TokenResponse:
    body["error_description"] = body.get("error_description") or _ADVICE.get(body["error"], "The request was refused.")
    return TokenResponse(status, body, NEVER_STORED | (CHALLENGE if status == HTTPStatus.UNAUTHORIZED else {}))
