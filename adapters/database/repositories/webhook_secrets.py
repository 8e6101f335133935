"""The secrets that sign callbacks in SQL, encrypted."""

from base64 import b64decode, b64encode
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlmodel import col, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from adapters.database.engine import insert_into, lock, reading, transaction, writing_rows
from adapters.database.repository import Repository
from adapters.database.tables.callbacks import WebhookSecretRow
from adapters.keys.key_list_cipher import KeyListCipher
from adapters.keys.secret_keys import KeysUnusable
from domain.callbacks.callback_signature import new_secret
from domain.ports.callbacks import SECRET_OVERLAP
from domain.shared.ids import OrganisationId


class DatabaseWebhookSecrets(Repository):
    """Implements `WebhookSecrets`. `key` is a list of keys.

    Raises `KeysUnusable` for a secret that none of them decrypts.
    """

    def __init__(self, engine: AsyncEngine, key: bytes) -> None:
        super().__init__(engine)
        self._cipher = KeyListCipher(key)

    async def signing(self, organisation_id: OrganisationId, at: datetime) -> tuple[str, ...]:
        async with reading(self._engine) as connection:
            found = await self._read(connection, organisation_id, at)
        if not found:
            async with transaction(self._engine) as rows:
                await self._add(rows, organisation_id, 1)
                found = await self._read(await rows.connection(), organisation_id, at)
        return found

    async def rotate(self, organisation_id: OrganisationId, at: datetime) -> str:
        await self.signing(organisation_id, at)
        async with writing_rows(self._engine) as rows:
            await lock(await rows.connection(), f"webhook secrets/{organisation_id}")
            mine = col(WebhookSecretRow.organisation_id) == organisation_id
            newest = (mine, col(WebhookSecretRow.ends_at).is_(None))
            await rows.exec(update(WebhookSecretRow).where(*newest).values(ends_at=at + SECRET_OVERLAP))
            last = select(WebhookSecretRow.number).where(mine).order_by(col(WebhookSecretRow.number).desc())
            await self._add(rows, organisation_id, ((await rows.exec(last)).first() or 0) + 1)
            return (await self._read(await rows.connection(), organisation_id, at))[0]

    async def reencrypt(self) -> None:
        async with writing_rows(self._engine) as rows:
            for row in (await rows.exec(select(WebhookSecretRow))).all():
                organisation_id = OrganisationId(row.organisation_id)
                row.sealed = self._seal(organisation_id, self._open(organisation_id, row.sealed))
                rows.add(row)

    async def _read(
        self, connection: AsyncConnection, organisation_id: OrganisationId, at: datetime
    ) -> tuple[str, ...]:
        """Returns the secrets that sign at that time, newest first."""
        ends_at, mine = col(WebhookSecretRow.ends_at), col(WebhookSecretRow.organisation_id) == organisation_id
        query = select(WebhookSecretRow.sealed).where(mine, ends_at.is_(None) | (ends_at > at))
        newest_first = query.order_by(col(WebhookSecretRow.number).desc())
        sealed = (await connection.execute(newest_first)).scalars()
        return tuple(self._open(organisation_id, secret) for secret in sealed)

    async def _add(self, rows: AsyncSession, organisation_id: OrganisationId, number: int) -> None:
        row = {"organisation_id": organisation_id, "number": number}
        row["sealed"] = self._seal(organisation_id, new_secret())
        await rows.exec(insert_into(WebhookSecretRow, self._engine.dialect).values(row).on_conflict_do_nothing())

    def _seal(self, organisation_id: OrganisationId, secret: str) -> str:
        return b64encode(self._cipher.encrypt(secret.encode(), organisation_id)).decode()

    def _open(self, organisation_id: OrganisationId, sealed: str) -> str:
        secret = self._cipher.decrypt(b64decode(sealed), organisation_id)
        if secret is None:
            raise KeysUnusable(
                "The secrets of callbacks were encrypted under another key. Put keys/webhook.key back from a backup."
            )
        return secret.decode()
