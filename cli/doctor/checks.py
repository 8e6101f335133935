"""What a check found, and how checks are run: each by itself, with its time, whatever it meets."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from adapters.telemetry.logs import name_error

CHECK_SECONDS = 60.0
"""How long one check may take: it may have to start child processes on a busy machine."""


class State(StrEnum):
    """`note` is for what works and should be known; `skipped` for what cannot be looked at now."""

    OK = "ok"
    NOTE = "note"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Finding:
    """Of one check. `advice` says what to do, where there is something to be done."""

    name: str
    state: State
    told: str
    advice: str | None = None


class Failed(Exception):
    """A check did not pass."""

    def __init__(self, told: str, advice: str) -> None:
        super().__init__(told)
        self.advice = advice


@dataclass(frozen=True, slots=True)
class Passed:
    """What a check says when it passes, with a `note` of what should be known besides, if there is something."""

    told: str
    note: str | None = None


class Skipped(Exception):
    """A check cannot be made; the message says why."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing to look at. `advice` is for failures that it does not foresee."""

    name: str
    look: Callable[[], Awaitable[Passed]]
    advice: str


async def run_checks(checks: Sequence[Check]) -> tuple[Finding, ...]:
    """What each found, in their order; they are made at the same time."""
    return tuple(await asyncio.gather(*map(_run, checks)))


async def _run(check: Check) -> Finding:
    try:
        async with asyncio.timeout(CHECK_SECONDS):
            passed = await check.look()
    except Skipped as reason:
        return Finding(check.name, State.SKIPPED, str(reason))
    except Failed as failure:
        return Finding(check.name, State.FAILED, str(failure), failure.advice)
    except TimeoutError:
        return Finding(check.name, State.FAILED, f"No answer within {CHECK_SECONDS:.0f} seconds.", check.advice)
    except Exception as error:  # noqa: BLE001  # whatever is wrong is a finding, and the other checks go on
        return Finding(check.name, State.FAILED, f"{name_error(error)}.", check.advice)
    state = State.OK if passed.note is None else State.NOTE
    return Finding(check.name, state, passed.told, passed.note)
