"""Signing URLs, in SQLite and PostgreSQL."""

from dataclasses import replace
from datetime import timedelta

from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.database.repositories.sessions import DatabaseSessionRows
from adapters.database.repositories.signing_urls import DatabaseSigningUrls
from domain.ports.signing_urls import ENDED_URLS_KEPT, SigningUrl
from domain.session.signing_links import Link
from domain.shared.ids import ClientId, RecipientId, SessionId
from tests.builders import NOON, ORGANISATION, identifier

ADA, SESSION = RecipientId(identifier("ada")), SessionId(identifier("session"))


def link_of(secret: str) -> Link:
    return Link(ORGANISATION, SESSION, secret * 64)


def url(minutes: int = 10) -> SigningUrl:
    return SigningUrl(
        recipient_id=ADA,
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
    await urls.add(link_of("b"), url(), NOON + ENDED_URLS_KEPT)
    assert await urls.find(link_of("a")) == url()
    await urls.add(link_of("c"), url(), NOON + ENDED_URLS_KEPT + timedelta(hours=1))
    assert [await urls.find(link_of(secret)) for secret in "abc"] == [None, None, url()]


async def test_an_erased_session_has_no_signing_urls(engine: AsyncEngine) -> None:
    urls = DatabaseSigningUrls(engine)
    await urls.add(link_of("a"), url(), NOON)
    await DatabaseSessionRows(engine).erase(ORGANISATION, SESSION, NOON)
    await urls.add(link_of("b"), url(), NOON)
    assert [await urls.find(link_of(secret)) for secret in "ab"] == [None, None]
