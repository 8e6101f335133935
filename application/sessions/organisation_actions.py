"""Actions of an organisation on its sessions, by the API or the app: send, invite, archive, restore, delete
(Specification 3.3). They check the sending limits, then call `SessionActions`.
"""

from collections.abc import Callable
from uuid import uuid4

from application import charge_sending_limit
from application.idempotency import Attempt
from application.services import Services
from domain.audit.events import AuditContext
from domain.session.session import Session, Transition
from domain.shared.errors import NotADraft, SessionNotFound
from ports.session_requests import ActionRequest, InviteRequest


def single_attempt() -> Attempt:
    """Returns the attempt of a request without an idempotency key."""
    return Attempt(uuid4(), is_keyed=False, is_repeated=False)


async def send(services: Services, session: Session, audit: AuditContext, attempt: Attempt) -> Session:
    """Sends the session, and returns it.

    Raises:
        RecipientBudgetSpent, RecipientDomainNotAllowed: the client exceeds its sending limits.
        NotADraft: it was sent before, or is archived.
        NoRecipients: the session has no recipients.
        IncompleteRecipients: a name or an address is missing.
        SessionNotFound: it was deleted permanently meanwhile.
        Unavailable: Temporal does not answer.
    """
    _check_first(attempt, lambda: session.send(audit))
    await charge_sending_limit.spend(
        services, audit, charge_sending_limit.invitations_of(session.session_id, [r.email for r in session.recipients])
    )
    try:
        return await services.sessions.send(session, ActionRequest(audit=audit))
    except (NotADraft, SessionNotFound):
        if not (attempt.is_repeated and session.sent_at):  # an earlier attempt did it
            raise
        return session


async def invite(services: Services, session: Session, request: InviteRequest, attempt: Attempt) -> Session:
    """Sends a new invitation to the recipient of `request`, and returns the session.

    Raises:
        RecipientBudgetSpent, RecipientDomainNotAllowed: the client exceeds its sending limits.
        SessionNotActive: the session is not open for signing.
        RecipientNotActive: it is not their turn, or they are done.
        RecipientNotFound: no such recipient.
        TooOften: they had the maximum of invitations within the last hour.
        Unavailable: Temporal does not answer.
    """
    _check_first(attempt, lambda: session.invite(request.recipient_id, request.audit))
    addresses = [r.email for r in session.recipients if r.recipient_id == request.recipient_id]
    act = f"invite {session.session_id} {attempt.update_id or uuid4()}"
    await charge_sending_limit.spend(services, request.audit, charge_sending_limit.MailBatch(act, addresses))
    return await services.sessions.invite(session, request, attempt.update_id)


async def archive(services: Services, session: Session, audit: AuditContext) -> Session:
    """Archives the session, and returns it. The mails on its withdrawal count against the sending limits.

    Raises:
        AlreadyArchived: it is archived.
        RecipientBudgetSpent, RecipientDomainNotAllowed: those mails exceed the limits.
        SessionNotFound: it was deleted permanently meanwhile.
        Unavailable: Temporal does not answer.
    """
    told = session.withdrawal_mail_recipients(audit.at)
    if told:
        addresses = [session.recipient(recipient_id).email for recipient_id in told]
        mailing = charge_sending_limit.MailBatch(f"archive {session.session_id} {session.sequence}", addresses)
        await charge_sending_limit.spend(services, audit, mailing)
    return await services.sessions.archive(session, ActionRequest(audit=audit))


async def restore(services: Services, session: Session, audit: AuditContext) -> Session:
    """Restores an archived session, and returns it.

    Raises `NotArchived`, `TooOften`, `SessionNotFound` or `Unavailable`.
    """
    return await services.sessions.restore(session, ActionRequest(audit=audit))


async def erase(services: Services, session: Session, audit: AuditContext) -> Session:
    """Deletes the session permanently, and returns its last state. Raises `SessionNotFound` or `Unavailable`."""
    return await services.sessions.erase(session, ActionRequest(audit=audit))


def _check_first(attempt: Attempt, act: Callable[[], Transition]) -> None:
    """Raises the error of `act` before anything is counted, unless an earlier attempt may have succeeded."""
    if not attempt.is_repeated:
        act()
