"""Inputs and results of a session's run. Their members are recorded in histories."""

from datetime import datetime
from typing import ClassVar, Self

from domain.audit.events import AuditContext, Event
from domain.callbacks.callback import Callback
from domain.session.delegation import Delegate, delegate
from domain.session.edits import Correction, ScheduleChange, correct_recipient, remind_recipient, reschedule
from domain.session.refused_mails import invite_again
from domain.session.session import Session, Submission, Transition
from domain.shared.errors import LinkNotValid
from domain.shared.frozen_model import FrozenModel
from domain.shared.ids import RecipientId


class SessionStart(FrozenModel):
    """The argument of a run: the session, with events and callbacks that may not be in the database yet.

    `last_revision` is the highest revision that was returned to a caller.
    """

    session: Session
    events: tuple[Event, ...] = ()
    callbacks: tuple[Callback, ...] = ()
    last_revision: int = 0


class ActionResult(FrozenModel):
    """The session after an action, with events and callbacks that may not be in the database yet."""

    session: Session
    events: tuple[Event, ...]
    callbacks: tuple[Callback, ...]


class ActionRequest(FrozenModel):
    """An action on a session, by the actor of `audit`. The workflow sets the time in `audit`."""

    audit: AuditContext


class SessionCommand(ActionRequest):
    """An action of a running session, with its decision.

    `update` is the name of the update in Temporal, and never changes, nor does a member change its meaning: histories
    hold both. `summary` describes the update in the Temporal UI.
    """

    update: ClassVar[str]
    summary: ClassVar[str]

    def decide(self, session: Session) -> Transition:
        """Returns the transition. Raises an error with the reason why the action is not allowed."""
        raise NotImplementedError

    def check(self, session: Session) -> None:
        """Raises an error if the action is not allowed. A run decides after this check only."""
        self.decide(session)

    def at(self, time: datetime) -> Self:
        """Returns the command with that time."""
        return self.model_copy(update={"audit": self.audit.model_copy(update={"at": time})})


class ArchiveRequest(SessionCommand):
    """Archiving. `reason` is for recipients."""

    update: ClassVar = "archive"
    summary: ClassVar = "Archives the session."
    reason: str | None = None

    def decide(self, session: Session) -> Transition:
        return session.archive(self.audit, self.reason)


class RestoreRequest(SessionCommand):
    """Restoring an archived session."""

    update: ClassVar = "restore"
    summary: ClassVar = "Restores an archived session."

    def decide(self, session: Session) -> Transition:
        return session.restore(self.audit)


class RecordDownloadRequest(SessionCommand):
    """Downloads by the actor of `audit`: file ids, `CERTIFICATE` and values (`domain.session.downloadable_items`)."""

    update: ClassVar = "record_download"
    summary: ClassVar = "Records a download of signed documents or of the certificate."
    wanted: tuple[str, ...]

    def decide(self, session: Session) -> Transition:
        return session.record_download(self.wanted, self.audit)


class InviteRequest(SessionCommand):
    """Another invitation for an active recipient.

    After the end of the session: another attempt at the mail about it, to `to_email` if it is given.
    """

    update: ClassVar = "invite"
    summary: ClassVar = "One more invitation, which replaces the earlier link."
    recipient_id: RecipientId
    to_email: str | None = None

    def decide(self, session: Session) -> Transition:
        return invite_again(session, self.recipient_id, self.audit, self.to_email)


class RemindRequest(SessionCommand):
    """A reminder for an active recipient."""

    update: ClassVar = "remind"
    summary: ClassVar = "A reminder of one recipient now, with the same link."
    recipient_id: RecipientId

    def decide(self, session: Session) -> Transition:
        return remind_recipient(session, self.recipient_id, self.audit)


class CorrectRequest(SessionCommand):
    """The corrected name and address of a recipient who has not signed."""

    update: ClassVar = "correct"
    summary: ClassVar = "Another name or address of a recipient who has not signed."
    recipient_id: RecipientId
    right: Correction

    def decide(self, session: Session) -> Transition:
        return correct_recipient(session, self.recipient_id, self.right, self.audit)


class RescheduleRequest(SessionCommand):
    """A change of expiry and reminders."""

    update: ClassVar = "reschedule"
    summary: ClassVar = "A later expiry or none, and other reminders."
    change: ScheduleChange

    def decide(self, session: Session) -> Transition:
        return reschedule(session, self.change, self.audit)


class RecipientActionRequest(SessionCommand):
    """An action of a recipient, who used the link of that invitation."""

    recipient_id: RecipientId
    invitation: int

    def check(self, session: Session) -> None:
        """Raises `LinkNotValid` if another link has replaced that of the invitation, or why it is not allowed."""
        if session.recipient(self.recipient_id).invitation.number != self.invitation:
            raise LinkNotValid
        self.check_act(session)

    def check_act(self, session: Session) -> None:
        """Raises an error if the action is not allowed with a valid link."""
        self.decide(session)


class ViewRequest(RecipientActionRequest):
    """A view of the documents."""

    update: ClassVar = "view"
    summary: ClassVar = "A recipient opens the documents."

    def decide(self, session: Session) -> Transition:
        return session.view(self.recipient_id, self.audit)


class ApproveRequest(RecipientActionRequest):
    """An approval of the documents."""

    update: ClassVar = "approve"
    summary: ClassVar = "A recipient approves the documents."

    def decide(self, session: Session) -> Transition:
        return session.approve(self.recipient_id, self.audit)


class SignRequest(RecipientActionRequest):
    """Signing, with the submission."""

    update: ClassVar = "sign"
    summary: ClassVar = "A recipient's fields and signature."
    submission: Submission

    def decide(self, session: Session) -> Transition:
        return session.sign(self.recipient_id, self.submission, self.audit)

    def check_act(self, session: Session) -> None:
        session.check_may_act(self.recipient_id, self.audit.at)


class DelegateRequest(RecipientActionRequest):
    """Delegation of a recipient's turn to another person."""

    update: ClassVar = "delegate"
    summary: ClassVar = "A recipient passes their turn on to another person."
    to: Delegate

    def decide(self, session: Session) -> Transition:
        return delegate(session, self.recipient_id, self.to, self.audit)


class DeclineRequest(RecipientActionRequest):
    """Declining. `reason` is in the recipient's own words."""

    update: ClassVar = "decline"
    summary: ClassVar = "A recipient refuses to sign or to approve."
    reason: str

    def decide(self, session: Session) -> Transition:
        return session.decline(self.recipient_id, self.reason, self.audit)

    def check_act(self, session: Session) -> None:
        session.check_may_act(self.recipient_id, self.audit.at)


COMMANDS: tuple[type[SessionCommand], ...] = (
    ViewRequest,
    SignRequest,
    ApproveRequest,
    DelegateRequest,
    DeclineRequest,
    InviteRequest,
    RemindRequest,
    CorrectRequest,
    RescheduleRequest,
    ArchiveRequest,
    RestoreRequest,
    RecordDownloadRequest,
)
"""All actions of a running session. The run has an update for each."""
