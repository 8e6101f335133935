"""What signing pages store for each recipient in SQL: encrypted form drafts, email codes, and signing URLs."""

from datetime import datetime
from hmac import compare_digest
from typing import Any

from sqlalchemy import ColumnElement
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlmodel import col, delete, update

from adapters.database.engine import insert_into, lock_session, of_session, transaction, writing
from adapters.database.repository import Repository, to_row
from adapters.database.tables.sessions import EmailCodeRow, FormDraftRow, SigningUrlRow, TombstoneRow
from adapters.keys.secret_keys import KeyListCipher
from domain.session.signing_links import Link
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


class DatabaseFormDrafts(Repository):
    """Implements `FormDrafts`. `key` is a list of keys. A draft is unreadable in the row of another recipient."""

    def __init__(self, engine: AsyncEngine, key: bytes) -> None:
        super().__init__(engine)
        self._cipher = KeyListCipher(key)

    async def save(self, key: RecipientRef, content: bytes, at: datetime) -> None:
        sealed = self._cipher.encrypt(content, "/".join(key))
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
        return None if row is None else self._cipher.decrypt(row.sealed, "/".join(key))

    async def discard(self, key: RecipientRef) -> None:
        await self._write(delete(FormDraftRow).where(*_of_recipient(FormDraftRow, key)))


class DatabaseEmailCodes(Repository):
    """Implements `EmailCodes`."""

    async def issue(self, key: RecipientRef, code_hash: str, at: datetime) -> bool:
        async with writing(self._engine) as rows:
            session = (key.organisation_id, key.session_id)
            await lock_session(rows, session)
            if await rows.get(TombstoneRow, session) is not None:
                return False
            row = await rows.get(EmailCodeRow, tuple(key))
            began, sent = at, 0
            if row is not None:
                if row.window_began_at + CODE_WINDOW > at:
                    began, sent = row.window_began_at, row.sent_in_window
                if row.sent_at + CODE_PAUSE > at or sent >= CODES_PER_WINDOW or row.guesses >= MAX_WRONG_CODES:
                    return False
            rows.add(row := row or EmailCodeRow(**key._asdict()))
            row.code_hash, row.tries_left, row.sent_at, row.ends_at = code_hash, CODE_ATTEMPTS, at, at + CODE_LIFETIME
            row.window_began_at, row.sent_in_window = began, sent + 1
        return True

    async def withdraw(self, key: RecipientRef) -> None:
        async with writing(self._engine) as rows:
            row = await rows.get(EmailCodeRow, tuple(key))
            if row is not None:
                row.tries_left, row.sent_at, row.sent_in_window = 0, row.sent_at - CODE_PAUSE, row.sent_in_window - 1

    async def enter(self, key: RecipientRef, code_hash: str, at: datetime) -> CodeResult:
        tries_left, guesses = col(EmailCodeRow.tries_left), col(EmailCodeRow.guesses)
        codes = update(EmailCodeRow).where(*_of_recipient(EmailCodeRow, key))
        valid = codes.where(tries_left > 0, col(EmailCodeRow.ends_at) > at, guesses < MAX_WRONG_CODES)
        # Counted before the comparison, so that concurrent guesses count as well.
        if not await self._write(valid.values(tries_left=tries_left - 1, guesses=guesses + 1)):
            return CodeResult.ENDED
        async with transaction(self._engine) as rows:
            row = await rows.get(EmailCodeRow, tuple(key))
        if row is None or not compare_digest(row.code_hash, code_hash):
            return CodeResult.WRONG if row is not None and row.tries_left > 0 else CodeResult.ENDED
        used = codes.where(col(EmailCodeRow.code_hash) == code_hash).values(code_hash="", tries_left=0, guesses=0)
        return CodeResult.RIGHT if await self._write(used) else CodeResult.ENDED


class DatabaseSigningUrls(Repository):
    """Implements `SigningUrls`."""

    async def add(self, link: Link, url: SigningUrl, at: datetime) -> None:
        session = (link.organisation_id, link.session_id)
        row = to_row(SigningUrlRow, url, **_key_of(link))
        async with writing(self._engine) as rows:
            await lock_session(rows, session)
            if await rows.get(TombstoneRow, session) is None:
                ended = col(SigningUrlRow.ends_at) < at - KEPT
                await rows.exec(delete(SigningUrlRow).where(*of_session(SigningUrlRow, session), ended))
                rows.add(row)

    async def find(self, link: Link) -> SigningUrl | None:
        return await self._get(SigningUrl, SigningUrlRow, tuple(_key_of(link).values()))

    async def use(self, link: Link, at: datetime) -> bool:
        of_link = (*of_session(SigningUrlRow, link[:2]), col(SigningUrlRow.secret_sha256) == link.link_hash)
        unused = (col(SigningUrlRow.used_at).is_(None), col(SigningUrlRow.ends_at) > at)
        return bool(await self._write(update(SigningUrlRow).where(*of_link, *unused).values(used_at=at)))


def _key_of(link: Link) -> dict[str, str]:
    return {"organisation_id": link.organisation_id, "session_id": link.session_id, "secret_sha256": link.link_hash}


def _of_recipient(table: Any, key: RecipientRef) -> tuple[ColumnElement[bool], ...]:  # noqa: ANN401  # of either table
    return *of_session(table, (key.organisation_id, key.session_id)), col(table.recipient_id) == key.recipient_id
