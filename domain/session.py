"""The session: a state machine that decides every act, and nothing else.

A session is an immutable value. An act (`send`, `view`, `sign`, `archive` ...) either raises the error that says why
it is not allowed, or returns a `Step`: the session afterwards and the events that prove it. Time, waiting, mail and
storage belong to the workflow, which holds the current session and takes one step after another.

    draft --send--> pending --first signature--> inProgress --last signature--> completed --> completedAndGenerated
    any of them --archive--> cancelled --restore--> where it was
    any of them --erase--> gone

Spec: 3 States and transitions; contract 5, 7 and 8.
"""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from hmac import compare_digest
from typing import NamedTuple

from domain.errors import (
    AlreadyArchived,
    AlreadySigned,
    FileNotFound,
    IncompleteRecipients,
    LinkNotValid,
    NoRecipients,
    NotADraft,
    NotArchived,
    NotYourTurn,
    RecipientNotFound,
    SessionNotActive,
    SessionNotFound,
)
from domain.events import FIRST_PREVIOUS_HASH, Event, EventType, Occasion, make_event
from domain.ids import FileId, OrganisationId, RecipientId, SessionId
from domain.models import Value
from domain.objects import ObjectReference
from domain.recipients import ACTIVE, Recipient, RecipientStatus
from domain.times import to_milliseconds


class SessionStatus(StrEnum):
    DRAFT = "draft"
    PENDING = "pending"
    IN_PROGRESS = "inProgress"
    COMPLETED = "completed"
    COMPLETED_AND_GENERATED = "completedAndGenerated"
    CANCELLED = "cancelled"


OPEN_FOR_SIGNING = frozenset({SessionStatus.PENDING, SessionStatus.IN_PROGRESS})
FINISHED = frozenset({SessionStatus.COMPLETED, SessionStatus.COMPLETED_AND_GENERATED})


class SessionFile(Value):
    """One document of a session: the blocks, the PDF as sent, its zones, and in the end the signed PDF."""

    file_id: FileId
    file_name: str
    title: str
    page_count: int
    source: ObjectReference
    zones: ObjectReference
    rendered: ObjectReference
    signed: ObjectReference | None = None


class Submission(Value):
    """What a recipient hands in: where it is kept, and the evidence of intent that goes into the history."""

    content: ObjectReference
    signature_sha256: str
    consent_version: str


class SessionDraft(Value):
    """What a client asks for: everything that a new session is made of."""

    session_id: SessionId
    organisation_id: OrganisationId
    organisation_name: str
    name: str
    message: str | None
    files: tuple[SessionFile, ...]
    recipients: tuple[Recipient, ...]


class Session(Value):
    """A session at one moment.

    `sequence` and `head` are the number and the hash of its latest event. `revision` counts every change, those that
    are no event too, so that of two snapshots the newer one is known.
    """

    session_id: SessionId
    organisation_id: OrganisationId
    organisation_name: str
    name: str
    message: str | None
    files: tuple[SessionFile, ...]
    recipients: tuple[Recipient, ...]
    status: SessionStatus = SessionStatus.DRAFT
    previous_status: SessionStatus | None = None
    created_at: datetime
    updated_at: datetime
    sent_at: datetime | None = None
    completed_at: datetime | None = None
    erased_at: datetime | None = None
    revision: int = 0
    sequence: int = 0
    head: str = FIRST_PREVIOUS_HASH

    @staticmethod
    def create(draft: SessionDraft, occasion: Occasion) -> "Step":
        """A new draft."""
        at = to_milliseconds(occasion.at)
        session = Session(**dict(draft), created_at=at, updated_at=at)
        return Step(session).record(EventType.SESSION_CREATED, occasion, {"name": draft.name})

    # What the session knows of itself

    @property
    def is_erased(self) -> bool:
        return self.erased_at is not None

    @property
    def lasting_status(self) -> SessionStatus:
        """The status that counts when the session is looked at apart from being archived."""
        return self.previous_status or self.status

    @property
    def needs_documents(self) -> bool:
        """Whether signing is over and signed PDFs are still to be made; archiving does not stop that."""
        return self.lasting_status is SessionStatus.COMPLETED and not self.is_erased

    def recipient(self, recipient_id: RecipientId) -> Recipient:
        """The recipient of that id; raises `RecipientNotFound`."""
        for recipient in self.recipients:
            if recipient.recipient_id == recipient_id:
                return recipient
        raise RecipientNotFound

    def recipient_by_link(self, link_hash: str) -> Recipient:
        """The recipient whose latest link has that hash; raises `LinkNotValid`. Equal time for every outcome."""
        found = [r for r in self.recipients if compare_digest(r.invitation.link_hash or "", link_hash)]
        if not found or not link_hash:
            raise LinkNotValid
        return found[0]

    def file(self, file_id: FileId) -> SessionFile:
        """The file of that id; raises `FileNotFound`."""
        for file in self.files:
            if file.file_id == file_id:
                return file
        raise FileNotFound

    def check_may_act(self, recipient_id: RecipientId) -> Recipient:
        """The recipient, if it is their turn now. Raises the error that says why it is not."""
        self._check_exists()
        recipient = self.recipient(recipient_id)
        if recipient.status is RecipientStatus.COMPLETED:
            raise AlreadySigned
        if self.status not in OPEN_FOR_SIGNING:
            raise SessionNotActive
        if recipient.status not in ACTIVE:
            raise NotYourTurn
        return recipient

    def _check_exists(self) -> None:
        if self.is_erased:
            raise SessionNotFound

    # Acts

    def send(self, occasion: Occasion) -> "Step":
        """Draft to pending; the first in the signing order are invited."""
        self._check_exists()
        if self.status is not SessionStatus.DRAFT:
            raise NotADraft
        if not self.recipients:
            raise NoRecipients
        if not all(r.name.strip() and r.email.strip() for r in self.recipients):
            raise IncompleteRecipients
        step = Step(self._at(occasion, status=SessionStatus.PENDING, sent_at=to_milliseconds(occasion.at)))
        return step.record(EventType.SESSION_SENT, occasion, {}).invite_next(occasion)

    def view(self, recipient_id: RecipientId, occasion: Occasion) -> "Step":
        """The recipient opens the documents. Only the first time is an event."""
        recipient = self.check_may_act(recipient_id)
        if recipient.status is RecipientStatus.VIEWED:
            return Step(self)
        step = Step(
            self._at(occasion).with_recipient(
                recipient, status=RecipientStatus.VIEWED, viewed_at=to_milliseconds(occasion.at)
            )
        )
        return step.record(EventType.RECIPIENT_VIEWED, occasion, {"recipientId": recipient_id})

    def sign(self, recipient_id: RecipientId, submission: Submission, occasion: Occasion) -> "Step":
        """The recipient's fields and signature are accepted; whoever is next is invited, or signing is complete."""
        recipient = self.check_may_act(recipient_id)
        at = to_milliseconds(occasion.at)
        signed = self._at(occasion, status=SessionStatus.IN_PROGRESS).with_recipient(
            recipient, status=RecipientStatus.COMPLETED, completed_at=at, submission=submission.content
        )
        who: dict[str, str | int | None] = {"recipientId": recipient_id}
        step = Step(signed)
        step = step.record(
            EventType.RECIPIENT_CONSENTED, occasion, {**who, "consentVersion": submission.consent_version}
        )
        step = step.record(
            EventType.RECIPIENT_COMPLETED,
            occasion,
            {
                **who,
                "submissionSha256": submission.content.sha256,
                "signatureSha256": submission.signature_sha256,
            },
        )
        if all(r.status is RecipientStatus.COMPLETED for r in signed.recipients):
            step = step.change(status=SessionStatus.COMPLETED, completed_at=at)
            return step.record(EventType.SESSION_COMPLETED, occasion.by_system(), {})
        return step.invite_next(occasion)

    def archive(self, occasion: Occasion) -> "Step":
        """Any status to cancelled; where it was is kept, and active recipients are cancelled."""
        self._check_exists()
        if self.status is SessionStatus.CANCELLED:
            raise AlreadyArchived
        archived = self._at(
            occasion,
            status=SessionStatus.CANCELLED,
            previous_status=self.status,
            recipients=tuple(
                r.model_copy(update={"status": RecipientStatus.CANCELLED, "status_before_archive": r.status})
                if r.status in ACTIVE
                else r
                for r in self.recipients
            ),
        )
        return Step(archived).record(EventType.SESSION_ARCHIVED, occasion, {"previousStatus": self.status.value})

    def restore(self, occasion: Occasion) -> "Step":
        """Cancelled to where it was, the recipients too."""
        self._check_exists()
        if self.status is not SessionStatus.CANCELLED or self.previous_status is None:
            raise NotArchived
        restored = self._at(
            occasion,
            status=self.previous_status,
            previous_status=None,
            recipients=tuple(
                r.model_copy(update={"status": r.status_before_archive, "status_before_archive": None})
                if r.status_before_archive
                else r
                for r in self.recipients
            ),
        )
        return Step(restored).record(EventType.SESSION_RESTORED, occasion, {"status": restored.status.value})

    def erase(self, occasion: Occasion) -> "Step":
        """Any status to gone. No event: the history goes too."""
        self._check_exists()
        return Step(self._at(occasion, erased_at=to_milliseconds(occasion.at)))

    def add_signed_document(self, file_id: FileId, signed: ObjectReference, occasion: Occasion) -> "Step":
        """A signed PDF is stored; with the last one the documents are generated, archived meanwhile or not."""
        self._check_exists()
        file = self.file(file_id)
        done = self._at(
            occasion,
            files=tuple(f.model_copy(update={"signed": signed}) if f == file else f for f in self.files),
        )
        if not all(f.signed for f in done.files):
            return Step(done)
        which = "previous_status" if done.previous_status else "status"
        step = Step(done).change(**{which: SessionStatus.COMPLETED_AND_GENERATED})
        return step.record(EventType.SESSION_DOCUMENTS_GENERATED, occasion, {"files": len(done.files)})

    # Facts about invitations, which are not acts of anybody and so no events

    def with_link(self, recipient_id: RecipientId, number: int, link_hash: str) -> "Session":
        """Invitation `number` has its link; one that was replaced meanwhile changes nothing."""
        recipient = self.recipient(recipient_id)
        if recipient.invitation.number != number:
            return self
        return self.with_recipient(
            recipient, invitation=recipient.invitation.model_copy(update={"link_hash": link_hash})
        )

    def with_delivery(self, recipient_id: RecipientId, number: int) -> "Session":
        """Invitation `number` has left."""
        recipient = self.recipient(recipient_id)
        return self.with_recipient(recipient, invitation=recipient.invitation.model_copy(update={"delivered": number}))

    def revised(self) -> "Session":
        """The same session as the next revision."""
        return self.model_copy(update={"revision": self.revision + 1})

    def with_recipient(self, recipient: Recipient, **changes: object) -> "Session":
        """The session with `recipient` changed."""
        changed = recipient.model_copy(update=changes)
        return self.model_copy(
            update={
                "recipients": tuple(changed if r.recipient_id == recipient.recipient_id else r for r in self.recipients)
            }
        )

    def _at(self, occasion: Occasion, **changes: object) -> "Session":
        return self.model_copy(update={**changes, "updated_at": to_milliseconds(occasion.at)})


class Step(NamedTuple):
    """The outcome of an act: the session afterwards and the events of it, oldest first."""

    session: Session
    events: tuple[Event, ...] = ()

    def change(self, **changes: object) -> "Step":
        """The step with the session changed further."""
        return self._replace(session=self.session.model_copy(update=changes))

    def record(self, type: EventType, occasion: Occasion, details: Mapping[str, str | int | None]) -> "Step":
        """The step with one more event at the end of the chain."""
        event = make_event(type, occasion, details, (self.session.sequence, self.session.head))
        return Step(
            self.session.model_copy(update={"sequence": event.sequence, "head": event.hash}), (*self.events, event)
        )

    def invite_next(self, occasion: Occasion) -> "Step":
        """Invites the recipients of the lowest signing order that is not completed; equal orders together."""
        step = self
        open_recipients = [r for r in self.session.recipients if r.status is not RecipientStatus.COMPLETED]
        turn = min((r.signing_order for r in open_recipients), default=0)
        for recipient in open_recipients:
            if recipient.signing_order == turn and recipient.status is RecipientStatus.WAITING:
                invited = step.session.with_recipient(
                    recipient,
                    status=RecipientStatus.PENDING,
                    sent_at=to_milliseconds(occasion.at),
                    invitation=recipient.invitation.next(),
                )
                step = step._replace(session=invited).record(
                    EventType.RECIPIENT_INVITED,
                    occasion.by_system(),
                    {"recipientId": recipient.recipient_id, "invitation": recipient.invitation.number + 1},
                )
        return step
