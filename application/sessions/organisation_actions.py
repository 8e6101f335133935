"""Actions of an organisation on its sessions (Specification 3.3): send, invite, archive, restore, delete.

They charge the sending limits, then call `SessionActions`. All may raise `SessionNotFound` and `Unavailable`; those
that send mails also `RecipientBudgetSpent` and `RecipientDomainNotAllowed`.
"""

from collections.abc import Callable
from uuid import uuid4

from application.charge_sending_limit import MailBatch, invitations_of, spend
from application.errors import InvalidRequest, RequestIssue
from application.idempotency import Attempt
from application.schemas.session_actions import InvitationCreate, InvitationSent, ReminderCreate
from application.services import Services, SessionServices
from application.session_actions import DraftEdited
from domain.audit.events import ActorKind, AuditContext
from domain.ports.session_requests import ActionRequest, ArchiveRequest, InviteRequest, RestoreRequest
from domain.session.error_messages import not_active
from domain.session.outcome_mail_recipients import withdrawal_mail_recipients
from domain.session.recipients import ACTIVE, Recipient
from domain.session.refused_mails import invite_again
from domain.session.sender import Sender
from domain.session.session import Session, Transition
from domain.session.status import OPEN_FOR_SIGNING
from domain.shared.errors import CodedError, NotADraft, RecipientNotFound, SessionNotFound, TooOften
from domain.shared.ids import ClientId, RecipientId, UserId


async def find_sending_user(services: SessionServices, audit: AuditContext) -> UserId | None:
    """Returns the user behind the actor of `audit`; None for a client that no user approved."""
    if audit.actor.kind is ActorKind.USER:
        return UserId(audit.actor.id)
    if audit.actor.kind is ActorKind.CLIENT:
        return await services.grants.find_user_of(ClientId(audit.actor.id))
    return None


async def find_user_as_sender(services: SessionServices, user_id: UserId | None) -> Sender | None:
    """Returns a user as the sender of a session; None for no user."""
    user = await services.users.find(user_id) if user_id else None
    return Sender(name=user.name, email=user.email) if user else None


def single_attempt() -> Attempt:
    """Returns the attempt of a request without an idempotency key."""
    return Attempt(uuid4(), is_keyed=False, is_repeated=False)


async def send(services: Services, session: Session, audit: AuditContext, attempt: Attempt) -> Session:
    """Sends the session, and returns it. Raises `NotADraft`, `NoRecipients` or `IncompleteRecipients`."""
    check_first(attempt, lambda: session.send(audit))
    await spend(services, audit, invitations_of(session.session_id, [r.email for r in session.recipients]))
    try:
        sent_by = await find_sending_user(services, audit)
        return await services.sessions.send(session, ActionRequest(audit=audit), sent_by)
    except DraftEdited as edited:
        return await send(services, edited.session, audit, attempt)
    except (NotADraft, SessionNotFound):
        if not (attempt.is_repeated and session.sent_at):  # an earlier attempt sent it
            raise
        return session


async def send_invitation(
    services: Services, session: Session, request: tuple[InvitationCreate, AuditContext], attempt: Attempt
) -> InvitationSent:
    """Sends a new invitation to the recipient that the request names (Specification 4.10).

    Raises the errors of `choose_recipient` and `invite`.
    """
    invitation, audit = request
    recipient_id = choose_recipient(session, invitation).recipient_id
    again = InviteRequest(audit=audit, recipient_id=recipient_id, to_email=invitation.to_email)
    invited = await invite(services, session, again, attempt)
    return InvitationSent.from_snapshot(invited, recipient_id)


def choose_recipient(session: Session, request: ReminderCreate) -> Recipient:
    """Returns the recipient that `request` names, by default the next one. Does not check whether they may be invited.

    If several recipients share the address, returns the one whose turn it is.

    Raises:
        RecipientNotFound: no recipient has that id or that address.
        InvalidRequest: id and address belong to different recipients.
        SessionNotActive: no recipient is named, and none is next.
    """
    named = (
        session.recipients if request.recipient_id is None else (session.recipient(RecipientId(request.recipient_id)),)
    )
    if request.recipient_email is not None:
        named = tuple(r for r in named if r.email == request.recipient_email)
    if not named and request.recipient_id is not None:
        raise InvalidRequest([RequestIssue("/recipientEmail", "The recipient of that id has another email address.")])
    if not named:
        raise RecipientNotFound
    is_open = session.status in OPEN_FOR_SIGNING
    active = [r for r in named if (is_open and r.status in ACTIVE) or session.refused_mail_of(r.recipient_id)]
    if not active and request.recipient_id is None and request.recipient_email is None:
        raise not_active(session)
    return min(active, key=lambda r: r.signing_order, default=named[0])


async def invite(services: Services, session: Session, request: InviteRequest, attempt: Attempt) -> Session:
    """Sends a new invitation, and returns the session.

    Raises `SessionNotActive`, `RecipientNotActive`, `RecipientNotFound` or `TooOften`.
    """
    check_first(attempt, lambda: invite_again(session, request.recipient_id, request.audit, request.to_email))
    addresses = [request.to_email or r.email for r in session.recipients if r.recipient_id == request.recipient_id]
    act = f"invite {session.session_id} {attempt.update_id or uuid4()}"
    await spend(services, request.audit, MailBatch(act, addresses))
    return await services.sessions.act(session, request, attempt.update_id)


async def archive(services: Services, session: Session, audit: AuditContext, reason: str | None = None) -> Session:
    """Archives the session, which may send mails with the `reason`, and returns it. Raises `AlreadyArchived`."""
    mailed = withdrawal_mail_recipients(session, audit.at)
    if mailed:
        addresses = [session.recipient(recipient_id).email for recipient_id in mailed]
        await spend(services, audit, MailBatch(f"archive {session.session_id} {session.sequence}", addresses))
    return await services.sessions.act(session, ArchiveRequest(audit=audit, reason=reason))


async def restore(services: Services, session: Session, audit: AuditContext) -> Session:
    """Restores an archived session, and returns it. Raises `NotArchived` or `TooOften`."""
    return await services.sessions.act(session, RestoreRequest(audit=audit))


class NotAllInvited(CodedError, code="NOT_ALL_INVITED"):
    """The session was restored. A recipient was not invited again, after too many invitations within an hour."""


async def restore_and_invite(services: Services, session: Session, audit: AuditContext) -> Session:
    """Restores an archived session, and sends new invitations to the recipients whose turn it is.

    Raises the errors of `restore`, and `NotAllInvited` after the others were invited.
    """
    restored = await restore(services, session, audit)
    is_open = restored.status in OPEN_FOR_SIGNING
    turn = [r for r in restored.recipients if is_open and r.status in ACTIVE and r.gets_emails]
    skipped = False
    for recipient in turn:
        request = InviteRequest(audit=audit, recipient_id=recipient.recipient_id)
        try:
            restored = await invite(services, restored, request, single_attempt())
        except TooOften:
            skipped = True
    if skipped:
        raise NotAllInvited
    return restored


async def erase(services: Services, session: Session, audit: AuditContext) -> Session:
    """Deletes the session permanently, and returns its last state."""
    return await services.sessions.erase(session, ActionRequest(audit=audit))


def check_first(attempt: Attempt, act: Callable[[], Transition]) -> None:
    """Raises the error of `act` before a limit is charged, unless an earlier attempt may have succeeded."""
    if not attempt.is_repeated:
        act()
