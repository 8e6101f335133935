"""What recipients entered (Specification 4.18)."""

from typing import Annotated

from fastapi import APIRouter, Depends

from application.errors import InsufficientScope, Unauthorized
from application.sessions.download import read_values
from asgi.dependencies import InjectedReader, InjectedServices, SessionIdPath, ValueReadCaller
from asgi.error_handlers import error_responses
from asgi.query_validation import StrictRoute
from domain.session.session import Session
from domain.shared.errors import SessionNotFound, Unavailable
from schemas.values import ValuesRead

router = APIRouter(
    route_class=StrictRoute,
    prefix="/api/v1",
    tags=["Downloads"],
    responses=error_responses(Unauthorized, InsufficientScope, SessionNotFound, Unavailable),
)


async def get_session(caller: ValueReadCaller, reader: InjectedReader, session_id: SessionIdPath) -> Session:
    """The session in the path, for a caller who may read what was entered."""
    return await reader.get(caller.organisation_id, session_id)


@router.get("/Session/{sessionId}/Values")
async def get_values(
    session: Annotated[Session, Depends(get_session)], caller: ValueReadCaller, services: InjectedServices
) -> ValuesRead:
    """Returns what recipients entered, by file and input, each value with who entered it and when they signed.

    The values of a recipient are there as soon as they have signed, in every status of the session, archived or not,
    and while others have not signed yet; nothing is shown of who has not signed. A client needs the scope
    `read:values`, which no other scope includes. The first time that it gets the values of a recipient is an event,
    `session.valuesRead`. Deleting the session permanently erases them.
    """
    return await read_values(services, session, caller.audit)
