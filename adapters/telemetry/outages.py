"""One log line for the start of an outage, and one for its end."""

from time import monotonic

import structlog

log = structlog.get_logger(__name__)

QUIET_SECONDS = 3.0
"""Time without a failure after which a success ends an outage. On an overloaded dependency both occur in turn."""


class OutageLog:
    """Logs when `dependency` begins to fail, with the reason, and when it responds again, with the duration."""

    def __init__(self, dependency: str) -> None:
        self._dependency = dependency
        self._since: float | None = None
        self._latest = 0.0

    def add_failure(self, reason: str) -> None:
        self._latest = monotonic()
        if self._since is None:
            self._since = self._latest
            log.error("a dependency fails", dependency=self._dependency, reason=reason)

    def add_success(self) -> None:
        if self._since is not None and monotonic() - self._latest >= QUIET_SECONDS:
            seconds = round(monotonic() - self._since, 1)
            log.warning("a dependency responds again", dependency=self._dependency, seconds=seconds)
            self._since = None
