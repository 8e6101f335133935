"""What a check found, and how checks are run: each by itself, with its time, whatever it meets."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from adapters.telemetry.error_format import name_failure

CHECK_SECONDS = 60.0
"""How long one check may take: it may have to start child processes on a busy machine."""


class CheckState(StrEnum):
    """`note` is for what works and should be known; `skipped` for what cannot be looked at now."""

    OK = "ok"
    NOTE = "note"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class CheckResult:
    """Of one check. `advice` says what to do, where there is something to be done."""

    name: str
    state: CheckState
    message: str
    advice: str | None = None


class CheckFailed(Exception):
    """A check did not pass."""

    def __init__(self, message: str, advice: str) -> None:
        super().__init__(message)
        self.advice = advice


@dataclass(frozen=True, slots=True)
class CheckPassed:
    """What a check says when it passes, with a `note` of what should be known besides, if there is something."""

    message: str
    note: str | None = None


class CheckSkipped(Exception):
    """A check cannot be made; the message says why."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing to run at. `advice` is for failures that it does not foresee."""

    name: str
    run: Callable[[], Awaitable[CheckPassed]]
    advice: str


async def run_checks(checks: Sequence[Check]) -> tuple[CheckResult, ...]:
    """What each found, in their order; they are made at the same time."""
    return tuple(await asyncio.gather(*map(_run, checks)))


async def _run(check: Check) -> CheckResult:
    try:
        async with asyncio.timeout(CHECK_SECONDS):
            passed = await check.run()
    except CheckSkipped as reason:
        return CheckResult(check.name, CheckState.SKIPPED, str(reason))
    except CheckFailed as failure:
        return CheckResult(check.name, CheckState.FAILED, str(failure), failure.advice)
    except TimeoutError:
        return CheckResult(
            check.name, CheckState.FAILED, f"No answer within {CHECK_SECONDS:.0f} seconds.", check.advice
        )
    except Exception as error:  # noqa: BLE001  # whatever is wrong is a result, and the other checks go on
        return CheckResult(check.name, CheckState.FAILED, f"{name_failure(error)}.", check.advice)
    state = CheckState.OK if passed.note is None else CheckState.NOTE
    return CheckResult(check.name, state, passed.message, passed.note)
