"""Tools that act on existing sessions."""

from typing import Annotated, Any

from pydantic import Field

from api.mcp.deletion_confirmation import ConfirmationTokens
from api.mcp.tool import Answer, Call, IdempotentCall, quoted, tool
from api.mcp.tools.sessions import OneSession, note_on_sending
from application.idempotency import Attempt
from application.schemas.base import Identifier
from application.schemas.session_actions import (
    DeletedSession,
    InvitationCreate,
    InvitationSent,
    ReminderCreate,
    SentSession,
    SessionArchive,
)
from application.schemas.session_read import SessionRead
from application.schemas.session_update import RecipientUpdate, ReminderSent, SessionUpdate
from application.scopes import Scope
from application.sessions import edit, organisation_actions
from application.sessions.organisation_actions import send_invitation as invite
from application.sessions.visible_session import visible_answer, visible_session
from domain.session.recipients import ACTIVE
from domain.shared.ids import RecipientId, SessionId

_TOKEN: dict[str, Any] = {"type": "string", "description": "the token that the first call returned; omit it to get one"}


class SendSession(OneSession, IdempotentCall):
    pass


class SendInvitation(InvitationCreate, SendSession):
    pass


class SendReminder(ReminderCreate, SendSession):
    pass


class UpdateSession(SessionUpdate, SendSession):
    pass


class UpdateRecipient(RecipientUpdate, SendSession):
    recipient_id: Identifier


class ArchiveSession(SessionArchive, OneSession):
    pass


class DeleteSession(OneSession):
    confirmation_token: Annotated[str, Field(max_length=2_000)] | None = None


@tool("Send session", "POST /api/v1/Session/{sessionId}/Send", Scope.WRITE_SESSIONS, emails_people=True)
async def send_session(call: Call[SendSession]) -> Answer:
    """Sends a draft. This cannot be undone, and the document can no longer be changed.

    EMAILS an invitation to every recipient of the lowest `signingOrder` at once, and to the others when all before them
    have signed. Show the user the names and addresses of the recipients (from get_session), and send only if they
    agree. Returns the recipients that are emailed.
    """
    session = await call.session(call.arguments.session_id)

    async def act(attempt: Attempt) -> tuple[SessionId, SentSession]:
        sent = await organisation_actions.send(call.services, session, call.caller.audit, attempt)
        return session.session_id, SentSession.from_snapshot(sent)

    return Answer(await call.once(act), note_on_sending(session.recipients))


@tool(
    "Send invitation again",
    "POST /api/v1/Session/{sessionId}/SendInvitation",
    Scope.WRITE_SESSIONS,
    is_idempotent=False,
    emails_people=True,
)
async def send_invitation(call: Call[SendInvitation]) -> Answer:
    """EMAILS one recipient of a sent session a new invitation, with a link that replaces the earlier one.

    Name the recipient by `recipientId` or `recipientEmail`; the default is the next recipient to sign. Returns the
    address that was emailed.
    """
    session = await call.session(call.arguments.session_id)

    async def act(attempt: Attempt) -> tuple[SessionId, InvitationSent]:
        return session.session_id, await invite(call.services, session, (call.arguments, call.caller.audit), attempt)

    body = await call.once(act)
    return Answer(body, f"Emailed {InvitationSent.model_validate_json(body).recipient_email or 'the recipient'}.")


@tool(
    "Remind recipient",
    "POST /api/v1/Session/{sessionId}/SendReminder",
    Scope.WRITE_SESSIONS,
    is_idempotent=False,
    emails_people=True,
)
async def send_reminder(call: Call[SendReminder]) -> Answer:
    """EMAILS one recipient of a sent session a reminder, with the link that they have. At most one per hour.

    Name the recipient by `recipientId` or `recipientEmail`; the default is the next recipient to sign. Returns the
    address that was emailed.
    """
    session = await call.session(call.arguments.session_id)

    async def act(attempt: Attempt) -> tuple[SessionId, ReminderSent]:
        request = (call.arguments, call.caller.audit)
        return session.session_id, visible_answer(
            call.caller, await edit.remind(call.services, session, request, attempt)
        )

    body = await call.once(act)
    return Answer(body, f"Reminded {ReminderSent.model_validate_json(body).recipient_email or 'the recipient'}.")


@tool("Update session", "PATCH /api/v1/Session/{sessionId}", Scope.WRITE_SESSIONS)
async def update_session(call: Call[UpdateSession]) -> Answer:
    """Changes a draft: name, message, the whole list of recipients, expiry, reminders. Nobody gets an email.

    Members that are left out stay as they are. Of a sent session only `expiryDays`, `reminderEnabled` and
    `reminderFrequency` can be changed. The documents themselves cannot be changed: create a new session instead.
    """
    session = await call.session(call.arguments.session_id)

    async def act(attempt: Attempt) -> tuple[SessionId, SessionRead]:
        updated = await edit.update(call.services, session, (call.arguments, call.caller.audit), attempt)
        return session.session_id, SessionRead.from_snapshot(
            visible_session(call.caller, updated), call.services.base_url
        )

    return Answer(await call.once(act))


@tool(
    "Correct recipient",
    "PATCH /api/v1/Session/{sessionId}/Recipient/{recipientId}",
    Scope.WRITE_SESSIONS,
    emails_people=True,
)
async def update_recipient(call: Call[UpdateRecipient]) -> Answer:
    """Corrects the name or the email address of a recipient of a sent session who has not signed.

    With a new address, the earlier link stops working. If the recipient was invited, this EMAILS an invitation to the
    new address, and a notice to the earlier one. Pass only the members to correct, and only after the user has agreed.
    """
    session = await call.session(call.arguments.session_id)
    recipient_id, request = RecipientId(call.arguments.recipient_id), (call.arguments, call.caller.audit)

    async def act(attempt: Attempt) -> tuple[SessionId, SessionRead]:
        corrected = await edit.correct(call.services, session, recipient_id, request, attempt)
        return session.session_id, SessionRead.from_snapshot(
            visible_session(call.caller, corrected), call.services.base_url
        )

    body, before = await call.once(act), session.recipient(recipient_id)
    is_emailed = before.status in ACTIVE and call.arguments.email not in (None, before.email)
    return Answer(body, f"Emailed {call.arguments.email} an invitation." if is_emailed else "Nobody was emailed.")


@tool("Archive session", "DELETE /api/v1/Session/{sessionId}", Scope.WRITE_SESSIONS, emails_people=True)
async def archive_session(call: Call[ArchiveSession]) -> Answer:
    """Archives a session: it can no longer be signed, its links show that it is not available, and reminders stop.

    If the session was open for signing, this EMAILS all invited recipients that it was withdrawn, with the `reason` if
    there is one. Undo it with restore_session.
    """
    session = await call.session(call.arguments.session_id)
    archived = await organisation_actions.archive(call.services, session, call.caller.audit, call.arguments.reason)
    return Answer.of(DeletedSession.archived(archived))


@tool("Restore session", "POST /api/v1/Session/{sessionId}/Restore", Scope.WRITE_SESSIONS, emails_people=True)
async def restore_session(call: Call[OneSession]) -> Answer:
    """Restores an archived session to its earlier status: recipients can sign again, and reminders continue."""
    session = await call.session(call.arguments.session_id)
    restored = await organisation_actions.restore(call.services, session, call.caller.audit)
    return Answer.of(SessionRead.from_snapshot(visible_session(call.caller, restored), call.services.base_url))


@tool(
    "Delete session permanently",
    "DELETE /api/v1/Session/{sessionId}",
    Scope.DELETE_SESSIONS,
    own={"confirmationToken": _TOKEN, "reason": None},  # a reason is for archiving
    emails_people=True,
)
async def delete_session(call: Call[DeleteSession]) -> Answer:
    """Deletes a session permanently, with its documents, signatures and history. This cannot be undone; to archive the
    session instead, use archive_session. If the session is open for signing, it EMAILS all invited recipients.

    This takes two calls. The first, with `sessionId` alone, deletes nothing and returns a `confirmationToken`. Ask the
    user to confirm the deletion by the name of the session, then call again with the token within 5 minutes. The token
    is valid for one deletion of the unchanged session: if the session has changed, get a new one.
    """
    session = await call.session(call.arguments.session_id)
    tokens = ConfirmationTokens(call.services.keys.cookie)
    if call.arguments.confirmation_token is None:
        note = (
            f"Nothing has been deleted yet. Ask the user to confirm the permanent deletion of {quoted(session.name)}."
        )
        return Answer.of(tokens.issue(call.caller, session), note)
    tokens.verify(call.arguments.confirmation_token, call.caller, session)
    return Answer.of(DeletedSession.erased(await organisation_actions.erase(call.services, session, call.caller.audit)))
