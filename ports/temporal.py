"""What the service asks of Temporal besides session runs: histories, task queues and payloads."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Protocol


class WorkflowHistories(Protocol):
    """Histories of workflows."""

    async def delete(self, workflow_ids: Sequence[str], asked: Collection[str] = ()) -> list[str]:
        """Asks for all runs of these workflows to be deleted; the identifiers of those that were found.

        A run that is still going on is ended. Runs in `asked` are looked for only: deleting takes Temporal a moment,
        and it does again whatever it is asked again. None left to be seen: nothing.
        """
        ...


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


class PlainPayload(NamedTuple):
    """A payload for those who know nothing of Temporal."""

    metadata: Mapping[str, bytes]
    data: bytes


class PayloadCodec(Protocol):
    """Reads payloads as anybody sends them, under encryption and without."""

    async def decrypt(self, payloads: Sequence[PlainPayload]) -> list[PlainPayload]:
        """Decrypted; what is not encrypted, or cannot be decrypted, stays as it is."""
        ...
