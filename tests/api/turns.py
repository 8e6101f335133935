"""Acts that take place at once, one operation at a time, in a given order; each may die before any operation."""

import asyncio
from collections.abc import Coroutine, Iterable, Sequence
from typing import Any, NamedTuple


class Turn(NamedTuple):
    """Who goes on with one operation, counted among those that still have any; or dies before it."""

    who: int
    dies: bool = False


class Turns:
    """Lets the acts of one `play` go on in turns. Other tasks do not wait."""

    def __init__(self) -> None:
        self._playing: set[asyncio.Task[Any]] = set()
        self._gates: dict[asyncio.Task[Any], asyncio.Future[None]] = {}
        self._arrived = asyncio.Semaphore(0)

    async def wait(self) -> None:
        """Called before each operation: returns when it is the caller's turn."""
        task = asyncio.current_task()
        if task not in self._playing:
            return
        gate = self._gates[task] = asyncio.get_running_loop().create_future()
        self._arrived.release()
        await gate

    async def play(self, acts: Sequence[Coroutine[Any, Any, Any]], order: Iterable[Turn]) -> list[Any]:
        """The result of each act, or what it raised: `CancelledError` if it died. After `order` the first go on."""
        tasks = [asyncio.create_task(act) for act in acts]
        self._playing.update(tasks)
        for task in tasks:
            task.add_done_callback(lambda _: self._arrived.release())
        for _ in tasks:
            await self._arrived.acquire()
        turns = iter(order)
        while waiting := [task for task in tasks if task in self._gates]:
            turn = next(turns, Turn(0))
            gate = self._gates.pop(waiting[turn.who % len(waiting)])
            if turn.dies:
                gate.cancel()
            else:
                gate.set_result(None)
            await self._arrived.acquire()
        self._playing.difference_update(tasks)
        return await asyncio.gather(*tasks, return_exceptions=True)

    async def die_after(self, operations: int, act: Coroutine[Any, Any, Any]) -> None:
        """Does the first operations of an act, before which its process dies."""
        [died] = await self.play([act], [*[Turn(0)] * operations, Turn(0, dies=True)])
        assert isinstance(died, asyncio.CancelledError), died
