"""What the database promises about callbacks and the feed. Every look-up carries the organisation."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple, Protocol

from domain.deliveries import Attempt, Delivery, LoggedCallback
from domain.events import Event
from domain.ids import EventId, OrganisationId, SessionId

OVERLAP = timedelta(hours=24)
"""How long a secret that was replaced signs beside the new one."""


@dataclass(frozen=True, slots=True)
class Outgoing:
    """What is to be sent, and where to. `paused_since`: the receiver was dead, and is left alone."""

    url: str
    body: str
    paused_since: datetime | None


@dataclass(frozen=True, slots=True)
class Tried:
    """A try of `delivery`, the `number`-th of the run `run_id`. `wait` is that before the next one, None when there is
    none.
    """

    delivery: Delivery
    run_id: str
    number: int
    attempt: Attempt
    wait: timedelta | None


class PausedReceiver(NamedTuple):
    """A receiver (scheme, host and port) that failed for three days and is left alone, with so many callbacks held."""

    receiver: str
    failing_since: datetime
    paused_since: datetime
    held: int


class Callbacks(Protocol):
    """Callbacks and the log of their delivery. New ones are written with their events, see `SessionRows.record`."""

    async def find(self, organisation_id: OrganisationId, event_id: EventId) -> Outgoing | None:
        """The callback; None for what does not exist, is another organisation's, or was erased with its session."""
        ...

    async def hold(self, delivery: Delivery) -> None:
        """Not tried, since the receiver is paused; resuming begins the delivery again."""
        ...

    async def suspect(self, delivery: Delivery, at: datetime) -> None:
        """Its receiver lets a try wait that began at that time: it counts as failing from then on, until it answers."""
        ...

    async def keep_attempt(self, tried: Tried) -> datetime | None:
        """Writes down what came of a try, of one that was written down before nothing.

        After three days of failures the receiver is paused, and its callbacks are held from then on: since when it is
        paused if this one is held, None if not.
        """
        ...

    async def log(self, organisation_id: OrganisationId, session_id: SessionId) -> tuple[LoggedCallback, ...]:
        """The callbacks of a session with their tries, both oldest first."""
        ...

    async def paused(self, organisation_id: OrganisationId) -> tuple[PausedReceiver, ...]:
        """The organisation's receivers that are paused, by name."""
        ...

    async def resume(self, organisation_id: OrganisationId, receiver: str | None = None) -> Sequence[Delivery]:
        """Ends the pause of that receiver, or of all; the deliveries that are held, and are to be begun again.

        They stay held until they have been tried, so that whoever is interrupted can ask again.
        """
        ...


CallbackName = tuple[OrganisationId, EventId]


class Announcements(Protocol):
    """Callbacks whose delivery has not begun."""

    async def take(
        self, at: datetime, limit: int, *, failing: bool, among: Collection[CallbackName] | None = None
    ) -> Sequence[Delivery]:
        """At most `limit` of those that are due at that time: to receivers whose last try failed, or to the others.

        With `among`, of those only: what is looked at then is no more than they are, however much is due.

        Nobody else is given them for half a minute, in which their deliveries are to be begun and marked. Of failing
        receivers the one that began to fail last comes first, else whatever has waited longest.
        """
        ...

    async def mark_begun(self, deliveries: Sequence[Delivery]) -> None:
        """They are not taken any more."""
        ...


class WebhookSecrets(Protocol):
    """The secrets (`whsec_...`) that sign an organisation's callbacks. The first is made when it is asked for."""

    async def signing(self, organisation_id: OrganisationId, at: datetime) -> tuple[str, ...]:
        """Those that sign at that time, the newest first."""
        ...

    async def rotate(self, organisation_id: OrganisationId, at: datetime) -> str:
        """A new secret, which signs from now on. The one before signs too, for `OVERLAP` more."""
        ...


class FeedEvent(NamedTuple):
    """An event, and where it stands among all of its organisation."""

    position: int
    session_id: SessionId
    event: Event


class Feed(Protocol):
    """The events of a whole organisation, in the order in which they were written."""

    async def after(self, organisation_id: OrganisationId, position: int, limit: int) -> tuple[FeedEvent, ...]:
        """At most `limit` events behind `position` (0: from the first one on).

        What is not there now comes behind all that is. Events of sessions that were deleted for ever are gone.
        """
        ...
