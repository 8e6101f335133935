"""What an organisation does with its sessions: programs through the API, people in the app (Specification 3.3)."""

from collections.abc import Callable
from uuid import uuid4

from application import sending_limits
from application.idempotency import Attempt
from application.services import Services
from domain.audit.events import AuditContext
from domain.session.session import Session, Transition
from domain.shared.errors import NotADraft, SessionNotFound
from ports.session_requests import ActionRequest, InviteRequest


def only_attempt() -> Attempt:
    """For a request without a key: it is tried once, and nothing came before it."""
    return Attempt(uuid4(), is_keyed=False, is_repeated=False)


async def send(services: Services, session: Session, audit: AuditContext, attempt: Attempt) -> Session:
    """The session, sent.

    Raises:
        RecipientBudgetSpent, RecipientDomainNotAllowed: it is more than the client that asks may mail.
        NotADraft: it was sent before, or is archived.
        NoRecipients: nobody is asked to sign.
        IncompleteRecipients: a name or an address is missing.
        SessionNotFound: it was deleted for ever meanwhile.
        Unavailable: Temporal does not answer.
    """
    _check_first(attempt, lambda: session.send(audit))
    await sending_limits.spend(
        services, audit, sending_limits.sending(session.session_id, [r.email for r in session.recipients])
    )
    try:
        return await services.sessions.send(session, ActionRequest(audit=audit))
    except (NotADraft, SessionNotFound):
        if not (attempt.is_repeated and session.sent_at):  # an earlier attempt did it
            raise
        return session


async def invite(services: Services, session: Session, request: InviteRequest, attempt: Attempt) -> Session:
    """The session, with a new invitation to the recipient that `request` names.

    Raises:
        RecipientBudgetSpent, RecipientDomainNotAllowed: it is more than the client that asks may mail.
        SessionNotActive: nobody can sign now.
        RecipientNotActive: it is not their turn, or they are done.
        RecipientNotFound: no such recipient.
        TooOften: they had as many invitations within the last hour as there may be.
        Unavailable: Temporal does not answer.
    """
    _check_first(attempt, lambda: session.invite(request.recipient_id, request.audit))
    addresses = [r.email for r in session.recipients if r.recipient_id == request.recipient_id]
    act = f"invite {session.session_id} {attempt.update_id or uuid4()}"
    await sending_limits.spend(services, request.audit, sending_limits.Mailing(act, addresses))
    return await services.sessions.invite(session, request, attempt.update_id)


async def archive(services: Services, session: Session, audit: AuditContext) -> Session:
    """The session, archived. The mails that say so count as those of sending do.

    Raises:
        AlreadyArchived: it is archived.
        RecipientBudgetSpent, RecipientDomainNotAllowed: more people are told of it than the client that asks may mail.
        SessionNotFound: it was deleted for ever meanwhile.
        Unavailable: Temporal does not answer.
    """
    told = session.withdrawal_mail_recipients(audit.at)
    if told:
        addresses = [session.recipient(recipient_id).email for recipient_id in told]
        mailing = sending_limits.Mailing(f"archive {session.session_id} {session.sequence}", addresses)
        await sending_limits.spend(services, audit, mailing)
    return await services.sessions.archive(session, ActionRequest(audit=audit))


async def restore(services: Services, session: Session, audit: AuditContext) -> Session:
    """The session as it was before it was archived.

    Raises `NotArchived`, `TooOften`, `SessionNotFound` or `Unavailable`.
    """
    return await services.sessions.restore(session, ActionRequest(audit=audit))


async def erase(services: Services, session: Session, audit: AuditContext) -> Session:
    """What was left of the session when it was deleted for ever. Raises `SessionNotFound` or `Unavailable`."""
    return await services.sessions.erase(session, ActionRequest(audit=audit))


def _check_first(attempt: Attempt, act: Callable[[], Transition]) -> None:
    """Refuses what the session refuses: the run of a final one may have ended, and cannot.

    An earlier attempt may have changed it already; then only the run knows what came of that.
    """
    if not attempt.is_repeated:
        act()
