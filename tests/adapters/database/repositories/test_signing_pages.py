"""Form drafts and one-time codes of recipients, in SQLite and PostgreSQL."""

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.database.repositories.sessions import DatabaseSessionRows
from adapters.database.repositories.signing_pages import (
    DatabaseEmailCodes,
    DatabaseFormDrafts,
    DatabaseSigningUrls,
)
from domain.session.signing_links import Link
from domain.shared.ids import ClientId, RecipientId, SessionId
from domain.shared.limits import CODE_ATTEMPTS, CODE_LIFETIME
from ports.signing_pages import (
    CODE_PAUSE,
    CODE_WINDOW,
    CODES_PER_WINDOW,
    KEPT,
    MAX_WRONG_CODES,
    CodeResult,
    RecipientRef,
    SigningUrl,
)
from tests.builders import NOON, ORGANISATION, identifier

KEY = b"k" * 32
RIGHT, WRONG, ENDED = CodeResult.RIGHT, CodeResult.WRONG, CodeResult.ENDED


def ref(name: str, session: str = "session") -> RecipientRef:
    return RecipientRef(ORGANISATION, SessionId(identifier(session)), RecipientId(identifier(name)))


ADA, GRACE, NOBODY = ref("ada"), ref("grace"), ref("nobody")


@pytest.fixture
def drafts(database: AsyncEngine) -> DatabaseFormDrafts:
    return DatabaseFormDrafts(database, KEY)


@pytest.fixture
def codes(database: AsyncEngine) -> DatabaseEmailCodes:
    return DatabaseEmailCodes(database)


async def test_each_recipient_has_their_latest_draft_until_it_is_discarded(drafts: DatabaseFormDrafts) -> None:
    for content in (b"first", b"second"):
        await drafts.save(ADA, content, NOON)
    await drafts.save(GRACE, b"hers", NOON)
    assert [await drafts.find(key) for key in (ADA, GRACE, NOBODY)] == [b"second", b"hers", None]

    await drafts.discard(ADA)
    await drafts.discard(NOBODY)

    assert [await drafts.find(key) for key in (ADA, GRACE)] == [None, b"hers"]


async def test_a_draft_is_unreadable_in_the_database_under_another_key_and_in_another_row(engine: AsyncEngine) -> None:
    drafts = DatabaseFormDrafts(engine, KEY)
    await drafts.save(ADA, b"0491 570 156", NOON)
    async with engine.begin() as connection:
        (sealed,) = (await connection.execute(text("SELECT sealed FROM form_drafts"))).one()
        assert b"0491" not in sealed
        await connection.execute(text("UPDATE form_drafts SET recipient_id = :other"), {"other": GRACE.recipient_id})

    assert await drafts.find(GRACE) is None
    assert await DatabaseFormDrafts(engine, b"l" * 32).find(GRACE) is None


async def test_erasing_a_session_erases_its_drafts_and_codes_and_admits_no_later_ones(engine: AsyncEngine) -> None:
    drafts, codes, other = DatabaseFormDrafts(engine, KEY), DatabaseEmailCodes(engine), ref("ada", "another")
    await drafts.save(ADA, b"x", NOON)
    await drafts.save(other, b"y", NOON)
    await codes.issue(ADA, "right", NOON)

    await DatabaseSessionRows(engine).erase(ORGANISATION, ADA.session_id, NOON)
    await drafts.save(ADA, b"too late", NOON)

    assert [await drafts.find(key) for key in (ADA, other)] == [None, b"y"]
    assert await codes.enter(ADA, "right", NOON) is ENDED
    assert not await codes.issue(ADA, "right", NOON + CODE_WINDOW)


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
    assert await codes.issue(ADA, "first", NOON)
    assert not await codes.issue(ADA, "second", later - timedelta(seconds=1))
    assert await codes.issue(ADA, "second", later)
    assert [await codes.enter(ADA, code, later) for code in ("first", "second")] == [WRONG, RIGHT]


async def test_the_number_of_codes_in_an_hour_is_limited(codes: DatabaseEmailCodes) -> None:
    issued = [await codes.issue(ADA, "code", NOON + number * CODE_PAUSE) for number in range(CODES_PER_WINDOW + 1)]
    assert issued == [*[True] * CODES_PER_WINDOW, False]
    assert await codes.issue(ADA, "code", NOON + CODE_WINDOW)


async def test_a_withdrawn_code_is_invalid_and_does_not_count(codes: DatabaseEmailCodes) -> None:
    await codes.issue(ADA, "lost", NOON)
    await codes.withdraw(ADA)
    assert await codes.enter(ADA, "lost", NOON) is ENDED
    assert await codes.issue(ADA, "again", NOON)


async def test_guessing_ends_permanently_however_slow_it_is(codes: DatabaseEmailCodes) -> None:
    at = NOON
    for _ in range(MAX_WRONG_CODES // CODE_ATTEMPTS):
        assert await codes.issue(ADA, "right", at)
        for _ in range(CODE_ATTEMPTS):
            await codes.enter(ADA, "wrong", at)
        at += CODE_WINDOW

    assert not await codes.issue(ADA, "right", at)
    assert await codes.enter(ADA, "right", at) is ENDED
    assert await codes.issue(GRACE, "right", at)


async def test_the_right_code_resets_the_count_of_wrong_ones(codes: DatabaseEmailCodes) -> None:
    at = NOON
    for _ in range(MAX_WRONG_CODES // CODE_ATTEMPTS + 1):
        assert await codes.issue(ADA, "right", at)
        for _ in range(CODE_ATTEMPTS - 1):
            await codes.enter(ADA, "wrong", at)
        assert await codes.enter(ADA, "right", at) is RIGHT
        at += CODE_WINDOW


def link_of(secret: str) -> Link:
    return Link(ORGANISATION, ADA.session_id, secret * 64)


def url(minutes: int = 10) -> SigningUrl:
    return SigningUrl(
        recipient_id=ADA.recipient_id,
        invitation=1,
        client_id=ClientId("shop"),
        origin="https://shop.example.com",
        return_url=None,
        ends_at=NOON + timedelta(minutes=minutes),
    )


async def test_a_signing_url_is_used_once_and_before_it_ends(database: AsyncEngine) -> None:
    urls = DatabaseSigningUrls(database)
    await urls.add(link_of("a"), url(), NOON)
    await urls.add(link_of("b"), url(minutes=0), NOON)
    assert await urls.find(link_of("a")) == url()

    used = [await urls.use(link_of(secret), NOON) for secret in "aabc"]

    assert used == [True, False, False, False]
    assert await urls.find(link_of("a")) == replace(url(), used_at=NOON)


async def test_signing_urls_are_deleted_a_day_after_their_end(engine: AsyncEngine) -> None:
    urls = DatabaseSigningUrls(engine)
    await urls.add(link_of("a"), url(), NOON)
    await urls.add(link_of("b"), url(), NOON + KEPT)
    assert await urls.find(link_of("a")) == url()
    await urls.add(link_of("c"), url(), NOON + KEPT + timedelta(hours=1))
    assert [await urls.find(link_of(secret)) for secret in "abc"] == [None, None, url()]


async def test_an_erased_session_has_no_signing_urls(engine: AsyncEngine) -> None:
    urls = DatabaseSigningUrls(engine)
    await urls.add(link_of("a"), url(), NOON)
    await DatabaseSessionRows(engine).erase(ORGANISATION, ADA.session_id, NOON)
    await urls.add(link_of("b"), url(), NOON)
    assert [await urls.find(link_of(secret)) for secret in "ab"] == [None, None]
