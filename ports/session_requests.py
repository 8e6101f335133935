"""Inputs and results of a session's run. Their members are recorded in histories."""

from domain.audit.events import AuditContext, Event
from domain.callbacks.callback import Callback
from domain.session.delegation import Delegate
from domain.session.edits import Correction, ScheduleChange
from domain.session.session import Session, Submission
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
    """An action of the organisation, such as restoring a session. The workflow sets the time in `audit`."""

    audit: AuditContext


class ArchiveRequest(ActionRequest):
    """Archiving. `reason` is for recipients."""

    reason: str | None = None


class RecordDownloadRequest(ActionRequest):
    """Downloads by the actor of `audit`: file ids, `CERTIFICATE` and values (`domain.session.downloadable_items`)."""

    wanted: tuple[str, ...]


class InviteRequest(ActionRequest):
    """Another invitation or a reminder for an active recipient.

    After the end of the session: another attempt at the mail about it, to `to_email` if it is given.
    """

    recipient_id: RecipientId
    to_email: str | None = None


class CorrectRequest(ActionRequest):
    """The corrected name and address of a recipient who has not signed."""

    recipient_id: RecipientId
    right: Correction


class RescheduleRequest(ActionRequest):
    """A change of expiry and reminders."""

    change: ScheduleChange


class RecipientActionRequest(ActionRequest):
    """An action of a recipient, who used the link of that invitation."""

    recipient_id: RecipientId
    invitation: int


class SignRequest(RecipientActionRequest):
    """Signing, with the submission."""

    submission: Submission


class DelegateRequest(RecipientActionRequest):
    """Delegation of a recipient's turn to another person."""

    to: Delegate


class DeclineRequest(RecipientActionRequest):
    """Declining. `reason` is in the recipient's own words."""

    reason: str
