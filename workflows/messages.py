"""What goes into and comes out of a signing session."""

from domain.callbacks import Callback
from domain.events import Event, Occasion
from domain.ids import OrganisationId, RecipientId, SessionId
from domain.models import Value
from domain.session import Session, Submission


class SessionStart(Value):
    """The argument of a run: the session as it is, and its events and callbacks that may not have been recorded yet."""

    session: Session
    events: tuple[Event, ...]
    send_immediately: Occasion | None = None
    callbacks: tuple[Callback, ...] = ()


class ClosedStart(Value):
    """Whose row to act on."""

    organisation_id: OrganisationId
    session_id: SessionId


class ActRequest(Value):
    """An act of the organisation: send, archive, restore, erase. The workflow puts its own clock into `occasion`."""

    occasion: Occasion


class HandOutRequest(ActRequest):
    """Copies that are handed to the actor of the occasion: file ids, and `domain.copies.CERTIFICATE`."""

    wanted: tuple[str, ...]


class InviteRequest(ActRequest):
    """One more invitation for somebody whose turn it is."""

    recipient_id: RecipientId


class RecipientActRequest(Value):
    """An act of a recipient, who came with a link of that hash (SHA-256, hex)."""

    recipient_id: RecipientId
    link_hash: str
    occasion: Occasion


class SignRequest(RecipientActRequest):
    """The act of signing, with what was submitted."""

    submission: Submission


class DeclineRequest(RecipientActRequest):
    """The act of declining. `reason` is the recipient's own words."""

    reason: str
