"""A pool of child processes for work that must not run in the main one, and the owners of its jobs."""

from collections.abc import Callable
from contextvars import ContextVar
from typing import NamedTuple, ParamSpec, Protocol, TypeVar

from domain.shared.errors import Outage

P = ParamSpec("P")


R = TypeVar("R")


class JobOwner(NamedTuple):
    """On whose behalf a job runs. Pools share their processes fairly between organisations.

    `organisation` is an organisation, or the network of a person without an account. `person` is a client, user or
    recipient of the organisation. Jobs that are not `is_urgent`, such as previews, wait for those that are.
    """

    organisation: str = ""
    person: str = ""
    is_urgent: bool = True


_NOT_NAMED = JobOwner()

job_owner: ContextVar[JobOwner] = ContextVar("job_owner", default=_NOT_NAMED)
"""The owner of the jobs that the current task runs."""


def run_jobs_for(organisation: str, person: str = "") -> None:
    """Sets the owner of the jobs of the current task, which serves one request or one activity. They are urgent."""
    job_owner.set(JobOwner(organisation, person))


def lower_priority() -> None:
    """Lets the jobs of the current task wait for urgent ones. In the API their time limit is shorter."""
    job_owner.set(job_owner.get()._replace(is_urgent=False))


class ProcessDied(Outage):
    """The job ran out of time or memory, or its child process died twice."""

    default = "This took more time or memory than a request may; ask for less at once, or try again."


class PoolBusy(Outage):
    """The job was not started: the queue of its owner is full, or it waited too long."""

    default = "Too much work is waiting; try again shortly."


class PoolClosed(ProcessDied):
    """The service is shutting down. The result of the job is unknown."""


class ProcessPool(Protocol):
    """Runs module-level functions with picklable arguments in a child process, fairly between their owners."""

    async def run(self, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Returns the result of `work`, or raises its exception, `PoolBusy` or `ProcessDied`.

        `work` runs a second time if its process dies, but not if it exceeds its limit of time or memory.
        """
