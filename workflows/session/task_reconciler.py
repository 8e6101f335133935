"""Keeps the running asyncio tasks of a workflow equal to those that are due."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping

from temporalio.exceptions import FailureError

from domain.shared.errors import SigningError

TaskBody = Callable[[], Coroutine[None, None, None]]
"""Creates the coroutine of a task, which runs until its work is done or no longer due."""


class UnexpectedFailure(Exception):
    """A task failed unexpectedly. It is not a `FailureError`, which would fail the run."""


class TaskReconciler:
    """The running tasks by key. After each change, the state of the session determines the due tasks.

    When a task ends, it must no longer be due. An unexpected failure of a task fails the workflow task, which Temporal
    shows and retries, so the session continues once the cause is fixed. A task that is no longer due is cancelled,
    possibly in the middle of an activity. No other task of the same key starts before it has ended.
    """

    def __init__(self) -> None:
        self._running: dict[str, asyncio.Task[None]] = {}
        self._ending: set[str] = set()

    def is_reconciled(self, due: Mapping[str, TaskBody]) -> bool:
        """Whether the running tasks are the due ones, and none has ended."""
        wanted = self._running.keys() - self._ending == due.keys() - self._ending
        return wanted and not any(task.done() for task in self._running.values())

    def reconcile(self, due: Mapping[str, TaskBody]) -> bool:
        """Starts due tasks and cancels others. Returns whether tasks have ended and none was started or cancelled."""
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
        """Cancels all tasks and returns when they have ended."""
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
            if not was_cancelled:  # after a cancellation any of these is expected
                raise UnexpectedFailure(f"{key}: {error}") from error
