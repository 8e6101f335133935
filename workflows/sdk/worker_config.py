"""The task queues that a worker serves, and how many tasks of each it runs at a time. Does not load the SDK."""

from dataclasses import dataclass
from typing import Literal

Queue = Literal["sessions", "documents", "callbacks"]

QUEUES: tuple[Queue, ...] = ("sessions", "documents", "callbacks")


def parse_queues(names: str) -> tuple[Queue, ...]:
    """Returns the queues in a list separated by commas. Raises `ValueError` if it is empty or has an unknown name."""
    chosen = {name.strip() for name in names.split(",")}
    if not chosen <= set(QUEUES):
        raise ValueError(f"the queues are {', '.join(QUEUES)}; give at least one of them, separated by commas")
    return tuple(queue for queue in QUEUES if queue in chosen)


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
