"""Sessions: create, read, send, archive, restore, delete (Specification 4.4 to 4.11)."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response

from application.caller import Caller
from application.charge_sending_limit import SENDING_LIMIT_ERRORS
from application.errors import (
    DocumentValidationFailed,
    InsufficientScope,
    InvalidRequest,
    Unauthorized,
    UnsupportedMediaType,
)
from application.idempotency import IDEMPOTENCY_ERRORS, Attempt
from application.scopes import Scope
from application.sessions import create, organisation_actions
from asgi.dependencies import (
    DeletableSession,
    InjectedReader,
    InjectedServices,
    ReadableSession,
    SessionDeleteCaller,
    SessionReadCaller,
    SessionWriteCaller,
    WritableSession,
)
from asgi.error_handlers import error_responses
from asgi.idempotency import SessionIdempotency, to_response
from asgi.json_body import json_body, read_optional_json, read_with_documents
from asgi.query_validation import StrictRoute
from domain.session.labels import ExternalIdTaken
from domain.session.session import Session
from domain.shared.errors import (
    AlreadyArchived,
    IncompleteRecipients,
    NoRecipients,
    NotADraft,
    NotArchived,
    RecipientNotActive,
    RecipientNotFound,
    SessionNotActive,
    SessionNotFound,
    TooOften,
    Unavailable,
)
from domain.shared.ids import SessionId
from schemas.base import QueryBoolean
from schemas.invitations import InvitationCreate, InvitationSent
from schemas.session_create import SessionCreate
from schemas.session_list import SessionListQuery, SessionsRead
from schemas.session_read import DeletedSession, SentSession, SessionCreated, SessionRead

router = APIRouter(
    route_class=StrictRoute,
    prefix="/api/v1",
    tags=["Sessions"],
    responses=error_responses(Unauthorized, InsufficientScope, Unavailable),
)


async def get_session_create(request: Request, caller: SessionWriteCaller) -> tuple[Caller, SessionCreate]:
    """The body, read only for a caller who may send it."""
    return caller, await read_with_documents(request, caller, SessionCreate)


@router.post(
    "/Session",
    response_model=SessionCreated,
    responses=error_responses(
        InvalidRequest,
        DocumentValidationFailed,
        UnsupportedMediaType,
        ExternalIdTaken,
        *SENDING_LIMIT_ERRORS,
        *IDEMPOTENCY_ERRORS,
    ),
    openapi_extra=json_body(SessionCreate),
)
async def create_session(
    asked: Annotated[tuple[Caller, SessionCreate], Depends(get_session_create)],
    services: InjectedServices,
    once: SessionIdempotency,
) -> Response:
    """Creates a session from block documents: a draft, or sent at once.

    Email addresses are kept in lower case, however they are given.

    Everything is validated before anything is stored; `issues` lists every mistake, not the first one. When this
    answers with 200, the session is durable.
    """

    async def act(attempt: Attempt) -> tuple[SessionId, SessionCreated]:
        session, warnings = await create.create_session(services, *asked, attempt)
        return session.session_id, SessionCreated.of(session, warnings, services.base_url)

    return to_response(await once.do(act))


@router.get("/Session/{sessionId}", responses=error_responses(SessionNotFound))
async def get_session(session: ReadableSession, reader: InjectedReader, services: InjectedServices) -> SessionRead:
    """Returns the session as it is now."""
    return SessionRead.from_snapshot(session, services.base_url, await reader.retries(session))


@router.get("/Sessions", responses=error_responses(InvalidRequest))
async def list_sessions(
    caller: SessionReadCaller, wanted: Annotated[SessionListQuery, Query()], services: InjectedServices
) -> SessionsRead:
    """Lists the sessions of the organisation, the last changed first, without deleted ones.

    They are shown as far as they are recorded, which is normally at once; Get Session shows what is newer. `total` is
    exact. A session that changes while pages are read may move from one to another: to read all, sort by `createdAt`.
    """
    page = await services.rows.list_sessions(caller.organisation_id, wanted.query())
    return SessionsRead.from_page(page, wanted, services.base_url)


@router.post(
    "/Session/{sessionId}/Send",
    response_model=SentSession,
    responses=error_responses(
        SessionNotFound,
        NotADraft,
        NoRecipients,
        IncompleteRecipients,
        InvalidRequest,
        *SENDING_LIMIT_ERRORS,
        *IDEMPOTENCY_ERRORS,
    ),
)
async def send_session(
    session: WritableSession, caller: SessionWriteCaller, services: InjectedServices, once: SessionIdempotency
) -> Response:
    """Sends a draft: the recipients of the first signing order are invited."""

    async def act(attempt: Attempt) -> tuple[SessionId, SentSession]:
        sent = await organisation_actions.send(services, session, caller.audit, attempt)
        return session.session_id, SentSession.from_snapshot(sent)

    return to_response(await once.do(act))


async def get_invitation(request: Request, session: WritableSession) -> tuple[Session, InvitationCreate]:
    """The body, read only for a session that is there."""
    return session, await read_optional_json(request, InvitationCreate)


@router.post(
    "/Session/{sessionId}/SendInvitation",
    response_model=InvitationSent,
    responses=error_responses(
        SessionNotFound,
        RecipientNotFound,
        SessionNotActive,
        RecipientNotActive,
        TooOften,
        InvalidRequest,
        UnsupportedMediaType,
        *SENDING_LIMIT_ERRORS,
        *IDEMPOTENCY_ERRORS,
    ),
    openapi_extra=json_body(InvitationCreate, required=False),
)
async def send_invitation(
    asked: Annotated[tuple[Session, InvitationCreate], Depends(get_invitation)],
    caller: SessionWriteCaller,
    services: InjectedServices,
    once: SessionIdempotency,
) -> Response:
    """Invites one recipient again. The new link replaces the earlier one, which stops working at once.

    Name the recipient by `recipientId` or `recipientEmail`. Where several recipients share that address, the first of
    them in the signing order whose turn it is is invited; to invite another, give the `recipientId`. Without a body,
    or with an empty one, that is the next in the signing order who has not signed. `sentAt` of the recipient moves.
    One recipient gets at most 10 invitations within an hour.
    """
    session, request = asked

    async def act(attempt: Attempt) -> tuple[SessionId, InvitationSent]:
        return session.session_id, await organisation_actions.send_invitation(
            services, session, (request, caller.audit), attempt
        )

    return to_response(await once.do(act))


@router.post("/Session/{sessionId}/Restore", responses=error_responses(SessionNotFound, NotArchived, TooOften))
async def restore_session(
    session: WritableSession, caller: SessionWriteCaller, services: InjectedServices
) -> SessionRead:
    """Restores an archived session and its recipients to the status that they had. At most 10 times within an hour.

    Recipients are not told: the links that were sent work again, and Send Invitation sends a new one.
    """
    restored = await organisation_actions.restore(services, session, caller.audit)
    return SessionRead.from_snapshot(restored, services.base_url)


@router.delete(
    "/Session/{sessionId}",
    responses=error_responses(SessionNotFound, AlreadyArchived, InvalidRequest, *SENDING_LIMIT_ERRORS),
    openapi_extra={"security": [{"accessToken": [Scope.DELETE_SESSIONS.value]}]},  # or this one
)
async def delete_session(
    session: DeletableSession,
    caller: SessionDeleteCaller,
    services: InjectedServices,
    permanent: Annotated[QueryBoolean, Query(description="true: deletes permanently; false: archives")] = False,
) -> DeletedSession:
    """Archives a session. With `permanent=true`, deletes it permanently, archived or not.

    Restore Session restores an archived session. A session that was deleted permanently is answered with 404.

    Archiving needs the scope `write:sessions`, deleting permanently needs `delete:sessions`.

    Who has neither signed nor declined becomes `cancelled`. Recipients of a session that was open for signing are told
    by mail that it was archived, each at most once an hour; for a client with a budget, these mails count.
    """
    if permanent:
        return DeletedSession.erased(await organisation_actions.erase(services, session, caller.audit))
    return DeletedSession.archived(await organisation_actions.archive(services, session, caller.audit))
