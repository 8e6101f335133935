"""The task queues of Temporal, and the workers that poll them."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True)
class PollerStatus:
    """The workers that polled a queue for activities in the last five minutes, without those that were silent for the
    last `SILENT` of them while another one polled.

    `workers` counts those that get tasks: of the current version of the worker deployment (`current`), or without a
    version where none is current. `others` counts the rest. `last` is when one of `workers` last began to poll.
    """

    workers: int
    last: datetime | None = None
    others: int = 0
    current: str | None = None

    @property
    def problem(self) -> str | None:
        """Why nobody works on the queue, with what to do; None if somebody does."""
        if self.workers:
            return None
        if not self.others:
            return "No worker polls this queue: start one (python -m worker), or see in its log why it does not."
        wanted = f"version {self.current}" if self.current else "no version, as none is current"
        return (
            f"{self.others} workers poll this queue and get no tasks, as Temporal gives them to workers of {wanted}. "
            "Start such workers, or run `temporal worker deployment set-current-version` (--unversioned for workers "
            "without a version)."
        )


class TaskQueues(Protocol):
    """The task queues of a namespace."""

    async def poller_status(self, queue: str) -> PollerStatus:
        """Who polls it for activities; raises `Unavailable` when Temporal does not answer."""
        ...
