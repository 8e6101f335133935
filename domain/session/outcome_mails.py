"""Mails about the outcome of a session. The action that causes them decides the recipients."""

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
    """The people who get a mail when the signed documents are ready."""

    ALL = "all"  # every recipient, and the sender
    SENDER = "sender"
    NONE = "none"


class OutcomeMail(FrozenModel):
    """A mail that is still to be sent. `cause` is the sequence number of its event, `at` the time of the event.

    `recipient_id` is None for the mail to the sender.
    """

    kind: OutcomeMailKind
    cause: int
    at: datetime
    recipient_id: RecipientId | None = None

    @property
    def name(self) -> str:
        """The name of the mail, unique within the session."""
        return f"{self.kind.value} {self.recipient_id or 'sender'} {self.cause}"
