"""What a worker measures once a minute: runs that this version cannot continue, free disk space, the seal's end."""

import shutil
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Protocol

import structlog

log = structlog.get_logger(__name__)

OBSERVE_EVERY = timedelta(minutes=1)

MAX_NAMED = 10
"""The number of failing runs that are named, so that the number of time series is bounded."""


class Gauges(Protocol):
    """The metrics of these observations."""

    def show_failing(self, workflow_ids: list[str]) -> None: ...

    def show_free(self, size: int) -> None: ...

    def show_seal_end(self, at: datetime) -> None: ...


class InstallationObserver:
    """Observes, and passes the results to `gauges`. `data_dir` has the objects; None for a bucket."""

    def __init__(
        self,
        gauges: Gauges,
        find_failing: Callable[[int], Awaitable[list[str]]],
        seal_ends_at: Callable[[], datetime],
        data_dir: Path | None,
    ) -> None:
        self._gauges = gauges
        self._find_failing = find_failing
        self._seal_ends_at = seal_ends_at
        self._data_dir = data_dir
        self._failing: frozenset[str] = frozenset()

    async def observe(self) -> int:
        """Returns 0, so that the next call waits."""
        self._gauges.show_seal_end(self._seal_ends_at())
        if self._data_dir is not None:
            self._gauges.show_free(shutil.disk_usage(self._data_dir).free)
        failing = await self._find_failing(MAX_NAMED)
        for workflow_id in sorted({*failing} - self._failing):
            log.error("a run cannot be continued; see docs/workflow-changes.md", workflow_id=workflow_id)
        self._failing = frozenset(failing)
        self._gauges.show_failing(failing)
        return 0
