"""The queue in front of processes or threads: whose work they do next."""

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from domain.ports.process_pool import JobOwner, PoolBusy

ORGANISATIONS = 4
"""The number of organisations with full queues that a pool has room for."""

FAIR_SHARE = 4
"""Of so many starts, one prefers a job that is not urgent, so that urgent ones never stop the others."""

_Queue = OrderedDict[str, deque[asyncio.Future[None]]]
"""The waiting jobs of one organisation and priority, by person."""


class FairQueue:
    """Gives `slots` to jobs: urgent ones first, then the organisations in turn, and in each one its persons in turn.

    An organisation never has all slots, if there are several. Of each priority, at most `waiting` jobs of an
    organisation wait, half of them of one person, and four times as many jobs in all. A job waits for `patience`
    seconds. None means no limit. An instance belongs to one event loop.
    """

    def __init__(self, slots: int, waiting: int | None = None, patience: float | None = None) -> None:
        self._free = slots
        self._most_running = max(1, slots - 1)
        self._most_waiting, self._patience = waiting, patience
        self._running = Counter[str]()
        self._queues: dict[bool, OrderedDict[str, _Queue]] = {True: OrderedDict(), False: OrderedDict()}
        self._starts = 0

    @asynccontextmanager
    async def turn(self, owner: JobOwner) -> AsyncIterator[None]:
        """Waits for a slot, and holds it while the block runs.

        Raises:
            PoolBusy: the queue of the owner is full, or no slot became free in time.
        """
        await self._wait(owner)
        try:
            yield
        finally:
            self._release(owner)

    async def _wait(self, owner: JobOwner) -> None:
        self._check_room(owner)
        turn = asyncio.get_running_loop().create_future()
        queue = self._queues[owner.is_urgent].setdefault(owner.organisation, OrderedDict())
        queue.setdefault(owner.person, deque()).append(turn)
        self._start_next()
        try:
            async with asyncio.timeout(self._patience):
                await turn
        except (TimeoutError, asyncio.CancelledError) as error:
            if turn.cancelled():
                self._remove(owner, turn)
            else:  # the turn came in the same moment
                self._release(owner)
            if isinstance(error, TimeoutError):
                raise PoolBusy(f"no process was free within {self._patience} seconds") from error
            raise

    def _check_room(self, owner: JobOwner) -> None:
        if self._most_waiting is None or (self._free and self._running[owner.organisation] < self._most_running):
            return
        queues = self._queues[owner.is_urgent]
        own = queues.get(owner.organisation, _Queue())
        lengths = (
            (len(own.get(owner.person, ())), self._most_waiting // 2),
            (_length(own), self._most_waiting),
            (sum(map(_length, queues.values())), self._most_waiting * ORGANISATIONS),
        )
        for length, most in lengths:
            if length >= max(1, most):
                raise PoolBusy(f"{length} jobs are waiting")

    def _release(self, owner: JobOwner) -> None:
        organisation = owner.organisation
        self._free += 1
        self._running[organisation] -= 1
        if not self._running[organisation]:
            del self._running[organisation]
        for queues in self._queues.values():
            if organisation in queues:
                queues.move_to_end(organisation)
                if owner.person in queues[organisation]:
                    queues[organisation].move_to_end(owner.person)
        self._start_next()

    def _start_next(self) -> None:
        while self._free and (owner := self._next()):
            turn = self._queues[owner.is_urgent][owner.organisation][owner.person][0]
            self._remove(owner, turn)
            if turn.done():  # cancelled, and not removed yet
                continue
            self._free -= 1
            self._starts += 1
            self._running[owner.organisation] += 1
            turn.set_result(None)

    def _next(self) -> JobOwner | None:
        """Returns the owner of the job that starts next; None if there is none that may start."""
        prefers_urgent = bool((self._starts + 1) % FAIR_SHARE)
        for is_urgent in (prefers_urgent, not prefers_urgent):
            for organisation, queue in self._queues[is_urgent].items():
                if self._running[organisation] < self._most_running:
                    return JobOwner(organisation, next(iter(queue)), is_urgent)
        return None

    def _remove(self, owner: JobOwner, turn: asyncio.Future[None]) -> None:
        """Removes a job, and moves its person and its organisation to the end."""
        queues = self._queues[owner.is_urgent]
        queue = queues.get(owner.organisation, _Queue())
        jobs = queue.get(owner.person, deque())
        if turn not in jobs:
            return
        jobs.remove(turn)
        queue.move_to_end(owner.person)
        queues.move_to_end(owner.organisation)
        if not jobs:
            del queue[owner.person]
        if not queue:
            del queues[owner.organisation]


def _length(queue: _Queue) -> int:
    return sum(map(len, queue.values()))
