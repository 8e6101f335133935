"""Form drafts of recipients, in SQLite and PostgreSQL."""

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.database.repositories.email_codes import DatabaseEmailCodes
from adapters.database.repositories.form_drafts import DatabaseFormDrafts
from adapters.database.repositories.sessions import DatabaseSessionRows
from domain.ports.email_codes import CodeIssue, CodeResult
from domain.session.email_code_limits import CODE_WINDOW
from tests.adapters.database.repositories.recipients import ADA, GRACE, NOBODY, ref
from tests.builders import NOON, ORGANISATION

KEY = b"k" * 32
RIGHT, WRONG, ENDED = CodeResult.RIGHT, CodeResult.WRONG, CodeResult.ENDED


@pytest.fixture
def drafts(database: AsyncEngine) -> DatabaseFormDrafts:
    return DatabaseFormDrafts(database, KEY)


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
        assert b"0491 570 156" not in sealed
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
    assert await codes.issue(ADA, "right", NOON + CODE_WINDOW) is CodeIssue.ENDED
