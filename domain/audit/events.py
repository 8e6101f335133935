"""The append-only history of a session, chained by hashes (Specification 6.1).

Each event carries the hash of the event before it; `domain.audit.hash_chain` computes and verifies hashes.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from domain.shared.frozen_model import FrozenModel
from domain.shared.ids import ClientId, SessionId
from domain.shared.times import rfc3339
from domain.texts.described_enum import DescribedEnum


class EventType(DescribedEnum):
    """Type of an event."""

    SESSION_CREATED = "session.created", "the draft was created"
    SESSION_EDITED = "session.edited", "the draft was changed; `details.changed` names the members"
    SESSION_SENT = "session.sent", "the draft was sent; the first recipients are invited"
    RECIPIENT_INVITED = "recipient.invited", "a mail with a link is due to a recipient who can sign now"
    RECIPIENT_INVITATION_FAILED = (
        "recipient.invitationFailed",
        "the mail server rejected a recipient's mail permanently; in events, `details.reason` says why",
    )
    RECIPIENT_REMINDED = "recipient.reminded", "a reminder is due to a recipient who can sign now, or was requested"
    RECIPIENT_CORRECTED = (
        "recipient.corrected",
        "the name or email address of a recipient was corrected; `details` holds both",
    )
    RECIPIENT_DELEGATED = (
        "recipient.delegated",
        "a recipient passed their turn on to another person; in events, `details` holds both, and why",
    )
    RECIPIENT_VIEWED = "recipient.viewed", "a recipient opened the documents for the first time on a device"
    RECIPIENT_CONSENTED = "recipient.consented", "a recipient agreed to sign electronically"
    RECIPIENT_COMPLETED = "recipient.completed", "a recipient signed"
    RECIPIENT_APPROVED = "recipient.approved", "a recipient approved the documents"
    RECIPIENT_DECLINED = (
        "recipient.declined",
        "a recipient declined to sign or to approve; in events, `details.reason` says why",
    )
    SESSION_COMPLETED = "session.completed", "all recipients have signed; the documents are being generated"
    SESSION_DOCUMENTS_GENERATED = "session.documentsGenerated", "every signed PDF is ready"
    SESSION_DOWNLOADED = "session.downloaded", "a signed PDF or the certificate was downloaded for the first time"
    SESSION_VALUES_READ = (
        "session.valuesRead",
        "a client first read the values of the recipient in `details.recipientId`",
    )
    SESSION_SEAL_RAISED = "session.sealRaised", "a seal got a trusted time or evidence that was not available at first"
    SESSION_RESCHEDULED = "session.rescheduled", "the expiry or the reminders of an open session were changed"
    SESSION_DECLINED = "session.declined", "a recipient declined, which ended the session"
    SESSION_EXPIRED = "session.expired", "the expiry date passed before all recipients had signed"
    SESSION_ARCHIVED = "session.archived", "the session was archived; it can be restored"
    SESSION_RESTORED = "session.restored", "the session returned to its earlier status"


class ActorKind(DescribedEnum):
    """Kind of an actor."""

    CLIENT = "client", "a client of the API"
    RECIPIENT = "recipient", "a recipient"
    USER = "user", "a user of the organisation"
    SYSTEM = "system", "the service itself"


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
