"""Actions on sessions: send, invite, restore, archive, delete, duplicate, remind (Specification 4.4, 4.9 to 4.26)."""

from typing import Annotated

from fastapi import APIRouter, Query

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
from web.asgi.query_validation import StrictRoute
from web.asgi.required_scopes import DeletableSession, SessionDeleteCaller, SessionWriteCaller, WritableSession
from web.asgi.route_signature import ModelResponse, OptionalJsonBody

router = APIRouter(route_class=StrictRoute, prefix="/api/v1", tags=["Sessions"])
reminder_router = APIRouter(route_class=StrictRoute, prefix="/api/v1", tags=["Sessions"])
"""A separate router, so that its route follows those of `api.v1.sessions` in the description."""


@router.post(
    "/Session/{sessionId}/Send",
    responses=error_responses(NotADraft, NoRecipients, IncompleteRecipients, *SENDING_LIMIT_ERRORS),
)
async def send_session(
    session: WritableSession, caller: SessionWriteCaller, services: InjectedServices, once: SessionIdempotency
) -> ModelResponse[SentSession]:
    """Sends a draft and invites the recipients of the first signing order."""

    async def act(attempt: Attempt) -> tuple[SessionId, SentSession]:
        sent = await organisation_actions.send(services, session, caller.audit, attempt)
        return session.session_id, SentSession.from_snapshot(sent)

    return to_response(await once.do(act))


@router.post(
    "/Session/{sessionId}/SendInvitation",
    responses=error_responses(RecipientNotFound, SessionNotActive, RecipientNotActive, TooOften, *SENDING_LIMIT_ERRORS),
)
async def send_invitation(
    session: WritableSession,
    body: OptionalJsonBody[InvitationCreate],
    caller: SessionWriteCaller,
    services: InjectedServices,
    once: SessionIdempotency,
) -> ModelResponse[InvitationSent]:
    """Invites one recipient again. The new link replaces the earlier one, which stops working at once.

    Name the recipient by `recipientId` or `recipientEmail`. If several recipients share the address, the first of them
    in the signing order who can sign now is invited; use `recipientId` for another one. Without a body, or with an
    empty one, the next recipient in the signing order who has not signed is invited. `sentAt` of the recipient changes.
    A recipient gets at most 10 invitations per hour.

    After the end of a session, sends the mail about it again that the mail server rejected, to `toEmail` if given.
    """

    async def act(attempt: Attempt) -> tuple[SessionId, InvitationSent]:
        sent = await organisation_actions.send_invitation(services, session, (body, caller.audit), attempt)
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


@router.delete(
    "/Session/{sessionId}",
    responses=error_responses(AlreadyArchived, *SENDING_LIMIT_ERRORS),
    openapi_extra={"security": [{"accessToken": [Scope.DELETE_SESSIONS.value]}]},  # an alternative scope
)
async def delete_session(
    session: DeletableSession,
    body: OptionalJsonBody[SessionArchive],
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
    if permanent and body.reason is not None:
        raise InvalidRequest([RequestIssue("/reason", "A permanent deletion takes no reason: leave it out.")])
    if permanent:
        return DeletedSession.erased(await organisation_actions.erase(services, session, caller.audit))
    return DeletedSession.archived(await organisation_actions.archive(services, session, caller.audit, body.reason))


@router.post("/Session/{sessionId}/Duplicate")
async def duplicate_session(
    session: WritableSession, caller: SessionWriteCaller, services: InjectedServices, once: SessionIdempotency
) -> ModelResponse[SessionRead]:
    """Duplicates a session in any status as a draft: its documents as they were sent, its recipients and settings.

    Values, signatures and the `externalId` are left out; `callbackValues` stays only with the scope `read:values`.
    """

    async def act(attempt: Attempt) -> tuple[SessionId, SessionRead]:
        copy = await make_duplicate(services, caller, session, attempt)
        return copy.session_id, SessionRead.from_snapshot(visible_session(caller, copy), services.base_url)

    return to_response(await once.do(act))


@reminder_router.post(
    "/Session/{sessionId}/SendReminder",
    responses=error_responses(RecipientNotFound, SessionNotActive, RecipientNotActive, TooOften, *SENDING_LIMIT_ERRORS),
)
async def send_reminder(
    session: WritableSession,
    body: OptionalJsonBody[ReminderCreate],
    caller: SessionWriteCaller,
    services: InjectedServices,
    once: SessionIdempotency,
) -> ModelResponse[ReminderSent]:
    """Sends one recipient a reminder now, with the link of their invitation, whether or not the session has reminders.

    The recipient is named as in Send Invitation. A recipient gets at most one reminder per hour in this way.
    """

    async def act(attempt: Attempt) -> tuple[SessionId, ReminderSent]:
        return session.session_id, visible_answer(
            caller, await edit.remind(services, session, (body, caller.audit), attempt)
        )

    return to_response(await once.do(act))
