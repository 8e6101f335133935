"""A pool of child processes for work that must not run in the main one."""

from collections.abc import Callable
from typing import ParamSpec, Protocol, TypeVar

P = ParamSpec("P")


R = TypeVar("R")


class ProcessDied(Exception):
    """The job ran out of time or memory, or its child process died twice."""


class PoolBusy(Exception):
    """The job was not started: the queue is full, or it waited too long."""


class PoolClosed(ProcessDied):
    """The service is shutting down. The result of the job is unknown."""


class ProcessPool(Protocol):
    """Runs module-level functions with picklable arguments in a child process."""

    async def run(self, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Returns the result of `work`, or raises its exception, `PoolBusy` or `ProcessDied`.

        `work` runs a second time if its process dies, but not if it exceeds its limit of time or memory.
        """
