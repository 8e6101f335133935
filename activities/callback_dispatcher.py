"""The relay of the callback outbox: attempts each new callback once, and starts failed deliveries in Temporal.

A session waits only until its callbacks are in the database. A callback is due until its row states that
it was delivered or that its delivery was started. The process that polls next repeats a failed attempt or start.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from time import monotonic
from weakref import WeakValueDictionary

import structlog

from activities.callbacks import CallbackActivities, RetryLater
from activities.interface import DeliveryState
from domain.callbacks.delivery_schedule import Delivery
from domain.ports.callbacks import CallbackKey, CallbackOutbox, ClaimedDelivery, Deliveries, ReceiverKey
from domain.ports.database import DatabaseUnavailable
from domain.shared.ids import EventId, OrganisationId

log = structlog.get_logger(__name__)

ATTEMPTS_PER_RECEIVER = 4
"""Concurrent first attempts at one receiver of an organisation; its other claimed callbacks wait."""

STARTS_AT_ONCE = 4
"""Deliveries to failing receivers that start together on an idle machine; on a busy one, one starts at a time."""

SHUTDOWN_SECONDS = 20.0
"""Maximum wait for running attempts at shutdown. Others are cancelled, and repeated later."""

MAX_QUEUED = 10_000
"""Maximum queue of callbacks that this process claims by their keys. Polls claim the others."""


@dataclass(frozen=True, kw_only=True)
class DispatchLimits:
    """How many callbacks a dispatcher attempts, and how long it waits."""

    at_once: int
    """Concurrent attempts."""

    batch: int = 20
    """Callbacks that are taken from the database together."""

    poll_seconds: float = 1.0
    """Interval at which the database is polled for all due callbacks: those of other processes, and failed ones."""

    receiver_wait_seconds: float = 10.0
    """Maximum wait of a callback for a slot of its receiver. With an attempt (15 s) it is shorter than a claim."""


class CallbackDispatcher:
    """Dispatches callbacks while it is `running`.

    Deliveries to failing receivers start while the machine is idle, so that they do not slow down other work.
    `wait_until_idle` returns false when the machine stays busy.
    """

    def __init__(
        self,
        outbox: CallbackOutbox,
        deliveries: Deliveries,
        delivering: CallbackActivities,
        wait_until_idle: Callable[[], Awaitable[bool]],
        limits: DispatchLimits,
    ) -> None:
        self._outbox, self._deliveries, self._delivering = outbox, deliveries, delivering
        self._wait_until_idle, self._limits = wait_until_idle, limits
        self._queued: deque[CallbackKey] = deque(maxlen=MAX_QUEUED)
        self._wakeups = {failing: asyncio.Event() for failing in (False, True)}
        self._look_at = 0.0
        self._loops: list[asyncio.Task[None]] = []
        self._tries: set[asyncio.Task[None]] = set()
        self._slots: WeakValueDictionary[ReceiverKey, asyncio.Semaphore] = WeakValueDictionary()
        self._is_behind = self._is_stopped = False

    def notify(self, organisation_id: OrganisationId, callbacks: Iterable[EventId]) -> None:
        """Queues new callbacks for their first attempt. Returns at once."""
        self._queued.extend((organisation_id, event_id) for event_id in callbacks)
        for wakeup in self._wakeups.values():
            wakeup.set()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Delivers for the duration of the block, then waits for running attempts."""
        self._loops = [asyncio.create_task(loop()) for loop in (self._attempt_loop, self._failing_loop)]
        try:
            yield
        finally:
            self.stop()
            await asyncio.wait([*self._loops, *self._tries], timeout=SHUTDOWN_SECONDS)
            left = [*self._loops, *self._tries]
            for task in left:
                task.cancel()
            await asyncio.gather(*left, return_exceptions=True)  # before the database is closed

    def stop(self) -> None:
        self._is_stopped = True
        for loop in self._loops:
            loop.cancel()

    async def attempt_due(self, limit: int, among: Collection[CallbackKey] | None = None) -> int:
        """Starts at most `limit` due first attempts, to receivers with a free slot. Returns their number."""
        busy = [receiver for receiver, slot in self._slots.items() if slot.locked()]
        self._is_behind = bool(busy)
        due = await self._outbox.claim(datetime.now(UTC), limit, among=among, without=busy)
        for taken in due:
            receiver = (taken.delivery.organisation_id, taken.delivery.receiver)
            # A receiver that hangs uses its own slots only: attempts to others do not wait for it.
            slot = self._slots.setdefault(receiver, asyncio.Semaphore(ATTEMPTS_PER_RECEIVER))
            task = asyncio.create_task(self._try(taken, slot))
            self._tries.add(task)
            task.add_done_callback(self._on_attempt_done)
        return len(due)

    async def start_failing(self, limit: int) -> int:
        """Starts at most `limit` due deliveries to failing receivers. Returns the number of due ones."""
        due = await self._outbox.claim_failing(datetime.now(UTC), limit)
        await asyncio.gather(*map(self._start_or_pause, due))
        return len(due)

    async def _attempt_loop(self) -> None:
        """Attempts notified callbacks by their keys, and all due callbacks every second."""
        while True:
            room = min(self._limits.batch, self._limits.at_once - len(self._tries))
            if room <= 0:
                await asyncio.wait(self._tries, return_when=asyncio.FIRST_COMPLETED)
            elif monotonic() >= self._look_at:
                self._look_at = monotonic() + self._limits.poll_seconds
                with _logging_failure():
                    if await self.attempt_due(room):
                        self._look_at = 0
            elif self._queued:
                named = [self._queued.popleft() for _ in range(min(room, len(self._queued)))]
                with _logging_failure():
                    await self.attempt_due(room, named)
            else:
                await self._wait_for_wakeup(self._look_at - monotonic(), failing=False)

    async def _failing_loop(self) -> None:
        while True:
            limit, started = STARTS_AT_ONCE if await self._wait_until_idle() else 1, 0
            with _logging_failure():
                started = await self.start_failing(limit)
            if not started:
                await self._wait_for_wakeup(self._limits.poll_seconds, failing=True)

    async def _try(self, taken: ClaimedDelivery, slot: asyncio.Semaphore) -> None:
        delivery, outgoing = taken.delivery, None if slot.locked() else taken.outgoing
        with _logging_failure():
            try:
                await asyncio.wait_for(slot.acquire(), self._limits.receiver_wait_seconds)
            except TimeoutError:
                await self._start(delivery)
                return
            try:
                if self._is_stopped:
                    return
                outcome = await self._delivering.attempt_first(delivery, outgoing)
            finally:
                slot.release()
            result = outcome.reason if isinstance(outcome, RetryLater) else outcome.value
            log.info("callback", session_id=delivery.session_id, event_id=delivery.event_id, outcome=result)
            if isinstance(outcome, RetryLater):
                await self._start(delivery, outcome.wait)
            elif outcome is DeliveryState.HELD:
                await self._outbox.mark_started(delivery)

    def _on_attempt_done(self, task: asyncio.Task[None]) -> None:
        """Looks for more due callbacks, which were left out while the receiver was busy."""
        self._tries.discard(task)
        if self._is_behind:
            self._look_at = 0
            self._wakeups[False].set()

    async def _start_or_pause(self, taken: ClaimedDelivery) -> None:
        if taken.outgoing.paused_since:
            await self._delivering.pause(taken.delivery, taken.outgoing.paused_since)
            await self._outbox.mark_started(taken.delivery)
        else:
            await self._start(taken.delivery)

    async def _start(self, delivery: Delivery, wait: timedelta = timedelta()) -> None:
        await self._deliveries.start(delivery.model_copy(update={"is_failing": True}), wait)
        await self._outbox.mark_started(delivery)

    async def _wait_for_wakeup(self, seconds: float, *, failing: bool) -> None:
        # No wakeup came: another process may have stored callbacks, so the caller looks anyway.
        with suppress(TimeoutError):
            await asyncio.wait_for(self._wakeups[failing].wait(), seconds)
        self._wakeups[failing].clear()


@contextmanager
def _logging_failure() -> Iterator[None]:
    """Logs an error and continues: the callback is due again later, in this process or another.

    The adapter logs outages of the database.
    """
    try:
        yield
    except DatabaseUnavailable:
        return
    except Exception as error:  # noqa: BLE001
        log.warning("callbacks could not be dispatched and are retried", error=str(error) or type(error).__name__)
