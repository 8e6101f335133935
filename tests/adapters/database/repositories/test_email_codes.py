"""One-time codes of recipients, in SQLite and PostgreSQL."""

from datetime import timedelta

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.database.repositories.email_codes import DatabaseEmailCodes
from domain.ports.email_codes import CodeIssue, CodeResult
from domain.session.email_code_limits import (
    CODE_ATTEMPTS,
    CODE_LIFETIME,
    CODE_PAUSE,
    CODE_WINDOW,
    CODES_PER_WINDOW,
    MAX_WRONG_CODES,
)
from tests.adapters.database.repositories.recipients import ADA, GRACE
from tests.builders import NOON

KEY = b"k" * 32
RIGHT, WRONG, ENDED = CodeResult.RIGHT, CodeResult.WRONG, CodeResult.ENDED
ISSUED = CodeIssue.ISSUED


@pytest.fixture
def codes(database: AsyncEngine) -> DatabaseEmailCodes:
    return DatabaseEmailCodes(database)


async def test_the_right_code_works_once_in_ten_minutes_and_for_its_recipient_only(codes: DatabaseEmailCodes) -> None:
    await codes.issue(ADA, "right", NOON)
    assert await codes.enter(ADA, "right", NOON + CODE_LIFETIME) is ENDED
    assert await codes.enter(GRACE, "right", NOON) is ENDED
    assert [await codes.enter(ADA, code, NOON) for code in ("wrong", "right", "right")] == [WRONG, RIGHT, ENDED]


async def test_after_five_wrong_codes_the_right_one_is_invalid(codes: DatabaseEmailCodes) -> None:
    await codes.issue(ADA, "right", NOON)
    results = [await codes.enter(ADA, "wrong", NOON) for _ in range(CODE_ATTEMPTS)]
    assert results == [*[WRONG] * (CODE_ATTEMPTS - 1), ENDED]
    assert await codes.enter(ADA, "right", NOON) is ENDED


async def test_a_new_code_replaces_the_old_one_after_a_pause(codes: DatabaseEmailCodes) -> None:
    later = NOON + CODE_PAUSE
    assert await codes.issue(ADA, "first", NOON) is ISSUED
    assert await codes.issue(ADA, "second", later - timedelta(seconds=1)) is CodeIssue.TOO_SOON
    assert await codes.issue(ADA, "second", later) is ISSUED
    assert [await codes.enter(ADA, code, later) for code in ("first", "second")] == [WRONG, RIGHT]


async def test_the_number_of_codes_in_an_hour_is_limited(codes: DatabaseEmailCodes) -> None:
    issued = [await codes.issue(ADA, "code", NOON + number * CODE_PAUSE) for number in range(CODES_PER_WINDOW + 1)]
    assert issued == [*[ISSUED] * CODES_PER_WINDOW, CodeIssue.TOO_MANY]
    assert await codes.issue(ADA, "code", NOON + CODE_WINDOW) is ISSUED


async def test_a_withdrawn_code_is_invalid_and_does_not_count(codes: DatabaseEmailCodes) -> None:
    await codes.issue(ADA, "lost", NOON)
    await codes.withdraw(ADA)
    assert await codes.enter(ADA, "lost", NOON) is ENDED
    assert await codes.issue(ADA, "again", NOON) is ISSUED


async def test_guessing_ends_permanently_however_slow_it_is(codes: DatabaseEmailCodes) -> None:
    at = NOON
    for _ in range(MAX_WRONG_CODES // CODE_ATTEMPTS):
        assert await codes.issue(ADA, "right", at) is ISSUED
        for _ in range(CODE_ATTEMPTS):
            await codes.enter(ADA, "wrong", at)
        at += CODE_WINDOW

    assert await codes.issue(ADA, "right", at) is CodeIssue.ENDED
    assert await codes.enter(ADA, "right", at) is ENDED
    assert await codes.issue(GRACE, "right", at) is ISSUED


async def test_the_right_code_resets_the_count_of_wrong_ones(codes: DatabaseEmailCodes) -> None:
    at = NOON
    for _ in range(MAX_WRONG_CODES // CODE_ATTEMPTS + 1):
        assert await codes.issue(ADA, "right", at) is ISSUED
        for _ in range(CODE_ATTEMPTS - 1):
            await codes.enter(ADA, "wrong", at)
        assert await codes.enter(ADA, "right", at) is RIGHT
        at += CODE_WINDOW
