"""A recipient passes their turn on to another person (Specification 3.8)."""

from application.charge_sending_limit import MailBatch, spend_for_sender
from application.errors import InvalidRequest, RequestIssue
from application.schemas.session_actions import DelegateCreate
from application.services import Services
from application.sessions.edit import check_names
from domain.ports.session_requests import DelegateRequest, RecipientActionRequest
from domain.session.delegation import Delegate, delegate
from domain.session.session import Session
from domain.shared.errors import AddressTaken
from domain.shared.ids import RecipientRef
from domain.shared.linkable_text import has_link
from layout.checks.find_issues import token_issues

_NO_LINKS = "Leave out web addresses, email addresses and phone numbers."


async def pass_on(services: Services, session: Session, act: RecipientActionRequest, wanted: DelegateCreate) -> Session:
    """Passes on the turn of the acting recipient, deletes their saved form, and returns the session.

    The mail counts against the sending limits of the client that sent the session. Raises `InvalidRequest`, or the
    errors of `delegate` and `spend`.
    """
    to = Delegate(name=wanted.name, email=wanted.email, reason=wanted.reason)
    await check_names(services, [wanted], {0: "/name"})
    if has_link(wanted.name):
        raise InvalidRequest([RequestIssue("/name", _NO_LINKS)])
    if issues := [RequestIssue("/name", issue.message) for issue in token_issues("/name", wanted.name, 1, None)]:
        raise InvalidRequest(issues)
    try:
        delegate(session, act.recipient_id, to, act.audit)
        mail = f"delegate {session.session_id} {act.recipient_id} {act.invitation}"
        await spend_for_sender(services, session, MailBatch(mail, [to.email]), act.audit.at)
        passed = await services.sessions.act(session, DelegateRequest(**dict(act), to=to))
    except AddressTaken as error:
        raise InvalidRequest([RequestIssue("/email", error.message)]) from error
    await services.drafts.discard(RecipientRef(session.organisation_id, session.session_id, act.recipient_id))
    return passed
