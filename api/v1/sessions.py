"""Sessions: create, read, list (Specification 4.6 to 4.8)."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response

from application.caller import Caller
from application.charge_sending_limit import SENDING_LIMIT_ERRORS
from application.errors import DocumentValidationFailed
from application.idempotency import Attempt
from application.sessions import create
from asgi.dependencies import InjectedReader, InjectedServices
from asgi.error_handlers import error_responses
from asgi.idempotency_key_header import SessionIdempotency, to_response
from asgi.json_body import json_body, read_with_documents
from asgi.query_validation import StrictRoute
from asgi.required_scopes import ReadableSession, SessionReadCaller, SessionWriteCaller
from domain.session.labels import ExternalIdTaken
from domain.shared.ids import SessionId
from schemas.session_create import SessionCreate
from schemas.session_list import SessionListQuery, SessionsRead
from schemas.session_read import SessionCreated, SessionRead

router = APIRouter(route_class=StrictRoute, prefix="/api/v1", tags=["Sessions"])


async def get_session_create(request: Request, caller: SessionWriteCaller) -> tuple[Caller, SessionCreate]:
    """Returns the body, read after the caller is authorised."""
    return caller, await read_with_documents(request, caller, SessionCreate)


@router.post(
    "/Session",
    response_model=SessionCreated,
    responses=error_responses(DocumentValidationFailed, ExternalIdTaken, *SENDING_LIMIT_ERRORS),
    openapi_extra=json_body(SessionCreate),
)
async def create_session(
    call: Annotated[tuple[Caller, SessionCreate], Depends(get_session_create)],
    services: InjectedServices,
    once: SessionIdempotency,
) -> Response:
    """Creates a session from block documents: a draft, or sent at once.

    Email addresses are stored in lower case. The whole request is validated before anything is stored, and `issues`
    lists all issues. After a 200 response, the session is durable.
    """

    async def act(attempt: Attempt) -> tuple[SessionId, SessionCreated]:
        session, warnings = await create.create_session(services, *call, attempt)
        return session.session_id, SessionCreated.of(session, warnings, services.base_url)

    return to_response(await once.do(act))


@router.get("/Session/{sessionId}")
async def get_session(session: ReadableSession, reader: InjectedReader, services: InjectedServices) -> SessionRead:
    """Returns the session as it is now."""
    return SessionRead.from_snapshot(session, services.base_url, await reader.retries(session))


@router.get("/Sessions")
async def list_sessions(
    caller: SessionReadCaller, query: Annotated[SessionListQuery, Query()], services: InjectedServices
) -> SessionsRead:
    """Lists the sessions of the organisation, the last changed first, without permanently deleted ones.

    Changes appear as soon as they are recorded, normally at once; Get Session is always current. `total` is exact. A
    session that changes between two requests may move to another page: to read all sessions, sort by `createdAt`.
    """
    page = await services.rows.list_sessions(caller.organisation_id, query.query())
    return SessionsRead.from_page(page, query, services.base_url)
