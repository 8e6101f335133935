"""Drafts of forms in SQL, encrypted."""

import os
from contextlib import suppress
from datetime import datetime

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlmodel import col, delete

from adapters.database.engine import insert_into, lock_session, transaction, writing
from adapters.database.tables.sessions import FormDraftRow, TombstoneRow
from domain.shared.key_lists import keys_in
from ports.signing_pages import RecipientRef

_NONCE_BYTES = 12


class DatabaseFormDrafts:
    """Implements `FormDrafts`. `key` is a list of keys. A draft that is moved to another recipient's row cannot be
    read.
    """

    def __init__(self, engine: AsyncEngine, key: bytes) -> None:
        self._engine = engine
        self._keys = tuple(map(AESGCM, keys_in(key)))

    async def save(self, key: RecipientRef, content: bytes, at: datetime) -> None:
        nonce = os.urandom(_NONCE_BYTES)
        sealed = nonce + self._keys[0].encrypt(nonce, content, _named(key))
        row = insert_into(FormDraftRow, self._engine.dialect).values(**key._asdict(), sealed=sealed, saved_at=at)
        async with writing(self._engine) as rows:
            session = (key.organisation_id, key.session_id)
            await lock_session(rows, session)
            if await rows.get(TombstoneRow, session) is None:
                changes = {"sealed": row.excluded.sealed, "saved_at": row.excluded.saved_at}
                await rows.exec(row.on_conflict_do_update(index_elements=key._fields, set_=changes))

    async def find(self, key: RecipientRef) -> bytes | None:
        async with transaction(self._engine) as rows:
            row = await rows.get(FormDraftRow, tuple(key))
        if row is None:
            return None
        for one in self._keys:
            with suppress(InvalidTag):
                return one.decrypt(row.sealed[:_NONCE_BYTES], row.sealed[_NONCE_BYTES:], _named(key))
        return None

    async def discard(self, key: RecipientRef) -> None:
        mine = (
            col(FormDraftRow.organisation_id) == key.organisation_id,
            col(FormDraftRow.session_id) == key.session_id,
            col(FormDraftRow.recipient_id) == key.recipient_id,
        )
        async with writing(self._engine) as rows:
            await rows.exec(delete(FormDraftRow).where(*mine))


def _named(key: RecipientRef) -> bytes:
    return "/".join(key).encode()
