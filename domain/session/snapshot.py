"""The state of a session at one moment: its members, and values derived from them (Specification 2.1).

`domain.session.session` adds the actions.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from enum import StrEnum
from typing import Self

from domain.audit.hash_chain import FIRST_PREVIOUS_HASH
from domain.seal.seal import Seal, SealLevel
from domain.session.outcome_mail_kinds import CompletionMails, OutcomeMail, OutcomeMailKind, RefusedMail
from domain.session.recipients import ACTIVE, OPEN, Recipient, RecipientRole, RecipientStatus
from domain.session.reminder_schedule import next_reminder
from domain.session.sender import Sender
from domain.session.settings import TemplateSettings
from domain.session.status import FINAL, OPEN_FOR_SIGNING, SessionStatus
from domain.shared import errors
from domain.shared.frozen_model import FrozenModel, omitted_default
from domain.shared.ids import FileId, OrganisationId, RecipientId, SessionId, UserId, advice_on_id
from domain.shared.object_names import ObjectReference
from domain.shared.times import LocalDate, TimeZone

MAIL_STATUS = {
    OutcomeMailKind.SIGNED: SessionStatus.IN_PROGRESS,
    OutcomeMailKind.COMPLETED: SessionStatus.COMPLETED_AND_GENERATED,
    OutcomeMailKind.DECLINED: SessionStatus.DECLINED,
    OutcomeMailKind.EXPIRED: SessionStatus.EXPIRED,
    OutcomeMailKind.CANCELLED: SessionStatus.CANCELLED,
}
"""The status of the session in which a mail of a kind is sent, so that no mail is outdated by archiving or restoring.
Other kinds are sent in any status."""


class FileType(StrEnum):
    """The type of a file: a block document, or an uploaded PDF that is sent for reference."""

    BLOCKS = "blocks"
    UPLOADED_PDF = "uploadedPdf"


class SessionFile(FrozenModel):
    """One document of a session: its blocks, the PDF as sent, its zones, and later the signed PDF.

    `images` refers to the list of its images, if it has any. An uploaded PDF has neither blocks nor zones, and its
    signed PDF is a sealed copy. `seal_level` is the validated level of the seal, `seal_goal` its target.
    """

    file_id: FileId
    file_name: str
    title: str
    page_count: int
    source: ObjectReference | None = None
    zones: ObjectReference | None = None
    rendered: ObjectReference
    signed: ObjectReference | None = None
    seal_level: SealLevel | None = None
    seal_goal: SealLevel | None = None
    images: ObjectReference | None = None
    type: FileType = FileType.BLOCKS

    @property
    def needs_augmentation(self) -> bool:
        """Whether its seal is below the target level."""
        level, goal = self.seal_level, self.seal_goal
        return level is not None and goal is not None and not level.is_at_least(goal)


class Submission(FrozenModel):
    """A submission: the reference of its content, and evidence for the history.

    The date of signing is in `time_zone`; None: in UTC, and the history holds no date.
    """

    content: ObjectReference
    signature_sha256: str
    consent_version: str
    time_zone: TimeZone | None = None

    def signed_on(self, at: datetime) -> LocalDate | None:
        """Returns the date of signing at `at`."""
        return self.time_zone.date_of(at) if self.time_zone else None

    def evidence(self, at: datetime) -> dict[str, str]:
        """Returns the details of the event `recipient.completed` for a signature at `at`."""
        hashes = {"submissionSha256": self.content.sha256, "signatureSha256": self.signature_sha256}
        day = self.signed_on(at)
        return {**hashes, "dateSigned": day.date.isoformat(), "timeZone": day.time_zone} if day else hashes


class SessionDraft(TemplateSettings):
    """The data of a new session.

    `callback_values`: callbacks of signatures hold the recipient's values. `sender_email` gets the mails of the
    organisation; None: no mails. `external_id` and `metadata` are labels (`domain.session.labels`). `created_by`
    is the user who created it, in the app or by a program with their consent.
    """

    session_id: SessionId
    organisation_id: OrganisationId
    organisation_name: str
    name: str
    files: tuple[SessionFile, ...]
    recipients: tuple[Recipient, ...]
    callback_url: str | None = None
    callback_values: bool = False
    external_id: str | None = None
    external_id_unique: bool = False
    metadata: Mapping[str, str] = {}
    sender_email: str | None = None
    completion_mails: CompletionMails = CompletionMails.ALL
    sender: Sender | None = omitted_default(None)
    created_by: UserId | None = omitted_default(None)


class SessionSnapshot(SessionDraft):
    """A session at one moment, without its actions.

    `sequence` and `head` are the number and hash of its latest event. `revision` counts every change, also those
    without an event: of two snapshots, the one with the higher revision is newer. `outcome_mails` are pending mails,
    `refused_mails` are those to recipients whose address was rejected,
    `downloaded` lists first downloads (`domain.session.downloadable_items`), and `restored_at` holds the times of the
    restores of the last hour. `stopped_at` is the time at which the run that it needs was found missing; a run never
    sets it. `sent_by` is the user who sent it, in the app or by a program with their consent. `archive_reason` is shown
    to recipients while the session is archived. `confirms_acts`: each signature and approval is confirmed by a mail.
    `spaces_reminders`: the schedule reminds no recipient who was mailed lately. Neither holds for sessions that were
    sent with an earlier version, so that their histories replay.
    """

    status: SessionStatus = SessionStatus.DRAFT
    previous_status: SessionStatus | None = None
    created_at: datetime
    updated_at: datetime
    sent_at: datetime | None = None
    sent_by: UserId | None = None
    archive_reason: str | None = None
    confirms_acts: bool = omitted_default(False)
    spaces_reminders: bool = omitted_default(False)
    completed_at: datetime | None = None
    expires_at: datetime | None = None
    next_reminder_at: datetime | None = None
    erased_at: datetime | None = None
    outcome_mails: tuple[OutcomeMail, ...] = ()
    refused_mails: tuple[RefusedMail, ...] = omitted_default(())
    downloaded: tuple[str, ...] = ()
    restored_at: tuple[datetime, ...] = ()
    stopped_at: datetime | None = None
    revision: int = 0
    sequence: int = 0
    head: str = FIRST_PREVIOUS_HASH

    @property
    def reply_to(self) -> str | None:
        """The address to which answers to mails go; None if the organisation has none."""
        return self.sender.email if self.sender else self.sender_email

    @property
    def owner(self) -> UserId | None:
        """The user who created the session, or who sent it; None if a program without a user did."""
        return self.created_by or self.sent_by

    @property
    def is_erased(self) -> bool:
        return self.erased_at is not None

    @property
    def underlying_status(self) -> SessionStatus:
        """The status; of an archived session, the status before archiving."""
        return self.previous_status or self.status

    @property
    def is_open(self) -> bool:
        """Whether recipients can sign, now or after the session is restored."""
        return self.underlying_status in OPEN_FOR_SIGNING and not self.is_erased

    @property
    def needs_documents(self) -> bool:
        """Whether signing is complete and signed PDFs are still to be made, also while archived."""
        return self.underlying_status is SessionStatus.COMPLETED and not self.is_erased

    @property
    def is_final(self) -> bool:
        """Whether the session has ended, archived or not."""
        return self.underlying_status in FINAL

    @property
    def needs_run(self) -> bool:
        """Whether the session needs a run in Temporal, now or after it is restored."""
        if self.is_erased or self.underlying_status is SessionStatus.DRAFT:
            return False
        return not self.is_final or self.has_pending_outcome_mails or bool(self.due_seals)

    @property
    def due_outcome_mails(self) -> tuple[OutcomeMail, ...]:
        """The mails about the outcome that may be sent now."""
        if self.is_erased:
            return ()
        return tuple(m for m in self.outcome_mails if MAIL_STATUS.get(m.kind, self.status) is self.status)

    @property
    def has_pending_outcome_mails(self) -> bool:
        """Whether a mail about the outcome is to be sent, now or after the session is restored."""
        statuses = (self.status, self.underlying_status)
        pending = (MAIL_STATUS.get(mail.kind, self.status) for mail in self.outcome_mails)
        return not self.is_erased and any(status in statuses for status in pending)

    @property
    def due_seals(self) -> tuple[SessionFile, ...]:
        """The files whose seals are to be augmented, also while archived."""
        if self.is_erased or self.underlying_status is not SessionStatus.COMPLETED_AND_GENERATED:
            return ()
        return tuple(file for file in self.files if file.needs_augmentation)

    @property
    def notified_recipients(self) -> tuple[Recipient, ...]:
        """The recipients who know of the session."""
        return tuple(r for r in self.recipients if r.is_notified)

    @property
    def seal_level(self) -> SealLevel | None:
        """The lowest seal level of its documents; None while one of them has no seal."""
        levels = [file.seal_level for file in self.files]
        return min((level for level in levels if level), key=lambda level: level.rank) if all(levels) else None

    def has_expired(self, at: datetime) -> bool:
        """Returns whether the expiry date has passed at `at`."""
        return self.expires_at is not None and at >= self.expires_at

    def recipient(self, recipient_id: RecipientId) -> Recipient:
        """Returns the recipient with that id. Raises `RecipientNotFound`, which explains what is no id."""
        recipient = next((r for r in self.recipients if r.recipient_id == recipient_id), None)
        if recipient is None:
            for named in self.recipients:
                if named.key == recipient_id:
                    message = f"“{named.key}” is the key of a recipient, whose recipientId is {named.recipient_id}."
                    raise errors.RecipientNotFound(message)
            advice = advice_on_id("recipientId", recipient_id)
            raise errors.RecipientNotFound(f"{errors.RecipientNotFound.default}{advice}")
        return recipient

    def parts_of(self, recipient: Recipient) -> tuple[Recipient, ...]:
        """Returns the recipients with the address of `recipient` who sign or approve: the parts of one person."""
        return tuple(
            one for one in self.recipients if one.email.casefold() == recipient.email.casefold() and not one.gets_copy
        )

    def language_of(self, recipient: Recipient) -> str | None:
        """Returns the language of `recipient`, or that of the session; None if neither is set."""
        return recipient.language or self.language

    def file(self, file_id: FileId) -> SessionFile:
        """Returns the file with that id. Raises `FileNotFound`."""
        file = next((f for f in self.files if f.file_id == file_id), None)
        if file is None:
            raise errors.FileNotFound
        return file

    def check_may_act(self, recipient_id: RecipientId, at: datetime | None = None) -> Recipient:
        """Returns the recipient if they are active. Otherwise raises an error with the reason.

        With `at`, an expiry date that has passed counts even if the session is not expired yet.
        """
        self.check_exists()
        recipient = self.recipient(recipient_id)
        if recipient.status is RecipientStatus.COMPLETED:
            raise errors.AlreadySigned
        if self.status not in OPEN_FOR_SIGNING or (at and self.has_expired(at)):
            raise errors.SessionNotActive
        if recipient.status not in ACTIVE:
            raise errors.NotYourTurn
        return recipient

    def check_role(self, recipient_id: RecipientId, role: RecipientRole, at: datetime) -> Recipient:
        """Returns the recipient if they are active and have the `role`. Otherwise raises an error with the reason."""
        recipient = self.check_may_act(recipient_id, at)
        if recipient.role is not role:
            raise errors.RecipientNotActive(f"Only a recipient with the role {role} can do this.")
        return recipient

    def check_exists(self) -> None:
        """Raises `SessionNotFound` if the session is erased."""
        if self.is_erased:
            raise errors.SessionNotFound

    # Changes without an event

    def with_delivery(self, recipient_id: RecipientId, number: int) -> Self:
        """Returns the session after delivery of invitation `number`."""
        recipient = self.recipient(recipient_id)
        delivered = {"delivered": max(number, recipient.invitation.delivered)}
        return self.with_recipient(recipient, invitation=recipient.invitation.model_copy(update=delivered))

    def with_reminder(self, recipient_id: RecipientId, number: int) -> Self:
        """Returns the session after delivery of reminder `number`."""
        recipient = self.recipient(recipient_id)
        return self.with_recipient(recipient, reminders_delivered=max(number, recipient.reminders_delivered))

    def with_outcome_mails(self, mails: Iterable[OutcomeMail]) -> Self:
        """Returns the session with more mails to send."""
        return self.model_copy(update={"outcome_mails": (*self.outcome_mails, *mails)})

    def without_outcome_mail(self, mail: OutcomeMail) -> Self:
        """Returns the session without that pending mail."""
        return self.model_copy(update={"outcome_mails": tuple(m for m in self.outcome_mails if m != mail)})

    def refused_mail_of(self, recipient_id: RecipientId) -> RefusedMail | None:
        """Returns the latest mail about the outcome that was rejected and can be sent again now."""
        mails = (one for one in reversed(self.refused_mails) if one.mail.recipient_id == recipient_id)
        return next((one for one in mails if MAIL_STATUS.get(one.mail.kind, self.status) is self.status), None)

    def with_next_revision(self) -> Self:
        """Returns the session with the next revision."""
        return self.model_copy(update={"revision": self.revision + 1})

    def files_with(self, file: SessionFile, signed: ObjectReference, seal: Seal | None) -> tuple[SessionFile, ...]:
        """Returns the files, one of them with its signed PDF and its seal."""
        changes: dict[str, object] = {"signed": signed}
        if seal is not None:
            changes |= {"seal_level": seal.level, "seal_goal": seal.goal}
        return tuple(f.model_copy(update=changes) if f == file else f for f in self.files)

    def with_recipient(self, recipient: Recipient, **changes: object) -> Self:
        """Returns the session with `recipient` changed."""
        changed = recipient.model_copy(update=changes)
        recipients = tuple(changed if r.recipient_id == recipient.recipient_id else r for r in self.recipients)
        return self.model_copy(update={"recipients": recipients})

    def with_open_recipients(self, status: RecipientStatus) -> Self:
        """Returns the session with all recipients who have not finished in that status."""
        changed = (r.model_copy(update={"status": status}) if r.status in OPEN else r for r in self.recipients)
        return self.model_copy(update={"recipients": tuple(changed)})

    def with_next_reminder(self, at: datetime) -> Self:
        """Returns the session with its next reminder after `at`, if there is one."""
        due = None
        if self.reminder_enabled and self.sent_at and self.status in OPEN_FOR_SIGNING:
            due = next_reminder(self.sent_at, self.reminder_frequency, at, self.expires_at)
        return self.model_copy(update={"next_reminder_at": due})
