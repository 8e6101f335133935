"""A pool of child processes for work that must not run in the main one."""

from collections.abc import Callable
from typing import ParamSpec, Protocol, TypeVar

P = ParamSpec("P")


R = TypeVar("R")


class ProcessDied(Exception):
    """The work ran out of time or memory, or its child process died twice over it."""


class PoolBusy(Exception):
    """The work was not begun: too much is waiting, or it waited for too long."""


class PoolClosed(ProcessDied):
    """The service is ending; nothing is known about the work."""


class ProcessPool(Protocol):
    """Runs module-level functions with picklable arguments in a child process."""

    async def run(self, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """The result of `work`; its exceptions come through.

        A child that dies is replaced and the work tried once more before `ProcessDied` is raised. Work that runs out
        of time or memory is not tried again: it would once more. `PoolBusy` is raised for work that is not begun.
        """
        ...
