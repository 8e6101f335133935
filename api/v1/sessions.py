"""Sessions: create, read, list, and edit: drafts, and sessions open for signing (Specification 4.6 to 4.8, 4.11)."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response

from application.caller import Caller
from application.charge_sending_limit import SENDING_LIMIT_ERRORS
from application.errors import DocumentValidationFailed
from application.idempotency import Attempt
from application.schemas.session_create import SessionCreate
from application.schemas.session_list import SessionListQuery, SessionsRead
from application.schemas.session_read import SessionCreated, SessionRead
from application.schemas.session_update import RecipientUpdate, SessionUpdate
from application.sessions import create, edit
from application.sessions.visible_session import visible_session
from domain.session.labels import ExternalIdTaken
from domain.session.session import Session
from domain.shared.errors import (
    NotADraft,
    RecipientNotActive,
    RecipientNotFound,
    SessionNotActive,
    SessionNotFound,
    TooOften,
)
from domain.shared.ids import SessionId
from web.asgi.dependencies import InjectedReader, InjectedServices
from web.asgi.error_handlers import error_responses
from web.asgi.idempotency_key_header import SessionIdempotency, to_response
from web.asgi.json_body import json_body, read_json, read_with_documents
from web.asgi.query_validation import StrictRoute
from web.asgi.required_scopes import (
    ReadableSession,
    RecipientIdPath,
    SessionReadCaller,
    SessionWriteCaller,
    WritableSession,
)

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


async def get_session_update(request: Request, session: WritableSession) -> tuple[Session, SessionUpdate]:
    """Returns the body, read after the session is found."""
    return session, await read_json(request, SessionUpdate)


@router.patch(
    "/Session/{sessionId}",
    response_model=SessionRead,
    responses=error_responses(DocumentValidationFailed, NotADraft, SessionNotActive),
    openapi_extra=json_body(SessionUpdate),
)
async def update_session(
    call: Annotated[tuple[Session, SessionUpdate], Depends(get_session_update)],
    caller: SessionWriteCaller,
    services: InjectedServices,
    once: SessionIdempotency,
) -> Response:
    """Updates a draft. All members are validated as by Create Session, and all are changed or none.

    `recipients` is the whole list. Documents name recipients by key, so each key in a document must stay. The text of
    the documents does not change, even where it contains a name.

    While a session is open for signing, `expiryDays`, `reminderEnabled` and `reminderFrequency` can be changed. The
    expiry can only be moved to a later day, or removed.
    """
    session, request = call

    async def act(attempt: Attempt) -> tuple[SessionId, SessionRead]:
        updated = await edit.update(services, session, (request, caller.audit), attempt)
        return session.session_id, SessionRead.from_snapshot(visible_session(caller, updated), services.base_url)

    return to_response(await once.do(act))


async def get_recipient_update(
    request: Request, session: WritableSession, recipient_id: RecipientIdPath
) -> tuple[Session, RecipientUpdate]:
    """Returns the body, read after the session and the recipient are found."""
    try:
        session.recipient(recipient_id)
    except RecipientNotFound as error:
        raise SessionNotFound(error.message) from error
    return session, await read_json(request, RecipientUpdate)


@router.patch(
    "/Session/{sessionId}/Recipient/{recipientId}",
    response_model=SessionRead,
    responses=error_responses(
        DocumentValidationFailed,
        SessionNotActive,
        RecipientNotActive,
        TooOften,
        *SENDING_LIMIT_ERRORS,
    ),
    openapi_extra=json_body(RecipientUpdate),
)
async def update_recipient(
    call: Annotated[tuple[Session, RecipientUpdate], Depends(get_recipient_update)],
    recipient_id: RecipientIdPath,
    caller: SessionWriteCaller,
    services: InjectedServices,
    once: SessionIdempotency,
) -> Response:
    """Updates the name or the email address of a recipient who has not signed, in a session open for signing.

    With a new address, the earlier link stops working, and the saved form is deleted. If the recipient was invited, the
    new address gets an invitation, and the earlier address gets an email that the documents are now for another
    address, without naming it. The recipient's status is `pending` again.

    A name that appears in the text of a document cannot be corrected, because pages that were sent never change.
    """
    session, request = call

    async def act(attempt: Attempt) -> tuple[SessionId, SessionRead]:
        corrected = await edit.correct(services, session, recipient_id, (request, caller.audit), attempt)
        return session.session_id, SessionRead.from_snapshot(visible_session(caller, corrected), services.base_url)

    return to_response(await once.do(act))
