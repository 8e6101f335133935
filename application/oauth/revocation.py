"""Token revocation (RFC 7009). Revoking an access token or a refresh token ends the grant with all its tokens."""

from datetime import datetime
from typing import Any, NamedTuple

from application.errors import InvalidToken
from application.oauth.access_tokens import AccessTokens
from application.oauth.client_credentials import CHALLENGE, NEVER_STORED, TokenResponse
from application.oauth.credentials import PresentedCredentials, is_secret
from application.services import Services
from domain.shared.ids import ApplicationId, ClientId, is_identifier
from domain.shared.object_names import digest
from ports.oauth_grants import Application


class RevocationRequest(NamedTuple):
    """A revocation request. `token` is None if the form has no token or several."""

    token: str | None
    credentials: PresentedCredentials
    at: datetime


async def revoke(services: Services, tokens: AccessTokens, asked: RevocationRequest) -> TokenResponse:
    """Ends the grant of the token and returns the response. Ignores invalid tokens and those of other programs."""
    name = asked.credentials.client_id
    application = await services.grants.find_application(ApplicationId(name)) if is_identifier(name) else None
    if application is None or not _is_itself(application, asked.credentials):
        description = "No program has registered under this client_id, or the secret is not its own."
        return _refuse(401, "invalid_client", description)
    if asked.token is None:
        return _refuse(400, "invalid_request", "Send one token in the member token of the form.")
    client_id = await _client_of(services, tokens, asked.token, asked.at)
    if client_id is not None and await services.grants.find_application_of(client_id) == application.application_id:
        await services.organisations.revoke_client(client_id, asked.at)
    return TokenResponse(200, {}, NEVER_STORED)


def _is_itself(application: Application, credentials: PresentedCredentials) -> bool:
    return application.secret_sha256 is None or is_secret(application.secret_sha256, credentials.secret)


async def _client_of(services: Services, tokens: AccessTokens, token: str, at: datetime) -> ClientId | None:
    kept = await services.grants.find_token(digest(token.encode()))
    if kept is not None:
        return kept.client_id
    try:
        return tokens.read(token, at).client_id
    except InvalidToken:
        return None


def _refuse(status: int, error: str, description: str) -> TokenResponse:
    body: dict[str, Any] = {"error": error, "error_description": description}
    return TokenResponse(status, body, NEVER_STORED | (CHALLENGE if status == 401 else {}))
