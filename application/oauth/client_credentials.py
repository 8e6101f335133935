"""The client credentials grant (RFC 6749 section 4.4) by oauthlib, for one client that the caller loads."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from oauthlib.oauth2 import BackendApplicationServer, OAuth2Error, RequestValidator
from oauthlib.oauth2.rfc6749.errors import InvalidRequestError

from application.oauth.access_tokens import LIFETIME, AccessTokens
from application.oauth.credentials import PresentedCredentials, is_authentic
from ports.database import ClientCredentials

NEVER_STORED = {"Cache-Control": "no-store", "Pragma": "no-cache"}
CHALLENGE = {"WWW-Authenticate": 'Basic realm="undersign"'}
ENDPOINT = "https://undersign/oidc/token"
"""A fixed https address: oauthlib requires https, and the operator's proxy terminates TLS."""


FORM_TYPE = "application/x-www-form-urlencoded"

MAX_TOKEN_REQUEST = 16_000
"""Maximum bytes of a token request, a revocation request and a registration request."""

MOST_MEMBERS = 50
"""Maximum members of a form or authorization query: more than OAuth and its extensions define."""

_ADVICE = {
    "invalid_client": "No client has this id and secret, or it was revoked; `undersign client add` makes one.",
    "invalid_request": "Send a form (application/x-www-form-urlencoded) with a grant_type.",
    "invalid_scope": "The client may not have one of these scopes; leave scope out to get all that it may have.",
    "unsupported_grant_type": "Send grant_type=client_credentials, authorization_code or refresh_token.",
}
"""Descriptions of errors for which oauthlib returns only the code."""


def refuse_form() -> "TokenResponse":
    """Returns the error for a token request that is not a form."""
    description = "Send the request as application/x-www-form-urlencoded, not in another form."
    return TokenResponse(400, {"error": "invalid_request", "error_description": description}, NEVER_STORED)


class TokenRequest(NamedTuple):
    """A token request. `client` is the client that the credentials name, or None."""

    form: str
    credentials: PresentedCredentials
    client: ClientCredentials | None
    at: datetime


class TokenResponse(NamedTuple):
    status: int
    body: dict[str, Any]
    headers: dict[str, str]


class _ClientValidator(RequestValidator):  # type: ignore[misc]  # oauthlib ships no types
    """Validates a token request for oauthlib against the client of `asked`."""

    def __init__(self, asked: TokenRequest) -> None:
        super().__init__()
        self._asked = asked

    def authenticate_client(self, request: Any, *_: object) -> bool:  # noqa: ANN401  # untyped
        if self._asked.credentials.twice:
            raise InvalidRequestError(description="Present the credentials once, in the header or in the form.")
        if not is_authentic(self._asked.client, self._asked.credentials.secret):
            return False
        request.client = self._asked.client
        return True

    def validate_grant_type(self, *_: object) -> bool:
        return True

    def get_default_scopes(self, *_: object) -> list[str]:
        return list(self._client.scopes)

    def validate_scopes(self, _client_id: str, scopes: list[str], *_: object) -> bool:
        return set(scopes) <= set(self._client.scopes)

    def save_bearer_token(self, *_: object) -> None:
        """Does nothing: the signature makes an access token valid."""

    @property
    def _client(self) -> ClientCredentials:
        if self._asked.client is None:
            raise LookupError("asked about the client before it was authenticated")
        return self._asked.client


def grant(asked: TokenRequest, tokens: AccessTokens) -> TokenResponse:
    """Returns the response to a token request: a token, or an error of RFC 6749 section 5.2."""

    def make(request: Any) -> str:  # noqa: ANN401  # oauthlib ships no types
        return tokens.issue(request.client, request.scopes, asked.at)

    server = BackendApplicationServer(_ClientValidator(asked), token_generator=make, token_expires_in=LIFETIME)
    headers: Mapping[str, str] = {"Content-Type": FORM_TYPE}
    try:
        _, body, status = server.create_token_response(ENDPOINT, "POST", asked.form, headers)
    except OAuth2Error as error:
        body, status = error.json, error.status_code
    answered = json.loads(body)
    if "error" in answered:
        answered.setdefault("error_description", _ADVICE.get(answered["error"], "The request was refused."))
    return TokenResponse(status, answered, NEVER_STORED | (CHALLENGE if status == 401 else {}))
