"""Checks, their results, and a runner that isolates each check."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from adapters.telemetry.logs import name_error

CHECK_SECONDS = 60.0
"""Limit of a check, which may start child processes on a busy machine."""


class CheckState(StrEnum):
    """`note` is a pass with advice; `skipped` means that the check could not be made."""

    OK = "ok"
    NOTE = "note"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of a check, with advice on what to do, if anything."""

    name: str
    state: CheckState
    message: str
    advice: str | None = None


class CheckFailed(Exception):
    """The check failed."""

    def __init__(self, message: str, advice: str) -> None:
        super().__init__(message)
        self.advice = advice


@dataclass(frozen=True, slots=True)
class CheckPassed:
    """The message of a check that passed, and a `note` for the operator, if any."""

    message: str
    note: str | None = None


class CheckSkipped(Exception):
    """The check cannot be made; the message is the reason."""


@dataclass(frozen=True, slots=True)
class Check:
    """A named check. `advice` is for errors that `run` does not handle itself."""

    name: str
    run: Callable[[], Awaitable[CheckPassed]]
    advice: str


async def run_checks(checks: Sequence[Check]) -> tuple[CheckResult, ...]:
    """Runs all checks concurrently; returns their results in order."""
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
    except Exception as error:  # noqa: BLE001  # any error is a result, and the other checks continue
        return CheckResult(check.name, CheckState.FAILED, f"{name_error(error)}.", check.advice)
    state = CheckState.OK if passed.note is None else CheckState.NOTE
    return CheckResult(check.name, state, passed.message, passed.note)
