"""The record of administrative acts of an organisation: changes of its users, API clients and settings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Protocol

from domain.audit.events import AuditContext, Event
from domain.shared.ids import OrganisationId


class ActKind(StrEnum):
    """Kinds of acts. `about` is the identifier of the user or the client, unless the comment says otherwise."""

    USER_INVITED = "user.invited"
    USER_ADDED = "user.added"  # by an operator, as the first user
    USER_CHANGED = "user.changed"
    USER_DISABLED = "user.disabled"
    USER_ENABLED = "user.enabled"
    USER_SIGN_INS_ENDED = "user.signInsEnded"
    USER_SIGN_IN_LINK_MADE = "user.signInLinkMade"  # by an operator, who gives it to the user
    INVITATION_ACCEPTED = "invitation.accepted"
    INVITATION_DECLINED = "invitation.declined"
    INVITATION_WITHDRAWN = "invitation.withdrawn"
    CLIENT_ADDED = "client.added"
    CLIENT_CHANGED = "client.changed"
    CLIENT_SECRET_REPLACED = "client.secretReplaced"  # noqa: S105  # the name of an act
    CLIENT_REVOKED = "client.revoked"
    WEBHOOK_SECRET_CHANGED = "webhookSecret.changed"  # noqa: S105  # the name of an act; `about` is empty
    RECEIVER_RESUMED = "receiver.resumed"  # `about` is the receiver
    ORGANISATION_CHANGED = "organisation.changed"  # its settings or its appearance; `about` is the organisation
    ORGANISATION_CLOSED = "organisation.closed"  # `about` is the organisation
    SESSION_REPAIRED = "session.repaired"  # by an operator, after a restore; `about` is the session


@dataclass(frozen=True, slots=True)
class Change:
    """What an act changed. `before` and `after` hold the members that differ, without secrets."""

    kind: ActKind
    about: str
    before: Mapping[str, Any] = field(default_factory=dict)
    after: Mapping[str, Any] = field(default_factory=dict)


def differing(kind: ActKind, about: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> Change:
    """Returns the change with only those members that differ."""
    names = [name for name in after if before.get(name) != after[name]]
    return Change(kind, about, {name: before.get(name) for name in names}, {name: after[name] for name in names})


@dataclass(frozen=True, slots=True)
class AdministrativeAct:
    """An act of a user or of an API client; of the actor `system`, if an operator used the command line."""

    act_id: str
    organisation_id: OrganisationId
    at: datetime
    actor_kind: str
    actor_id: str
    ip: str | None
    change: Change


def find_lost_events(acts: Sequence[AdministrativeAct], events: Sequence[Event]) -> frozenset[int]:
    """Returns the numbers of the events that a restore has lost, from the acts about their session."""
    repairs = [act for act in acts if act.change.kind is ActKind.SESSION_REPAIRED]
    numbers = {number for act in repairs for number in act.change.after["lostEvents"]}
    return frozenset(numbers - {event.sequence for event in events})


class AdministrativeActs(Protocol):
    """Records of acts. They are never changed."""

    async def add(self, organisation_id: OrganisationId, audit: AuditContext, change: Change) -> None:
        """Records `change`, which the actor of `audit` made."""

    async def list(self, organisation_id: OrganisationId, limit: int) -> tuple[AdministrativeAct, ...]:
        """Returns the latest acts of the organisation, latest first."""

    async def list_about(self, organisation_id: OrganisationId, about: str) -> tuple[AdministrativeAct, ...]:
        """Returns all acts about a user, a client or a session, latest first."""
