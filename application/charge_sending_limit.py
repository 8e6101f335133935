"""Charges invitations against the sending limits of an API client, for the API and tools (Specification 5.5).

Users who send in the app have no limits. A charge remains if the action fails later. A retry of the same act is not
charged again.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta
from typing import NamedTuple

from application.errors import RecipientBudgetSpent, RecipientDomainNotAllowed
from application.services import Services
from domain.audit.events import ActorKind, AuditContext
from domain.shared.ids import ClientId, SessionId
from ports.limits import ChargeResult, SendingCharge

SENDING_LIMIT_ERRORS = (RecipientBudgetSpent, RecipientDomainNotAllowed)
"""Errors of a client that exceeds its sending limits."""


class MailBatch(NamedTuple):
    """Mails to `addresses`. Batches with the same `act` are counted once."""

    act: str
    addresses: Sequence[str]


def invitations_of(session_id: SessionId, addresses: Sequence[str]) -> MailBatch:
    """Returns the invitations of a session to all `addresses`, including those of later signing orders."""
    return MailBatch(f"send {session_id}", addresses)


async def spend(services: Services, audit: AuditContext, mailing: MailBatch) -> None:
    """Charges `mailing` against the limits of the client in `audit` for the day (UTC).

    Returns without a charge if the actor is not a client or has no limits.

    Raises:
        RecipientDomainNotAllowed: an address is at a domain that the client may not mail.
        RecipientBudgetSpent: the charge would exceed the recipients per day. Nothing is charged.
    """
    if audit.actor.kind is not ActorKind.CLIENT:
        return
    client_id = ClientId(audit.actor.id)
    budget = await services.budgets.find(client_id)
    if budget is None:
        return
    refused = budget.refused_domains(mailing.addresses)
    if refused:
        raise RecipientDomainNotAllowed(refused, budget.domains)
    if budget.recipients_per_day is None:
        return
    spending = SendingCharge(client_id, mailing.act, len(mailing.addresses))
    spent = await services.budgets.charge(spending, audit.at.astimezone(UTC).date(), budget.recipients_per_day)
    if spent is ChargeResult.EXCEEDED:
        raise RecipientBudgetSpent(budget.recipients_per_day, spending.recipients, _rest_of_day(audit.at))


def _rest_of_day(at: datetime) -> int:
    """Returns the seconds until the next midnight (UTC), at least 1."""
    now = at.astimezone(UTC)
    midnight = datetime.combine(now.date() + timedelta(days=1), time(), UTC)
    return max(int((midnight - now).total_seconds()), 1)
