"""The activities that workflows call. A worker registers an implementation under each of these names."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field
from temporalio import activity

from domain.audit.events import Event
from domain.batches.batch import BatchKey, BatchProgress
from domain.callbacks.callback import Callback
from domain.callbacks.delivery_schedule import Delivery, ReceiverPause
from domain.seal.seal import Seal
from domain.session.materials import Materials
from domain.session.outcome_mail_kinds import OutcomeMail
from domain.session.recipients import Delegation, RecipientRole
from domain.session.session import Session
from domain.session.snapshot import SessionFile
from domain.shared.frozen_model import FrozenModel, omitted_default
from domain.shared.ids import OrganisationId, RecipientId, SessionId, UserId
from domain.shared.object_names import ObjectReference

SESSIONS_QUEUE = "sessions"
"""Task queue of the workflows and of short activities."""

MAIL_REJECTED = "MailRejected"
"""Failure type of a mail that the mail server permanently rejected. It is not retried."""

DOCUMENTS_QUEUE = "documents"
"""Task queue of the heavy work: stamping and sealing."""

BATCHES_QUEUE = "batches"
"""Task queue of the rows of batches. Its tasks are long, so they do not share the slots of `DOCUMENTS_QUEUE`."""


CALLBACKS_QUEUE = "callbacks"
"""Task queue of requested deliveries: redeliveries, and deliveries after a pause."""


FAILING_QUEUE = "callbacks-failing"
"""Task queue of all other deliveries, whose receivers failed. Workers take these tasks while the machine is idle."""


class RecordRequest(FrozenModel):
    """The session, with its events and callbacks since it was last recorded."""

    session: Session
    events: tuple[Event, ...] = ()
    callbacks: tuple[Callback, ...] = ()


class LinkRequest(FrozenModel):
    """The signing link of a recipient's invitation (numbered from 1)."""

    organisation_id: OrganisationId
    session_id: SessionId
    recipient_id: RecipientId
    invitation: int


class InvitationRequest(FrozenModel):
    """An invitation. `delegation`: another person has passed their turn on to the recipient.

    `part` is the number of the recipient among those with their address, and how many these are; None for one.
    `sender_name` is the person of the organisation who asks, None if no one is named.
    """

    kind: Literal["invitation"] = "invitation"
    link: LinkRequest
    organisation_name: str
    session_name: str
    message: str | None
    recipient_name: str
    recipient_email: str
    invited_at: datetime
    expires_at: datetime | None = None
    reply_to: str | None = None
    sender_name: str | None = omitted_default(None)
    role: RecipientRole = omitted_default(RecipientRole.SIGNER)
    delegation: Delegation | None = omitted_default(None)
    language: str | None = omitted_default(None)
    part: tuple[int, int] | None = omitted_default(None)

    def sent(self, session: Session) -> Session:
        """Returns `session` after the email was sent."""
        return session.with_delivery(self.link.recipient_id, self.link.invitation)


class ReminderRequest(FrozenModel):
    """One reminder by email, number `reminder` (from 1), with the content of the latest invitation."""

    kind: Literal["reminder"] = "reminder"
    invitation: InvitationRequest
    reminder: int
    due_at: datetime

    def sent(self, session: Session) -> Session:
        return session.with_reminder(self.invitation.link.recipient_id, self.reminder)


class OutcomeMailRequest(FrozenModel):
    """An email about a session that ended, a signature or an approval: to a recipient (with `link`) or to the sender.

    For the user who sent it, `to_name` and `to_email` are empty: the activity looks up the user and their choice of
    emails. `also_to` is the address of the sender, if it gets an email with the same cause. `reason` is that of
    `decliner` in emails to the sender, and that of archiving in emails to recipients. `signer` has signed or approved,
    as have `signed` of `signers`; `has_approvers`: some of these approve. `role` is that of the recipient, `actor_role`
    that of `decliner` or `signer`.
    """

    kind: Literal["outcome_mail"] = "outcome_mail"
    organisation_id: OrganisationId
    session_id: SessionId
    organisation_name: str
    session_name: str
    notice: OutcomeMail
    to_name: str
    to_email: str
    link: LinkRequest | None = None
    decliner: str | None = None
    reason: str | None = None
    expires_at: datetime | None = None
    reply_to: str | None = None
    sender_name: str | None = omitted_default(None)
    also_to: str | None = None
    signer: str | None = None
    signed: int = 0
    signers: int = 0
    has_approvers: bool = omitted_default(False)
    role: RecipientRole = omitted_default(RecipientRole.SIGNER)
    actor_role: RecipientRole = omitted_default(RecipientRole.SIGNER)
    language: str | None = omitted_default(None)

    def sent(self, session: Session) -> Session:
        return session.without_outcome_mail(self.notice)


EmailRequest = Annotated[InvitationRequest | ReminderRequest | OutcomeMailRequest, Field(discriminator="kind")]


class RecordAndSendRequest(RecordRequest):
    """A session and its due emails by name. With the results of the emails, it is recorded as `revision`."""

    emails: dict[str, EmailRequest]
    revision: int


class RecordedAndSent(FrozenModel):
    """Whether the session is recorded, the sent emails, and the rejected ones with the mail server's response."""

    is_recorded: bool
    sent: tuple[str, ...] = ()
    refused: Mapping[str, str] = Field(default_factory=dict)


class GeneratedDocument(FrozenModel):
    """The signed PDF, stored and validated, and its seal. `seal` is None for documents from before seals."""

    signed: ObjectReference
    seal: Seal | None = None


class AugmentRequest(FrozenModel):
    organisation_id: OrganisationId
    session_id: SessionId
    file: SessionFile


class AugmentedDocument(FrozenModel):
    """The signed PDF with its seal, augmented as far as possible now; unchanged if the target level is reached."""

    signed: ObjectReference
    seal: Seal


class EraseRequest(FrozenModel):
    organisation_id: OrganisationId
    session_id: SessionId
    erased_at: datetime


class DeliveryState(StrEnum):
    """The final state of a delivery."""

    DELIVERED = "delivered"
    FAILED = "failed"  # it will not be retried
    HELD = "held"  # the receiver is paused; resuming it restarts the delivery
    ERASED = "erased"  # the session was permanently deleted with its callbacks


class UsersToNotify(FrozenModel):
    """The users to notify of a pause. None stands for the operator's address, if there is no administrator."""

    user_ids: tuple[UserId | None, ...]


class PauseMailRequest(FrozenModel):
    pause: ReceiverPause
    user_id: UserId | None


class RowSlice(BatchKey):
    """Rows of a batch: the next ones before row `until`."""

    until: int


class ReceiptRequest(FrozenModel):
    """A completed erasure, with the numbers of erased objects and workflow runs."""

    erased: EraseRequest
    objects: int
    runs: int
    completed_at: datetime


@activity.defn
async def record_session(request: RecordRequest) -> None:
    """Writes the session's row, its events and its callbacks. Idempotent: by revision and sequence number."""


@activity.defn
async def record_and_send(request: RecordAndSendRequest) -> RecordedAndSent:
    """Sends the emails and records the session with their results. Outages are a result, not an error. Idempotent."""


@activity.defn
async def send_invitation(request: InvitationRequest) -> None:
    """Sends the invitation. Idempotent: by a Message-ID that derives from session, recipient and invitation."""


@activity.defn
async def send_reminder(request: ReminderRequest) -> None:
    """Sends the reminder. Idempotent: by a Message-ID that derives from session, recipient and reminder."""


@activity.defn
async def send_outcome_mail(request: OutcomeMailRequest) -> None:
    """Sends a mail about the outcome of a session. Idempotent: by a Message-ID that derives from the notice."""


@activity.defn
async def list_users(pause: ReceiverPause) -> UsersToNotify:
    """Returns the current administrators of the organisation."""


@activity.defn
async def send_pause_mail(request: PauseMailRequest) -> None:
    """Sends one mail about a pause. Idempotent: by a Message-ID that derives from the pause and the user."""


@activity.defn
async def generate_document(materials: Materials) -> GeneratedDocument:
    """Stamps, seals and stores one signed PDF. Idempotent: the first PDF of the same materials is returned."""


@activity.defn
async def augment_seal(request: AugmentRequest) -> AugmentedDocument:
    """Augments the seal of one signed PDF. Idempotent: an earlier result for the same PDF is returned."""


@activity.defn
async def send_deletion_mails(request: EraseRequest) -> None:
    """Sends the emails that the tombstone holds, then removes them from it. Idempotent: by Message-IDs."""


@activity.defn
async def erase_objects(request: EraseRequest) -> int:
    """Deletes the objects, with uploads that only this session used. Returns their number. Idempotent."""


@activity.defn
async def erase_histories(request: EraseRequest) -> int:
    """Deletes the runs of the session's workflow. Returns their number. Idempotent; fails until none is left."""


@activity.defn
async def issue_receipt(request: ReceiptRequest) -> str:
    """Signs the receipt of an erasure and stores it with the tombstone. Idempotent: the first receipt is returned."""


@activity.defn
async def deliver_callback(delivery: Delivery) -> DeliveryState:
    """Attempts a delivery and stores the attempt (decision 0016). Fails with `next_retry_delay` until it has ended."""


@activity.defn
async def stop_callback(delivery: Delivery) -> None:
    """Stores that a callback is not retried, because its delivery was cancelled. Idempotent."""


@activity.defn
async def check_rows(rows: RowSlice) -> BatchProgress:
    """Lays out the documents of rows, and writes their issues. Idempotent: by the count of checked rows."""


@activity.defn
async def create_rows(rows: RowSlice) -> BatchProgress:
    """Creates the sessions of rows while the batch is running. Idempotent: by the ids of the sessions."""


@activity.defn
async def record_batch(progress: BatchProgress) -> None:
    """Writes the state of the batch. Idempotent: by revision."""
