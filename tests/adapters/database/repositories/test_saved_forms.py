"""What is promised about drafts: the last one is found, nobody else reads it, and erasing a session erases it."""

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.database.repositories.sessions import DatabaseSessionRows
from adapters.database.repositories.signing_pages import DatabaseFormDrafts
from domain.shared.ids import RecipientId, SessionId
from ports.signing_pages import FormDrafts, RecipientRef
from tests.builders import NOON, ORGANISATION, identifier

KEY = b"k" * 32


def whose(name: str, session: str = "session") -> RecipientRef:
    return RecipientRef(ORGANISATION, SessionId(identifier(session)), RecipientId(identifier(name)))


@pytest.fixture
def drafts(database: AsyncEngine) -> FormDrafts:
    return DatabaseFormDrafts(database, KEY)


async def test_of_two_drafts_the_last_is_found_and_each_has_their_own(drafts: FormDrafts) -> None:
    for content in (b"first", b"second"):
        await drafts.save(whose("ada"), content, NOON)
    await drafts.save(whose("grace"), b"hers", NOON)

    assert await drafts.find(whose("ada")) == b"second"
    assert await drafts.find(whose("grace")) == b"hers"
    assert await drafts.find(whose("nobody")) is None


async def test_what_is_forgotten_is_gone_for_one_recipient_only(drafts: FormDrafts) -> None:
    for name in ("ada", "grace"):
        await drafts.save(whose(name), b"x", NOON)

    await drafts.discard(whose("ada"))
    await drafts.discard(whose("nobody"))

    assert await drafts.find(whose("ada")) is None
    assert await drafts.find(whose("grace")) == b"x"


async def test_nothing_can_be_read_in_the_database_or_under_another_key_or_in_another_row(engine: AsyncEngine) -> None:
    drafts = DatabaseFormDrafts(engine, KEY)
    await drafts.save(whose("ada"), b"0491 570 156", NOON)

    async with engine.begin() as connection:
        (sealed,) = (await connection.execute(text("SELECT sealed FROM form_drafts"))).one()
        assert b"0491" not in sealed
        await connection.execute(text("UPDATE form_drafts SET recipient_id = :other"), {"other": identifier("grace")})

    assert await drafts.find(whose("grace")) is None
    assert await DatabaseFormDrafts(engine, b"l" * 32).find(whose("grace")) is None


async def test_erasing_a_session_erases_its_drafts_and_keeps_none_that_come_later(engine: AsyncEngine) -> None:
    drafts, rows = DatabaseFormDrafts(engine, KEY), DatabaseSessionRows(engine)
    await drafts.save(whose("ada"), b"x", NOON)
    await drafts.save(whose("ada", "another"), b"y", NOON)

    await rows.erase(ORGANISATION, SessionId(identifier("session")), NOON)
    await drafts.save(whose("ada"), b"too late", NOON)

    assert await drafts.find(whose("ada")) is None
    assert await drafts.find(whose("ada", "another")) == b"y"
