"""Charges invitations against the sending limits of an API client, for the API and tools (Specification 5.5).

Users who send in the app have no limits. A charge remains if the action fails later. A retry of the same act is not
charged again.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta
from typing import NamedTuple

from application.errors import RecipientBudgetSpent, RecipientDomainNotAllowed
from application.services import Services
from domain.audit.events import ActorKind, AuditContext, EventType
from domain.ports.limits import ChargeResult, SendingCharge
from domain.session.session import Session
from domain.shared.ids import ClientId, SessionId

SENDING_LIMIT_ERRORS = (RecipientBudgetSpent, RecipientDomainNotAllowed)
"""Errors of a client that exceeds its sending limits."""


class MailBatch(NamedTuple):
    """Mails to `addresses`. Batches with the same `act` are counted once."""

    act: str
    addresses: Sequence[str]


def invitations_of(session_id: SessionId, addresses: Sequence[str]) -> MailBatch:
    """Returns the invitations of a session to all `addresses`, including those of later signing orders."""
    return MailBatch(f"send {session_id}", addresses)


async def spend_for_sender(services: Services, session: Session, batch: MailBatch, at: datetime) -> None:
    """Charges mails that a recipient of `session` causes to the client that sent it. Raises as `spend`."""
    events = await services.rows.events(session.organisation_id, session.session_id)
    senders = [event.actor for event in events if event.type is EventType.SESSION_SENT]
    if senders:
        await spend(services, AuditContext(at=at, actor=senders[-1]), batch)


async def spend(services: Services, audit: AuditContext, batch: MailBatch) -> None:
    """Charges `batch` against the limits of the client in `audit` for the day (UTC).

    Returns without a charge if the actor is not a client or has no limits.

    Raises:
        RecipientDomainNotAllowed: an address is at a domain that the client may not mail.
        RecipientBudgetSpent: the charge would exceed the recipients per day. Nothing is charged.
    """
    if audit.actor.kind is not ActorKind.CLIENT:
        return
    client_id = ClientId(audit.actor.id)
    limit = await services.budgets.find(client_id)
    refused = limit.refused_domains(batch.addresses) if limit else ()
    if limit and refused:
        raise RecipientDomainNotAllowed(refused, limit.domains)
    if limit is None or limit.recipients_per_day is None:
        return
    now = audit.at.astimezone(UTC)
    charge = SendingCharge(client_id, batch.act, len(batch.addresses))
    if await services.budgets.charge(charge, now.date(), limit.recipients_per_day) is ChargeResult.EXCEEDED:
        midnight = datetime.combine(now.date() + timedelta(days=1), time(), UTC)
        seconds = max(int((midnight - now).total_seconds()), 1)
        raise RecipientBudgetSpent(limit.recipients_per_day, charge.recipients, seconds)
