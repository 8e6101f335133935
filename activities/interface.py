"""The activities as workflows see them: names, one frozen request in, one frozen result out.

The bodies are elsewhere; a worker registers an implementation under each of these names (`activities.registry`).
"""

from datetime import datetime
from enum import StrEnum
from typing import NoReturn

from temporalio import activity

from domain.callbacks import Callback
from domain.deliveries import Delivery, Pause
from domain.events import Event
from domain.ids import OrganisationId, RecipientId, SessionId, UserId
from domain.models import Value
from domain.notices import Notice
from domain.objects import ObjectReference
from domain.sealing import Seal
from domain.session import Session, SessionFile
from domain.statements import Identified

SESSIONS_QUEUE = "sessions"
"""Task queue of the workflows and of short activities."""

MAIL_REJECTED = "MailRejected"
"""The type of the failure of a mail that the mail server refused for good. It is not tried again."""

DOCUMENTS_QUEUE = "documents"
"""Task queue of the heavy work: stamping and sealing."""


CALLBACKS_QUEUE = "callbacks"
"""Task queue of deliveries that somebody asked for: redelivery, and the end of a pause."""


FAILING_QUEUE = "callbacks-failing"
"""Task queue of all other deliveries, whose receivers failed: they let everything else go first."""


class RecordRequest(Value):
    """A snapshot, and since the last one the events and what is to be announced of them."""

    session: Session
    events: tuple[Event, ...]
    callbacks: tuple[Callback, ...] = ()


class IssueLinkRequest(Value):
    """Whose link to make, and for which of their invitations."""

    organisation_id: OrganisationId
    session_id: SessionId
    recipient_id: RecipientId
    invitation: int


class IssuedLink(Value):
    """The SHA-256 (hex) of the link's secret. The secret itself never enters a history."""

    link_hash: str


class InvitationRequest(Value):
    """One invitation mail. `link_hash` is what the link in it must have, or the mail is not sent."""

    link: IssueLinkRequest
    link_hash: str
    organisation_name: str
    session_name: str
    message: str | None
    recipient_name: str
    recipient_email: str
    invited_at: datetime
    expires_at: datetime | None = None
    reply_to: str | None = None


class ReminderRequest(InvitationRequest):
    """One reminder mail, by the number `reminder`. It holds the link of the latest invitation."""

    reminder: int
    due_at: datetime


class NoticeRequest(Value):
    """One mail that tells how a session ended, to a recipient (with their `link`) or to the sender (without).

    `decliner` and `reason` are told of a session that was declined, the reason to the sender only.
    """

    organisation_id: OrganisationId
    session_id: SessionId
    organisation_name: str
    session_name: str
    notice: Notice
    to_name: str
    to_email: str
    link: IssueLinkRequest | None = None
    link_hash: str | None = None
    decliner: str | None = None
    reason: str | None = None
    expires_at: datetime | None = None
    reply_to: str | None = None


class Signatory(Value):
    """A recipient as they appear on the signed document and in what its seal states."""

    key: str
    name: str
    email: str
    identified_by: Identified
    completed_at: datetime
    submission: ObjectReference


class GenerateRequest(Value):
    """One file to be completed with the values and signatures of all its signatories."""

    organisation_id: OrganisationId
    session_id: SessionId
    file: SessionFile
    signatories: tuple[Signatory, ...]


class GeneratedDocument(Value):
    """The signed PDF, stored and checked, and its seal. Those of before documents were sealed have none."""

    signed: ObjectReference
    seal: Seal | None = None


class RaiseRequest(Value):
    """One file whose seal is to prove more than it does."""

    organisation_id: OrganisationId
    session_id: SessionId
    file: SessionFile


class RaisedDocument(Value):
    """The signed PDF with its seal as far as it could be taken now; the same one if nothing is to be done any more."""

    signed: ObjectReference
    seal: Seal


class LoadRequest(Value):
    """Whose row to read."""

    organisation_id: OrganisationId
    session_id: SessionId


class LoadedSession(Value):
    """The row, None where there is none or where it was erased."""

    session: Session | None


class EraseRequest(Value):
    """The session of which nothing but a tombstone is to remain."""

    organisation_id: OrganisationId
    session_id: SessionId
    erased_at: datetime


class BuryRequest(EraseRequest):
    """The same, and what is announced of it."""

    callback: Callback | None = None


class DeliveryState(StrEnum):
    """How a delivery ended."""

    DELIVERED = "delivered"
    FAILED = "failed"  # there will be no other try
    HELD = "held"  # the receiver is paused; resuming begins again
    ERASED = "erased"  # the session was deleted for ever, and its callbacks with it


class PeopleToTell(Value):
    """Who is told of a pause; None stands for the operator's sender, where the organisation has nobody."""

    user_ids: tuple[UserId | None, ...]


class PauseMailRequest(Value):
    """One mail that says that a receiver of callbacks is paused."""

    pause: Pause
    user_id: UserId | None


class ReceiptRequest(Value):
    """What was erased: how many objects, and how many runs of workflows."""

    erased: EraseRequest
    objects: int
    runs: int
    completed_at: datetime


def _stub() -> NoReturn:
    raise NotImplementedError("a stub for workflows; workers register the implementation")


@activity.defn
async def record_session(request: RecordRequest) -> None:
    """Writes the projection and what is announced. Idempotent: by session and sequence number."""
    _stub()


@activity.defn
async def issue_link(request: IssueLinkRequest) -> IssuedLink:
    """Makes the link of an invitation. Idempotent: derived from the request and a secret key."""
    _stub()


@activity.defn
async def send_invitation(request: InvitationRequest) -> None:
    """Sends the invitation. Idempotent: by a Message-ID that derives from session, recipient and invitation."""
    _stub()


@activity.defn
async def send_reminder(request: ReminderRequest) -> None:
    """Sends the reminder. Idempotent: by a Message-ID that derives from session, recipient and reminder."""
    _stub()


@activity.defn
async def send_notice(request: NoticeRequest) -> None:
    """Sends a mail about the end of a session. Idempotent: by a Message-ID that derives from the notice."""
    _stub()


@activity.defn
async def find_people(pause: Pause) -> PeopleToTell:
    """Reads who belongs to the organisation now."""
    _stub()


@activity.defn
async def send_pause_mail(request: PauseMailRequest) -> None:
    """Sends one of them the mail. Idempotent: by a Message-ID that derives from the pause and the person."""
    _stub()


@activity.defn
async def generate_document(request: GenerateRequest) -> GeneratedDocument:
    """Stamps and stores one signed PDF. Idempotent: what is stored under its fixed name is what counts."""
    _stub()


@activity.defn
async def raise_seal(request: RaiseRequest) -> RaisedDocument:
    """Has the seal of one signed PDF prove more. Idempotent: what is stored under the name of its level counts."""
    _stub()


@activity.defn
async def load_session(request: LoadRequest) -> LoadedSession:
    """Reads the projection."""
    _stub()


@activity.defn
async def bury_session(request: BuryRequest) -> None:
    """Deletes the rows, puts a tombstone in their place, and announces that. Idempotent."""
    _stub()


@activity.defn
async def erase_objects(request: EraseRequest) -> int:
    """Deletes the objects, of uploads too that the session alone used; how many there were. Idempotent."""
    _stub()


@activity.defn
async def erase_histories(request: EraseRequest) -> int:
    """Deletes the runs of the session's workflows; how many there were. Idempotent; fails until none is left."""
    _stub()


@activity.defn
async def issue_receipt(request: ReceiptRequest) -> str:
    """Signs what was erased and keeps it with the tombstone. Idempotent: the first receipt is what counts."""
    _stub()


@activity.defn
async def deliver_callback(delivery: Delivery) -> DeliveryState:
    """Tries to deliver a callback, and stores the attempt. At least once: see decision 0016.

    Fails with the time of the next try (`next_retry_delay`) until the delivery has ended.
    """
    _stub()


@activity.defn
async def stop_callback(delivery: Delivery) -> None:
    """Stores that a callback is not tried any more, since its delivery was cancelled. Idempotent."""
    _stub()
