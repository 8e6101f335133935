"""What goes into and comes out of a signing session."""

from domain.audit.events import AuditContext, Event
from domain.callbacks.callback import Callback
from domain.session.session import Session, Submission
from domain.shared.frozen_model import FrozenModel
from domain.shared.ids import RecipientId


class SessionStart(FrozenModel):
    """The argument of a run: the session as it is, and its events and callbacks that may not be in the database yet.

    `last_revision` is the highest revision that was given out so far.
    """

    session: Session
    events: tuple[Event, ...] = ()
    callbacks: tuple[Callback, ...] = ()
    last_revision: int = 0


class ActionResult(FrozenModel):
    """The session after an act, and its events and callbacks that may not be in the database yet."""

    session: Session
    events: tuple[Event, ...]
    callbacks: tuple[Callback, ...]


class ActionRequest(FrozenModel):
    """An act of the organisation: archive, restore. The workflow puts its own clock into `audit`."""

    audit: AuditContext


class RecordDownloadRequest(ActionRequest):
    """Copies that are handed to the actor of the audit: file ids, and `domain.session.downloads.CERTIFICATE`."""

    wanted: tuple[str, ...]


class InviteRequest(ActionRequest):
    """One more invitation for somebody whose turn it is."""

    recipient_id: RecipientId


class RecipientActionRequest(ActionRequest):
    """An act of a recipient, who came with the link of that invitation."""

    recipient_id: RecipientId
    invitation: int


class SignRequest(RecipientActionRequest):
    """The act of signing, with what was submitted."""

    submission: Submission


class DeclineRequest(RecipientActionRequest):
    """The act of declining. `reason` is the recipient's own words."""

    reason: str
