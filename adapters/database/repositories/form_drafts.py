"""Drafts of forms that recipients have not submitted, encrypted, one for each recipient."""

from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncEngine
from sqlmodel import col, delete

from adapters.database.engine import insert_into, lock_session, of_session, writing
from adapters.database.repository import Repository, find_row
from adapters.database.tables.sessions import FormDraftRow, TombstoneRow
from adapters.keys.key_list_cipher import KeyListCipher
from domain.shared.ids import RecipientRef


class DatabaseFormDrafts(Repository):
    """Implements `FormDrafts`. `key` is a list of keys. A draft cannot be decrypted in the row of another recipient."""

    def __init__(self, engine: AsyncEngine, key: bytes) -> None:
        super().__init__(engine)
        self._cipher = KeyListCipher(key)

    async def save(self, key: RecipientRef, content: bytes, at: datetime) -> None:
        sealed = self._cipher.encrypt(content, "/".join(key))
        row = insert_into(FormDraftRow, self._engine.dialect).values(**key._asdict(), sealed=sealed, saved_at=at)
        async with writing(self._engine) as connection:
            session = (key.organisation_id, key.session_id)
            await lock_session(connection, session)
            if await find_row(connection, TombstoneRow, *session) is None:
                changes = {"sealed": row.excluded.sealed, "saved_at": row.excluded.saved_at}
                await connection.execute(row.on_conflict_do_update(index_elements=key._fields, set_=changes))

    async def find(self, key: RecipientRef) -> bytes | None:
        row = await self._find_row(FormDraftRow, *key)
        return None if row is None else self._cipher.decrypt(row.sealed, "/".join(key))

    async def discard(self, key: RecipientRef) -> None:
        drafts = delete(FormDraftRow).where(*of_session(FormDraftRow, (key.organisation_id, key.session_id)))
        await self._write(drafts.where(col(FormDraftRow.recipient_id) == key.recipient_id))
