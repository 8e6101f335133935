"""Charges invitations against the sending limits of a client, wherever they are sent (Specification 5.5).

People who send in the app are held to nothing. What is counted stays counted when an engine fails later: the same act,
tried again, is counted once.
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
    """Returns the invitations of a session: to all recipients, those of later signing orders included."""
    return MailBatch(f"send {session_id}", addresses)


async def spend(services: Services, audit: AuditContext, mailing: MailBatch) -> None:
    """Counts `mailing` against the limits of its client today.

    Raises:
        RecipientDomainNotAllowed: an address is at a domain that the client may not mail.
        RecipientBudgetSpent: the client may mail fewer recipients today. Nothing was counted.
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
    """Seconds until the next day of UTC, at least 1."""
    now = at.astimezone(UTC)
    midnight = datetime.combine(now.date() + timedelta(days=1), time(), UTC)
    return max(int((midnight - now).total_seconds()), 1)
