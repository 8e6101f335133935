"""Checks of the dependencies: shallow ones for `/readyz`, which caches them; deep ones for `undersign doctor`."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from time import monotonic

from domain.shared.error_redaction import error_type_name

PROBE_SECONDS = 10.0
"""Limit of a shallow check, which may need several seconds on a busy machine."""

DEEP_SECONDS = 60.0
"""Limit of a deep check, which may start child processes on a busy machine."""


class CheckState(StrEnum):
    """The state of a check. `note` is a pass with advice; `skipped` means that the check could not be made."""

    OK = "ok"
    NOTE = "note"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class CheckPassed:
    """The message of a check that passed, and a `note` for the operator, if any."""

    message: str
    note: str | None = None


class CheckFailed(Exception):
    """The check failed. `advice` replaces that of the check, if it is set."""

    def __init__(self, message: str, advice: str | None = None) -> None:
        super().__init__(message)
        self.advice = advice


class CheckSkipped(Exception):
    """The check cannot be made; the message is the reason."""


@dataclass(frozen=True, slots=True)
class Check:
    """A named check. `advice` is what to do when it fails.

    If a `needed` check fails, the service cannot answer requests. If another one fails, the affected work waits and
    resumes automatically. `Readiness` caches the result for `remembered` seconds. `undersign doctor` skips a check if
    one of those that it `needs` has failed.
    """

    name: str
    run: Callable[[], Awaitable[object]]
    advice: str
    needed: bool = False
    remembered: float = 0.0
    needs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of a check, with advice on what to do, if anything."""

    name: str
    state: CheckState
    message: str
    advice: str | None = None
    needed: bool = False

    @property
    def is_ready(self) -> bool:
        return self.state is not CheckState.FAILED


async def run_check(
    check: Check, seconds: float = PROBE_SECONDS, describe: Callable[[Exception], str] = error_type_name
) -> CheckResult:
    """Returns the result of a check; `describe` gives the message for an error that `check` does not handle itself."""

    def result(state: CheckState, message: str, advice: str | None = None) -> CheckResult:
        return CheckResult(check.name, state, message, advice, check.needed)

    try:
        async with asyncio.timeout(seconds):
            passed = await check.run()
    except CheckSkipped as reason:
        return result(CheckState.SKIPPED, str(reason))
    except CheckFailed as failure:
        return result(CheckState.FAILED, str(failure), failure.advice or check.advice)
    except TimeoutError:
        return result(CheckState.FAILED, f"No answer within {seconds:.0f} seconds.", check.advice)
    except Exception as error:  # noqa: BLE001  # any error is a result, and the other checks continue
        return result(CheckState.FAILED, f"{describe(error)}.", check.advice)
    if not isinstance(passed, CheckPassed):
        return result(CheckState.OK, "")
    return result(CheckState.NOTE if passed.note else CheckState.OK, passed.message, passed.note)


class SingleFlight:
    """Runs at most one call of a probe at a time. A call after a timeout awaits the running probe."""

    def __init__(self, probe: Callable[[], Awaitable[object]]) -> None:
        self._probe = probe
        self._running: asyncio.Future[object] | None = None

    async def __call__(self) -> object:
        if self._running is None or self._running.done():
            self._running = asyncio.ensure_future(self._probe())
            # asyncio logs exceptions that are not retrieved.
            self._running.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
        # A caller whose time is over must not cancel the probe, which others await.
        return await asyncio.shield(self._running)


class Readiness:
    """Checks with their cached results."""

    def __init__(self, checks: Sequence[Check] = ()) -> None:
        self._checks = checks
        # Concurrent requests share one call of each check, whose result they then read.
        self._locks = [asyncio.Lock() for _ in checks]
        self._results: dict[int, tuple[float, CheckResult]] = {}

    async def results(self) -> list[CheckResult]:
        """Returns the result of each check, in the order of the checks."""
        return await asyncio.gather(*map(self._result, range(len(self._checks))))

    async def _result(self, number: int) -> CheckResult:
        async with self._locks[number]:
            until, result = self._results.get(number, (0.0, None))
            if result is None or monotonic() >= until:
                result = await run_check(self._checks[number])
                self._results[number] = monotonic() + self._checks[number].remembered, result
            return result
