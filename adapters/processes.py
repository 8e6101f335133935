"""A warm pool of child processes for work that must not run in the main one: layout, stamping, untrusted files.

PyMuPDF is not thread-safe and holds the interpreter lock, so it lives in these processes only.
"""

from collections.abc import Callable
from typing import ParamSpec, Protocol, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class ProcessDied(Exception):
    """The child process died twice over the same work."""


class ProcessPool(Protocol):
    """Runs module-level functions with picklable arguments in a child process."""

    async def run(self, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """The result of `work`; its exceptions come through.

        A child that dies is replaced and the work tried once more before `ProcessDied` is raised.
        """
        ...
