"""What the database promises about callbacks and the feed. Every look-up carries the organisation."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple, Protocol

from domain.audit.events import FeedEvent, FeedPosition
from domain.callbacks.delivery import Attempt, Delivery, LoggedCallback
from domain.shared.ids import EventId, OrganisationId, SessionId

OVERLAP = timedelta(hours=24)
"""How long a secret that was replaced signs beside the new one."""


@dataclass(frozen=True, slots=True)
class OutgoingCallback:
    """What is to be sent, and where to.

    `paused_since`: the receiver was dead, and is left alone. `tries` were made by the schedule of the run that asks;
    the next one is due at `next_attempt_at`.
    """

    url: str
    body: str
    paused_since: datetime | None
    next_attempt_at: datetime | None
    tries: int


BEFORE_RUNS = ""
"""The `run_id` of tries that are made before a callback has a delivery in Temporal."""


@dataclass(frozen=True, slots=True)
class AttemptRecord:
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

    async def find(self, delivery: Delivery, run_id: str) -> OutgoingCallback | None:
        """The callback; None for what does not exist, is another organisation's, or was erased with its session.

        `tries` are those of the run, and those before all runs unless the run was asked for.
        """
        ...

    async def pause(self, delivery: Delivery) -> None:
        """Not tried, since the receiver is paused; resuming begins the delivery again."""
        ...

    async def stop(self, delivery: Delivery) -> None:
        """Failed without another try, unless it was delivered."""
        ...

    async def mark_failing(self, delivery: Delivery, at: datetime) -> None:
        """Its receiver lets a try wait that began at that time: it counts as failing from then on, until it answers."""
        ...

    async def store_attempt(self, tried: AttemptRecord) -> datetime | None:
        """Writes down what came of a try, of one that was written down before nothing.

        After three days of failures the receiver is paused, and its callbacks are held from then on: since when it is
        paused if this one is held, None if not. What will not be tried again is not due any more.
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

Receiver = tuple[OrganisationId, str]


class ClaimedCallback(NamedTuple):
    """A delivery, and what is to be sent as it was then."""

    delivery: Delivery
    outgoing: OutgoingCallback


class CallbackOutbox(Protocol):
    """Callbacks that were neither delivered nor have a delivery in Temporal.

    A callback that was taken is not taken again for 30 seconds, in which it is to be tried, or begun and marked.
    """

    async def claim(
        self,
        at: datetime,
        limit: int,
        *,
        among: Collection[CallbackName] | None = None,
        without: Collection[Receiver] = (),
    ) -> Sequence[ClaimedCallback]:
        """At most `limit` of those that are due at that time, to receivers that do not fail; the oldest first.

        With `among`, all of those that are due, which are found by their keys however much is. Those to the receivers
        in `without` are left.
        """
        ...

    async def claim_failing(self, at: datetime, limit: int) -> Sequence[ClaimedCallback]:
        """The same to receivers whose last try failed; those that began to fail last come first."""
        ...

    async def mark_started(self, delivery: Delivery) -> None:
        """It is not taken any more."""
        ...


class WebhookSecrets(Protocol):
    """The secrets (`whsec_...`) that sign an organisation's callbacks. The first is made when it is asked for."""

    async def signing(self, organisation_id: OrganisationId, at: datetime) -> tuple[str, ...]:
        """Those that sign at that time, the newest first."""
        ...

    async def rotate(self, organisation_id: OrganisationId, at: datetime) -> str:
        """A new secret, which signs from now on. The one before signs too, for `OVERLAP` more."""
        ...

    async def reencrypt(self) -> None:
        """Encrypts all secrets of all organisations under the newest key."""
        ...


class Feed(Protocol):
    """The events of a whole organisation, in the order in which they were written."""

    async def after(
        self, organisation_id: OrganisationId, position: FeedPosition, limit: int
    ) -> tuple[FeedEvent, ...] | None:
        """At most `limit` events behind `position`; None if the feed has no such position, as the database was restored
        to a moment before it.

        What is not there now comes behind all that is. Events of sessions that were deleted for ever are gone.
        """
        ...
