"""A recipient passes their turn on to another person, if the session allows it (Specification 3.8)."""

from domain.audit.events import AuditContext, EventType
from domain.session.edits import without_replacement_mails
from domain.session.error_messages import NO_EMAILS
from domain.session.outcome_mail_recipients import delegation_mails
from domain.session.recipients import Delegation, Recipient
from domain.session.session import Session, Transition
from domain.shared import errors
from domain.shared.frozen_model import FrozenModel
from domain.shared.ids import RecipientId

MAX_DELEGATIONS = 3
"""Maximum number of times that one recipient's turn is passed on."""

_NOT_ALLOWED = "The sender has not allowed recipients to pass this session on."
_TOO_MANY = f"This was passed on {MAX_DELEGATIONS} times, which is the maximum."


class Delegate(FrozenModel):
    """The person who acts instead of a recipient, and the reason."""

    name: str
    email: str
    reason: str


def may_delegate(session: Session, recipient: Recipient) -> bool:
    """Returns whether an active recipient of the session may pass their turn on."""
    return _refusal(session, recipient) is None


def delegate(session: Session, recipient_id: RecipientId, to: Delegate, audit: AuditContext) -> Transition:
    """Passes the turn of a recipient on. Their link becomes invalid, `to` is invited, and the sender gets an email.

    Raises the errors of `check_may_act`, `RecipientNotActive`, `AddressTaken`, or `TooOften` after `MAX_PER_HOUR`
    invitations within an hour.
    """
    before = session.check_may_act(recipient_id, audit.at)
    if refusal := _refusal(session, before):
        raise errors.RecipientNotActive(refusal)
    if any(one.email == to.email for one in session.recipients):
        raise errors.AddressTaken
    before.check_may_be_invited(audit.at)
    passed = Delegation(
        name=before.name,
        email=before.email,
        to_name=to.name,
        to_email=to.email,
        reason=to.reason,
        invitation=before.invitation.number,
    )
    after = before.readdressed(to.name, to.email).model_copy(update={"delegations": (*before.delegations, passed)})
    details = {
        "recipientId": recipient_id,
        "previousName": passed.name,
        "name": passed.to_name,
        "previousEmail": passed.email,
        "email": passed.to_email,
        "reason": passed.reason,
    }
    changed = session.changed_at(audit).with_recipient(after)
    step = Transition(without_replacement_mails(changed, after)).record(EventType.RECIPIENT_DELEGATED, audit, details)
    return step.notify(delegation_mails(step.session, passed)).invite(after, audit.by_system())


def _refusal(session: Session, recipient: Recipient) -> str | None:
    if not session.delegation:
        return _NOT_ALLOWED
    if not recipient.gets_emails:
        return NO_EMAILS
    return _TOO_MANY if len(recipient.delegations) >= MAX_DELEGATIONS else None
