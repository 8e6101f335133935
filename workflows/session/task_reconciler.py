"""Keeping the running chores of a workflow equal to those that are due."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping

from temporalio.exceptions import FailureError

from domain.shared.errors import SigningError

TaskBody = Callable[[], Coroutine[None, None, None]]
"""Starts one chore: an effect that runs beside the others until it is done or no longer due."""


class UnexpectedFailure(Exception):
    """A chore failed in a way that it did not expect. It is no failure of Temporal's, which would end the run."""


class TaskReconciler:
    """A set of running chores by key. What is due is decided by the state of the session, again after each change.

    A chore that is done must have made itself no longer due; one that fails unexpectedly fails the workflow task,
    which Temporal shows and tries again: the session goes on once what failed is mended. One that is no longer due is
    cancelled, and may be half-way through an effect: until it has ended, none of the same key begins.
    """

    def __init__(self) -> None:
        self._running: dict[str, asyncio.Task[None]] = {}
        self._ending: set[str] = set()

    def is_reconciled(self, due: Mapping[str, TaskBody]) -> bool:
        """Whether nothing is to be started, cancelled or looked after."""
        wanted = self._running.keys() - self._ending == due.keys() - self._ending
        return wanted and not any(task.done() for task in self._running.values())

    def reconcile(self, due: Mapping[str, TaskBody]) -> bool:
        """Starts what is due, cancels what no longer is, and raises what went wrong.

        Returns whether chores have ended and nothing was started or cancelled.
        """
        ended = [key for key, task in self._running.items() if task.done()]
        for key in ended:
            self._end(key)
        over = [key for key in self._running if key not in due and key not in self._ending]
        for key in over:
            self._cancel(key)
        new = [key for key in due if key not in self._running]
        for key in new:
            self._running[key] = asyncio.create_task(due[key]())
        return bool(ended) and not over and not new

    async def cancel_all(self) -> None:
        """Cancels all chores and returns when they have ended."""
        for key in [key for key in self._running if key not in self._ending]:
            self._cancel(key)
        await asyncio.gather(*self._running.values(), return_exceptions=True)
        for key in list(self._running):
            self._end(key)

    def _cancel(self, key: str) -> None:
        self._ending.add(key)
        self._running[key].cancel()

    def _end(self, key: str) -> None:
        was_cancelled = key in self._ending
        self._ending.discard(key)
        try:
            self._running.pop(key).result()
        except (asyncio.CancelledError, FailureError, SigningError) as error:
            if not was_cancelled:  # otherwise it was cancelled in time, failed at its last try, or came too late
                raise UnexpectedFailure(f"{key}: {error}") from error
