"""Mails that tell people how a session ended. Whom to tell is decided by the act that is the cause."""

from datetime import datetime
from enum import StrEnum

from domain.shared.frozen_model import FrozenModel
from domain.shared.ids import RecipientId


class OutcomeMailKind(StrEnum):
    COMPLETED = "completed"  # all have signed, and every signed PDF is stored
    DECLINED = "declined"  # a recipient declined
    EXPIRED = "expired"  # the expiry date passed before all had signed
    CANCELLED = "cancelled"  # the session was archived before all had signed


class CompletionMails(StrEnum):
    """Who is told by mail that the signed documents are there."""

    ALL = "all"  # every recipient, and the sender
    SENDER = "sender"
    NONE = "none"


class OutcomeMail(FrozenModel):
    """One mail that has still to leave. `cause` is the number of the event that it tells of; `at` the time of that.

    `recipient_id` is whom it goes to, None for the sender.
    """

    kind: OutcomeMailKind
    cause: int
    at: datetime
    recipient_id: RecipientId | None = None

    @property
    def name(self) -> str:
        """The same name for the same mail, and no other's."""
        return f"{self.kind.value} {self.recipient_id or 'sender'} {self.cause}"
