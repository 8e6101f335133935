"""Sends a new invitation to the recipient that a request names (Specification 4.10)."""

from application.errors import InvalidRequest, RequestIssue
from application.idempotency import Attempt
from application.services import Services
from application.sessions import organisation_actions
from domain.audit.events import AuditContext
from domain.session.recipients import ACTIVE, Recipient
from domain.session.session import Session
from domain.session.state import OPEN_FOR_SIGNING
from domain.session.status_errors import not_active
from domain.shared.errors import RecipientNotFound
from ports.session_requests import InviteRequest
from schemas.session_actions import InvitationCreate, InvitationSent


async def send_invitation(
    services: Services, session: Session, asked: tuple[InvitationCreate, AuditContext], attempt: Attempt
) -> InvitationSent:
    """Sends a new invitation to the recipient of the request.

    Raises:
        RecipientNotFound, InvalidRequest, SessionNotActive: as `choose_recipient`.
        RecipientNotActive: it is not their turn, or they are done.
        Unavailable: Temporal does not answer.
    """
    request, audit = asked
    recipient_id = choose_recipient(session, request).recipient_id
    wanted = InviteRequest(audit=audit, recipient_id=recipient_id)
    return InvitationSent.from_snapshot(
        await organisation_actions.invite(services, session, wanted, attempt), recipient_id
    )


def choose_recipient(session: Session, request: InvitationCreate) -> Recipient:
    """Returns the recipient that `request` names, by default the next. It does not check whether they may be invited.

    An address that several recipients share means the one whose turn it is.

    Raises:
        RecipientNotFound: no recipient has that id or that address.
        InvalidRequest: id and address belong to different recipients.
        SessionNotActive: no recipient is named, and none is next.
    """
    found = [r for r in session.recipients if request.recipient_id in (None, r.recipient_id)]
    if not found:
        raise RecipientNotFound
    if request.recipient_email is not None:
        found = [r for r in found if r.email == request.recipient_email]
    if not found and request.recipient_id is not None:
        raise InvalidRequest([RequestIssue("/recipientEmail", "The recipient of that id has another email address.")])
    if not found:
        raise RecipientNotFound
    asked = [r for r in found if r.status in ACTIVE] if session.status in OPEN_FOR_SIGNING else []
    if not asked and request.recipient_id is None and request.recipient_email is None:
        raise not_active(session)
    return min(asked, key=lambda r: r.signing_order, default=found[0])
