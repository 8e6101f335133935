"""The task queues that a worker serves, its concurrency and its timeouts. Does not load the SDK.

`config.settings` has the numbers that operators set.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

Queue = Literal["sessions", "documents", "callbacks"]

QUEUES: tuple[Queue, ...] = ("sessions", "documents", "callbacks")


def parse_queues(names: str) -> tuple[Queue, ...]:
    """Returns the queues in a list separated by commas. Raises `ValueError` if it is empty or has an unknown name."""
    chosen = {name.strip() for name in names.split(",")}
    if not chosen <= set(QUEUES):
        raise ValueError(f"the queues are {', '.join(QUEUES)}; give at least one of them, separated by commas")
    return tuple(queue for queue in QUEUES if queue in chosen)


SHUTDOWN_GRACE = timedelta(seconds=20)
"""How long running activities may take to end at a shutdown; Temporal retries the others on another worker."""

SHUTDOWN_LIMIT = SHUTDOWN_GRACE + timedelta(seconds=3)
"""How long to wait for the SDK's workers to stop before the process exits anyway: the SDK may never return."""

STICKY_TIMEOUT = timedelta(seconds=5)
"""How long a workflow task waits for the worker that caches the session. Any other worker has to replay the whole
history. After a crash of a worker, the first update of each session in its cache waits as long. Temporal's default is
10 seconds."""

FAILING_WORKFLOW_SLOTS = 10
"""Maximum number of concurrent workflow tasks of deliveries to failing receivers; each takes milliseconds."""

IDLE_PATIENCE = 10.0
"""Seconds after which a delivery to a failing receiver starts although the machine is busy."""

CACHED_DELIVERIES = 50
"""Cached delivery workflows. Most wait for hours, and their short histories are cheap to replay."""


@dataclass(frozen=True, slots=True)
class WorkerConfig:
    """The queues that a worker process serves, and how many tasks of each it runs at a time.

    Tasks of `sessions` wait for backends. Tasks of `documents` use the pool of child processes: more than the pool can
    run would wait here instead of going to other workers. Tasks of `callbacks` wait up to 15 s for a receiver.
    `deployment` and `build` identify this version of the code to Temporal; without them, every worker takes all
    tasks.
    """

    queues: tuple[Queue, ...]
    sessions: int
    documents: int
    callbacks: int
    sessions_cached: int
    deployment: str | None = None
    build: str | None = None
