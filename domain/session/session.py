"""The session: a state machine that decides every act, and nothing else.

A session is an immutable value. An act (`send`, `view`, `sign`, `archive` ...) either raises the error that says why
it is not allowed, or returns a `Transition`: the session afterwards and the events that prove it. Time, waiting, mail
and storage belong to the workflow, which holds the current session and takes one step after another.

    draft --send--> pending --first signature--> inProgress --last signature--> completed --> completedAndGenerated
    pending, inProgress --a recipient declines--> declined
    pending, inProgress --the expiry date passes--> expired
    any of them --archive--> cancelled --restore--> where it was
    any of them --erase--> gone

Specification 3, 6.4.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from typing import NamedTuple

from domain.audit.events import AuditContext, Event, EventType, make_event
from domain.seal.level import Seal
from domain.session.downloads import check_available, download_event, download_key, unrecorded_downloads
from domain.session.outcome_mails import CompletionMails, OutcomeMail, OutcomeMailKind
from domain.session.recipients import (
    ACTIVE,
    MAX_PER_HOUR,
    Recipient,
    RecipientStatus,
    RecipientVerification,
    within_an_hour,
)
from domain.session.state import (
    OPEN_FOR_SIGNING,
    FileType,
    SessionDraft,
    SessionFile,
    SessionState,
    SessionStatus,
    Submission,
)
from domain.session.status_errors import not_a_draft, not_active
from domain.shared.errors import (
    AlreadyArchived,
    IncompleteRecipients,
    NoRecipients,
    NotArchived,
    NotDue,
    RecipientNotActive,
    TooOften,
)
from domain.shared.ids import FileId, RecipientId
from domain.shared.object_names import ObjectReference, digest
from domain.shared.times import to_milliseconds

__all__ = ["FileType", "Session", "SessionDraft", "SessionFile", "SessionStatus", "Submission", "Transition"]

MAX_DEVICES = 20
"""Devices of one recipient whose first view is an event; a history is no place for thousands of them."""


class Session(SessionState):
    """A session at one moment, and what can be done with it."""

    @staticmethod
    def create(draft: SessionDraft, audit: AuditContext) -> "Transition":
        """A new draft."""
        at = to_milliseconds(audit.at)
        session = Session(**dict(draft), created_at=at, updated_at=at)
        return Transition(session).record(EventType.SESSION_CREATED, audit, {"name": draft.name})

    # What the organisation does

    def send(self, audit: AuditContext) -> "Transition":
        """Draft to pending; the first in the signing order are invited, and the clocks start."""
        self.check_exists()
        if self.status is not SessionStatus.DRAFT:
            raise not_a_draft(self)
        if not self.recipients:
            raise NoRecipients
        if not all(r.name.strip() and r.email.strip() for r in self.recipients):
            raise IncompleteRecipients
        at = to_milliseconds(audit.at)
        expires_at = at + timedelta(days=self.expiry_days) if self.expiry_days else None
        sent = self._at(audit, status=SessionStatus.PENDING, sent_at=at, expires_at=expires_at)
        step = Transition(sent.with_next_reminder(at))
        return step.record(EventType.SESSION_SENT, audit, {}).invite_next(audit)

    def invite(self, recipient_id: RecipientId, audit: AuditContext) -> "Transition":
        """One more invitation for somebody whose turn it is; its link replaces the earlier one.

        Raises:
            SessionNotActive: it is not open for signing.
            RecipientNotActive: their turn has not come, or they are done.
            TooOften: they had as many within the last hour as there may be.
        """
        self.check_exists()
        recipient = self.recipient(recipient_id)
        if self.status not in OPEN_FOR_SIGNING or self.has_expired(audit.at):
            raise not_active(self, audit.at)
        if recipient.status not in ACTIVE:
            raise RecipientNotActive
        if len(within_an_hour(recipient.invited_at, audit.at)) >= MAX_PER_HOUR:
            raise TooOften
        return Transition(self._at(audit)).invite(recipient, audit)

    def archive(self, audit: AuditContext) -> "Transition":
        """Any status to cancelled; where it was is kept, and the clocks stop.

        Recipients who have neither signed nor declined are cancelled. Those who got an invitation are told by mail, at
        most once an hour however often the session is archived; a mail that has not left since is not sent twice.
        """
        self.check_exists()
        if self.status is SessionStatus.CANCELLED:
            raise AlreadyArchived
        at = to_milliseconds(audit.at)
        told = self.withdrawal_mail_recipients(at)
        is_open = self.status in OPEN_FOR_SIGNING
        archived = self._at(
            audit,
            status=SessionStatus.CANCELLED,
            previous_status=self.status,
            next_reminder_at=None,
            recipients=tuple(r.archived(at if r.recipient_id in told else None) for r in self.recipients),
            # A notice of an earlier archiving that has not left is still true; of a session that is over it is not.
            outcome_mails=tuple(n for n in self.outcome_mails if is_open or n.kind is not OutcomeMailKind.CANCELLED),
        )
        step = Transition(archived).record(EventType.SESSION_ARCHIVED, audit, {"previousStatus": self.status.value})
        return step.notify(OutcomeMailKind.CANCELLED, map(archived.recipient, told), sender=False)

    def restore(self, audit: AuditContext) -> "Transition":
        """Cancelled to where it was, the recipients too; if its expiry date has passed meanwhile, to expired.

        Raises:
            NotArchived: it is not archived.
            TooOften: it was restored as often within the last hour as it may be.
        """
        self.check_exists()
        if self.status is not SessionStatus.CANCELLED or self.previous_status is None:
            raise NotArchived
        at = to_milliseconds(audit.at)
        lately = within_an_hour(self.restored_at, at)
        if len(lately) >= MAX_PER_HOUR:
            raise TooOften
        restored = self._at(
            audit,
            status=self.previous_status,
            previous_status=None,
            recipients=tuple(r.restored() for r in self.recipients),
            restored_at=(*lately, at),
        ).with_next_reminder(at)
        step = Transition(restored).record(EventType.SESSION_RESTORED, audit, {"status": restored.status.value})
        if restored.status in OPEN_FOR_SIGNING and restored.has_expired(audit.at):
            return step.then(step.session.expire(audit))
        return step

    def erase(self, audit: AuditContext) -> "Transition":
        """Any status to gone. No event: the history goes too."""
        self.check_exists()
        return Transition(self._at(audit, erased_at=to_milliseconds(audit.at)))

    def record_download(self, wanted: Sequence[str], audit: AuditContext) -> "Transition":
        """Copies are handed to the actor of `audit`; each that they get for the first time is an event.

        `wanted` are signed documents by file id, `CERTIFICATE`, and `values_of` recipients
        (`domain.session.downloads`).

        Raises:
            SessionNotCompleted, DocumentNotReady, NotDue: see `check_available`.
        """
        self.check_exists()
        for copy in wanted:
            check_available(self, copy)
        step = Transition(self)
        for copy in unrecorded_downloads(self.downloaded, audit.actor, wanted):
            step = step.change(downloaded=(*step.session.downloaded, download_key(audit.actor, copy)))
            kind, details = download_event(copy)
            step = step.record(kind, audit, details)
        return step

    # What recipients do

    def view(self, recipient_id: RecipientId, audit: AuditContext) -> "Transition":
        """The recipient opens the documents. The first time, and the first on each device, are events."""
        recipient = self.check_may_act(recipient_id, audit.at)
        device = digest((audit.user_agent or "").encode())[:16]
        first = recipient.status is not RecipientStatus.VIEWED
        if not first and (device in recipient.devices or len(recipient.devices) >= MAX_DEVICES):
            return Transition(self)
        viewed = self._at(audit).with_recipient(
            recipient,
            status=RecipientStatus.VIEWED,
            viewed_at=recipient.viewed_at or to_milliseconds(audit.at),
            devices=(*recipient.devices, device),
        )
        details: dict[str, str | int | None] = {"recipientId": recipient_id}
        if self.recipient_verification is not RecipientVerification.NONE:
            details["identifiedBy"] = self.recipient_verification.value
        return Transition(viewed).record(EventType.RECIPIENT_VIEWED, audit, details)

    def sign(self, recipient_id: RecipientId, submission: Submission, audit: AuditContext) -> "Transition":
        """The recipient's fields and signature are accepted; whoever is next is invited, or signing is complete."""
        recipient = self.check_may_act(recipient_id, audit.at)
        at = to_milliseconds(audit.at)
        signed = self._at(audit, status=SessionStatus.IN_PROGRESS).with_recipient(
            recipient,
            status=RecipientStatus.COMPLETED,
            completed_at=at,
            signed_on=submission.signed_on(at),
            submission=submission.content,
        )
        who: dict[str, str | int | None] = {"recipientId": recipient_id}
        step = Transition(signed)
        step = step.record(EventType.RECIPIENT_CONSENTED, audit, {**who, "consentVersion": submission.consent_version})
        step = step.record(EventType.RECIPIENT_COMPLETED, audit, {**who, **submission.evidence(at)})
        if all(r.status is RecipientStatus.COMPLETED for r in signed.recipients):
            step = step.change(status=SessionStatus.COMPLETED, completed_at=at, next_reminder_at=None)
            return step.record(EventType.SESSION_COMPLETED, audit.by_system(), {})
        return step.invite_next(audit)

    def decline(self, recipient_id: RecipientId, reason: str, audit: AuditContext) -> "Transition":
        """The recipient refuses to sign, which ends the session for everybody."""
        recipient = self.check_may_act(recipient_id, audit.at)
        declined = (
            self._at(audit, status=SessionStatus.DECLINED, next_reminder_at=None)
            .with_open_recipients(RecipientStatus.CANCELLED)
            .with_recipient(recipient, status=RecipientStatus.DECLINED, decline_reason=reason)
        )
        details = {"recipientId": recipient_id, "reason": reason}
        step = Transition(declined).record(EventType.RECIPIENT_DECLINED, audit, details)
        step = step.record(EventType.SESSION_DECLINED, audit.by_system(), {})
        return step.notify(
            OutcomeMailKind.DECLINED, (r for r in self.notified_recipients if r.recipient_id != recipient_id)
        )

    # What time brings

    def remind(self, audit: AuditContext) -> "Transition":
        """Reminds everybody whose turn it is. However late this is, it is one reminder, and the next one is to come.

        Somebody whose invitation or reminder has not left yet, or never will, is not reminded of it.
        """
        self.check_exists()
        at = to_milliseconds(audit.at)
        if self.status not in OPEN_FOR_SIGNING or self.next_reminder_at is None or at < self.next_reminder_at:
            raise NotDue
        step = Transition(self._at(audit).with_next_reminder(at))
        for recipient in self.recipients:
            if recipient.can_be_reminded:
                number = recipient.reminders + 1
                step = step._replace(session=step.session.with_recipient(recipient, reminders=number)).record(
                    EventType.RECIPIENT_REMINDED,
                    audit.by_system(),
                    {"recipientId": recipient.recipient_id, "reminder": number},
                )
        return step

    def fail_invitation(
        self, recipient_id: RecipientId, number: int, refusal: str, audit: AuditContext
    ) -> "Transition":
        """The mail server refused the mail of invitation `number`, or a reminder of it, for good: none is tried again.

        Raises:
            NotDue: the recipient has another invitation since, or it is no longer their turn.
        """
        self.check_exists()
        recipient = self.recipient(recipient_id)
        if recipient.status not in ACTIVE or recipient.invitation.number != number or recipient.is_unreachable:
            raise NotDue
        failed = self._at(audit).with_recipient(
            recipient,
            invitation=recipient.invitation.model_copy(update={"failed": number, "refusal": refusal}),
            reminders_delivered=recipient.reminders,
        )
        return Transition(failed).record(
            EventType.RECIPIENT_INVITATION_FAILED,
            audit,
            {"recipientId": recipient_id, "invitation": number, "reason": refusal},
        )

    def expire(self, audit: AuditContext) -> "Transition":
        """The expiry date has passed before all have signed."""
        self.check_exists()
        if self.status not in OPEN_FOR_SIGNING or not self.has_expired(audit.at):
            raise NotDue
        expired = self._at(audit, status=SessionStatus.EXPIRED, next_reminder_at=None)
        step = Transition(expired.with_open_recipients(RecipientStatus.EXPIRED))
        return step.record(EventType.SESSION_EXPIRED, audit.by_system(), {}).notify(
            OutcomeMailKind.EXPIRED, self.notified_recipients
        )

    def add_signed_document(
        self, file_id: FileId, signed: ObjectReference, audit: AuditContext, seal: Seal | None = None
    ) -> "Transition":
        """A signed PDF is stored; with the last one the documents are generated, archived meanwhile or not.

        Those of before documents were sealed have no `seal`.

        Raises:
            NotDue: not everybody has signed, or that file is stored already.
        """
        self.check_exists()
        file = self.file(file_id)
        if not self.needs_documents or file.signed:
            raise NotDue
        done = self._at(audit, files=self.files_with(file, signed, seal))
        if not all(f.signed for f in done.files):
            return Transition(done)
        which = "previous_status" if done.previous_status else "status"
        step = Transition(done).change(**{which: SessionStatus.COMPLETED_AND_GENERATED})
        details: dict[str, str | int | None] = {"files": len(done.files)}
        if lowest := done.seal_level:
            details["sealLevel"] = lowest.value
        step = step.record(EventType.SESSION_DOCUMENTS_GENERATED, audit, details)
        if done.completion_mails is CompletionMails.NONE:
            return step
        everybody = done.completion_mails is CompletionMails.ALL
        return step.notify(OutcomeMailKind.COMPLETED, done.recipients if everybody else ())

    def augment_seal(self, file_id: FileId, signed: ObjectReference, seal: Seal, audit: AuditContext) -> "Transition":
        """The signed PDF has a seal that proves more, or is to prove no more than it does.

        Raises:
            NotDue: it does not wait for that.
        """
        self.check_exists()
        file = self.file(file_id)
        if file not in self.due_seals or file.seal_level is None:
            raise NotDue
        files = self.files_with(file, signed, seal)
        if seal.level.rank <= file.seal_level.rank:  # the operator has given up the goal; it is no event of the session
            return Transition(self.model_copy(update={"files": files}))
        details = {
            "fileId": file_id,
            "previousLevel": file.seal_level.value,
            "sealLevel": seal.level.value,
            "previousSha256": file.signed.sha256 if file.signed else None,
            "signedSha256": signed.sha256,
        }
        return Transition(self._at(audit, files=files)).record(EventType.SESSION_SEAL_RAISED, audit, details)

    def _at(self, audit: AuditContext, **changes: object) -> "Session":
        return self.model_copy(update={**changes, "updated_at": to_milliseconds(audit.at)})


class Transition(NamedTuple):
    """The outcome of an act: the session afterwards and the events of it, oldest first."""

    session: Session
    events: tuple[Event, ...] = ()

    def change(self, **changes: object) -> "Transition":
        """The step with the session changed further."""
        return self._replace(session=self.session.model_copy(update=changes))

    def then(self, following: "Transition") -> "Transition":
        """This step and one that was taken from where it leads."""
        return Transition(following.session, (*self.events, *following.events))

    def record(self, type: EventType, audit: AuditContext, details: Mapping[str, str | int | None]) -> "Transition":
        """The step with one more event at the end of the chain."""
        event = make_event(type, audit, details, (self.session.sequence, self.session.head))
        return Transition(
            self.session.model_copy(update={"sequence": event.sequence, "head": event.hash}), (*self.events, event)
        )

    def notify(self, kind: OutcomeMailKind, recipients: Iterable[Recipient], *, sender: bool = True) -> "Transition":
        """Has the latest event told to `recipients`, and to the sender, by mail."""
        session = self.session
        who: list[RecipientId | None] = [recipient.recipient_id for recipient in recipients]
        if sender and session.sender_email:
            who.append(None)
        outcome_mails = (
            OutcomeMail(kind=kind, cause=session.sequence, at=session.updated_at, recipient_id=recipient_id)
            for recipient_id in who
        )
        return self.change(outcome_mails=(*session.outcome_mails, *outcome_mails))

    def invite(self, recipient: Recipient, audit: AuditContext) -> "Transition":
        """One more invitation for `recipient`."""
        invited = self.session.with_recipient(recipient, **recipient.invited(to_milliseconds(audit.at)))
        return self._replace(session=invited).record(
            EventType.RECIPIENT_INVITED,
            audit,
            {"recipientId": recipient.recipient_id, "invitation": recipient.invitation.number + 1},
        )

    def invite_next(self, audit: AuditContext) -> "Transition":
        """Invites the recipients of the lowest signing order that is not completed; equal orders together."""
        step = self
        open_recipients = [r for r in self.session.recipients if r.status is not RecipientStatus.COMPLETED]
        turn = min((r.signing_order for r in open_recipients), default=0)
        for recipient in open_recipients:
            if recipient.signing_order == turn and recipient.status is RecipientStatus.WAITING:
                step = step.invite(recipient, audit.by_system())
        return step
