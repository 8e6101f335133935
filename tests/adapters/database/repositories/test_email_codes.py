"""What is promised about one-time codes: one use, ten minutes, five tries, and not too many of them."""

from datetime import timedelta

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.database.repositories.email_codes import DatabaseEmailCodes
from adapters.database.repositories.sessions import DatabaseSessionRows
from domain.shared.ids import RecipientId, SessionId
from domain.shared.limits import CODE_ATTEMPTS, CODE_LIFETIME
from ports.signing_pages import (
    CODE_PAUSE,
    CODE_WINDOW,
    CODES_PER_WINDOW,
    MAX_WRONG_CODES,
    CodeResult,
    EmailCodes,
    RecipientRef,
)
from tests.builders import NOON, ORGANISATION, identifier

KEY = RecipientRef(ORGANISATION, SessionId(identifier("session")), RecipientId(identifier("ada")))
OTHER = KEY._replace(recipient_id=RecipientId(identifier("grace")))
RIGHT, WRONG, ENDED = CodeResult.RIGHT, CodeResult.WRONG, CodeResult.ENDED


@pytest.fixture
def codes(database: AsyncEngine) -> EmailCodes:
    return DatabaseEmailCodes(database)


async def test_the_right_code_works_once_and_for_its_recipient_only(codes: EmailCodes) -> None:
    await codes.issue(KEY, "right", NOON)

    assert await codes.enter(OTHER, "right", NOON) is ENDED
    assert await codes.enter(KEY, "wrong", NOON) is WRONG
    assert await codes.enter(KEY, "right", NOON) is RIGHT
    assert await codes.enter(KEY, "right", NOON) is ENDED


async def test_after_five_wrong_ones_the_right_one_works_no_more(codes: EmailCodes) -> None:
    await codes.issue(KEY, "right", NOON)

    results = [await codes.enter(KEY, "wrong", NOON) for _ in range(CODE_ATTEMPTS)]

    assert results == [*[WRONG] * (CODE_ATTEMPTS - 1), ENDED]
    assert await codes.enter(KEY, "right", NOON) is ENDED


async def test_a_code_ends_after_ten_minutes(codes: EmailCodes) -> None:
    await codes.issue(KEY, "right", NOON)

    assert await codes.enter(KEY, "right", NOON + CODE_LIFETIME) is ENDED


async def test_a_new_code_takes_the_place_of_the_old_one_after_a_pause(codes: EmailCodes) -> None:
    later = NOON + CODE_PAUSE

    assert await codes.issue(KEY, "first", NOON)
    assert not await codes.issue(KEY, "second", later - timedelta(seconds=1))
    assert await codes.issue(KEY, "second", later)
    assert await codes.enter(KEY, "first", later) is WRONG
    assert await codes.enter(KEY, "second", later) is RIGHT


async def test_there_are_only_so_many_in_an_hour(codes: EmailCodes) -> None:
    times = [NOON + number * CODE_PAUSE for number in range(CODES_PER_WINDOW + 1)]

    issued = [await codes.issue(KEY, "code", at) for at in times]

    assert issued == [*[True] * CODES_PER_WINDOW, False]
    assert await codes.issue(KEY, "code", NOON + CODE_WINDOW)


async def test_one_that_was_never_sent_neither_works_nor_counts(codes: EmailCodes) -> None:
    await codes.issue(KEY, "lost", NOON)
    await codes.withdraw(KEY)

    assert await codes.enter(KEY, "lost", NOON) is ENDED
    assert await codes.issue(KEY, "again", NOON)


async def test_codes_are_erased_with_their_session(engine: AsyncEngine) -> None:
    codes = DatabaseEmailCodes(engine)
    await codes.issue(KEY, "right", NOON)

    await DatabaseSessionRows(engine).erase(ORGANISATION, KEY.session_id, NOON)

    assert await codes.enter(KEY, "right", NOON) is ENDED
    assert not await codes.issue(KEY, "right", NOON + CODE_WINDOW)


async def test_guessing_ends_for_good_however_slowly_it_is_done(codes: EmailCodes) -> None:
    at = NOON
    for _ in range(MAX_WRONG_CODES // CODE_ATTEMPTS):
        assert await codes.issue(KEY, "right", at)
        for _ in range(CODE_ATTEMPTS):
            await codes.enter(KEY, "wrong", at)
        at += CODE_WINDOW

    assert not await codes.issue(KEY, "right", at)
    assert await codes.enter(KEY, "right", at) is ENDED
    assert await codes.issue(OTHER, "right", at)


async def test_the_right_code_ends_the_count_of_wrong_ones(codes: EmailCodes) -> None:
    at = NOON
    for _ in range(MAX_WRONG_CODES // CODE_ATTEMPTS + 1):
        assert await codes.issue(KEY, "right", at)
        for _ in range(CODE_ATTEMPTS - 1):
            await codes.enter(KEY, "wrong", at)
        assert await codes.enter(KEY, "right", at) is RIGHT
        at += CODE_WINDOW
