"""Recipients of a session (Specification 3.2)."""

from datetime import datetime, timedelta

from domain.shared.errors import TooOften
from domain.shared.frozen_model import FrozenModel, omitted_default
from domain.shared.ids import ClientId, RecipientId
from domain.shared.object_names import ObjectReference
from domain.shared.times import LocalDate
from domain.texts.described_enum import DescribedEnum


class RecipientStatus(DescribedEnum):
    """Status of a recipient."""

    WAITING = "waiting", "not invited yet"
    PENDING = "pending", "invited"
    VIEWED = "viewed", "opened the documents"
    COMPLETED = "completed", "signed or approved, or gets a copy of a completed session; final"
    DECLINED = "declined", "declined to sign or to approve; final"
    EXPIRED = "expired", "did not sign or approve in time; final"
    CANCELLED = (
        "cancelled",
        "the session was archived, and restoring returns the earlier status; or another recipient declined",
    )


class RecipientRole(DescribedEnum):
    """What a recipient is asked to do."""

    SIGNER = "signer", "fill in their fields and sign"
    APPROVER = "approver", "read the documents and approve them; they fill in and sign nothing"
    COPY = "copy", "nothing; they get the documents when all others have finished"


class RecipientVerification(DescribedEnum):
    """Verification of recipients, besides their link, before the documents open."""

    NONE = "none", "none"
    EMAIL_CODE = "emailCode", "the recipient enters a one-time code that is sent to their address"


class Delivery(DescribedEnum):
    """How a recipient gets the address of their documents."""

    EMAIL = "email", "by an invitation; the later emails follow"
    NONE = "none", "from a program of the organisation (Create Signing Url); the recipient gets no emails"


ACTIVE = frozenset({RecipientStatus.PENDING, RecipientStatus.VIEWED})
"""Statuses of invited recipients who have not finished."""

OPEN = ACTIVE | {RecipientStatus.WAITING}
"""Statuses of recipients who have not finished."""


HOUR = timedelta(hours=1)
BETWEEN_MAILS = timedelta(hours=12)
"""Minimum time from an invitation or reminder to a scheduled reminder."""

MAX_PER_HOUR = 10
"""Maximum invitations of a recipient, and restores of a session, within an hour."""


def within_an_hour(times: tuple[datetime, ...], at: datetime) -> tuple[datetime, ...]:
    """Returns the times that are less than an hour before `at`."""
    return tuple(time for time in times if time > at - HOUR)


class Invitation(FrozenModel):
    """The invitations of one recipient, numbered from 1. Only the link of the latest one is valid.

    `number` is the latest invitation (0: none), `delivered` the latest that the mail server accepted, `failed` the
    latest whose mail or reminder it rejected permanently, and `refusal` its answer.
    """

    number: int = 0
    delivered: int = 0
    failed: int = 0
    refusal: str | None = None

    @property
    def has_failed(self) -> bool:
        """Whether the mail server rejected the latest invitation. It is not retried; a new invitation replaces it."""
        return 0 < self.number == self.failed

    def next(self) -> "Invitation":
        """Returns the state after another invitation, which invalidates earlier links."""
        return Invitation(number=self.number + 1, delivered=self.delivered)


class Delegation(FrozenModel):
    """A delegation: the holder of the invitation with number `invitation` passed their turn on to another person."""

    name: str
    email: str
    to_name: str
    to_email: str
    reason: str
    invitation: int


class RecipientSettings(FrozenModel):
    """What the sender says about a recipient of a session or template (Specification 2.9).

    `key` is the client's name for them in blocks. `language` takes precedence over that of the session. A session is
    created, edited and copied with all members of this class, so that a new member is defined here and in
    `application.schemas.recipient_members` only.
    """

    key: str
    name: str
    email: str
    signing_order: int
    role: RecipientRole = omitted_default(RecipientRole.SIGNER)
    language: str | None = omitted_default(None)


class AddressedRecipient(RecipientSettings):
    """What the sender says about a recipient of a session."""

    delivery: Delivery = Delivery.EMAIL


class Recipient(AddressedRecipient):
    """A recipient of a session.

    `devices` are digests of the browsers in which they opened the documents. `reminders` is the number of the latest
    reminder, `reminders_delivered` that of the latest one that the mail server accepted. `invited_at` holds the times
    of the invitations of the last hour, `withdrawn_at` the time of the latest mail about archiving, `reminded_at` that
    of the latest reminder.
    `signed_on` is the printed date of `completed_at`; None if they signed before dates had time zones. `program` is the
    API client that had opened the documents for them when they signed; None: they followed their link. `delegations`
    are those of their turn, oldest first.
    """

    recipient_id: RecipientId
    status: RecipientStatus = RecipientStatus.WAITING
    status_before_archive: RecipientStatus | None = None
    invitation: Invitation = Invitation()
    sent_at: datetime | None = None
    viewed_at: datetime | None = None
    completed_at: datetime | None = None
    signed_on: LocalDate | None = None
    submission: ObjectReference | None = None
    declined_at: datetime | None = None
    decline_reason: str | None = None
    devices: tuple[str, ...] = ()
    reminders: int = 0
    reminders_delivered: int = 0
    invited_at: tuple[datetime, ...] = ()
    withdrawn_at: datetime | None = None
    reminded_at: datetime | None = None
    program: ClientId | None = None
    delegations: tuple[Delegation, ...] = omitted_default(())

    @property
    def signs(self) -> bool:
        return self.role is RecipientRole.SIGNER

    @property
    def approves(self) -> bool:
        return self.role is RecipientRole.APPROVER

    @property
    def gets_copy(self) -> bool:
        """Whether the recipient only gets the documents once all others have finished."""
        return self.role is RecipientRole.COPY

    @property
    def gets_emails(self) -> bool:
        return self.delivery is Delivery.EMAIL

    @property
    def delegation(self) -> Delegation | None:
        """The delegation that gave the turn to the current address; None if there was none."""
        last = self.delegations[-1] if self.delegations else None
        return last if last and last.to_email == self.email else None

    @property
    def has_pending_invitation(self) -> bool:
        """Whether an invitation is still to be sent."""
        pending = self.invitation.delivered < self.invitation.number and not self.invitation.has_failed
        return self.status in ACTIVE and pending and self.gets_emails

    @property
    def is_unreachable(self) -> bool:
        """Whether the recipient is active, and the mail server rejected the invitation."""
        return self.status in ACTIVE and self.invitation.has_failed

    @property
    def has_pending_reminder(self) -> bool:
        """Whether a reminder is still to be sent."""
        return self.status in ACTIVE and self.reminders_delivered < self.reminders

    @property
    def is_notified(self) -> bool:
        """Whether the recipient gets emails, and knows of the session by a delivered invitation or an action."""
        has_acted = self.viewed_at or self.completed_at or self.decline_reason is not None
        return self.gets_emails and bool(self.invitation.delivered or has_acted)

    @property
    def can_be_reminded(self) -> bool:
        """Whether the recipient is active and gets emails, and no invitation or other reminder is pending."""
        under_way = self.has_pending_invitation or self.has_pending_reminder
        return self.status in ACTIVE and self.gets_emails and not under_way and not self.is_unreachable

    def was_mailed_since(self, at: datetime) -> bool:
        """Returns whether the recipient was invited or reminded after `at`."""
        return any(mailed is not None and mailed > at for mailed in (self.sent_at, self.reminded_at))

    def can_mail_withdrawal(self, at: datetime) -> bool:
        """Returns whether the recipient knows of the session and had no mail about archiving within the last hour."""
        return self.is_notified and (self.withdrawn_at is None or self.withdrawn_at <= at - HOUR)

    def invited(self, at: datetime) -> dict[str, object]:
        """Returns the changes of another invitation, which also replaces a pending reminder."""
        return {
            "status": RecipientStatus.PENDING if self.status is RecipientStatus.WAITING else self.status,
            "invitation": self.invitation.next(),
            "invited_at": (*within_an_hour(self.invited_at, at), at),
            "reminders_delivered": self.reminders,
            "sent_at": at,
        }

    def with_copy(self) -> "Recipient":
        """Returns the recipient of a completed session. The link of a recipient of a copy becomes valid."""
        if not self.gets_copy:
            return self
        return self.model_copy(update={"status": RecipientStatus.COMPLETED, "invitation": self.invitation.next()})

    def check_may_be_invited(self, at: datetime) -> None:
        """Raises `TooOften` if the recipient had the maximum number of invitations within the last hour."""
        if len(within_an_hour(self.invited_at, at)) >= MAX_PER_HOUR:
            raise TooOften

    def readdressed(self, name: str, email: str) -> "Recipient":
        """Returns the recipient with another name and address, without the deliveries and views of the earlier address.

        The counts for the hourly limits stay, so that repeated corrections do not bypass them.
        """
        changes: dict[str, object] = {"name": name, "email": email}
        if self.status in ACTIVE:
            changes |= {"status": RecipientStatus.PENDING, "viewed_at": None, "devices": ()}
            changes["invitation"] = Invitation(number=self.invitation.number)
        return self.model_copy(update=changes)

    def archived(self, withdrawn_at: datetime | None) -> "Recipient":
        """Returns the recipient of an archived session. `withdrawn_at` is the time of their mail, if they get one."""
        changes: dict[str, object] = {} if withdrawn_at is None else {"withdrawn_at": withdrawn_at}
        if self.status in OPEN:
            changes |= {"status": RecipientStatus.CANCELLED, "status_before_archive": self.status}
            changes["reminders_delivered"] = self.reminders
        return self.model_copy(update=changes)

    def restored(self) -> "Recipient":
        """Returns the recipient as before archiving."""
        if self.status_before_archive is None:
            return self
        return self.model_copy(update={"status": self.status_before_archive, "status_before_archive": None})
