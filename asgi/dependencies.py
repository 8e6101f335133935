"""FastAPI dependencies: the services, the session reader, the caller with the needed scope, the session in the path."""

from functools import partial
from typing import Annotated, Any

from fastapi import Depends, Path, Request, Security
from fastapi.openapi.models import OAuthFlowAuthorizationCode, OAuthFlowClientCredentials, OAuthFlows
from fastapi.security import OAuth2

from application.caller import Caller
from application.oauth.access_tokens import AccessTokens
from application.oauth.authenticate import authenticate
from application.scopes import MEANINGS, Scope
from application.services import Services
from application.sessions.session_reader import SessionReader
from asgi.client_address import audit_context_of
from asgi.rate_limits import count_call
from domain.session.session import Session
from domain.shared.ids import SessionId

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


async def get_services(request: Request) -> Services:
    services: Services = request.app.state.services
    return services


async def get_tokens(request: Request) -> AccessTokens:
    tokens: AccessTokens = request.app.state.tokens
    return tokens


InjectedServices = Annotated[Services, Depends(get_services)]
InjectedTokens = Annotated[AccessTokens, Depends(get_tokens)]


async def get_reader(services: InjectedServices) -> SessionReader:
    return services.reader


InjectedReader = Annotated[SessionReader, Depends(get_reader)]


class CallerWithScope:
    """A dependency that returns the caller if the token has one of `scopes`. A refusal names the first.

    Raises:
        Unauthorized: there is no valid token.
        InsufficientScope: the token is valid and has none of the scopes.
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
        await count_call(request, caller.organisation_id)
        caller.require(*self._needed(request))
        return caller

    def _needed(self, _request: Request) -> tuple[Scope, ...]:
        return self._scopes


class DeletingCaller(CallerWithScope):
    """Needs `delete:sessions` to delete permanently, `write:sessions` to archive, by the query parameter."""

    def _needed(self, request: Request) -> tuple[Scope, ...]:
        is_permanent = request.query_params.get("permanent") == "true"
        return (Scope.DELETE_SESSIONS if is_permanent else Scope.WRITE_SESSIONS,)


def _security(*scopes: Scope) -> Any:  # noqa: ANN401  # as `Security` itself
    return Security(CallerWithScope(*scopes), scopes=[scopes[0]])


_READ, _WRITE = _security(Scope.READ_SESSIONS), _security(Scope.WRITE_SESSIONS)
_DELETE: Any = Security(DeletingCaller(), scopes=[Scope.WRITE_SESSIONS])

SessionReadCaller = Annotated[Caller, _READ]
SessionWriteCaller = Annotated[Caller, _WRITE]
SessionDeleteCaller = Annotated[Caller, _DELETE]
TemplateReadCaller = Annotated[Caller, _security(Scope.READ_TEMPLATES)]
TemplateWriteCaller = Annotated[Caller, _security(Scope.WRITE_TEMPLATES)]
ValueReadCaller = Annotated[Caller, _security(Scope.READ_VALUES)]
SigningUrlCaller = Annotated[Caller, _security(Scope.WRITE_SIGNING_URLS)]
OrganisationWriteCaller = Annotated[Caller, _security(Scope.WRITE_ORGANISATION)]
FileWriteCaller = Annotated[Caller, _security(Scope.WRITE_FILES, Scope.WRITE_SESSIONS)]
PreviewCaller = Annotated[Caller, _security(Scope.WRITE_SESSIONS, Scope.WRITE_TEMPLATES)]

SessionIdPath = Annotated[SessionId, Path(alias="sessionId", description="an id that is no UUID is treated as unknown")]


def _session_of(security: Any) -> Any:  # noqa: ANN401  # as `Security` and `Depends` themselves
    async def get_session(
        caller: Annotated[Caller, security], reader: InjectedReader, session_id: SessionIdPath
    ) -> Session:
        return await reader.get(caller.organisation_id, session_id)

    return Depends(get_session)


ReadableSession = Annotated[Session, _session_of(_READ)]
"""The session in the path, for a caller who may read it."""

WritableSession = Annotated[Session, _session_of(_WRITE)]
"""The session in the path, for a caller who may change it."""

DeletableSession = Annotated[Session, _session_of(_DELETE)]
"""The session in the path, for a caller who may archive it or, with `permanent`, delete it."""
