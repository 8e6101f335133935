"""The append-only history of a session, chained by hashes (Specification 6.1).

Each event carries the hash of the event before it; `domain.audit.hash_chain` computes and verifies hashes.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from domain.shared.frozen_model import FrozenModel
from domain.shared.ids import ClientId, SessionId
from domain.shared.times import rfc3339


class EventType(StrEnum):
    """Types of events. The comment says when the event is recorded."""

    SESSION_CREATED = "session.created"  # the draft was created
    SESSION_EDITED = "session.edited"  # the draft was changed; `changed` names the members
    SESSION_SENT = "session.sent"  # the draft was sent; the first recipients are invited at the same time
    RECIPIENT_INVITED = "recipient.invited"  # it became this recipient's turn, or a new invitation replaced the old
    RECIPIENT_INVITATION_FAILED = "recipient.invitationFailed"  # the mail server rejected this mail permanently
    RECIPIENT_REMINDED = (
        "recipient.reminded"  # a reminder fell due while it was this recipient's turn, or was requested
    )
    RECIPIENT_CORRECTED = "recipient.corrected"  # name or address of a recipient who has not signed was changed
    RECIPIENT_DELEGATED = "recipient.delegated"  # a recipient passed their turn on to another person; `reason` says why
    RECIPIENT_VIEWED = "recipient.viewed"  # the recipient opened the documents for the first time on a device
    RECIPIENT_CONSENTED = "recipient.consented"  # the recipient agreed to sign electronically
    RECIPIENT_COMPLETED = "recipient.completed"  # the recipient's fields and signature were accepted
    RECIPIENT_APPROVED = "recipient.approved"  # the recipient approved the documents
    RECIPIENT_DECLINED = "recipient.declined"  # the recipient refused to sign or to approve; `reason` says why
    SESSION_COMPLETED = "session.completed"  # the last recipient has signed or approved
    SESSION_DOCUMENTS_GENERATED = "session.documentsGenerated"  # every signed PDF is checked and stored
    SESSION_DOWNLOADED = "session.downloaded"  # the first download of a signed document or the certificate by an actor
    SESSION_VALUES_READ = "session.valuesRead"  # the first read of a recipient's values by an actor
    SESSION_SEAL_RAISED = "session.sealRaised"  # a seal was augmented by a timestamp or validation data
    SESSION_RESCHEDULED = "session.rescheduled"  # expiry or reminders of an open session were changed
    SESSION_DECLINED = "session.declined"  # the session ended, because a recipient declined
    SESSION_EXPIRED = "session.expired"  # the session ended, because its expiry date passed before all had signed
    SESSION_ARCHIVED = "session.archived"  # the session was archived; it can be restored
    SESSION_RESTORED = "session.restored"  # the session was restored to its status before archiving


class ActorKind(StrEnum):
    CLIENT = "client"
    RECIPIENT = "recipient"
    USER = "user"
    SYSTEM = "system"


class Actor(FrozenModel):
    """The actor of an event: an API client, a recipient, a user of the organisation, or the service itself."""

    kind: ActorKind
    id: str


SYSTEM = Actor(kind=ActorKind.SYSTEM, id="undersign")


class AuditContext(FrozenModel):
    """The time, actor, IP address and user agent of an action.

    `program` is the API client that opened the documents for the recipient who acts; None: they followed their link.
    """

    at: datetime
    actor: Actor
    ip: str | None = None
    user_agent: str | None = None
    program: ClientId | None = None

    @staticmethod
    def of_system(at: datetime) -> "AuditContext":
        """Returns the context of an action of the service itself."""
        return AuditContext(at=at, actor=SYSTEM)

    def by_system(self) -> "AuditContext":
        """Returns a context with the same time and the service as actor, for events that follow from an action."""
        return AuditContext.of_system(self.at)


Details = Mapping[str, str | int | None]
"""The details of an event, which depend on its type."""


class Event(FrozenModel):
    """One entry of the history. `hash` is the SHA-256 (hex) of the canonical JSON of its other members."""

    sequence: int
    at: datetime
    type: EventType
    actor: Actor
    ip: str | None
    user_agent: str | None
    details: Details
    previous_hash: str
    hash: str

    def facts(self) -> dict[str, object]:
        """Returns all members except the hash, under their names in the API. The hash covers them."""
        return {
            "sequence": self.sequence,
            "at": rfc3339(self.at),
            "type": self.type.value,
            "actor": {"kind": self.actor.kind.value, "id": self.actor.id},
            "ip": self.ip,
            "userAgent": self.user_agent,
            "details": dict(self.details),
            "previousHash": self.previous_hash,
        }


class FeedPosition(NamedTuple):
    """A position in the event feed of an organisation.

    `mark` is random. It distinguishes events that have the same number before and after a restore of the database.
    """

    number: int
    mark: str


FEED_START = FeedPosition(0, "")
"""The position before the first event."""


class FeedEvent(NamedTuple):
    """An event with its position in the event feed and the labels of its session (`domain.session.labels`)."""

    position: FeedPosition
    session_id: SessionId
    event: Event
    labels: Mapping[str, str]


def names_at_events(events: Sequence[Event], names: Mapping[str, str]) -> tuple[Mapping[str, str], ...]:
    """Returns for each event the names that the recipients (by id) had at that time. `names` are the current names."""
    found: list[Mapping[str, str]] = []
    for event in reversed(events):
        if event.type in (EventType.RECIPIENT_CORRECTED, EventType.RECIPIENT_DELEGATED):
            names = {**names, str(event.details["recipientId"]): str(event.details["previousName"])}
        found.append(names)
    return tuple(reversed(found))
