"""FastAPI dependencies: the caller with the scope that a route requires, and the session in the path."""

from functools import partial
from typing import Annotated, Any

from fastapi import Depends, Path, Request, Security
from fastapi.openapi.models import OAuthFlowAuthorizationCode, OAuthFlowClientCredentials, OAuthFlows
from fastapi.security import OAuth2

from application.caller import Caller
from application.oauth.authenticate import authenticate
from application.scopes import MEANINGS, Scope
from domain.session.session import Session
from domain.shared.errors import RecipientNotFound, SessionNotFound
from domain.shared.ids import RecipientId, SessionId
from web.asgi.client_address import audit_context_of
from web.asgi.dependencies import InjectedReader, InjectedServices, InjectedTokens
from web.asgi.rate_limits import count_call

bearer = OAuth2(
    flows=OAuthFlows(
        clientCredentials=OAuthFlowClientCredentials(tokenUrl="/oidc/token", scopes=MEANINGS),
        authorizationCode=OAuthFlowAuthorizationCode(
            authorizationUrl="/app/authorize", tokenUrl="/oidc/token", refreshUrl="/oidc/token", scopes=MEANINGS
        ),
    ),
    scheme_name="accessToken",
    description="`Authorization: Bearer <access token>`",
    auto_error=False,
)


class CallerWithScope:
    """A dependency that returns the caller if the token has one of `scopes`.

    Raises:
        Unauthorized: there is no valid token.
        InsufficientScope: the token is valid and has none of the scopes. The error names the first one.
    """

    def __init__(self, *scopes: Scope) -> None:
        self._scopes = scopes

    async def __call__(
        self,
        request: Request,
        services: InjectedServices,
        tokens: InjectedTokens,
        authorization: Annotated[str | None, Depends(bearer)],
    ) -> Caller:
        caller = await authenticate(services, tokens, authorization, partial(audit_context_of, request))
        await count_call(request, caller, self._needed(request))
        return caller

    def _needed(self, _request: Request) -> tuple[Scope, ...]:
        return self._scopes


class DeletingCaller(CallerWithScope):
    """Requires `delete:sessions` with the query parameter `permanent=true`, otherwise `write:sessions`."""

    def _needed(self, request: Request) -> tuple[Scope, ...]:
        is_permanent = request.query_params.get("permanent") == "true"
        return (Scope.DELETE_SESSIONS if is_permanent else Scope.WRITE_SESSIONS,)


def _security(*scopes: Scope) -> Any:  # noqa: ANN401  # as `Security` itself
    return Security(CallerWithScope(*scopes), scopes=[scopes[0]])


READ_SESSIONS, WRITE_SESSIONS = _security(Scope.READ_SESSIONS), _security(Scope.WRITE_SESSIONS)
WRITE_SIGNING_URLS = _security(Scope.WRITE_SIGNING_URLS)
DELETE_SESSIONS: Any = Security(DeletingCaller(), scopes=[Scope.WRITE_SESSIONS])

SessionReadCaller = Annotated[Caller, READ_SESSIONS]
SessionWriteCaller = Annotated[Caller, WRITE_SESSIONS]
SessionDeleteCaller = Annotated[Caller, DELETE_SESSIONS]
TemplateReadCaller = Annotated[Caller, _security(Scope.READ_TEMPLATES)]
TemplateWriteCaller = Annotated[Caller, _security(Scope.WRITE_TEMPLATES)]
ValueReadCaller = Annotated[Caller, _security(Scope.READ_VALUES)]
SigningUrlCaller = Annotated[Caller, WRITE_SIGNING_URLS]
OrganisationWriteCaller = Annotated[Caller, _security(Scope.WRITE_ORGANISATION)]
FileWriteCaller = Annotated[Caller, _security(Scope.WRITE_FILES, Scope.WRITE_SESSIONS)]
PreviewCaller = Annotated[Caller, _security(Scope.WRITE_SESSIONS, Scope.WRITE_TEMPLATES)]


SessionIdPath = Annotated[SessionId, Path(alias="sessionId", description="an id that is no UUID is treated as unknown")]

RecipientIdPath = Annotated[
    RecipientId, Path(alias="recipientId", description="an id that is no UUID is treated as unknown")
]


def _session_of(security: Any) -> Any:  # noqa: ANN401  # as `Security` and `Depends` themselves
    async def get_session(
        caller: Annotated[Caller, security], reader: InjectedReader, session_id: SessionIdPath
    ) -> Session:
        return await reader.get(caller.organisation_id, session_id)

    return Depends(get_session)


ReadableSession = Annotated[Session, _session_of(READ_SESSIONS)]
"""The session in the path, for a caller who may read it."""

_WRITABLE, _OPENABLE = _session_of(WRITE_SESSIONS), _session_of(WRITE_SIGNING_URLS)

WritableSession = Annotated[Session, _WRITABLE]
"""The session in the path, for a caller who may change it."""

DeletableSession = Annotated[Session, _session_of(DELETE_SESSIONS)]
"""The session in the path, for a caller who may archive it or, with `permanent`, delete it."""

OpenableSession = Annotated[Session, _OPENABLE]
"""The session in the path, for a caller who may open documents for its recipients."""


def _recipient_of(found: Any) -> Any:  # noqa: ANN401  # as `Depends` itself
    async def get_recipient_id(session: Annotated[Session, found], recipient_id: RecipientIdPath) -> RecipientId:
        try:
            return session.recipient(recipient_id).recipient_id
        except RecipientNotFound as error:
            raise SessionNotFound(error.message) from error

    return Depends(get_recipient_id)


WritableRecipientId = Annotated[RecipientId, _recipient_of(_WRITABLE)]
"""The id in the path of a recipient of a `WritableSession`."""

OpenableRecipientId = Annotated[RecipientId, _recipient_of(_OPENABLE)]
"""The id in the path of a recipient of an `OpenableSession`."""
