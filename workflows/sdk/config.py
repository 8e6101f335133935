"""Which Temporal a process works with, and on what, as the settings say it. Loads nothing of the SDK."""

from dataclasses import dataclass
from typing import Literal

from workflows.sdk.payload_keys import PayloadKey

Queue = Literal["sessions", "documents", "callbacks"]

QUEUES: tuple[Queue, ...] = ("sessions", "documents", "callbacks")


def parse_queues(names: str) -> tuple[Queue, ...]:
    """The queues in a list that is separated by commas; raises `ValueError` if it holds anything else, or nothing."""
    chosen = {name.strip() for name in names.split(",")}
    if not chosen <= set(QUEUES):
        raise ValueError(f"the queues are {', '.join(QUEUES)}; give at least one of them, separated by commas")
    return tuple(queue for queue in QUEUES if queue in chosen)


@dataclass(frozen=True, slots=True)
class TemporalConfig:
    """What is None is left to Temporal's own configuration: `TEMPORAL_ADDRESS` and its like, or a profile in a file.

    `payload_keys`: the first encrypts what is given to Temporal, all decrypt; none means that nothing is encrypted.
    """

    address: str | None = None
    namespace: str | None = None
    payload_keys: tuple[PayloadKey, ...] = ()


@dataclass(frozen=True, slots=True)
class WorkerConfig:
    """What a worker process works on. The numbers say how much of each queue it does at once.

    `sessions` are steps that wait for engines: mails, rows, objects. `documents` are stamped and sealed in the pool of
    child processes: more than it can hold would only be kept from other workers. A try at a callback waits for its
    receiver, 15 s at most, and costs next to nothing meanwhile.

    `deployment` and `build` name this version of the code to Temporal; without them every worker takes everything.
    """

    queues: tuple[Queue, ...] = QUEUES
    sessions: int = 100
    documents: int = 4
    callbacks: int = 200
    sessions_cached: int = 1000
    deployment: str | None = None
    build: str | None = None
