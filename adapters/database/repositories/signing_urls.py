"""Signing URLs in SQL, by the hash of their secrets."""

from datetime import datetime

from sqlmodel import col, delete, update

from adapters.database.engine import insert_into, lock_session, of_session, writing
from adapters.database.repository import Repository, find_row, row_values
from adapters.database.tables.sessions import SigningUrlRow, TombstoneRow
from domain.ports.signing_urls import ENDED_URLS_KEPT, SigningUrl
from domain.session.signing_links import Link


class DatabaseSigningUrls(Repository):
    """Implements `SigningUrls`."""

    async def add(self, link: Link, url: SigningUrl, at: datetime) -> None:
        session = (link.organisation_id, link.session_id)
        row = row_values(SigningUrlRow, url, **_key_of(link))
        async with writing(self._engine) as connection:
            await lock_session(connection, session)
            if await find_row(connection, TombstoneRow, *session) is None:
                ended = col(SigningUrlRow.ends_at) < at - ENDED_URLS_KEPT
                await connection.execute(delete(SigningUrlRow).where(*of_session(SigningUrlRow, session), ended))
                await connection.execute(insert_into(SigningUrlRow, self._engine.dialect), row)

    async def find(self, link: Link) -> SigningUrl | None:
        return await self._get(SigningUrl, SigningUrlRow, *_key_of(link).values())

    async def use(self, link: Link, at: datetime) -> bool:
        of_link = (*of_session(SigningUrlRow, link[:2]), col(SigningUrlRow.secret_sha256) == link.link_hash)
        unused = (col(SigningUrlRow.used_at).is_(None), col(SigningUrlRow.ends_at) > at)
        return bool(await self._write(update(SigningUrlRow).where(*of_link, *unused).values(used_at=at)))


def _key_of(link: Link) -> dict[str, str]:
    return {"organisation_id": link.organisation_id, "session_id": link.session_id, "secret_sha256": link.link_hash}
