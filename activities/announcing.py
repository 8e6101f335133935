"""Announcing: the deliveries of callbacks that were written down are begun, beside the path of their sessions.

A session waits until what it announces is in the database, and no longer. A callback is due for being begun until its
row says that it was; so what fails here, or dies, is done by whoever looks next, in this process or another.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Protocol

import structlog

from adapters.database.callback_port import Announcements
from domain.deliveries import Delivery

log = structlog.get_logger(__name__)

LOOK_SECONDS = 5.0
"""How often the database is asked, unless somebody says that something is there."""

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

    def announce(self) -> None:
        """There may be some. Returns at once."""
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
        self._news = {failing: asyncio.Event() for failing in (False, True)}

    def announce(self) -> None:
        for news in self._news.values():
            news.set()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Begins deliveries for as long as the block lasts."""
        looking = [asyncio.create_task(self._look(failing=failing)) for failing in self._news]
        try:
            yield
        finally:
            for task in looking:
                task.cancel()
            await asyncio.gather(*looking, return_exceptions=True)

    async def begin_some(self, limit: int, *, failing: bool) -> int:
        """Begins at most so many deliveries that are due, and says how many were."""
        due = await self._announcements.take(datetime.now(UTC), limit, failing=failing)
        results = await asyncio.gather(*map(self._deliveries.begin, due), return_exceptions=True)
        begun = [delivery for delivery, result in zip(due, results, strict=True) if result is None]
        if begun:
            await self._announcements.mark_begun(begun)
        for error in filter(None, results):
            raise error
        return len(begun)

    async def _look(self, *, failing: bool) -> None:
        while True:
            self._news[failing].clear()
            try:
                limit = AT_ONCE if not failing else FAILING_AT_ONCE if await self._calm() else 1
                if await self.begin_some(limit, failing=failing):
                    continue
            except Exception as error:  # noqa: BLE001  # whatever it is, callbacks must harm nothing else here
                log.warning("callbacks are announced later", error=str(error) or type(error).__name__)
            await self._wait_for_news(failing=failing)

    async def _wait_for_news(self, *, failing: bool) -> None:
        try:
            await asyncio.wait_for(self._news[failing].wait(), LOOK_SECONDS)
        except TimeoutError:
            return
