"""Recipients of a session (Specification 3.2)."""

from datetime import datetime, timedelta
from enum import StrEnum

from domain.shared.frozen_model import FrozenModel
from domain.shared.ids import RecipientId
from domain.shared.object_names import ObjectReference
from domain.shared.times import LocalDate


class RecipientStatus(StrEnum):
    WAITING = "waiting"  # not invited yet: a draft, or an earlier signing order is not done
    PENDING = "pending"  # invited
    VIEWED = "viewed"  # opened the documents
    COMPLETED = "completed"  # signed
    DECLINED = "declined"  # refused to sign, which ended the session
    EXPIRED = "expired"  # had not signed when the session expired
    CANCELLED = "cancelled"  # the session was archived, and restoring returns the earlier status; or another declined


class RecipientVerification(StrEnum):
    """What recipients have to do beside following their link before the documents open."""

    NONE = "none"
    EMAIL_CODE = "emailCode"  # enter a one-time code that is sent to their address


ACTIVE = frozenset({RecipientStatus.PENDING, RecipientStatus.VIEWED})
"""Invited and not done: whose turn it is."""

OPEN = ACTIVE | {RecipientStatus.WAITING}
"""Not done, invited or not."""


HOUR = timedelta(hours=1)

MAX_PER_HOUR = 10
"""Invitations of one recipient, and restores of one session, within an hour: more would only fill a mailbox."""


def within_an_hour(times: tuple[datetime, ...], at: datetime) -> tuple[datetime, ...]:
    """Those of `times` that lie less than an hour before `at`."""
    return tuple(time for time in times if time > at - HOUR)


class Invitation(FrozenModel):
    """The invitations made to one recipient. Only the link of the latest one opens the documents.

    `number` counts them from 1 (0: none made), and the link derives from it (`domain.session.signing_links`).
    `delivered` is the number of the latest one that the mail server took. `failed` is the number of the latest one
    whose mail, or a reminder of it, the server refused for good, and `refusal` what it answered.
    """

    number: int = 0
    delivered: int = 0
    failed: int = 0
    refusal: str | None = None

    @property
    def has_failed(self) -> bool:
        """Whether the latest invitation reaches nobody: only another one is tried."""
        return 0 < self.number == self.failed

    def next(self) -> "Invitation":
        """One more invitation. No earlier link works."""
        return Invitation(number=self.number + 1, delivered=self.delivered)


class Recipient(FrozenModel):
    """Somebody who is asked to sign. `key` is the client's name for them in blocks (Specification 2.9).

    `devices` are digests of the browsers in which they opened the documents. `reminders` counts the reminders that were
    decided on, `reminders_delivered` is the number of the latest one that the mail server took. `invited_at` holds the
    times of the invitations of the last hour, `withdrawn_at` the time of the latest mail that the session was archived.
    `signed_on` is the day of `completed_at` as it is printed; None if they signed before days had time zones.
    """

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
    signed_on: LocalDate | None = None
    submission: ObjectReference | None = None
    decline_reason: str | None = None
    devices: tuple[str, ...] = ()
    reminders: int = 0
    reminders_delivered: int = 0
    invited_at: tuple[datetime, ...] = ()
    withdrawn_at: datetime | None = None

    @property
    def has_pending_invitation(self) -> bool:
        """Whether an invitation was decided on that has not left yet, and may."""
        pending = self.invitation.delivered < self.invitation.number and not self.invitation.has_failed
        return self.status in ACTIVE and pending

    @property
    def is_unreachable(self) -> bool:
        """Whether it is their turn, and the mail server refused to tell them."""
        return self.status in ACTIVE and self.invitation.has_failed

    @property
    def has_pending_reminder(self) -> bool:
        """Whether a reminder was decided on that has not left yet."""
        return self.status in ACTIVE and self.reminders_delivered < self.reminders

    @property
    def is_notified(self) -> bool:
        """Whether they know of the session: an invitation has left, or they have acted before that was known."""
        return bool(self.invitation.delivered or self.viewed_at or self.completed_at or self.decline_reason is not None)

    @property
    def can_be_reminded(self) -> bool:
        """Whether it is their turn, they know of it, and no other reminder is under way."""
        under_way = self.has_pending_invitation or self.has_pending_reminder
        return self.status in ACTIVE and not under_way and not self.is_unreachable

    def can_mail_withdrawal(self, at: datetime) -> bool:
        """Whether they know of the session, and no mail of the last hour says that it was archived."""
        return self.is_notified and (self.withdrawn_at is None or self.withdrawn_at <= at - HOUR)

    def invited(self, at: datetime) -> dict[str, object]:
        """What changes with one more invitation: it stands for a reminder that has not left, too."""
        return {
            "status": RecipientStatus.PENDING if self.status is RecipientStatus.WAITING else self.status,
            "invitation": self.invitation.next(),
            "invited_at": (*within_an_hour(self.invited_at, at), at),
            "reminders_delivered": self.reminders,
            "sent_at": at,
        }

    def archived(self, withdrawn_at: datetime | None) -> "Recipient":
        """The recipient of an archived session, told of it at `withdrawn_at`; None: they are not told.

        One who has neither signed nor declined becomes cancelled; a reminder that has not left is dropped.
        """
        told = self if withdrawn_at is None else self.model_copy(update={"withdrawn_at": withdrawn_at})
        if self.status not in OPEN:
            return told
        return told.model_copy(
            update={
                "status": RecipientStatus.CANCELLED,
                "status_before_archive": self.status,
                "reminders_delivered": self.reminders,
            }
        )

    def restored(self) -> "Recipient":
        """The recipient as before archiving."""
        if self.status_before_archive is None:
            return self
        return self.model_copy(update={"status": self.status_before_archive, "status_before_archive": None})
