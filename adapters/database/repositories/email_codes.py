"""One-time codes by email: issues them within limits, and checks entered codes against the last one."""

from datetime import datetime
from hmac import compare_digest

from sqlmodel import col, update

from adapters.database.engine import lock_session, of_session, writing_rows
from adapters.database.repository import Repository
from adapters.database.tables.sessions import EmailCodeRow, TombstoneRow
from domain.ports.email_codes import CodeIssue, CodeResult
from domain.session.email_code_limits import (
    CODE_ATTEMPTS,
    CODE_LIFETIME,
    CODE_PAUSE,
    CODE_WINDOW,
    CODES_PER_WINDOW,
    MAX_WRONG_CODES,
)
from domain.shared.ids import RecipientRef


class DatabaseEmailCodes(Repository):
    """Implements `EmailCodes`."""

    async def issue(self, key: RecipientRef, code_hash: str, at: datetime, person: str | None = None) -> CodeIssue:
        async with writing_rows(self._engine) as rows:
            session = key[:2]
            await lock_session(await rows.connection(), session)
            if await rows.get(TombstoneRow, session) is not None:
                return CodeIssue.ENDED
            row = await rows.get(EmailCodeRow, tuple(key))
            if row is not None and row.address_sha256 != person:
                await rows.delete(row)  # of another person, before the address was corrected or the turn passed on
                await rows.flush()
                row = None
            began, sent = at, 0
            if row is not None:
                if row.window_began_at + CODE_WINDOW > at:
                    began, sent = row.window_began_at, row.sent_in_window
                if row.guesses >= MAX_WRONG_CODES:
                    return CodeIssue.ENDED
                if sent >= CODES_PER_WINDOW:
                    return CodeIssue.TOO_MANY
                if row.sent_at + CODE_PAUSE > at:
                    return CodeIssue.TOO_SOON
            rows.add(row := row or EmailCodeRow(**key._asdict(), address_sha256=person))
            row.code_hash, row.tries_left, row.sent_at, row.ends_at = code_hash, CODE_ATTEMPTS, at, at + CODE_LIFETIME
            row.window_began_at, row.sent_in_window = began, sent + 1
        return CodeIssue.ISSUED

    async def withdraw(self, key: RecipientRef, person: str | None = None) -> None:
        async with writing_rows(self._engine) as rows:
            row = await rows.get(EmailCodeRow, tuple(key))
            if row is not None and row.address_sha256 == person:
                row.tries_left, row.sent_at, row.sent_in_window = 0, row.sent_at - CODE_PAUSE, row.sent_in_window - 1

    async def enter(self, key: RecipientRef, code_hash: str, at: datetime, person: str | None = None) -> CodeResult:
        tries_left, guesses = col(EmailCodeRow.tries_left), col(EmailCodeRow.guesses)
        mine = (
            *of_session(EmailCodeRow, key[:2]),
            col(EmailCodeRow.recipient_id) == key.recipient_id,
            col(EmailCodeRow.address_sha256) == person,
        )
        codes = update(EmailCodeRow).where(*mine)
        valid = codes.where(tries_left > 0, col(EmailCodeRow.ends_at) > at, guesses < MAX_WRONG_CODES)
        # Counted before the comparison, so that concurrent guesses count as well.
        if not await self._write(valid.values(tries_left=tries_left - 1, guesses=guesses + 1)):
            return CodeResult.ENDED
        row = await self._find_row(EmailCodeRow, *key)
        if row is None or not compare_digest(row.code_hash, code_hash):
            return CodeResult.WRONG if row is not None and row.tries_left > 0 else CodeResult.ENDED
        used = codes.where(col(EmailCodeRow.code_hash) == code_hash).values(code_hash="", tries_left=0, guesses=0)
        return CodeResult.RIGHT if await self._write(used) else CodeResult.ENDED
