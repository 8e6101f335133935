"""Callbacks, their deliveries, the secrets that sign them, and the feed of events.

Every query names the organisation.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple, Protocol

from domain.audit.events import FeedEvent, FeedPosition
from domain.callbacks.delivery_schedule import Attempt, CallbackLogEntry, Delivery
from domain.shared.ids import EventId, OrganisationId, SessionId

SECRET_OVERLAP = timedelta(hours=24)
"""How long a replaced secret still signs beside the new one."""


@dataclass(frozen=True, slots=True)
class OutgoingCallback:
    """A callback to send.

    `paused_since` is set while the receiver is paused. `tries` counts the attempts of the current run; the next one is
    due at `next_attempt_at`.
    """

    url: str
    body: str
    paused_since: datetime | None
    next_attempt_at: datetime | None
    tries: int


BEFORE_RUNS = ""
"""The `run_id` of attempts that are made before a callback has a workflow run."""


@dataclass(frozen=True, slots=True)
class CallbackAttempt:
    """Attempt `number` of the run `run_id`. `wait` is the time until the next attempt; None after the last one."""

    delivery: Delivery
    run_id: str
    number: int
    attempt: Attempt
    wait: timedelta | None


class PausedReceiver(NamedTuple):
    """A paused receiver (scheme, host and port), with its number of held callbacks."""

    receiver: str
    failing_since: datetime
    paused_since: datetime
    held: int


class LatestCallback(NamedTuple):
    """A callback that was attempted lately, and its session, which has no name once it is deleted."""

    session_id: SessionId
    session_name: str | None
    entry: CallbackLogEntry


class Callbacks(Protocol):
    """Callbacks and the log of their delivery. `SessionRows.record` writes new callbacks with their events."""

    async def find(self, delivery: Delivery, run_id: str) -> OutgoingCallback | None:
        """Returns the callback with its attempts in this run or before any run; None if it was erased."""

    async def pause(self, delivery: Delivery) -> None:
        """Marks the delivery as held because its receiver is paused. `resume` returns it."""

    async def stop(self, delivery: Delivery) -> None:
        """Marks the delivery as failed, unless it was delivered."""

    async def mark_failing(self, delivery: Delivery, at: datetime) -> None:
        """Marks the receiver as failing from `at` on, until it responds, because an attempt is slow."""

    async def record_attempt(self, tried: CallbackAttempt) -> datetime | None:
        """Records an attempt once. Returns the start of its receiver's pause if the callback is held, else None.

        After three days of failures a receiver is paused, and its callbacks are held.
        """

    async def log(self, organisation_id: OrganisationId, session_id: SessionId) -> tuple[CallbackLogEntry, ...]:
        """Returns the callbacks of a session with their attempts, both oldest first."""

    async def latest(self, organisation_id: OrganisationId, limit: int) -> tuple[LatestCallback, ...]:
        """Returns at most `limit` callbacks of the organisation, those that were attempted last first."""

    async def paused(self, organisation_id: OrganisationId) -> tuple[PausedReceiver, ...]:
        """Returns the paused receivers of the organisation, by name."""

    async def resume(self, organisation_id: OrganisationId, receiver: str | None = None) -> Sequence[Delivery]:
        """Ends the pause of one receiver or of all. Returns the held deliveries, which the caller starts."""


CallbackKey = tuple[OrganisationId, EventId]

ReceiverKey = tuple[OrganisationId, str]


class ClaimedDelivery(NamedTuple):
    """A delivery with its callback at the time of the claim."""

    delivery: Delivery
    outgoing: OutgoingCallback


class CallbackOutbox(Protocol):
    """Callbacks that are neither delivered nor have a workflow run.

    A claim lasts 30 seconds, in which the caller attempts the delivery, or starts its run and marks it.
    """

    async def claim(
        self,
        at: datetime,
        limit: int,
        *,
        among: Collection[CallbackKey] | None = None,
        without: Collection[ReceiverKey] = (),
    ) -> Sequence[ClaimedDelivery]:
        """Claims due callbacks, oldest first, but none to receivers that fail or are in `without`.

        If `among` is given, claims only these callbacks.
        """

    async def claim_failing(self, at: datetime, limit: int) -> Sequence[ClaimedDelivery]:
        """Claims due callbacks to failing receivers, the latest to fail first."""

    async def mark_started(self, delivery: Delivery) -> None:
        """Marks the run of the delivery as started, so that it is not claimed again."""


class WebhookSecrets(Protocol):
    """The secrets (`whsec_...`) that sign an organisation's callbacks. The first call creates the first secret."""

    async def signing(self, organisation_id: OrganisationId, at: datetime) -> tuple[str, ...]:
        """Returns the secrets that sign at that time, newest first."""

    async def rotate(self, organisation_id: OrganisationId, at: datetime) -> str:
        """Creates and returns a secret, which signs from `at` on. The previous one signs too, for `SECRET_OVERLAP`."""

    async def reencrypt(self) -> None:
        """Encrypts the secrets of all organisations under the newest key."""


class Feed(Protocol):
    """The events of an organisation, in the order in which they were written."""

    async def after(
        self, organisation_id: OrganisationId, position: FeedPosition, limit: int
    ) -> tuple[FeedEvent, ...] | None:
        """Returns at most `limit` events after `position`; None if the feed has no such position, because the database
        was restored to a time before it.

        Events written later always get a higher position. Events of deleted sessions are not in the feed.
        """


class Deliveries(Protocol):
    """Deliveries of callbacks. Each method raises `Unavailable` when Temporal does not respond."""

    async def start(self, delivery: Delivery, wait: timedelta = timedelta()) -> None:
        """Starts the delivery after `wait`. The start is durable when this returns; a second call has no effect."""

    async def retry_now(self, delivery: Delivery) -> None:
        """Attempts the delivery now and starts its schedule again. Has no effect during an attempt."""


class CallbackSender(Protocol):
    """Sends callbacks. It is the only component that connects to addresses chosen by clients."""

    async def send(self, url: str, headers: Mapping[str, str], body: bytes) -> Attempt:
        """Makes one attempt, which ends within 15 s. Failures are part of the result, not exceptions."""
