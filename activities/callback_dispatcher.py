"""Announcing: callbacks that were written down are tried once, and those that failed are begun in Temporal.

A session waits until what it announces is in the database, and no longer. A callback is due until its row says that it
was delivered, or that its delivery has begun. So what fails here, or dies, is done by the process that looks next.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from time import monotonic
from typing import Protocol
from weakref import WeakValueDictionary

import structlog

from activities.callbacks import Delivering, NextTry
from activities.interface import DeliveryState
from domain.callbacks.delivery import Delivery
from domain.shared.ids import EventId, OrganisationId
from ports.callbacks import CallbackKey, CallbackOutbox, ClaimedDelivery, ReceiverKey

log = structlog.get_logger(__name__)

LOOK_SECONDS = 1.0
"""How often the database is asked for all that is due: for what other processes wrote, and what failed before."""

TAKEN_AT_ONCE = 20
"""Callbacks that are taken from the database together."""

OF_A_RECEIVER = 4
"""First tries at one receiver of an organisation at a time: the others that were taken wait for these."""

TURN_SECONDS = 10.0
"""How long a callback waits for that. Together with a try, which takes 15 s, it is less than it is taken for."""

FAILING_AT_ONCE = 4
"""Deliveries to receivers that fail which are begun each time that the machine has had a moment; one when it has none
for long."""

ENDING_SECONDS = 20.0
"""How long tries that are under way may take to end; those that do not are made again."""

REMEMBERED = 10_000
"""Callbacks of this process that are found by their keys. What is beyond is found by the next look."""


class Beginning(Protocol):
    """Begins deliveries."""

    async def start(self, delivery: Delivery, wait: timedelta = timedelta()) -> None:
        """Has the callback delivered, from then on. Durable when this returns; a second time has no effect."""
        ...


class Announcing(Protocol):
    """Has the deliveries begun of callbacks that are in the database."""

    def announce(self, organisation_id: OrganisationId, callbacks: Iterable[EventId]) -> None:
        """These were written down. Returns at once."""
        ...


class CallbackDispatcher:
    """Implements `Announcing` while it is `running`. It makes at most `at_once` tries at a time.

    Deliveries to receivers that fail are begun once the machine has time: `calm` waits for that, and is false when it
    has waited for long. They must take nothing from people who sign, nor from receivers that answer.
    """

    def __init__(
        self,
        announcements: CallbackOutbox,
        deliveries: Beginning,
        delivering: Delivering,
        calm: Callable[[], Awaitable[bool]],
        at_once: int,
    ) -> None:
        self._announcements, self._deliveries, self._delivering = announcements, deliveries, delivering
        self._calm, self._at_once = calm, at_once
        self._new: deque[CallbackKey] = deque(maxlen=REMEMBERED)
        self._news = {failing: asyncio.Event() for failing in (False, True)}
        self._look_at = 0.0
        self._loops: list[asyncio.Task[None]] = []
        self._tries: set[asyncio.Task[None]] = set()
        self._turns: WeakValueDictionary[ReceiverKey, asyncio.Semaphore] = WeakValueDictionary()
        self._is_behind = self._is_stopped = False

    def announce(self, organisation_id: OrganisationId, callbacks: Iterable[EventId]) -> None:
        self._new.extend((organisation_id, event_id) for event_id in callbacks)
        for news in self._news.values():
            news.set()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Delivers for as long as the block lasts. At its end the tries that are under way come to theirs."""
        self._loops = [asyncio.create_task(loop()) for loop in (self._try_new, self._begin_failing)]
        try:
            yield
        finally:
            self.stop()
            await asyncio.wait([*self._loops, *self._tries], timeout=ENDING_SECONDS)
            for task in self._tries:
                task.cancel()

    def stop(self) -> None:
        """Begins nothing new from then on."""
        self._is_stopped = True
        for loop in self._loops:
            loop.cancel()

    async def try_some(self, limit: int, among: Collection[CallbackKey] | None = None) -> int:
        """Begins the first tries of at most `limit` callbacks that are due, `among` those if they are given.

        Returns how many. Callbacks to receivers that have as many tries as they may have are left out.
        """
        busy = [receiver for receiver, turn in self._turns.items() if turn.locked()]
        self._is_behind = bool(busy)
        due = await self._announcements.claim(datetime.now(UTC), limit, among=among, without=busy)
        for taken in due:
            receiver = (taken.delivery.organisation_id, taken.delivery.receiver)
            turn = self._turns.setdefault(receiver, asyncio.Semaphore(OF_A_RECEIVER))
            task = asyncio.create_task(self._try(taken, turn))
            self._tries.add(task)
            task.add_done_callback(self._end_try)
        return len(due)

    async def begin_some(self, limit: int) -> int:
        """Begins the deliveries of at most `limit` callbacks to receivers that fail; returns how many were due."""
        due = await self._announcements.claim_failing(datetime.now(UTC), limit)
        await asyncio.gather(*map(self._begin_or_hold, due))
        return len(due)

    async def _try_new(self) -> None:
        """What is announced here, by its key; and every second whatever is due."""
        while True:
            room = min(TAKEN_AT_ONCE, self._at_once - len(self._tries))
            if room <= 0:
                await asyncio.wait(self._tries, return_when=asyncio.FIRST_COMPLETED)
            elif monotonic() >= self._look_at:
                self._look_at = monotonic() + LOOK_SECONDS
                with _left_for_later():
                    if await self.try_some(room):
                        self._look_at = 0
            elif self._new:
                named = [self._new.popleft() for _ in range(min(room, len(self._new)))]
                with _left_for_later():
                    await self.try_some(room, named)
            else:
                await self._wait_for_news(self._look_at - monotonic(), failing=False)

    async def _begin_failing(self) -> None:
        while True:
            limit, begun = FAILING_AT_ONCE if await self._calm() else 1, 0
            with _left_for_later():
                begun = await self.begin_some(limit)
            if not begun:
                await self._wait_for_news(LOOK_SECONDS, failing=True)

    async def _try(self, taken: ClaimedDelivery, turn: asyncio.Semaphore) -> None:
        delivery, outgoing = taken.delivery, None if turn.locked() else taken.outgoing
        with _left_for_later():
            try:
                await asyncio.wait_for(turn.acquire(), TURN_SECONDS)
            except TimeoutError:
                await self._begin(delivery)
                return
            try:
                if self._is_stopped:
                    return
                outcome = await self._delivering.try_first(delivery, outgoing)
            finally:
                turn.release()
            came_to = outcome.reason if isinstance(outcome, NextTry) else outcome.value
            log.info("callback", session_id=delivery.session_id, event_id=delivery.event_id, outcome=came_to)
            if isinstance(outcome, NextTry):
                await self._begin(delivery, outcome.wait)
            elif outcome is DeliveryState.HELD:
                await self._announcements.mark_started(delivery)

    def _end_try(self, task: asyncio.Task[None]) -> None:
        """The receiver may have more callbacks that are due, which were left out while it was busy."""
        self._tries.discard(task)
        if self._is_behind:
            self._look_at = 0
            self._news[False].set()

    async def _begin_or_hold(self, taken: ClaimedDelivery) -> None:
        if taken.outgoing.paused_since:
            await self._delivering.hold(taken.delivery, taken.outgoing.paused_since)
            await self._announcements.mark_started(taken.delivery)
        else:
            await self._begin(taken.delivery)

    async def _begin(self, delivery: Delivery, wait: timedelta = timedelta()) -> None:
        await self._deliveries.start(delivery.model_copy(update={"is_failing": True}), wait)
        await self._announcements.mark_started(delivery)

    async def _wait_for_news(self, seconds: float, *, failing: bool) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._news[failing].wait(), seconds)
        self._news[failing].clear()


@contextmanager
def _left_for_later() -> Iterator[None]:
    """Logs an error and ends nothing: the callback is due again later, in this process or another."""
    try:
        yield
    except Exception as error:  # noqa: BLE001
        log.warning("callbacks are announced later", error=str(error) or type(error).__name__)
