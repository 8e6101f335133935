"""The limits of jobs in child processes: their time, their memory, and how many wait."""

import resource
from contextlib import suppress
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class JobLimits:
    """Limits of one job: `seconds` of time, and `memory`, the bytes that its process may write to.

    The memory limit applies to all data of a process, and only on Linux. Jobs that are not urgent have at most
    `low_priority_seconds`. Of one organisation, at most `waiting` jobs of each priority wait, each for `patience`
    seconds (`FairQueue`). None means no limit, for `low_priority_seconds` the same limit.
    """

    seconds: float
    memory: int
    low_priority_seconds: float | None = None
    waiting: int | None = None
    patience: float | None = None

    def seconds_of(self, *, is_urgent: bool) -> float:
        return self.seconds if is_urgent or self.low_priority_seconds is None else self.low_priority_seconds


WORKER_JOBS = JobLimits(seconds=40, memory=2 * 1024**3)
"""For layout and stamping. Four pictures of 39 megapixels take 16 s and 0.5 GB, usual documents 0.1 GB."""

REQUEST_JOBS = replace(WORKER_JOBS, low_priority_seconds=10, waiting=200, patience=30)
"""For layout in the API, where a client waits. A session of ten documents is eleven jobs."""

UNTRUSTED_FILES = JobLimits(seconds=30, memory=1024**3, waiting=40, patience=30)
"""For untrusted files. A picture of 40 megapixels takes up to 8 s and 0.8 GB."""

PUBLIC_JOBS = JobLimits(seconds=8, memory=1024**3, waiting=4, patience=20)
"""For files from users without an account, which are verified in a pool of their own."""


def limit_memory(size: int) -> None:
    """Limits this process to `size` bytes of data: larger allocations fail.

    There are no core dumps either, which would contain the processed files.
    """
    for limit, value in ((resource.RLIMIT_DATA, size), (resource.RLIMIT_CORE, 0)):
        with suppress(ValueError, OSError):  # a tighter one is in force, or the platform has none
            resource.setrlimit(limit, (value, value))
