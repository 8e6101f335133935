"""The append-only history of a session, chained by hashes (Specification 6.1).

Each event carries the hash of the one before it, and its own hash covers all the rest of it in canonical JSON
(RFC 8785). Whoever holds the list can check it without us: `chain_is_intact`.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

import rfc8785

from domain.shared.frozen_model import FrozenModel
from domain.shared.ids import SessionId
from domain.shared.object_names import digest
from domain.shared.times import rfc3339, to_milliseconds

FIRST_PREVIOUS_HASH = "0" * 64
"""What stands in the place of a previous hash in the first event of a session."""


class EventType(StrEnum):
    """What can happen to a session. The comment says when the event is recorded."""

    SESSION_CREATED = "session.created"  # a client made the draft
    SESSION_SENT = "session.sent"  # the draft was sent; the first recipients are invited with it
    RECIPIENT_INVITED = "recipient.invited"  # it became this recipient's turn, or a new invitation replaced the old
    RECIPIENT_INVITATION_FAILED = "recipient.invitationFailed"  # the mail server refused this recipient's mail for good
    RECIPIENT_REMINDED = "recipient.reminded"  # a reminder fell due while it was this recipient's turn
    RECIPIENT_VIEWED = "recipient.viewed"  # the recipient opened the documents for the first time on a device
    RECIPIENT_CONSENTED = "recipient.consented"  # the recipient agreed to sign electronically
    RECIPIENT_COMPLETED = "recipient.completed"  # the recipient's fields and signature were accepted
    RECIPIENT_DECLINED = "recipient.declined"  # the recipient refused to sign; `reason` says why
    SESSION_COMPLETED = "session.completed"  # the last recipient has signed
    SESSION_DOCUMENTS_GENERATED = "session.documentsGenerated"  # every signed PDF is checked and stored
    SESSION_DOWNLOADED = "session.downloaded"  # somebody got a signed document or the certificate for the first time
    SESSION_VALUES_READ = "session.valuesRead"  # somebody read what a recipient entered for the first time
    SESSION_SEAL_RAISED = "session.sealRaised"  # a seal got a trusted time, or evidence, that could not be had at first
    SESSION_DECLINED = "session.declined"  # it ended because a recipient declined
    SESSION_EXPIRED = "session.expired"  # its expiry date passed before all had signed
    SESSION_ARCHIVED = "session.archived"  # hidden from work, restorable
    SESSION_RESTORED = "session.restored"  # back to where it was before archiving


class ActorKind(StrEnum):
    CLIENT = "client"
    RECIPIENT = "recipient"
    USER = "user"
    SYSTEM = "system"


class Actor(FrozenModel):
    """Who did it: an API client, a recipient, a user of the organisation, or the service itself."""

    kind: ActorKind
    id: str


SYSTEM = Actor(kind=ActorKind.SYSTEM, id="undersign")


class AuditContext(FrozenModel):
    """When something was done, by whom and from where."""

    at: datetime
    actor: Actor
    ip: str | None = None
    user_agent: str | None = None

    @staticmethod
    def of_system(at: datetime) -> "AuditContext":
        """A moment at which the service acts on its own."""
        return AuditContext(at=at, actor=SYSTEM)

    def by_system(self) -> "AuditContext":
        """The same moment, for what the service itself does as a consequence."""
        return AuditContext.of_system(self.at)


class Event(FrozenModel):
    """One entry of the history. `hash` is the SHA-256 (hex) of the canonical JSON of everything else."""

    sequence: int
    at: datetime
    type: EventType
    actor: Actor
    ip: str | None
    user_agent: str | None
    details: Mapping[str, str | int | None]
    previous_hash: str
    hash: str

    def facts(self) -> dict[str, object]:
        """All but the hash, under the names that the API shows; what the hash covers."""
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
    """A place in the feed of an organisation: its number, and what tells it from one of that number after a restore."""

    number: int
    mark: str


FEED_START = FeedPosition(0, "")
"""Before the first event."""


class FeedEvent(NamedTuple):
    """An event, its place among all of its organisation, and the labels of its session (`domain.session.labels`)."""

    position: FeedPosition
    session_id: SessionId
    event: Event
    labels: Mapping[str, str]


def make_event(
    type: EventType, audit: AuditContext, details: Mapping[str, str | int | None], follows: tuple[int, str]
) -> Event:
    """The event that comes after the one with sequence and hash `follows`."""
    sequence, previous_hash = follows
    event = Event(
        sequence=sequence + 1,
        at=to_milliseconds(audit.at),
        type=type,
        actor=audit.actor,
        ip=audit.ip,
        user_agent=audit.user_agent,
        details=details,
        previous_hash=previous_hash,
        hash="",
    )
    return event.model_copy(update={"hash": event_hash(event)})


def event_hash(event: Event) -> str:
    """The hash that `event` must carry."""
    return digest(rfc8785.dumps(event.facts()))  # type: ignore[arg-type]  # its own recursive JSON type is invariant


def chain_is_intact(events: Sequence[Event]) -> bool:
    """Whether `events`, from the first on, are numbered without a gap and chained without a change."""
    previous = FIRST_PREVIOUS_HASH
    for number, event in enumerate(events, start=1):
        if event.sequence != number or event.previous_hash != previous or event.hash != event_hash(event):
            return False
        previous = event.hash
    return True
