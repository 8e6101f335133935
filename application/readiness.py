"""The readiness of the service: the status of each dependency, with advice.

Each status is cached for the seconds that its dependency sets. A probe fails after ten seconds.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from time import monotonic

PROBE_SECONDS = 10.0
"""Seconds after which a probe fails. A probe on a busy machine may need several seconds."""

Probe = Callable[[], Awaitable[object]]


class SingleFlight:
    """Runs at most one call of a probe at a time. A call after a timeout awaits the running probe."""

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._running: asyncio.Future[object] | None = None

    async def __call__(self) -> object:
        if self._running is None or self._running.done():
            self._running = asyncio.ensure_future(self._probe())
            self._running.add_done_callback(_look_at)
        return await asyncio.shield(self._running)


def _look_at(ended: asyncio.Future[object]) -> None:
    """Retrieves the exception, because asyncio logs exceptions that are not retrieved."""
    if not ended.cancelled():
        ended.exception()


class NotReady(Exception):
    """A probe failed. The message is the advice."""


@dataclass(frozen=True, slots=True)
class Dependency:
    """A dependency of the service.

    `probe` raises if the dependency is not ready. `advice` is the remedy, unless the probe raises `NotReady` with
    another one. The service cannot respond without its `needed` dependencies. Work that waits for other dependencies
    resumes automatically. A status is cached for `remembered` seconds.
    """

    name: str
    probe: Probe
    advice: str
    needed: bool
    remembered: float


@dataclass(frozen=True, slots=True)
class DependencyStatus:
    """The status of a dependency; `advice` is None if it is ready."""

    name: str
    needed: bool
    advice: str | None

    @property
    def is_ready(self) -> bool:
        return self.advice is None


class Readiness:
    """The dependencies with their cached statuses."""

    def __init__(self, dependencies: Sequence[Dependency] = ()) -> None:
        self._asked = [_CachedProbe(dependency) for dependency in dependencies]

    async def rows(self) -> tuple[DependencyStatus, ...]:
        """Returns the status of each dependency, in the order of the dependencies."""
        return tuple(await asyncio.gather(*(asked.standing() for asked in self._asked)))


class _CachedProbe:
    def __init__(self, dependency: Dependency) -> None:
        self._dependency = dependency
        self._lock = asyncio.Lock()
        self._last: DependencyStatus | None = None
        self._until = 0.0

    async def standing(self) -> DependencyStatus:
        async with self._lock:
            if self._last is None or monotonic() >= self._until:
                self._last = await self._ask()
                self._until = monotonic() + self._dependency.remembered
            return self._last

    async def _ask(self) -> DependencyStatus:
        wanted = self._dependency
        try:
            async with asyncio.timeout(PROBE_SECONDS):
                await wanted.probe()
        except NotReady as error:
            return DependencyStatus(wanted.name, wanted.needed, str(error))
        except Exception:  # noqa: BLE001  # every failure of a probe means not ready
            return DependencyStatus(wanted.name, wanted.needed, wanted.advice)
        return DependencyStatus(wanted.name, wanted.needed, None)
