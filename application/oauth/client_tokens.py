"""Requests to the token and the revocation endpoint: their credentials, the client credentials grant, revocation.

The grants of users are in `user_tokens`. oauthlib validates against rows that are loaded beforehand.
"""

import binascii
import json
from base64 import b64decode
from collections.abc import Mapping
from datetime import datetime
from hmac import compare_digest
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, unquote_plus, urlencode

from oauthlib.oauth2 import BackendApplicationServer, OAuth2Error, RequestValidator, TokenEndpoint
from oauthlib.oauth2.rfc6749.errors import CustomOAuth2Error, InvalidRequestError, InvalidScopeError

from application.errors import InvalidToken
from application.services import Services
from application.tokens.access_tokens import LIFETIME, AccessTokens, audiences, choose_resource
from domain.ports.database import ClientCredentials
from domain.ports.oauth_grants import Application, Grants
from domain.shared.ids import ApplicationId, ClientId, is_identifier
from domain.shared.object_names import digest

FORM_TYPE = "application/x-www-form-urlencoded"

MAX_TOKEN_REQUEST = 16_000
"""Maximum bytes of a token request, a revocation request and a registration request."""

MAX_MEMBERS = 50
"""Maximum members of a form or authorization query: more than OAuth and its extensions define."""

_ENDPOINT = "https://undersign/oidc/token"
"""A fixed https address: oauthlib requires https, and the operator's proxy terminates TLS."""

_NO_SECRET = digest(b"")
"""Hash to compare a secret with if the client does not exist, so that both cases take the same time."""

_ADVICE = {
    "invalid_client": "No client has this id and secret, or it was revoked; `undersign client add` makes one.",
    "invalid_request": "Send a form (application/x-www-form-urlencoded) with a grant_type.",
    "unsupported_grant_type": "Send grant_type=client_credentials, authorization_code or refresh_token.",
}
_NO_CREDENTIALS = "Send the id and the secret of a client by HTTP Basic, or as client_id and client_secret in the form."


class TokenResponse(NamedTuple):
    status: int
    body: dict[str, Any]

    @property
    def headers(self) -> dict[str, str]:
        challenge = {"WWW-Authenticate": 'Basic realm="undersign"'} if self.status == 401 else {}
        return {"Cache-Control": "no-store", "Pragma": "no-cache", **challenge}


def refuse(status: int, error: str, description: str) -> TokenResponse:
    """Returns an error of RFC 6749 section 5.2."""
    return TokenResponse(status, {"error": error, "error_description": description})


class PresentedCredentials(NamedTuple):
    """The credentials of a client (RFC 6749 section 2.3.1). `twice`: both the header and the form have some."""

    client_id: str = ""
    secret: str = ""
    twice: bool = False


class TokenRequest:
    """A posted `form`, and the credentials of its members or of HTTP Basic. Malformed credentials are empty.

    `form` omits members without a value (RFC 6749 section 3.2), and superfluous spaces between scopes.
    """

    def __init__(self, form: str, authorization: str | None, at: datetime) -> None:
        self.at = at
        given = ((name, " ".join(value.split()) if name == "scope" else value) for name, value in parse_qsl(form))
        self._members = [(name, value) for name, value in given if value]
        self.form = urlencode(self._members)
        in_form = PresentedCredentials(self.value("client_id"), self.value("client_secret"))
        self.credentials = in_form
        if authorization is not None:
            basic = _basic(authorization)
            twice = bool(in_form.secret) or in_form.client_id not in {"", basic.client_id}
            self.credentials = basic._replace(twice=twice)

    def value(self, name: str) -> str:
        return dict(self._members).get(name, "")

    def values(self, name: str) -> list[str]:
        return [value for member, value in self._members if member == name]

    def refuse_two_credentials(self) -> None:
        if self.credentials.twice:
            raise InvalidRequestError(description="Present the credentials once, in the header or in the form.")


def _basic(authorization: str) -> PresentedCredentials:
    scheme, _, encoded = authorization.partition(" ")
    if scheme.lower() != "basic":
        return PresentedCredentials()
    try:
        decoded = b64decode(encoded.strip(), validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return PresentedCredentials()
    client_id, _, secret = decoded.partition(":")
    return PresentedCredentials(unquote_plus(client_id), unquote_plus(secret))


def is_secret(secret_sha256: str | None, secret: str) -> bool:
    """Returns whether `secret` has the hash `secret_sha256`. None and "" match no secret, in the same time."""
    is_equal = compare_digest(digest(secret.encode()), secret_sha256 or _NO_SECRET)
    return is_equal and bool(secret_sha256)


async def find_application(grants: Grants, client_id: str) -> Application | None:
    return await grants.find_application(ApplicationId(client_id)) if is_identifier(client_id) else None


def ask_oauthlib(endpoint: TokenEndpoint, form: str, advice: Mapping[str, str]) -> TokenResponse:
    """Returns the response of oauthlib. `advice` describes errors of which oauthlib returns only the code."""
    try:
        _, body, status = endpoint.create_token_response(_ENDPOINT, "POST", form, {"Content-Type": FORM_TYPE})
    except OAuth2Error as error:
        body, status = error.json, error.status_code
    members = json.loads(body)
    if "error" in members:
        # The description of oauthlib does not say what to send.
        if members.get("error_description") == "Request is missing grant type.":
            members |= {"error_description": _ADVICE["unsupported_grant_type"]}
        standard = advice.get(members["error"], "The request was refused.")
        members["error_description"] = members.get("error_description") or standard
    return TokenResponse(status, members)


class _ClientValidator(RequestValidator):  # type: ignore[misc]  # oauthlib ships no types
    """Validates a request for oauthlib against the client that its credentials name, if there is one."""

    def __init__(self, request: TokenRequest, client: ClientCredentials | None) -> None:
        super().__init__()
        self._request = request
        self._client = client

    def authenticate_client(self, request: Any, *_: object) -> bool:  # noqa: ANN401  # untyped
        self._request.refuse_two_credentials()
        request.client = self._client
        has_secret = is_secret(self._client.secret_sha256 if self._client else None, self._request.credentials.secret)
        return has_secret and self._client is not None and not self._client.standing.is_ended

    def validate_grant_type(self, *_: object) -> bool:
        return True

    def get_default_scopes(self, *_: object) -> list[str]:
        return list(self._client.scopes) if self._client else []

    def validate_scopes(self, _client_id: str, scopes: list[str], *_: object) -> bool:
        if not set(scopes) <= set(allowed := self.get_default_scopes()):
            has = f"The client has: {' '.join(allowed)}. Separate scopes by spaces; leave scope out to get all of them."
            raise InvalidScopeError(description=has)
        return True

    def save_bearer_token(self, *_: object) -> None:
        """Does nothing: the signature makes an access token valid."""


async def grant_client_credentials(services: Services, tokens: AccessTokens, request: TokenRequest) -> TokenResponse:
    """Returns a token for a client of the operator (RFC 6749 section 4.4), or an error of RFC 6749 section 5.2."""
    client = await _find_client(services, request)

    def make(granted: Any) -> str:  # noqa: ANN401  # oauthlib ships no types
        try:
            audience = choose_resource(services.base_url, request.values("resource"))
        except LookupError as error:
            one = f"Name one resource: {' or '.join(audiences(services.base_url))}."
            raise CustomOAuth2Error("invalid_target", description=one) from error
        return tokens.issue(granted.client, granted.scopes, request.at, audience=audience)

    validator = _ClientValidator(request, client)
    server = BackendApplicationServer(validator, token_generator=make, token_expires_in=LIFETIME)
    advice = _ADVICE if request.credentials.client_id else {**_ADVICE, "invalid_client": _NO_CREDENTIALS}
    return ask_oauthlib(server, request.form, advice)


async def _find_client(services: Services, request: TokenRequest) -> ClientCredentials | None:
    client_id = request.credentials.client_id
    return await services.organisations.find_client(ClientId(client_id)) if is_identifier(client_id) else None


async def revoke(services: Services, tokens: AccessTokens, request: TokenRequest) -> TokenResponse:
    """Ends the grant of an access token or a refresh token, with all its tokens (RFC 7009).

    Invalid tokens and those of other applications get the same response, and are ignored.
    """
    application = await find_application(services.grants, request.credentials.client_id)
    secret_sha256 = application.secret_sha256 if application else ""
    if secret_sha256 is not None and not is_secret(secret_sha256, request.credentials.secret):
        client = await _find_client(services, request)
        if client is not None and is_secret(client.secret_sha256, request.credentials.secret):
            return refuse(400, "unsupported_token_type", "A token of this client ends by itself, within an hour.")
        return refuse(401, "invalid_client", "No application has this client_id, or the secret is wrong.")
    values = request.values("token")
    if application is None or len(values) != 1:
        return refuse(400, "invalid_request", "Send one token in the member token of the form.")
    client_id = await _client_of(services, tokens, values[0], request.at)
    if client_id is not None and await services.grants.find_application_of(client_id) == application.application_id:
        await services.organisations.revoke_client(client_id, request.at)
    return TokenResponse(200, {})


async def _client_of(services: Services, tokens: AccessTokens, token: str, at: datetime) -> ClientId | None:
    row = await services.grants.find_token(digest(token.encode()))
    if row is not None:
        return row.client_id
    try:
        return tokens.read(token, at).client_id
    except InvalidToken:
        return None
