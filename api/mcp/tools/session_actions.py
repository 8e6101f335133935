"""Tools that act on a session that is there."""

from typing import Annotated, Any

from pydantic import Field

from api.mcp.delete_confirmation import Confirmations, DeletionToConfirm
from api.mcp.recipient_summary import sent_to
from api.mcp.tool import Answer, Call, Effect, Operation, Tool
from api.mcp.tools.sessions import OneSession
from application.idempotency import Attempt
from application.scopes import Scope
from application.sessions import organisation_actions
from application.sessions.organisation_actions import send_invitation
from asgi.idempotency import IdempotencyKey
from domain.shared.ids import SessionId
from schemas.base import Identifier
from schemas.session_actions import DeletedSession, InvitationCreate, InvitationSent, SentSession
from schemas.session_read import SessionRead

_TOKEN: dict[str, Any] = {
    "type": "string",
    "description": "what the first call answered with; leave it out to get one",
}


class SendSession(OneSession):
    """A draft to be sent, once for a key."""

    idempotency_key: IdempotencyKey | None = None


class SendInvitation(InvitationCreate):
    """Whom to invite again, once for a key."""

    session_id: Identifier
    idempotency_key: IdempotencyKey | None = None


class DeleteSession(OneSession):
    """A session to be deleted permanently, and that this was confirmed."""

    confirmation_token: Annotated[str, Field(max_length=2_000)] | None = None


async def _send(call: Call[SendSession]) -> Answer:
    session = await call.session(call.asked.session_id)

    async def act(attempt: Attempt) -> tuple[SessionId, SentSession]:
        sent = await organisation_actions.send(call.services, session, call.caller.audit, attempt)
        return session.session_id, SentSession.from_snapshot(sent)

    return Answer(await call.once(call.asked.idempotency_key, act), sent_to(session.recipients))


async def _invite(call: Call[SendInvitation]) -> Answer:
    session = await call.session(call.asked.session_id)

    async def act(attempt: Attempt) -> tuple[SessionId, InvitationSent]:
        wanted = (call.asked, call.caller.audit)
        return session.session_id, await send_invitation(call.services, session, wanted, attempt)

    body = await call.once(call.asked.idempotency_key, act)
    return Answer(body, f"Emailed {InvitationSent.model_validate_json(body).recipient_email}.")


async def _archive(call: Call[OneSession]) -> Answer:
    session = await call.session(call.asked.session_id)
    return Answer.of(
        DeletedSession.archived(await organisation_actions.archive(call.services, session, call.caller.audit))
    )


async def _restore(call: Call[OneSession]) -> Answer:
    session = await call.session(call.asked.session_id)
    restored = await organisation_actions.restore(call.services, session, call.caller.audit)
    return Answer.of(SessionRead.from_snapshot(restored, call.services.base_url))


async def _delete(call: Call[DeleteSession]) -> Answer:
    session = await call.session(call.asked.session_id)
    confirmations = Confirmations(call.services.keys.cookie)
    if call.asked.confirmation_token is None:
        note = (
            f"Nothing has been deleted yet. Have the user confirm that “{session.name}” is to be deleted permanently."
        )
        return Answer.of(confirmations.ask(call.caller, session), note)
    confirmations.check(call.asked.confirmation_token, call.caller, session)
    return Answer.of(DeletedSession.erased(await organisation_actions.erase(call.services, session, call.caller.audit)))


SEND = Tool(
    name="send_session",
    title="Send session",
    description="""\
Sends a draft: it EMAILS an invitation to every recipient of the lowest `signingOrder` at once, and to the others \
when all before them have signed. This cannot be taken back. Tell the user the names and addresses of the recipients \
(get_session shows them) and send only when they agree. The answer says who is emailed. The document can be changed \
no more afterwards.""",
    operation=Operation("POST", "/api/v1/Session/{sessionId}/Send"),
    scopes=(Scope.WRITE_SESSIONS,),
    asked=SendSession,
    act=_send,
    effect=Effect.WRITES,
    reaches_people=True,
)

INVITE = Tool(
    name="send_invitation",
    title="Send invitation again",
    description="""\
EMAILS one recipient of a sent session a new invitation, whose link replaces the earlier one. Name the recipient by \
`recipientId` or `recipientEmail`; without either it is whoever is next to sign. The answer says who was emailed.""",
    operation=Operation("POST", "/api/v1/Session/{sessionId}/SendInvitation"),
    scopes=(Scope.WRITE_SESSIONS,),
    asked=SendInvitation,
    act=_invite,
    effect=Effect.WRITES,
    is_idempotent=False,
    reaches_people=True,
)

ARCHIVE = Tool(
    name="archive_session",
    title="Archive session",
    description="""\
Puts a session away: nobody can sign it any more, their links show that it is no longer available, and reminders \
stop. If it was open for signing, it EMAILS everybody who was invited that it was withdrawn. restore_session brings \
it back.""",
    operation=Operation("DELETE", "/api/v1/Session/{sessionId}"),
    decided=frozenset({"permanent"}),
    scopes=(Scope.WRITE_SESSIONS,),
    asked=OneSession,
    act=_archive,
    effect=Effect.DESTROYS,
    reaches_people=True,
)

RESTORE = Tool(
    name="restore_session",
    title="Restore session",
    description="Brings an archived session back to where it was: recipients can sign again, and reminders go on.",
    operation=Operation("POST", "/api/v1/Session/{sessionId}/Restore"),
    scopes=(Scope.WRITE_SESSIONS,),
    asked=OneSession,
    act=_restore,
    effect=Effect.WRITES,
    reaches_people=True,
)

DELETE = Tool(
    name="delete_session",
    title="Delete session permanently",
    description="""\
Deletes a session permanently, with its documents, signatures and history; nothing brings it back. To archive it \
instead, use archive_session.

Two calls: the first, with `sessionId` alone, deletes nothing and answers with a `confirmationToken`. Ask the user to \
confirm by the name of the session; then call again with the token, within 5 minutes. It is good for one deletion of \
this session as it is: if anything happens to the session meanwhile, ask for a new one.""",
    operation=Operation("DELETE", "/api/v1/Session/{sessionId}"),
    decided=frozenset({"permanent"}),
    scopes=(Scope.DELETE_SESSIONS,),
    asked=DeleteSession,
    shown=(DeletionToConfirm,),
    act=_delete,
    own={"confirmationToken": _TOKEN},
    effect=Effect.DESTROYS,
    reaches_people=True,
)
