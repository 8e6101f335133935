"""Exchange of codes and refresh tokens for access tokens (RFC 6749 sections 4.1.3 and 6, with PKCE), by oauthlib.

oauthlib validates rows that are loaded beforehand. Writing the rows decides which of several concurrent requests uses
a code or refresh token. A second use revokes the grant, since one of the two users of the code or token stole it.

A refresh that is repeated within `GRACE` is a retry after a lost response, or one of several processes of an
application. It gets the same successor, which derives from the token: both go on with the same one.
"""

import hmac
import secrets
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import parse_qsl, urlencode

import structlog
from oauthlib.oauth2 import (
    AuthorizationCodeGrant,
    BearerToken,
    RefreshTokenGrant,
    RequestValidator,
    TokenEndpoint,
)
from oauthlib.oauth2.rfc6749.errors import CustomOAuth2Error

from application.oauth.client_tokens import (
    TokenRequest,
    TokenResponse,
    ask_oauthlib,
    find_application,
    is_secret,
    refuse,
)
from application.role_rights import scopes_now
from application.scopes import keep_known
from application.services import Services
from application.tokens.access_tokens import LIFETIME, AccessTokens, choose_resource
from domain.ports.database import ClientCredentials
from domain.ports.oauth_grants import Application, Approval, RefreshToken
from domain.shared.key_files import newest_in
from domain.shared.object_names import digest
from domain.shared.standing import Standing

log = structlog.get_logger(__name__)

GRANT_TYPES = frozenset({"authorization_code", "refresh_token"})

REFRESH_LIFETIME = timedelta(days=30)
"""Lifetime of an unused refresh token. After that, the application needs a new approval."""

GRACE = timedelta(seconds=60)
"""Time for which a refresh token that was used gets the same successor again."""

_ADVICE = {
    "invalid_client": "No application has this client_id, or the secret is wrong. Register again.",
    "invalid_grant": "It was used, has expired, was revoked or belongs to another client, or its code_verifier or "
    "redirect_uri is not that of the authorization request. Ask the user again.",
    "invalid_request": "Send a form (application/x-www-form-urlencoded), each member once.",
    "invalid_scope": "Ask for scopes that were granted; leave scope out to get all of them.",
    "invalid_target": "Name the resource that the user approved, or leave resource out.",
}


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
            raise LookupError("there is no grant")
        approval, standing = self.approval, Standing(self.approval.generation)
        return ClientCredentials(
            approval.client_id, approval.organisation_id, "", "", approval.scopes, standing=standing
        )


class _GrantValidator(RequestValidator):  # type: ignore[misc]  # oauthlib ships no types
    """Validates a token request for oauthlib against the rows that it names."""

    def __init__(self, rows: _GrantRows, request: TokenRequest, base_url: str) -> None:
        super().__init__()
        self._rows = rows
        self._request = request
        self._base_url = base_url

    def client_authentication_required(self, *_: object) -> bool:
        self._request.refuse_two_credentials()
        application = self._rows.application
        return application is None or application.secret_sha256 is not None

    def authenticate_client(self, request: Any, *_: object) -> bool:  # noqa: ANN401  # untyped
        request.client = application = self._rows.application
        return is_secret(application.secret_sha256 if application else None, self._request.credentials.secret)

    def authenticate_client_id(self, _client_id: str, request: Any, *_: object) -> bool:  # noqa: ANN401  # untyped
        request.client = self._rows.application
        return True

    def validate_grant_type(self, *_: object) -> bool:
        return True

    def validate_code(self, _client_id: str, _code: str, client: Application, request: Any, *_: object) -> bool:  # noqa: ANN401
        """Accepts a used code: its second use is refused after all other checks pass."""
        approval = self._rows.approval
        if approval is None or approval.application_id != client.application_id:
            return False
        if approval.used_at is None and approval.ends_at <= self._rows.at:
            return False
        self._check_resource()
        request.user, request.scopes = approval.user_id, list(approval.scopes)
        return True

    def get_code_challenge(self, *_: object) -> str | None:
        return self._rows.approval.challenge if self._rows.approval else None

    def get_code_challenge_method(self, *_: object) -> str:
        return "S256"

    def is_pkce_required(self, *_: object) -> bool:
        return True

    def get_default_redirect_uri(self, *_: object) -> str | None:
        return self._rows.approval.redirect_uri if self._rows.approval else None

    def confirm_redirect_uri(self, _client_id: str, _code: str, redirect_uri: str, *_: object) -> bool:
        return self._rows.approval is not None and redirect_uri == self._rows.approval.redirect_uri

    def validate_refresh_token(self, _token: str, client: Application, *_: object) -> bool:
        """Accepts a used refresh token: `_store` decides on its second use after all other checks pass."""
        token = self._rows.token
        if token is None or token.application_id != client.application_id or token.ends_at <= self._rows.at:
            return False
        self._check_resource()
        return self._rows.client is not None and self._rows.client.standing.honours(token.generation)

    def get_original_scopes(self, *_: object) -> list[str]:
        return list(scopes_now(self._rows.client)) if self._rows.client else []

    def rotate_refresh_token(self, *_: object) -> bool:
        return True

    def save_token(self, *_: object) -> None:
        """Does nothing: `exchange` stores all rows together."""

    def invalidate_authorization_code(self, *_: object) -> None:
        """Does nothing: `exchange` stores all rows together."""

    def _check_resource(self) -> None:
        """Raises `CustomOAuth2Error` if the resource is not the approved one (RFC 8707 section 2.2)."""
        try:
            resource = choose_resource(self._base_url, self._request.values("resource"))
        except LookupError as error:
            raise CustomOAuth2Error("invalid_target", description=_ADVICE["invalid_target"]) from error
        if resource is not None and self._rows.resource not in {None, resource}:
            raise CustomOAuth2Error("invalid_target", description=_ADVICE["invalid_target"])


async def exchange(services: Services, tokens: AccessTokens, request: TokenRequest) -> TokenResponse:
    """Returns the response to a code or refresh token: new tokens, or an error of RFC 6749 section 5.2."""
    rows = await _find_rows(services, request)
    validator = _GrantValidator(rows, request, services.base_url)
    refresh = _next_secret(services, request)

    def make(granted: Any) -> str:  # noqa: ANN401  # oauthlib ships no types
        resource = choose_resource(services.base_url, request.values("resource")) or rows.resource
        return tokens.issue(rows.issued_to, granted.scopes, request.at, audience=resource)

    bearer = BearerToken(validator, make, LIFETIME, lambda _: refresh)
    grants = {"authorization_code": AuthorizationCodeGrant(validator), "refresh_token": RefreshTokenGrant(validator)}
    response = ask_oauthlib(TokenEndpoint("authorization_code", bearer, grants), _known_scopes(request.form), _ADVICE)
    if response.status == 200 and not await _store(services, rows, _successor(rows, refresh)):
        await services.organisations.revoke_client(rows.issued_to.client_id, request.at)
        log.warning("a code or refresh token was used twice; its grant was revoked", client_id=rows.issued_to.client_id)
        return refuse(400, "invalid_grant", _ADVICE["invalid_grant"])
    return response


async def _find_rows(services: Services, request: TokenRequest) -> _GrantRows:
    application = await find_application(services.grants, request.credentials.client_id)
    approval = token = client = None
    if request.value("grant_type") == "authorization_code":
        approval = await services.grants.find_approval(digest(request.value("code").encode()))
    else:
        token = await services.grants.find_token(digest(request.value("refresh_token").encode()))
        client = await services.organisations.find_client(token.client_id) if token else None
    return _GrantRows(request.at, application, approval, token, client)


def _successor(rows: _GrantRows, refresh: str) -> RefreshToken:
    """Returns the row of the new refresh token `refresh`."""
    row = rows.approval or rows.token
    if row is None:
        raise LookupError("a token was issued without a grant")
    return RefreshToken(
        secret_sha256=digest(refresh.encode()),
        client_id=row.client_id,
        application_id=row.application_id,
        resource=row.resource,
        issued_at=rows.at,
        ends_at=rows.at + REFRESH_LIFETIME,
        generation=row.generation,
    )


async def _store(services: Services, rows: _GrantRows, token: RefreshToken) -> bool:
    """Stores `token`. Returns false if the code or refresh token cannot be used."""
    if rows.approval is not None:
        return await services.grants.redeem(rows.approval, token)
    if rows.token is None:
        return False
    if await services.grants.rotate(rows.token.secret_sha256, token):
        return True
    used, successor = [await services.grants.find_token(one.secret_sha256) for one in (rows.token, token)]
    return used is not None and used.used_at is not None and successor is not None and rows.at - used.used_at < GRACE


def _next_secret(services: Services, request: TokenRequest) -> str:
    """Returns the next refresh token: random after a code, derived from the earlier one after a refresh token."""
    token = request.value("refresh_token")
    if request.value("grant_type") == "authorization_code" or not token:
        return secrets.token_urlsafe(32)
    derived = hmac.digest(newest_in(services.keys.cookie), f"undersign.refresh/{token}".encode(), "sha256")
    return urlsafe_b64encode(derived).decode().rstrip("=")


def _known_scopes(form: str) -> str:
    """Returns the form without unknown scopes: applications repeat those that they asked the user for."""
    members = [(name, keep_known(value) if name == "scope" else value) for name, value in parse_qsl(form)]
    return urlencode([(name, value) for name, value in members if value])
