"""Actions on sessions: send, invite, restore, archive, delete, duplicate, remind (Specification 4.4, 4.9 to 4.26)."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response

from application.charge_sending_limit import SENDING_LIMIT_ERRORS
from application.errors import InvalidRequest, RequestIssue
from application.idempotency import Attempt
from application.schemas.base import QueryBoolean
from application.schemas.session_actions import (
    DeletedSession,
    InvitationCreate,
    InvitationSent,
    ReminderCreate,
    SentSession,
    SessionArchive,
)
from application.schemas.session_read import SessionRead
from application.schemas.session_update import ReminderSent
from application.scopes import Scope
from application.sessions import edit, organisation_actions
from application.sessions.duplicate import duplicate_session as make_duplicate
from application.sessions.visible_session import visible_answer, visible_session
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
    TooOften,
)
from domain.shared.ids import SessionId
from web.asgi.dependencies import InjectedServices
from web.asgi.error_handlers import error_responses
from web.asgi.idempotency_key_header import SessionIdempotency, to_response
from web.asgi.json_body import json_body, read_optional_json
from web.asgi.query_validation import StrictRoute
from web.asgi.required_scopes import DeletableSession, SessionDeleteCaller, SessionWriteCaller, WritableSession

router = APIRouter(route_class=StrictRoute, prefix="/api/v1", tags=["Sessions"])
reminder_router = APIRouter(route_class=StrictRoute, prefix="/api/v1", tags=["Sessions"])
"""A separate router, so that its route follows those of `api.v1.sessions` in the description."""


@router.post(
    "/Session/{sessionId}/Send",
    response_model=SentSession,
    responses=error_responses(NotADraft, NoRecipients, IncompleteRecipients, *SENDING_LIMIT_ERRORS),
)
async def send_session(
    session: WritableSession, caller: SessionWriteCaller, services: InjectedServices, once: SessionIdempotency
) -> Response:
    """Sends a draft and invites the recipients of the first signing order."""

    async def act(attempt: Attempt) -> tuple[SessionId, SentSession]:
        sent = await organisation_actions.send(services, session, caller.audit, attempt)
        return session.session_id, SentSession.from_snapshot(sent)

    return to_response(await once.do(act))


async def get_invitation(request: Request, session: WritableSession) -> tuple[Session, InvitationCreate]:
    """Returns the body, read after the session is found."""
    return session, await read_optional_json(request, InvitationCreate)


async def get_reminder(request: Request, session: WritableSession) -> tuple[Session, ReminderCreate]:
    """Returns the body, read after the session is found."""
    return session, await read_optional_json(request, ReminderCreate)


@router.post(
    "/Session/{sessionId}/SendInvitation",
    response_model=InvitationSent,
    responses=error_responses(RecipientNotFound, SessionNotActive, RecipientNotActive, TooOften, *SENDING_LIMIT_ERRORS),
    openapi_extra=json_body(InvitationCreate, required=False),
)
async def send_invitation(
    call: Annotated[tuple[Session, InvitationCreate], Depends(get_invitation)],
    caller: SessionWriteCaller,
    services: InjectedServices,
    once: SessionIdempotency,
) -> Response:
    """Invites one recipient again. The new link replaces the earlier one, which stops working at once.

    Name the recipient by `recipientId` or `recipientEmail`. If several recipients share the address, the first of them
    in the signing order who can sign now is invited; use `recipientId` for another one. Without a body, or with an
    empty one, the next recipient in the signing order who has not signed is invited. `sentAt` of the recipient changes.
    A recipient gets at most 10 invitations per hour.

    After the end of a session, sends the mail about it again that the mail server rejected, to `toEmail` if given.
    """
    session, request = call

    async def act(attempt: Attempt) -> tuple[SessionId, InvitationSent]:
        sent = await organisation_actions.send_invitation(services, session, (request, caller.audit), attempt)
        return session.session_id, visible_answer(caller, sent)

    return to_response(await once.do(act))


@router.post("/Session/{sessionId}/Restore", responses=error_responses(NotArchived, TooOften))
async def restore_session(
    session: WritableSession, caller: SessionWriteCaller, services: InjectedServices
) -> SessionRead:
    """Restores an archived session and its recipients to their earlier status, at most 10 times per hour.

    No mail is sent. The earlier links work again, and Send Invitation sends a new one.
    """
    restored = await organisation_actions.restore(services, session, caller.audit)
    return SessionRead.from_snapshot(visible_session(caller, restored), services.base_url)


async def get_archive(request: Request, session: DeletableSession) -> tuple[Session, SessionArchive]:
    """Returns the body, read after the session is found."""
    return session, await read_optional_json(request, SessionArchive)


@router.delete(
    "/Session/{sessionId}",
    responses=error_responses(AlreadyArchived, *SENDING_LIMIT_ERRORS),
    openapi_extra={
        "security": [{"accessToken": [Scope.DELETE_SESSIONS.value]}],  # an alternative scope
        **json_body(SessionArchive, required=False),
    },
)
async def delete_session(
    call: Annotated[tuple[Session, SessionArchive], Depends(get_archive)],
    caller: SessionDeleteCaller,
    services: InjectedServices,
    permanent: Annotated[
        QueryBoolean, Query(description="Whether to delete permanently instead of archiving.")
    ] = False,
) -> DeletedSession:
    """Archives a session. With `permanent=true`, deletes it permanently, archived or not.

    Restore Session restores an archived session. A permanently deleted session returns 404.

    Archiving needs the scope `write:sessions`, permanent deletion needs `delete:sessions`.

    Recipients who have neither signed nor declined become `cancelled`. If the session was open for signing, its
    recipients get a mail, each at most once an hour; these mails count towards the sending limits of the client.
    Archiving takes an optional `reason`, which the mail contains. A permanent deletion of an open session also sends
    one mail to each recipient who was invited.
    """
    session, request = call
    if permanent and request.reason is not None:
        raise InvalidRequest([RequestIssue("/reason", "A permanent deletion takes no reason: leave it out.")])
    if permanent:
        return DeletedSession.erased(await organisation_actions.erase(services, session, caller.audit))
    return DeletedSession.archived(await organisation_actions.archive(services, session, caller.audit, request.reason))


@router.post("/Session/{sessionId}/Duplicate", response_model=SessionRead)
async def duplicate_session(
    session: WritableSession, caller: SessionWriteCaller, services: InjectedServices, once: SessionIdempotency
) -> Response:
    """Duplicates a session in any status as a draft: its documents as they were sent, its recipients and settings.

    Values, signatures and the `externalId` are left out; `callbackValues` stays only with the scope `read:values`.
    """

    async def act(attempt: Attempt) -> tuple[SessionId, SessionRead]:
        copy = await make_duplicate(services, caller, session, attempt)
        return copy.session_id, SessionRead.from_snapshot(visible_session(caller, copy), services.base_url)

    return to_response(await once.do(act))


@reminder_router.post(
    "/Session/{sessionId}/SendReminder",
    response_model=ReminderSent,
    responses=error_responses(RecipientNotFound, SessionNotActive, RecipientNotActive, TooOften, *SENDING_LIMIT_ERRORS),
    openapi_extra=json_body(ReminderCreate, required=False),
)
async def send_reminder(
    call: Annotated[tuple[Session, ReminderCreate], Depends(get_reminder)],
    caller: SessionWriteCaller,
    services: InjectedServices,
    once: SessionIdempotency,
) -> Response:
    """Sends one recipient a reminder now, with the link of their invitation, whether or not the session has reminders.

    The recipient is named as in Send Invitation. A recipient gets at most one reminder per hour in this way.
    """
    session, request = call

    async def act(attempt: Attempt) -> tuple[SessionId, ReminderSent]:
        return session.session_id, visible_answer(
            caller, await edit.remind(services, session, (request, caller.audit), attempt)
        )

    return to_response(await once.do(act))
