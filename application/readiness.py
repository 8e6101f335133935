"""Whether what the service depends on answers: a row for each dependency, with what to do about it.

Each is asked at most once in its own time, however many ask us, and has ten seconds for its answer.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from time import monotonic

PROBE_SECONDS = 10.0
"""How long a dependency may take to answer before it counts as not ready: a busy machine takes seconds.

People and alerts ask, no balancer does.
"""

Probe = Callable[[], Awaitable[object]]


class SingleFlight:
    """A probe that goes on in a thread when nobody waits for it any more: it is waited for again, not begun again."""

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._running: asyncio.Future[object] | None = None

    async def __call__(self) -> object:
        if self._running is None or self._running.done():
            self._running = asyncio.ensure_future(self._probe())
            self._running.add_done_callback(_look_at)
        return await asyncio.shield(self._running)


def _look_at(ended: asyncio.Future[object]) -> None:
    """What nobody looks at is told to the log, as a mistake."""
    if not ended.cancelled():
        ended.exception()


class NotReady(Exception):
    """A probe's own words for what to do."""


@dataclass(frozen=True, slots=True)
class Dependency:
    """What the service depends on.

    `probe` raises when it is not ready; `advice` says what to do then, unless a `NotReady` does. Without a `needed` one
    the service cannot answer; the others hold things up that heal by themselves. An answer counts for `remembered`
    seconds.
    """

    name: str
    probe: Probe
    advice: str
    needed: bool
    remembered: float


@dataclass(frozen=True, slots=True)
class DependencyStatus:
    """How a dependency stands; `advice` is None when it is ready."""

    name: str
    needed: bool
    advice: str | None

    @property
    def is_ready(self) -> bool:
        return self.advice is None


class Readiness:
    """The dependencies, and what they answered last."""

    def __init__(self, dependencies: Sequence[Dependency] = ()) -> None:
        self._asked = [_CachedProbe(dependency) for dependency in dependencies]

    async def rows(self) -> tuple[DependencyStatus, ...]:
        """One for each, in their order."""
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
        except Exception:  # noqa: BLE001  # whatever it is, there was no answer that the service could use
            return DependencyStatus(wanted.name, wanted.needed, wanted.advice)
        return DependencyStatus(wanted.name, wanted.needed, None)
