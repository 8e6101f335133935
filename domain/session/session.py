"""The session: a state machine.

A session is immutable. An action (`send`, `sign`, `archive` ...) raises an error that says why it is not allowed, or
returns a `Transition`: the session afterwards and its events. The workflow adds time, mail and storage.

    draft --send--> pending --first act--> inProgress --last act--> completed --> completedAndGenerated
    pending, inProgress --a recipient declines--> declined
    pending, inProgress --the expiry date passes--> expired
    any of them --archive--> cancelled --restore--> the earlier status
    any of them --erase--> erased

An act is a signature or an approval.

Specification 3, 6.4.
"""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import NamedTuple

from domain.audit.events import AuditContext, Details, Event, EventType
from domain.audit.hash_chain import make_event
from domain.seal.seal import Seal
from domain.session.downloadable_items import check_available, download_event, download_key, unrecorded_downloads
from domain.session.error_messages import NO_EMAILS, not_a_draft, not_active
from domain.session.outcome_mail_kinds import OutcomeMail, OutcomeMailKind
from domain.session.outcome_mail_recipients import (
    completion_mails,
    decline_mails,
    expiry_mails,
    signature_mails,
    withdrawal_mail_recipients,
    withdrawal_mails,
)
from domain.session.recipients import (
    ACTIVE,
    BETWEEN_MAILS,
    MAX_PER_HOUR,
    Recipient,
    RecipientRole,
    RecipientStatus,
    RecipientVerification,
    within_an_hour,
)
from domain.session.signing_order import recipients_to_invite
from domain.session.snapshot import FileType, SessionDraft, SessionFile, SessionSnapshot, Submission
from domain.session.status import OPEN_FOR_SIGNING, SessionStatus
from domain.shared import errors
from domain.shared.ids import FileId, RecipientId, UserId
from domain.shared.object_names import ObjectReference, digest
from domain.shared.times import to_milliseconds

__all__ = ["FileType", "Session", "SessionDraft", "SessionFile", "SessionStatus", "Submission", "Transition"]

MAX_DEVICES = 20
"""Maximum devices of a recipient whose first view is an event."""


class Session(SessionSnapshot):
    """A session at one moment, and its actions."""

    @staticmethod
    def create(draft: SessionDraft, audit: AuditContext) -> "Transition":
        """Creates a draft."""
        at = to_milliseconds(audit.at)
        session = Session(**dict(draft), created_at=at, updated_at=at)
        return Transition(session).record(EventType.SESSION_CREATED, audit, {"name": draft.name})

    # Actions of the organisation

    def send(self, audit: AuditContext, sent_by: UserId | None = None) -> "Transition":
        """Sends a draft: invites recipients, and starts expiry and reminders. `sent_by` gets emails about progress."""
        self.check_exists()
        if self.status is not SessionStatus.DRAFT:
            raise not_a_draft(self)
        if not self.recipients:
            raise errors.NoRecipients
        if not all(r.name.strip() and r.email.strip() for r in self.recipients):
            raise errors.IncompleteRecipients
        at = to_milliseconds(audit.at)
        expires_at = at + timedelta(days=self.expiry_days) if self.expiry_days else None
        members = {"sent_at": at, "sent_by": sent_by, "expires_at": expires_at}
        sent = self.changed_at(
            audit, status=SessionStatus.PENDING, confirms_acts=True, spaces_reminders=True, **members
        )
        step = Transition(sent.with_next_reminder(at))
        return step.record(EventType.SESSION_SENT, audit, {}).invite_next(audit)

    def invite(self, recipient_id: RecipientId, audit: AuditContext) -> "Transition":
        """Invites an active recipient again. The new link replaces the earlier one.

        Raises `SessionNotActive`, `RecipientNotActive`, or `TooOften` after `MAX_PER_HOUR` invitations within an hour.
        """
        self.check_exists()
        recipient = self.recipient(recipient_id)
        if self.status not in OPEN_FOR_SIGNING or self.has_expired(audit.at):
            raise not_active(self, audit.at)
        if recipient.status not in ACTIVE:
            raise errors.RecipientNotActive
        if not recipient.gets_emails:
            raise errors.RecipientNotActive(NO_EMAILS)
        recipient.check_may_be_invited(audit.at)
        return Transition(self.changed_at(audit)).invite(recipient, audit)

    def archive(self, audit: AuditContext, reason: str | None = None) -> "Transition":
        """Archives a session in any status, and stops expiry and reminders. Restoring returns to the earlier status.

        Recipients who have not finished are cancelled. Recipients who know of the session get a mail, at most once an
        hour, with the `reason` if there is one.
        """
        self.check_exists()
        if self.status is SessionStatus.CANCELLED:
            raise errors.AlreadyArchived
        at = to_milliseconds(audit.at)
        mailed = withdrawal_mail_recipients(self, at)
        is_open = self.status in OPEN_FOR_SIGNING
        archived = self.changed_at(
            audit,
            status=SessionStatus.CANCELLED,
            previous_status=self.status,
            archive_reason=reason,
            next_reminder_at=None,
            recipients=tuple(r.archived(at if r.recipient_id in mailed else None) for r in self.recipients),
            # a pending mail about an earlier archiving stays valid while the session is open for signing
            outcome_mails=tuple(m for m in self.outcome_mails if is_open or m.kind is not OutcomeMailKind.CANCELLED),
        )
        details = {"previousStatus": self.status.value, **({"reason": reason} if reason else {})}
        step = Transition(archived).record(EventType.SESSION_ARCHIVED, audit, details)
        return step.notify(withdrawal_mails(step.session, mailed))

    def restore(self, audit: AuditContext) -> "Transition":
        """Restores an archived session and its recipients. A session whose expiry date has passed then expires.

        Raises `NotArchived`, or `TooOften` after `MAX_PER_HOUR` restores within an hour.
        """
        self.check_exists()
        if self.status is not SessionStatus.CANCELLED or self.previous_status is None:
            raise errors.NotArchived
        at = to_milliseconds(audit.at)
        lately = within_an_hour(self.restored_at, at)
        if len(lately) >= MAX_PER_HOUR:
            raise errors.TooOften
        restored = self.changed_at(
            audit,
            status=self.previous_status,
            previous_status=None,
            archive_reason=None,
            recipients=tuple(r.restored() for r in self.recipients),
            restored_at=(*lately, at),
        ).with_next_reminder(at)
        step = Transition(restored).record(EventType.SESSION_RESTORED, audit, {"status": restored.status.value})
        if restored.status in OPEN_FOR_SIGNING and restored.has_expired(audit.at):
            return step.then(step.session.expire(audit))
        return step

    def erase(self, audit: AuditContext) -> "Transition":
        """Erases a session in any status. It records no event, because the history is deleted too."""
        self.check_exists()
        return Transition(self.changed_at(audit, erased_at=to_milliseconds(audit.at)))

    def record_download(self, items: Sequence[str], audit: AuditContext) -> "Transition":
        """Records the download of items (`domain.session.downloadable_items`). The first one by an actor is an event.

        Raises `SessionNotCompleted`, `DocumentNotReady` or `NotDue`, as `check_available`.
        """
        self.check_exists()
        for item in items:
            check_available(self, item)
        step = Transition(self)
        for item in unrecorded_downloads(self.downloaded, audit.actor, items):
            step = step.change(downloaded=(*step.session.downloaded, download_key(audit.actor, item)))
            kind, details = download_event(item)
            step = step.record(kind, audit, details)
        return step

    # Actions of recipients

    def view(self, recipient_id: RecipientId, audit: AuditContext) -> "Transition":
        """Records a view of the documents. The first view, and the first with each device and program, are events."""
        recipient = self.check_may_act(recipient_id, audit.at)
        device = digest("\n".join([audit.user_agent or "", *filter(None, [audit.program])]).encode())[:16]
        first = recipient.status is not RecipientStatus.VIEWED
        if not first and (device in recipient.devices or len(recipient.devices) >= MAX_DEVICES):
            return Transition(self)
        viewed = self.changed_at(audit).with_recipient(
            recipient,
            status=RecipientStatus.VIEWED,
            viewed_at=recipient.viewed_at or to_milliseconds(audit.at),
            devices=(*recipient.devices, device),
        )
        details: dict[str, str] = {"recipientId": recipient_id}
        if self.recipient_verification is not RecipientVerification.NONE:
            details["identifiedBy"] = self.recipient_verification.value
        return Transition(viewed).record(EventType.RECIPIENT_VIEWED, audit, details)

    def sign(self, recipient_id: RecipientId, submission: Submission, audit: AuditContext) -> "Transition":
        """Accepts the submission of a signer. The next recipients are invited, or the session is complete."""
        recipient = self.check_role(recipient_id, RecipientRole.SIGNER, audit.at)
        at = to_milliseconds(audit.at)
        signed = self.changed_at(audit, status=SessionStatus.IN_PROGRESS).with_recipient(
            recipient,
            status=RecipientStatus.COMPLETED,
            completed_at=at,
            signed_on=submission.signed_on(at),
            submission=submission.content,
            program=audit.program,
        )
        who = {"recipientId": recipient_id}
        step = Transition(signed)
        step = step.record(EventType.RECIPIENT_CONSENTED, audit, {**who, "consentVersion": submission.consent_version})
        step = step.record(EventType.RECIPIENT_COMPLETED, audit, {**who, **submission.evidence(at)})
        return step.complete_or_invite_next(recipient_id, audit)

    def approve(self, recipient_id: RecipientId, audit: AuditContext) -> "Transition":
        """Accepts the approval of an approver. The next recipients are invited, or the session is complete."""
        recipient = self.check_role(recipient_id, RecipientRole.APPROVER, audit.at)
        approved = self.changed_at(audit, status=SessionStatus.IN_PROGRESS).with_recipient(
            recipient,
            status=RecipientStatus.COMPLETED,
            completed_at=to_milliseconds(audit.at),
            program=audit.program,
        )
        step = Transition(approved).record(EventType.RECIPIENT_APPROVED, audit, {"recipientId": recipient_id})
        return step.complete_or_invite_next(recipient_id, audit)

    def decline(self, recipient_id: RecipientId, reason: str, audit: AuditContext) -> "Transition":
        """Records that a recipient declined to sign or to approve, which ends the session for all recipients."""
        recipient = self.check_may_act(recipient_id, audit.at)
        declined = (
            self.changed_at(audit, status=SessionStatus.DECLINED, next_reminder_at=None)
            .with_open_recipients(RecipientStatus.CANCELLED)
            .with_recipient(
                recipient, status=RecipientStatus.DECLINED, declined_at=to_milliseconds(audit.at), decline_reason=reason
            )
        )
        details = {"recipientId": recipient_id, "reason": reason}
        step = Transition(declined).record(EventType.RECIPIENT_DECLINED, audit, details)
        step = step.record(EventType.SESSION_DECLINED, audit.by_system(), {})
        return step.notify(decline_mails(step.session, recipient_id))

    # Effects of time and of the service

    def remind(self, audit: AuditContext) -> "Transition":
        """Reminds the active recipients once, even if several reminders are overdue, and schedules the next reminder.

        Recipients with a pending or rejected invitation or a pending reminder are left out, and those who were invited
        or reminded within the last 12 hours. Raises `NotDue`.
        """
        self.check_exists()
        at = to_milliseconds(audit.at)
        if self.status not in OPEN_FOR_SIGNING or self.next_reminder_at is None or at < self.next_reminder_at:
            raise errors.NotDue
        step = Transition(self.changed_at(audit).with_next_reminder(at))
        for recipient in self.recipients:
            is_early = self.spaces_reminders and recipient.was_mailed_since(at - BETWEEN_MAILS)
            if recipient.can_be_reminded and not is_early:
                number = recipient.reminders + 1
                reminded = step.session.with_recipient(recipient, reminders=number, reminded_at=at)
                step = step._replace(session=reminded)
                details: Details = {"recipientId": recipient.recipient_id, "reminder": number}
                step = step.record(EventType.RECIPIENT_REMINDED, audit.by_system(), details)
        return step

    def fail_invitation(
        self, recipient_id: RecipientId, number: int, refusal: str, audit: AuditContext
    ) -> "Transition":
        """Records that the mail server permanently rejected invitation `number`, or a reminder of it."""
        self.check_exists()
        recipient = self.recipient(recipient_id)
        if recipient.status not in ACTIVE or recipient.invitation.number != number or recipient.is_unreachable:
            raise errors.NotDue
        failed = self.changed_at(audit).with_recipient(
            recipient,
            invitation=recipient.invitation.model_copy(update={"failed": number, "refusal": refusal}),
            reminders_delivered=recipient.reminders,
        )
        details: Details = {"recipientId": recipient_id, "invitation": number, "reason": refusal}
        return Transition(failed).record(EventType.RECIPIENT_INVITATION_FAILED, audit, details)

    def expire(self, audit: AuditContext) -> "Transition":
        """Expires the session, because its expiry date has passed before all have signed."""
        self.check_exists()
        if self.status not in OPEN_FOR_SIGNING or not self.has_expired(audit.at):
            raise errors.NotDue
        expired = self.changed_at(audit, status=SessionStatus.EXPIRED, next_reminder_at=None)
        step = Transition(expired.with_open_recipients(RecipientStatus.EXPIRED))
        step = step.record(EventType.SESSION_EXPIRED, audit.by_system(), {})
        return step.notify(expiry_mails(step.session))

    def add_signed_document(
        self, file_id: FileId, signed: ObjectReference, audit: AuditContext, seal: Seal | None = None
    ) -> "Transition":
        """Adds a signed PDF. With the last one, the session becomes `completedAndGenerated`, also while it is archived.

        `seal` is None for documents from before seals. Raises `NotDue` unless all have signed and the PDF is missing.
        """
        self.check_exists()
        file = self.file(file_id)
        if not self.needs_documents or file.signed:
            raise errors.NotDue
        done = self.changed_at(audit, files=self.files_with(file, signed, seal))
        if not all(f.signed for f in done.files):
            return Transition(done)
        which = "previous_status" if done.previous_status else "status"
        step = Transition(done).change(**{which: SessionStatus.COMPLETED_AND_GENERATED})
        details: dict[str, str | int] = {"files": len(done.files)}
        if lowest := done.seal_level:
            details["sealLevel"] = lowest.value
        step = step.record(EventType.SESSION_DOCUMENTS_GENERATED, audit, details)
        return step.notify(completion_mails(step.session))

    def augment_seal(self, file_id: FileId, signed: ObjectReference, seal: Seal, audit: AuditContext) -> "Transition":
        """Replaces a signed PDF by one with an augmented seal, or lowers the target level."""
        self.check_exists()
        file = self.file(file_id)
        if file not in self.due_seals or file.seal_level is None:
            raise errors.NotDue
        files = self.files_with(file, signed, seal)
        if seal.level.rank <= file.seal_level.rank:  # the operator lowered the target, which is not an event
            return Transition(self.model_copy(update={"files": files}))
        details = {
            "fileId": file_id,
            "previousLevel": file.seal_level.value,
            "sealLevel": seal.level.value,
            "previousSha256": file.signed.sha256 if file.signed else None,
            "signedSha256": signed.sha256,
        }
        return Transition(self.changed_at(audit, files=files)).record(EventType.SESSION_SEAL_RAISED, audit, details)

    def changed_at(self, audit: AuditContext, **changes: object) -> "Session":
        """Returns the session with `changes`, updated at the time of `audit`."""
        return self.model_copy(update={**changes, "updated_at": to_milliseconds(audit.at)})


class Transition(NamedTuple):
    """The result of an action: the session afterwards and its events, oldest first."""

    session: Session
    events: tuple[Event, ...] = ()

    def change(self, **changes: object) -> "Transition":
        """Returns the transition with more changes of the session."""
        return self._replace(session=self.session.model_copy(update=changes))

    def then(self, following: "Transition") -> "Transition":
        """Returns this transition followed by another one from its session."""
        return Transition(following.session, (*self.events, *following.events))

    def record(self, type: EventType, audit: AuditContext, details: Details) -> "Transition":
        """Returns the transition with another event at the end of the chain."""
        event = make_event(type, audit, details, (self.session.sequence, self.session.head))
        session = self.session.model_copy(update={"sequence": event.sequence, "head": event.hash})
        return Transition(session, (*self.events, event))

    def notify(self, mails: Iterable[OutcomeMail]) -> "Transition":
        """Returns the transition with more mails to send."""
        return self._replace(session=self.session.with_outcome_mails(mails))

    def complete_or_invite_next(self, recipient_id: RecipientId, audit: AuditContext) -> "Transition":
        """Returns the transition after an act of `recipient_id`: the next are invited, or the session is complete."""
        session = self.session
        if any(r.status is not RecipientStatus.COMPLETED for r in session.recipients if not r.gets_copy):
            return self.notify(signature_mails(session, recipient_id)).invite_next(audit)
        step = self.change(
            status=SessionStatus.COMPLETED,
            completed_at=session.updated_at,
            next_reminder_at=None,
            recipients=tuple(r.with_copy() for r in session.recipients),
            outcome_mails=tuple(mail for mail in session.outcome_mails if mail.kind is not OutcomeMailKind.SIGNED),
        )
        return step.record(EventType.SESSION_COMPLETED, audit.by_system(), {})

    def invite(self, recipient: Recipient, audit: AuditContext) -> "Transition":
        """Returns the transition with another invitation of `recipient`."""
        invited = self.session.with_recipient(recipient, **recipient.invited(to_milliseconds(audit.at)))
        details: Details = {"recipientId": recipient.recipient_id, "invitation": recipient.invitation.number + 1}
        if not recipient.gets_emails:
            details = {**details, "delivery": recipient.delivery.value}
        return self._replace(session=invited).record(EventType.RECIPIENT_INVITED, audit, details)

    def invite_next(self, audit: AuditContext) -> "Transition":
        """Returns the transition with invitations of the recipients whose turn it is."""
        step = self
        for recipient in recipients_to_invite(self.session.recipients):
            step = step.invite(recipient, audit.by_system())
        return step
