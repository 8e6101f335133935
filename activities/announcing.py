"""Announcing: the deliveries of callbacks that were written down are begun, beside the path of their sessions.

A session waits until what it announces is in the database, and no longer. A callback is due for being begun until its
row says that it was; so what fails here, or dies, is done by whoever looks next, in this process or another.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from time import monotonic
from typing import Protocol

import structlog

from adapters.database.callback_port import Announcements, CallbackName
from domain.deliveries import Delivery
from domain.ids import EventId, OrganisationId

log = structlog.get_logger(__name__)

LOOK_SECONDS = 5.0
"""How often the database is asked for all that is due, beside what somebody says is there."""

AT_ONCE = 20
"""Deliveries that are begun together."""

FAILING_AT_ONCE = 4
"""The same to receivers that fail, each time that the machine has had a moment; one when it has none for long."""


class Beginning(Protocol):
    """Begins deliveries."""

    async def begin(self, delivery: Delivery) -> None:
        """Has the callback delivered. Durable when this returns; a second time has no effect."""
        ...


class Announcing(Protocol):
    """Has the deliveries begun of callbacks that are in the database."""

    def announce(self, organisation_id: OrganisationId, callbacks: Iterable[EventId]) -> None:
        """These were written down. Returns at once."""
        ...


class Announcer:
    """Keeps `Announcing` while it is `running`.

    Deliveries to receivers that fail are begun once the machine has time: `calm` waits for that, and is false when it
    has waited for long. They must take nothing from people who sign, nor from receivers that answer.
    """

    def __init__(
        self, announcements: Announcements, deliveries: Beginning, calm: Callable[[], Awaitable[bool]]
    ) -> None:
        self._announcements, self._deliveries, self._calm = announcements, deliveries, calm
        self._new: deque[CallbackName] = deque()
        self._news = {failing: asyncio.Event() for failing in (False, True)}

    def announce(self, organisation_id: OrganisationId, callbacks: Iterable[EventId]) -> None:
        self._new.extend((organisation_id, event_id) for event_id in callbacks)
        for news in self._news.values():
            news.set()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Begins deliveries for as long as the block lasts."""
        looking = [asyncio.create_task(look()) for look in (self._begin_new, self._begin_failing)]
        try:
            yield
        finally:
            for task in looking:
                task.cancel()
            await asyncio.gather(*looking, return_exceptions=True)

    async def begin_some(self, limit: int, *, failing: bool, among: Collection[CallbackName] | None = None) -> int:
        """Begins at most so many deliveries that are due, `among` those if they are given, and says how many were."""
        due = await self._announcements.take(datetime.now(UTC), limit, failing=failing, among=among)
        results = await asyncio.gather(*map(self._deliveries.begin, due), return_exceptions=True)
        begun = [delivery for delivery, result in zip(due, results, strict=True) if result is None]
        if begun:
            await self._announcements.mark_begun(begun)
        for error in filter(None, results):
            raise error
        return len(begun)

    async def _begin_new(self) -> None:
        """What is announced here, by its name; and now and then whatever is due, which takes the longer the more is."""
        look_at = monotonic()
        while True:
            if monotonic() >= look_at:
                if not await self._has_begun(AT_ONCE, failing=False):
                    look_at = monotonic() + LOOK_SECONDS
            elif self._new:
                named = [self._new.popleft() for _ in range(min(AT_ONCE, len(self._new)))]
                await self._has_begun(AT_ONCE, failing=False, among=named)
            else:
                await self._wait_for_news(look_at - monotonic(), failing=False)

    async def _begin_failing(self) -> None:
        while True:
            limit = FAILING_AT_ONCE if await self._calm() else 1
            if not await self._has_begun(limit, failing=True):
                await self._wait_for_news(LOOK_SECONDS, failing=True)

    async def _has_begun(self, limit: int, *, failing: bool, among: Collection[CallbackName] | None = None) -> bool:
        try:
            return bool(await self.begin_some(limit, failing=failing, among=among))
        except Exception as error:  # noqa: BLE001  # whatever it is, callbacks must harm nothing else here
            log.warning("callbacks are announced later", error=str(error) or type(error).__name__)
            return False

    async def _wait_for_news(self, seconds: float, *, failing: bool) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._news[failing].wait(), seconds)
        self._news[failing].clear()
