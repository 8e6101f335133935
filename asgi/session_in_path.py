"""FastAPI dependencies: the ids in the path, and the session there, for a caller with the required scope."""

from typing import Annotated, Any

from fastapi import Depends, Path

from application.caller import Caller
from asgi.dependencies import InjectedReader
from asgi.required_scopes import DELETE_SESSIONS, READ_SESSIONS, WRITE_SESSIONS
from domain.session.session import Session
from domain.shared.ids import RecipientId, SessionId

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

WritableSession = Annotated[Session, _session_of(WRITE_SESSIONS)]
"""The session in the path, for a caller who may change it."""

DeletableSession = Annotated[Session, _session_of(DELETE_SESSIONS)]
"""The session in the path, for a caller who may archive it or, with `permanent`, delete it."""
