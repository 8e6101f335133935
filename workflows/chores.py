"""Keeping the running chores of a workflow equal to those that are due."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping

Chore = Callable[[], Coroutine[None, None, None]]
"""Starts one chore: an effect that runs beside the others until it is done or no longer due."""


class Chores:
    """A set of running chores by key. What is due is decided by the state of the session, again after each change.

    A chore that is done must have made itself no longer due; one that fails unexpectedly fails the workflow task,
    which Temporal shows and tries again.
    """

    def __init__(self) -> None:
        self._running: dict[str, asyncio.Task[None]] = {}

    def are(self, due: Mapping[str, Chore]) -> bool:
        """Whether exactly the chores that are due are running."""
        return self._running.keys() == due.keys() and not any(task.done() for task in self._running.values())

    def become(self, due: Mapping[str, Chore]) -> None:
        """Starts what is due, cancels what no longer is, and raises what went wrong."""
        for key, task in list(self._running.items()):
            if task.done():
                del self._running[key]
                task.result()
            elif key not in due:
                self._running.pop(key).cancel()
        for key, start in due.items():
            if key not in self._running:
                self._running[key] = asyncio.create_task(start())

    async def stop(self) -> None:
        """Cancels all chores and waits until they have ended."""
        running = list(self._running.values())
        self._running.clear()
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
