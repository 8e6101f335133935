"""Authorization requests of applications (RFC 6749 section 4.1, with PKCE), validated by oauthlib.

A request with an unknown application or an unregistered redirect address is not redirected: the user sees an error
page. All other errors are sent to the redirect address.
"""

import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qsl, urlencode
from uuid import uuid4

from oauthlib.oauth2 import FatalClientError, OAuth2Error, RequestValidator, WebApplicationServer
from oauthlib.oauth2.rfc6749.errors import MissingCodeChallengeError

from application.caller import Caller
from application.oauth import redirects
from application.oauth.client_tokens import MAX_MEMBERS, find_application
from application.scopes import USUAL, Scope, keep_known
from application.tokens.access_tokens import audiences, choose_resource
from domain.ports.oauth_grants import Application, Approval, Grants
from domain.shared.errors import CodedError
from domain.shared.ids import ApplicationId, ClientId, UserId
from domain.shared.object_names import digest
from domain.shared.sending_limit import SendingLimit

CODE_LIFETIME = timedelta(minutes=2)
"""Lifetime of a code. An application exchanges it as soon as it receives it."""

REMEMBERED_FOR = timedelta(days=1)
"""How long an expired code stays stored, to detect its second use, which indicates theft."""

_ENDPOINT = "https://undersign/app/authorize"  # oauthlib requires https; the operator's proxy terminates TLS
_CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}")
_PKCE = "Send a code_challenge made by code_challenge_method=S256 (PKCE, RFC 7636); plain is not accepted."
_ADVICE = {
    "unauthorized_client": "Send response_type=code.",
    "unsupported_response_type": "Send response_type=code.",
}
"""Descriptions of errors for which oauthlib returns only the code."""

_PARAMETERS = frozenset(
    {"response_type", "client_id", "redirect_uri", "scope", "state", "code_challenge", "code_challenge_method"}
)


class InvalidAuthorizationRequest(CodedError, code="INVALID_AUTHORIZATION_REQUEST"):
    """The request is malformed, or its application or redirect address is not registered."""


@dataclass(frozen=True, slots=True)
class AuthorizationResponse:
    """A redirect to an application. `parameters` are added to the query of `address`."""

    address: str
    parameters: tuple[tuple[str, str], ...]
    application_id: ApplicationId

    @property
    def location(self) -> str:
        mark = "&" if "?" in self.address else "?"
        return f"{self.address}{mark}{urlencode(self.parameters, errors='surrogateescape')}"


@dataclass(frozen=True, slots=True)
class AuthorizationRequest:
    """A valid request for approval by a user. `query` is the whole request, URL-encoded."""

    application: Application
    redirect_uri: str
    scopes: tuple[Scope, ...]
    challenge: str
    resource: str | None
    state: str | None
    query: str

    def answer(self, issuer: str, **parameters: str) -> AuthorizationResponse:
        """Returns the redirect with `parameters`, the state of the application and `issuer` (RFC 9207)."""
        return _redirect(self.application, self.redirect_uri, parameters, {"state": self.state, "iss": issuer})


def _redirect(
    application: Application, address: str, parameters: Mapping[str, str], common: Mapping[str, str | None]
) -> AuthorizationResponse:
    present = tuple((name, value) for name, value in common.items() if value is not None)
    return AuthorizationResponse(address, (*parameters.items(), *present), application.application_id)


class _ApplicationValidator(RequestValidator):  # type: ignore[misc]  # oauthlib ships no types
    """Validates a request for oauthlib against the application that it names."""

    def __init__(self, application: Application) -> None:
        super().__init__()
        self._application = application

    def validate_client_id(self, _client_id: str, request: Any, *_: object) -> bool:  # noqa: ANN401  # untyped
        request.client = self._application
        return True

    def validate_redirect_uri(self, _client_id: str, redirect_uri: str, *_: object, **__: object) -> bool:
        return any(redirects.is_same(registered, redirect_uri) for registered in self._application.redirect_uris)

    def get_default_redirect_uri(self, *_: object) -> str | None:
        registered = self._application.redirect_uris
        return registered[0] if len(registered) == 1 else None

    def validate_response_type(self, _client_id: str, response_type: str, *_: object) -> bool:
        return response_type == "code"

    def is_pkce_required(self, *_: object) -> bool:
        return True

    def get_default_scopes(self, *_: object) -> list[str]:
        return [scope.value for scope in USUAL]

    def validate_scopes(self, *_: object) -> bool:
        """Accepts all: unknown scopes were dropped. The response names the granted ones."""
        return True


async def read_request(grants: Grants, query: str, base_url: str) -> AuthorizationRequest | AuthorizationResponse:
    """Returns the valid request in `query`, or the redirect that reports its error.

    Raises:
        InvalidAuthorizationRequest: the error cannot be redirected.
    """
    try:
        parsed = parse_qsl(query, errors="surrogateescape", max_num_fields=MAX_MEMBERS)
    except ValueError as error:
        raise InvalidAuthorizationRequest from error
    members = [(name, value) for name, value in parsed if value]
    if any([name for name, _ in members].count(parameter) > 1 for parameter in _PARAMETERS):
        raise InvalidAuthorizationRequest
    given = {name: value for name, value in members if name in _PARAMETERS}
    # Programs ask for scopes of other services too, such as offline_access. Without a known one, the usual are meant.
    known = keep_known(given.pop("scope", ""))
    given |= {"scope": known} if known else {}
    named = [value for name, value in members if name == "resource"]
    application = await find_application(grants, given.get("client_id", ""))
    if application is None:
        raise InvalidAuthorizationRequest
    server = WebApplicationServer(_ApplicationValidator(application))
    try:
        scopes, checked = server.validate_authorization_request(f"{_ENDPOINT}?{_query(given)}")
        problem = _problem(given, named, base_url)
    except FatalClientError as refused:
        raise InvalidAuthorizationRequest from refused
    except OAuth2Error as refused:
        is_without_pkce = isinstance(refused, MissingCodeChallengeError)
        advice = _PKCE if is_without_pkce else refused.description or _ADVICE.get(refused.error, "")
        problem = (refused.error, advice)
    if problem is not None:
        address = given.get("redirect_uri") or application.redirect_uris[0]
        parameters = {"error": problem[0], **({"error_description": problem[1]} if problem[1] else {})}
        return _redirect(application, address, parameters, {"state": given.get("state"), "iss": base_url})
    return AuthorizationRequest(
        application=application,
        redirect_uri=checked["redirect_uri"],
        scopes=tuple(scope for scope in Scope if scope.value in scopes),
        challenge=given["code_challenge"],
        resource=choose_resource(base_url, named),
        state=given.get("state"),
        query=_query([*given.items(), *(("resource", name) for name in named)]),
    )


def _problem(given: Mapping[str, str], named: Sequence[str], base_url: str) -> tuple[str, str] | None:
    """Returns error code and description of an error that oauthlib does not detect, or None."""
    if given.get("code_challenge_method") != "S256" or not _CHALLENGE.fullmatch(given["code_challenge"]):
        return "invalid_request", _PKCE
    try:
        choose_resource(base_url, named)
    except LookupError:
        return "invalid_target", f"Name one resource: {' or '.join(audiences(base_url))}."
    return None


def approve(
    request: AuthorizationRequest, caller: Caller, allowed: tuple[Scope, ...], budget: SendingLimit
) -> tuple[str, Approval]:
    """Returns the code for the application and the approval of the user `caller` to store."""
    at = caller.audit.at
    code = secrets.token_urlsafe(32)
    return code, Approval(
        code_sha256=digest(code.encode()),
        client_id=ClientId(str(uuid4())),
        application_id=request.application.application_id,
        organisation_id=caller.organisation_id,
        user_id=UserId(caller.client_id),
        redirect_uri=request.redirect_uri,
        challenge=request.challenge,
        resource=request.resource,
        scopes=tuple(scope.value for scope in allowed),
        budget=budget,
        approved_at=at,
        ends_at=at + CODE_LIFETIME,
        generation=caller.generation,
    )


def _query(members: dict[str, str] | list[tuple[str, str]]) -> str:
    return urlencode(members, errors="surrogateescape")
