"""The configuration of Temporal and of a worker, from the settings. Does not load the SDK."""

from dataclasses import dataclass
from typing import Literal

from workflows.sdk.payload_keys import PayloadKey

Queue = Literal["sessions", "documents", "callbacks"]

QUEUES: tuple[Queue, ...] = ("sessions", "documents", "callbacks")


def parse_queues(names: str) -> tuple[Queue, ...]:
    """Returns the queues in a list separated by commas. Raises `ValueError` if it is empty or has an unknown name."""
    chosen = {name.strip() for name in names.split(",")}
    if not chosen <= set(QUEUES):
        raise ValueError(f"the queues are {', '.join(QUEUES)}; give at least one of them, separated by commas")
    return tuple(queue for queue in QUEUES if queue in chosen)


@dataclass(frozen=True, slots=True)
class TemporalConfig:
    """None leaves a value to Temporal's own configuration: `TEMPORAL_ADDRESS` and other variables, or a profile file.

    `payload_keys`: the first encrypts, all decrypt. Without keys payloads are not encrypted.
    """

    address: str | None = None
    namespace: str | None = None
    payload_keys: tuple[PayloadKey, ...] = ()


@dataclass(frozen=True, slots=True)
class WorkerConfig:
    """The queues that a worker process serves, and how many tasks of each it runs at a time.

    `sessions` are tasks that wait for backends: mails, rows, objects. `documents` are stamped and sealed in the pool of
    child processes; more than the pool can run would wait here instead of going to other workers. An attempt of a
    callback waits for its receiver, 15 s at most, and costs little meanwhile.

    `deployment` and `build` name this version of the code to Temporal. Without them every worker takes all tasks.
    """

    queues: tuple[Queue, ...] = QUEUES
    sessions: int = 100
    documents: int = 4
    callbacks: int = 200
    sessions_cached: int = 1000
    deployment: str | None = None
    build: str | None = None
