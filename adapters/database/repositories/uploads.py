"""The use of uploads in SQL.

Starting to use an upload and deleting it exclude each other: in PostgreSQL by a lock on its row, in SQLite by the write
lock, which the first writing statement takes.
"""

from collections.abc import Collection, Iterable
from datetime import datetime

from sqlalchemy import ColumnElement, Exists, literal
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlmodel import SQLModel, col, delete, select
from sqlmodel.ext.asyncio.session import AsyncSession

from adapters.database.engine import insert_into, reading, writing
from adapters.database.tables.columns import UtcTime
from adapters.database.tables.sessions import SessionRow
from adapters.database.tables.uploads import DueObjectRow, FileRow, ImageRow, TemplateRow, UploadUseRow
from domain.shared.ids import OrganisationId
from domain.shared.object_names import prefix_of
from ports.uploads import UploadInUse, UploadKind, UploadMissing

_IDS = {UploadKind.FILE: col(FileRow.file_id), UploadKind.IMAGE: col(ImageRow.image_id)}
_TABLES: dict[UploadKind, type[FileRow | ImageRow]] = {UploadKind.FILE: FileRow, UploadKind.IMAGE: ImageRow}

_AT_ONCE = 200
"""Uploads and prefixes in a batch. A sweep continues until none is left."""


class DatabaseUploads:
    """Implements `Uploads`."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def expect(self, prefix: str, due_at: datetime) -> None:
        async with writing(self._engine) as rows:
            rows.add(DueObjectRow(prefix=prefix, due_at=due_at))

    async def use(
        self, kind: UploadKind, organisation_id: OrganisationId, ids: Collection[str], user_id: str, at: datetime
    ) -> frozenset[str]:
        if not ids:
            return frozenset()
        query = sorted(set(ids))
        mine = (col(_TABLES[kind].organisation_id) == organisation_id, _IDS[kind].in_(query))
        found = select(literal(organisation_id), _IDS[kind], literal(user_id), literal(at, UtcTime())).where(*mine)
        uses = insert_into(UploadUseRow, self._engine.dialect).from_select(
            ["organisation_id", "upload_id", "user_id", "since"], found
        )
        async with writing(self._engine) as rows:
            await self._lock(rows, kind, organisation_id, query, shared=True)
            await rows.exec(uses.on_conflict_do_nothing())
            used = select(UploadUseRow.upload_id).where(
                *_used_by(organisation_id, user_id), col(UploadUseRow.upload_id).in_(query)
            )
            return frozenset(await rows.exec(used))

    async def release(self, organisation_id: OrganisationId, user_id: str) -> None:
        async with writing(self._engine) as rows:
            await rows.exec(delete(UploadUseRow).where(*_used_by(organisation_id, user_id)))

    async def erase(self, organisation_id: OrganisationId, user_id: str, at: datetime) -> None:
        mine = _used_by(organisation_id, user_id)
        async with writing(self._engine) as rows:
            ids = sorted(await rows.exec(select(UploadUseRow.upload_id).where(*mine)))
            for kind in UploadKind:
                await self._lock(rows, kind, organisation_id, ids)
            await rows.exec(delete(UploadUseRow).where(*mine))
            for kind in UploadKind:
                for upload_id in ids:
                    await self._delete(rows, kind, (organisation_id, upload_id), at)

    async def delete(self, kind: UploadKind, organisation_id: OrganisationId, upload_id: str, at: datetime) -> str:
        async with writing(self._engine) as rows:
            await self._lock(rows, kind, organisation_id, [upload_id])
            prefix = await self._delete(rows, kind, (organisation_id, upload_id), at)
            if prefix:
                return prefix
            if await rows.get(_TABLES[kind], (organisation_id, upload_id)) is None:
                raise UploadMissing
            raise UploadInUse

    async def expire(self, uploaded_before: datetime, used_before: datetime, at: datetime) -> int:
        await self._end_idle_uses(used_before)
        return sum([await self._expire(kind, uploaded_before, at) for kind in UploadKind])

    async def due(self, at: datetime) -> tuple[str, ...]:
        query = select(DueObjectRow.prefix).where(col(DueObjectRow.due_at) <= at).limit(_AT_ONCE)
        async with reading(self._engine) as connection:
            return tuple((await connection.execute(query)).scalars())

    async def mark_deleted(self, prefixes: Collection[str]) -> None:
        async with writing(self._engine) as rows:
            await rows.exec(delete(DueObjectRow).where(col(DueObjectRow.prefix).in_(prefixes)))

    @property
    def _is_sqlite(self) -> bool:
        return self._engine.dialect.name == "sqlite"

    async def _expire(self, kind: UploadKind, before: datetime, at: datetime) -> int:
        table = _TABLES[kind]
        old = select(table.organisation_id, _IDS[kind]).where(col(table.uploaded_at) < before, ~_is_used(kind))
        count = 0
        while True:
            async with reading(self._engine) as connection:
                found = (await connection.execute(old.limit(_AT_ONCE))).all()
            async with writing(self._engine) as rows:
                for organisation_id, upload_id in found:
                    await self._lock(rows, kind, organisation_id, [upload_id])
                    gone = await self._delete(rows, kind, (organisation_id, upload_id), at, before)
                    count += gone is not None
            if len(found) < _AT_ONCE:
                return count

    async def _end_idle_uses(self, before: datetime) -> None:
        """A request that was refused by an engine at its very end leaves uses of a session that was never made."""
        makers: Iterable[tuple[type[SQLModel], object]] = (
            (SessionRow, col(SessionRow.session_id)),
            (TemplateRow, col(TemplateRow.template_id)),
        )
        made = [
            select(table)
            .where(
                col(table.organisation_id) == col(UploadUseRow.organisation_id),  # type: ignore[attr-defined]
                own == col(UploadUseRow.user_id),
            )
            .exists()
            for table, own in makers
        ]
        async with writing(self._engine) as rows:
            await rows.exec(delete(UploadUseRow).where(col(UploadUseRow.since) < before, *(~exists for exists in made)))

    async def _lock(
        self,
        rows: AsyncSession,
        kind: UploadKind,
        organisation_id: str,
        ids: Collection[str],
        *,
        shared: bool = False,
    ) -> None:
        """Until the transaction ends, in one order for everybody."""
        if self._is_sqlite or not ids:
            return
        mine = (col(_TABLES[kind].organisation_id) == organisation_id, _IDS[kind].in_(ids))
        await rows.exec(select(_IDS[kind]).where(*mine).order_by(_IDS[kind]).with_for_update(read=shared))

    async def _delete(
        self,
        rows: AsyncSession,
        kind: UploadKind,
        key: tuple[str, str],
        at: datetime,
        uploaded_before: datetime | None = None,
    ) -> str | None:
        """Deletes the row of that upload unless it is used (or newer than that); its prefix is due then."""
        table = _TABLES[kind]
        own = [col(table.organisation_id) == key[0], _IDS[kind] == key[1], ~_is_used(kind)]
        if uploaded_before is not None:
            own.append(col(table.uploaded_at) < uploaded_before)
        name = (await rows.exec(delete(table).where(*own).returning(col(table.object_name)))).scalar_one_or_none()
        if name is None:
            return None
        await rows.merge(DueObjectRow(prefix=prefix_of(name), due_at=at))
        return prefix_of(name)


def _used_by(organisation_id: str, user_id: str) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return (col(UploadUseRow.organisation_id) == organisation_id, col(UploadUseRow.user_id) == user_id)


def _is_used(kind: UploadKind) -> Exists:
    table = _TABLES[kind]
    return (
        select(UploadUseRow)
        .where(
            col(UploadUseRow.organisation_id) == col(table.organisation_id),
            col(UploadUseRow.upload_id) == _IDS[kind],
        )
        .exists()
    )
