"""What a worker does beside its tasks."""

import asyncio
from datetime import timedelta

from structlog.testing import capture_logs

from activities.maintenance import run_periodically
from domain.ports.database import DatabaseUnavailable
from tests.http_requests import PATIENCE

HOUR = timedelta(hours=1)


async def test_it_is_called_again_at_once_after_it_did_something_and_rests_after_nothing() -> None:
    done, rests = [2, 1, 0], asyncio.Event()

    async def look() -> int:
        if len(done) == 1:
            rests.set()
        return done.pop(0)

    async with run_periodically(look, HOUR, "never"):
        await asyncio.wait_for(rests.wait(), PATIENCE)

    assert done == []


async def test_an_error_is_logged_and_ends_nothing() -> None:
    calls, again = 0, asyncio.Event()

    async def look() -> int:
        nonlocal calls
        calls += 1
        if calls == 1:
            raise OSError
        again.set()
        return 0

    with capture_logs() as logged:
        async with run_periodically(look, timedelta(), "it is done later"):
            await asyncio.wait_for(again.wait(), PATIENCE)

    assert [(line["event"], line["error"]) for line in logged] == [("it is done later", "OSError")]


async def test_a_failure_is_logged_again_only_for_another_reason_or_after_a_success() -> None:
    outcomes, is_done = [*[OSError("full")] * 3, OSError("gone"), None, OSError("gone")], asyncio.Event()

    with capture_logs() as logged:
        async with run_periodically(lambda: _next(outcomes, is_done), timedelta(), "it is done later"):
            await asyncio.wait_for(is_done.wait(), PATIENCE)

    assert [line["error"] for line in logged] == ["full", "gone", "gone"]


async def test_outages_of_the_database_are_left_to_its_adapter() -> None:
    outcomes, is_done = [DatabaseUnavailable("it does not answer")], asyncio.Event()

    with capture_logs() as logged:
        async with run_periodically(lambda: _next(outcomes, is_done), timedelta(), "it is done later"):
            await asyncio.wait_for(is_done.wait(), PATIENCE)

    assert logged == []


async def _next(outcomes: list[Exception | None], is_done: asyncio.Event) -> int:
    if not outcomes:
        is_done.set()
    elif (outcome := outcomes.pop(0)) is not None:
        raise outcome
    return 0


async def test_it_is_called_no_more_after_the_block() -> None:
    calls = 0

    async def look() -> int:
        nonlocal calls
        calls += 1
        return 0

    async with run_periodically(look, timedelta(milliseconds=1), "never"):
        await asyncio.sleep(0.02)
    at_end = calls
    await asyncio.sleep(0.02)

    assert calls == at_end > 0
