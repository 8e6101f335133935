"""Mails about the outcome of a session (Specification 6.4). `outcome_mail_recipients` decides who gets them."""

from datetime import datetime
from enum import StrEnum

from domain.session.recipients import Delegation
from domain.shared.frozen_model import FrozenModel, omitted_default
from domain.shared.ids import RecipientId, UserId


class OutcomeMailKind(StrEnum):
    SIGNED = (
        "signed"  # a recipient signed or approved, and others have not; for them, and the user who sent the session
    )
    COMPLETED = "completed"  # all have signed, and every signed PDF is stored
    DECLINED = "declined"  # a recipient declined
    EXPIRED = "expired"  # the expiry date passed before all had signed
    CANCELLED = "cancelled"  # the session was archived before all had signed
    DELEGATED = "delegated"  # a recipient passed their turn on to another person
    REPLACED = "replaced"  # for an earlier address of a recipient, which was replaced


DEFAULT_NOTIFICATIONS = (OutcomeMailKind.DECLINED, OutcomeMailKind.COMPLETED, OutcomeMailKind.EXPIRED)
"""The outcomes that a user is notified of by default."""


class CompletionMails(StrEnum):
    """The people who get a mail when the signed documents are ready."""

    ALL = "all"  # every recipient, and the sender
    SENDER = "sender"
    NONE = "none"


class OutcomeMail(FrozenModel):
    """A mail that is still to be sent. `cause` is the sequence number of its event, `at` the time of the event.

    It is for the recipient `recipient_id`, or the user `user_id`; without both, for the address of the sender.
    `to_name` and `to_email` are set if the recipient no longer has this name and address. `signer_id` is set if the
    cause is a signature or an approval, `delegation` if it is a delegation.
    """

    kind: OutcomeMailKind
    cause: int
    at: datetime
    recipient_id: RecipientId | None = None
    to_name: str | None = None
    to_email: str | None = None
    user_id: UserId | None = None
    signer_id: RecipientId | None = None
    delegation: Delegation | None = omitted_default(None)

    @property
    def name(self) -> str:
        """The name of the mail, unique within the session."""
        return f"{self.kind.value} {self.recipient_id or self.user_id or 'sender'} {self.cause}"


class RefusedMail(FrozenModel):
    """A mail whose address the mail server rejected permanently, with its response. It can be sent again."""

    mail: OutcomeMail
    refusal: str
