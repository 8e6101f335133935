"""What routes are handed: the services, the reader of sessions, and the caller with the scope that the route needs."""

from typing import Annotated

from fastapi import Depends, Path, Request, Security
from fastapi.openapi.models import OAuthFlowAuthorizationCode, OAuthFlowClientCredentials, OAuthFlows
from fastapi.security import OAuth2, SecurityScopes

from application.caller import Caller
from application.errors import InsufficientScope
from application.oauth.access_tokens import AccessTokens
from application.oauth.authenticate import Identity, authenticate
from application.scopes import MEANINGS, Scope
from application.services import Services
from application.sessions.read import SessionReader
from asgi.audit_context import audit_context_of
from asgi.rate_limits import count_call
from domain.audit.events import Actor, ActorKind
from domain.session.session import Session
from domain.shared.ids import SessionId

_UPLOADING = frozenset({Scope.WRITE_FILES, Scope.WRITE_SESSIONS})
_PREVIEWING = frozenset({Scope.WRITE_SESSIONS, Scope.WRITE_TEMPLATES})

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


async def get_caller(
    request: Request,
    needed: SecurityScopes,
    services: InjectedServices,
    tokens: InjectedTokens,
    authorization: Annotated[str | None, Depends(bearer)],
) -> Caller:
    """The caller, when the token is valid, its client is not revoked, and it has the scopes that are `needed`.

    Raises:
        Unauthorized: no valid token.
        InsufficientScope: a valid token without the scope.
    """
    identity = await authenticate(services, tokens, authorization)
    await count_call(request, services, identity.organisation_id)
    for scope in needed.scopes:
        if scope not in identity.scopes:
            raise InsufficientScope(scope)
    return caller_of(request, identity)


class CallerWithAnyScope:
    """The caller, when the token is valid and has one of `scopes`."""

    def __init__(self, scopes: frozenset[Scope], *, named: Scope) -> None:
        self._scopes = scopes
        self._named = named

    async def __call__(
        self,
        request: Request,
        services: InjectedServices,
        tokens: InjectedTokens,
        authorization: Annotated[str | None, Depends(bearer)],
    ) -> Caller:
        """The caller.

        Raises:
            Unauthorized: no valid token.
            InsufficientScope: a valid token without any of the scopes.
        """
        identity = await authenticate(services, tokens, authorization)
        await count_call(request, services, identity.organisation_id)
        if not self._scopes & identity.scopes:
            raise InsufficientScope(self._named)
        return caller_of(request, identity)


async def get_deleting_caller(
    request: Request,
    services: InjectedServices,
    tokens: InjectedTokens,
    authorization: Annotated[str | None, Depends(bearer)],
) -> Caller:
    """The caller, when the token is valid and allows to delete for ever, or to archive: whichever is asked for.

    Raises:
        Unauthorized: no valid token.
        InsufficientScope: a valid token without the scope.
    """
    is_permanent = request.query_params.get("permanent") == "true"
    needed = SecurityScopes([Scope.DELETE_SESSIONS if is_permanent else Scope.WRITE_SESSIONS])
    return await get_caller(request, needed, services, tokens, authorization)


def caller_of(request: Request, identity: Identity) -> Caller:
    """`identity`, as it makes this request."""
    actor = Actor(kind=ActorKind.CLIENT, id=identity.client_id)
    return Caller(identity.client_id, identity.organisation_id, audit_context_of(request, actor), identity.scopes)


SessionReadCaller = Annotated[Caller, Security(get_caller, scopes=[Scope.READ_SESSIONS])]
SessionWriteCaller = Annotated[Caller, Security(get_caller, scopes=[Scope.WRITE_SESSIONS])]
SessionDeleteCaller = Annotated[Caller, Security(get_deleting_caller, scopes=[Scope.WRITE_SESSIONS])]
TemplateReadCaller = Annotated[Caller, Security(get_caller, scopes=[Scope.READ_TEMPLATES])]
TemplateWriteCaller = Annotated[Caller, Security(get_caller, scopes=[Scope.WRITE_TEMPLATES])]
ValueReadCaller = Annotated[Caller, Security(get_caller, scopes=[Scope.READ_VALUES])]

FileWriteCaller = Annotated[
    Caller, Security(CallerWithAnyScope(_UPLOADING, named=Scope.WRITE_FILES), scopes=[Scope.WRITE_FILES])
]
PreviewCaller = Annotated[
    Caller, Security(CallerWithAnyScope(_PREVIEWING, named=Scope.WRITE_SESSIONS), scopes=[Scope.WRITE_SESSIONS])
]

SessionIdPath = Annotated[
    SessionId, Path(alias="sessionId", description="what is no UUID is answered like an unknown one")
]


async def get_readable_session(caller: SessionReadCaller, reader: InjectedReader, session_id: SessionIdPath) -> Session:
    return await reader.get(caller.organisation_id, session_id)


async def get_writable_session(
    caller: SessionWriteCaller, reader: InjectedReader, session_id: SessionIdPath
) -> Session:
    return await reader.get(caller.organisation_id, session_id)


async def get_deletable_session(
    caller: SessionDeleteCaller, reader: InjectedReader, session_id: SessionIdPath
) -> Session:
    return await reader.get(caller.organisation_id, session_id)


ReadableSession = Annotated[Session, Depends(get_readable_session)]
"""The session in the path, for a caller who may read it."""

WritableSession = Annotated[Session, Depends(get_writable_session)]
"""The session in the path, for a caller who may change it: of the caller's organisation, whatever act follows."""

DeletableSession = Annotated[Session, Depends(get_deletable_session)]
"""The session in the path, for a caller who may archive it or delete it for ever, whichever is asked for."""
