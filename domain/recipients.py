"""Recipients of a session (contract 5)."""

from datetime import datetime
from enum import StrEnum

from domain.ids import RecipientId
from domain.models import Value
from domain.objects import ObjectReference


class RecipientStatus(StrEnum):
    WAITING = "waiting"  # not invited yet: a draft, or an earlier signing order is not done
    PENDING = "pending"  # invited
    VIEWED = "viewed"  # opened the documents
    COMPLETED = "completed"  # signed
    CANCELLED = "cancelled"  # was active when the session was archived; returns to its earlier status on restore


ACTIVE = frozenset({RecipientStatus.PENDING, RecipientStatus.VIEWED})
"""Invited and not done: whose turn it is."""


class Invitation(Value):
    """The invitations made to one recipient. Only the link of the latest one opens the documents.

    `number` counts them from 1 (0: none made); `link_hash` is the SHA-256 of the latest link's secret, None until it
    is made; `delivered` is the number of the latest one that the mail server took.
    """

    number: int = 0
    link_hash: str | None = None
    delivered: int = 0

    def next(self) -> "Invitation":
        """One more invitation: its link is still to be made, and no earlier link works."""
        return Invitation(number=self.number + 1, delivered=self.delivered)


class Recipient(Value):
    """Somebody who is asked to sign. `key` is the client's name for them in blocks (specification 2.9)."""

    recipient_id: RecipientId
    key: str
    name: str
    email: str
    signing_order: int
    status: RecipientStatus = RecipientStatus.WAITING
    status_before_archive: RecipientStatus | None = None
    invitation: Invitation = Invitation()
    sent_at: datetime | None = None
    viewed_at: datetime | None = None
    completed_at: datetime | None = None
    submission: ObjectReference | None = None

    @property
    def awaits_delivery(self) -> bool:
        """Whether an invitation was decided on that has not left yet."""
        return self.status in ACTIVE and self.invitation.delivered < self.invitation.number
