"""Sessions: create, read, list, and edit: drafts, and sessions open for signing (Specification 4.6 to 4.8, 4.11)."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request

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
from domain.shared.errors import (
    NotADraft,
    RecipientNotActive,
    SessionNotActive,
    TooOften,
)
from domain.shared.ids import SessionId
from web.asgi.dependencies import InjectedReader, InjectedServices
from web.asgi.error_handlers import error_responses
from web.asgi.idempotency_key_header import SessionIdempotency, to_response
from web.asgi.json_body import read_with_documents
from web.asgi.query_validation import StrictRoute
from web.asgi.required_scopes import (
    ReadableSession,
    SessionReadCaller,
    SessionWriteCaller,
    WritableRecipientId,
    WritableSession,
)
from web.asgi.route_signature import JsonBody, ModelResponse

router = APIRouter(route_class=StrictRoute, prefix="/api/v1", tags=["Sessions"])


async def read_session_create(request: Request, caller: SessionWriteCaller) -> SessionCreate:
    return await read_with_documents(request, caller, SessionCreate)


@router.post("/Session", responses=error_responses(DocumentValidationFailed, ExternalIdTaken, *SENDING_LIMIT_ERRORS))
async def create_session(
    caller: SessionWriteCaller,
    body: Annotated[JsonBody[SessionCreate], Depends(read_session_create)],
    services: InjectedServices,
    once: SessionIdempotency,
) -> ModelResponse[SessionCreated]:
    """Creates a session from block documents: a draft, or sent at once.

    Email addresses are stored in lower case. The whole request is validated before anything is stored, and `issues`
    lists all issues. After a 200 response, the session is durable.
    """

    async def act(attempt: Attempt) -> tuple[SessionId, SessionCreated]:
        session, warnings = await create.create_session(services, caller, body, attempt)
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


@router.patch("/Session/{sessionId}", responses=error_responses(DocumentValidationFailed, NotADraft, SessionNotActive))
async def update_session(
    session: WritableSession,
    body: JsonBody[SessionUpdate],
    caller: SessionWriteCaller,
    services: InjectedServices,
    once: SessionIdempotency,
) -> ModelResponse[SessionRead]:
    """Updates a draft. All members are validated as by Create Session, and all are changed or none.

    `recipients` is the whole list. Documents name recipients by key, so each key in a document must stay. The text of
    the documents does not change, even where it contains a name.

    While a session is open for signing, `expiryDays`, `reminderEnabled` and `reminderFrequency` can be changed. The
    expiry can only be moved to a later day, or removed.
    """

    async def act(attempt: Attempt) -> tuple[SessionId, SessionRead]:
        updated = await edit.update(services, session, (body, caller.audit), attempt)
        return session.session_id, SessionRead.from_snapshot(visible_session(caller, updated), services.base_url)

    return to_response(await once.do(act))


@router.patch(
    "/Session/{sessionId}/Recipient/{recipientId}",
    responses=error_responses(
        DocumentValidationFailed,
        SessionNotActive,
        RecipientNotActive,
        TooOften,
        *SENDING_LIMIT_ERRORS,
    ),
)
async def update_recipient(
    session: WritableSession,
    recipient_id: WritableRecipientId,
    body: JsonBody[RecipientUpdate],
    services: InjectedServices,
    once: SessionIdempotency,
) -> ModelResponse[SessionRead]:
    """Updates the name or the email address of a recipient who has not signed, in a session open for signing.

    With a new address, the earlier link stops working, and the saved form is deleted. If the recipient was invited, the
    new address gets an invitation, and the earlier address gets an email that the documents are now for another
    address, without naming it. The recipient's status is `pending` again.

    A name that appears in the text of a document cannot be corrected, because pages that were sent never change.
    """
    caller = once.caller

    async def act(attempt: Attempt) -> tuple[SessionId, SessionRead]:
        corrected = await edit.correct(services, session, recipient_id, (body, caller.audit), attempt)
        return session.session_id, SessionRead.from_snapshot(visible_session(caller, corrected), services.base_url)

    return to_response(await once.do(act))
