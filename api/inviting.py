"""New invitations: who is meant by a request for one, and that it is made (Specification 4.10)."""

from api import acts
from api.idempotency import Attempt
from api.refusals import InvalidRequest, RequestIssue
from api.services import Services
from api.v1.schemas.invitations import InvitationCreate, InvitationSent
from domain.errors import RecipientNotFound
from domain.events import Occasion
from domain.reasons import not_active
from domain.recipients import ACTIVE, Recipient
from domain.session import Session
from domain.session_state import OPEN_FOR_SIGNING
from workflows.messages import InviteRequest


async def invite(
    services: Services, session: Session, asked: tuple[InvitationCreate, Occasion], attempt: Attempt
) -> InvitationSent:
    """Invites the recipient that is asked for anew.

    Raises:
        RecipientNotFound, InvalidRequest, SessionNotActive: as `choose_recipient`.
        RecipientNotActive: it is not their turn, or they are done.
        Unavailable: Temporal does not answer.
    """
    request, occasion = asked
    recipient_id = choose_recipient(session, request).recipient_id
    wanted = InviteRequest(occasion=occasion, recipient_id=recipient_id)
    return InvitationSent.from_snapshot(await acts.invite(services, session, wanted, attempt), recipient_id)


def choose_recipient(session: Session, request: InvitationCreate) -> Recipient:
    """The recipient that `request` names, or whoever is next. Whether they may be invited is for the session to say.

    An address that several have means the one of them whose turn it is.

    Raises:
        RecipientNotFound: nobody has that id or that address.
        InvalidRequest: id and address are of different people.
        SessionNotActive: nobody is named, and nobody is next.
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
