"""Uploaded images and PDFs, and their uses, in SQL.

An upload cannot be used and deleted at the same time: PostgreSQL locks its row, SQLite the database, from the first
writing statement on.
"""

from collections.abc import Collection
from datetime import datetime
from typing import Any, ClassVar, Generic

from sqlalchemy import ColumnElement, Dialect, Exists, UpdateBase, and_, exists, func, literal
from sqlalchemy.orm import aliased
from sqlmodel import col, delete, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from adapters.database.engine import insert_into, reading, transaction, writing_rows
from adapters.database.repository import Repository, row_values, to_record
from adapters.database.tables.columns import UtcTime
from adapters.database.tables.sessions import SessionRow
from adapters.database.tables.uploads import DueObjectRow, FileRow, ImageRow, TemplateRow, UploadUseRow
from domain.ports.uploads import Upload, UploadedFile, UploadedImage, UploadInUse, UploadKind, UploadMissing
from domain.shared.ids import OrganisationId
from domain.shared.object_names import ObjectReference, prefix_of

_IDS = {UploadKind.FILE: col(FileRow.file_id), UploadKind.IMAGE: col(ImageRow.image_id)}
_TABLES: dict[UploadKind, Any] = {UploadKind.FILE: FileRow, UploadKind.IMAGE: ImageRow}

_AT_ONCE = 200
"""Maximum uploads or prefixes that one query returns. A sweep repeats the query until none is left."""


class DatabaseUploads(Repository):
    """Implements `Uploads`."""

    async def expect(self, prefix: str, due_at: datetime) -> None:
        await self._write(make_due(self._engine.dialect, prefix, due_at))

    async def stored_bytes(self, organisation_id: OrganisationId) -> int:
        async with reading(self._engine) as connection:
            sizes = [
                await connection.scalar(
                    select(func.sum(table.object_size)).where(col(table.organisation_id) == organisation_id)
                )
                for table in _TABLES.values()
            ]
        return sum(int(size or 0) for size in sizes)

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
        async with writing_rows(self._engine) as rows:
            await self._lock(rows, kind, organisation_id, query, shared=True)
            await rows.exec(uses.on_conflict_do_nothing())
            used = select(UploadUseRow.upload_id).where(
                *_used_by(organisation_id, user_id), col(UploadUseRow.upload_id).in_(query)
            )
            return frozenset(await rows.exec(used))

    async def release(self, organisation_id: OrganisationId, user_id: str) -> None:
        await self._write(delete(UploadUseRow).where(*_used_by(organisation_id, user_id)))

    async def erase(self, organisation_id: OrganisationId, user_id: str, at: datetime) -> None:
        mine = _used_by(organisation_id, user_id)
        async with writing_rows(self._engine) as rows:
            ids = sorted(await rows.exec(select(UploadUseRow.upload_id).where(*mine)))
            for kind in UploadKind:
                await self._lock(rows, kind, organisation_id, ids)
            await rows.exec(delete(UploadUseRow).where(*mine))
            for kind in UploadKind:
                for upload_id in ids:
                    await self._delete(rows, kind, (organisation_id, upload_id), at)

    async def delete(self, kind: UploadKind, organisation_id: OrganisationId, upload_id: str, at: datetime) -> str:
        async with writing_rows(self._engine) as rows:
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

    async def find_own(self, organisation_id: OrganisationId, user_id: str) -> tuple[str, ...]:
        own, other = aliased(UploadUseRow), aliased(UploadUseRow)
        same = (col(other.organisation_id) == own.organisation_id, col(other.upload_id) == own.upload_id)
        is_shared = exists().where(*same, col(other.user_id) != user_id)
        names: list[str] = []
        async with reading(self._engine) as connection:
            for kind in UploadKind:
                upload = (col(_TABLES[kind].organisation_id) == own.organisation_id, _IDS[kind] == own.upload_id)
                mine = (col(own.organisation_id) == organisation_id, col(own.user_id) == user_id, ~is_shared)
                query = select(_TABLES[kind].object_name).select_from(own).join(_TABLES[kind], and_(*upload))
                names += (await connection.execute(query.where(*mine))).scalars()
        return tuple(sorted(map(prefix_of, names)))

    async def due(self, at: datetime, among: Collection[str] | None = None) -> tuple[str, ...]:
        is_due = [col(DueObjectRow.due_at) <= at]
        if among is not None:
            is_due.append(col(DueObjectRow.prefix).in_(among))
        query = select(DueObjectRow.prefix).where(*is_due).order_by(col(DueObjectRow.due_at)).limit(_AT_ONCE)
        async with reading(self._engine) as connection:
            return tuple((await connection.execute(query)).scalars())

    async def defer(self, prefix: str, at: datetime) -> None:
        await self._write(update(DueObjectRow).where(col(DueObjectRow.prefix) == prefix).values(due_at=at))

    async def mark_deleted(self, prefixes: Collection[str]) -> None:
        await self._write(delete(DueObjectRow).where(col(DueObjectRow.prefix).in_(prefixes)))

    async def _expire(self, kind: UploadKind, before: datetime, at: datetime) -> int:
        table = _TABLES[kind]
        old = select(table.organisation_id, _IDS[kind]).where(col(table.uploaded_at) < before, ~_is_used(kind))
        count = 0
        while True:
            async with reading(self._engine) as connection:
                found = (await connection.execute(old.limit(_AT_ONCE))).all()
            async with writing_rows(self._engine) as rows:
                for organisation_id, upload_id in found:
                    await self._lock(rows, kind, organisation_id, [upload_id])
                    gone = await self._delete(rows, kind, (organisation_id, upload_id), at, before)
                    count += gone is not None
            if len(found) < _AT_ONCE:
                return count

    async def _end_idle_uses(self, before: datetime) -> None:
        """Deletes uses from before `before` by sessions and templates that do not exist (after a refused request)."""
        use = (col(UploadUseRow.organisation_id), col(UploadUseRow.user_id))
        used_by_nothing = (
            ~exists().where(col(SessionRow.organisation_id) == use[0], col(SessionRow.session_id) == use[1]),
            ~exists().where(col(TemplateRow.organisation_id) == use[0], col(TemplateRow.template_id) == use[1]),
        )
        await self._write(delete(UploadUseRow).where(col(UploadUseRow.since) < before, *used_by_nothing))

    async def _lock(
        self, rows: AsyncSession, kind: UploadKind, organisation_id: str, ids: Collection[str], *, shared: bool = False
    ) -> None:
        """Locks the rows until the transaction ends, always in the same order."""
        if self._engine.dialect.name == "sqlite" or not ids:
            return
        mine = (col(_TABLES[kind].organisation_id) == organisation_id, _IDS[kind].in_(ids))
        # Two transactions that lock rows in different orders would wait for each other.
        await rows.exec(select(_IDS[kind]).where(*mine).order_by(_IDS[kind]).with_for_update(read=shared))

    async def _delete(
        self,
        rows: AsyncSession,
        kind: UploadKind,
        key: tuple[str, str],
        at: datetime,
        uploaded_before: datetime | None = None,
    ) -> str | None:
        """Deletes the upload, unless it is used or too new. Returns its prefix, which is now due, or None.

        With `uploaded_before`, an upload from that time or later is too new.
        """
        table = _TABLES[kind]
        own = [col(table.organisation_id) == key[0], _IDS[kind] == key[1], ~_is_used(kind)]
        if uploaded_before is not None:
            own.append(col(table.uploaded_at) < uploaded_before)
        name = (await rows.exec(delete(table).where(*own).returning(col(table.object_name)))).scalar_one_or_none()
        if name is None:
            return None
        await rows.exec(make_due(self._engine.dialect, prefix_of(name), at))
        return prefix_of(name)


def make_due(dialect: Dialect, prefix: str, at: datetime) -> UpdateBase:
    """Returns the statement that makes the objects of `prefix` due at `at`, also if they were due at another time."""
    addition = insert_into(DueObjectRow, dialect).values(prefix=prefix, due_at=at)
    return addition.on_conflict_do_update(index_elements=["prefix"], set_={"due_at": addition.excluded.due_at})


def _used_by(organisation_id: str, user_id: str) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return (col(UploadUseRow.organisation_id) == organisation_id, col(UploadUseRow.user_id) == user_id)


def _is_used(kind: UploadKind) -> Exists:
    same_organisation = col(UploadUseRow.organisation_id) == col(_TABLES[kind].organisation_id)
    return exists().where(same_organisation, col(UploadUseRow.upload_id) == _IDS[kind])


_IDS_PER_QUERY = 500
"""Maximum ids in one statement, because databases limit the number of its values."""


class _UploadRepository(Repository, Generic[Upload]):
    """Uploads of one kind."""

    kind: ClassVar[UploadKind]
    record: ClassVar[type[Any]]
    id_name: ClassVar[str]

    async def add(self, upload: Upload) -> Upload:
        """Adds the upload, or renews the time of the one with its id. Returns the stored one."""
        table, content = _TABLES[self.kind], upload.content
        values = row_values(
            table, upload, object_name=content.name, object_size=content.size, object_sha256=content.sha256
        )
        addition = insert_into(table, self._engine.dialect).values(values)
        keys = ["organisation_id", self.id_name]
        renewed = {"uploaded_at": addition.excluded.uploaded_at}
        async with transaction(self._engine) as rows:
            await rows.exec(addition.on_conflict_do_update(index_elements=keys, set_=renewed))
            row = await rows.get_one(table, tuple(values[name] for name in keys))
            if row.object_name == content.name:  # otherwise this object stays due for deletion
                await rows.exec(delete(DueObjectRow).where(col(DueObjectRow.prefix) == prefix_of(content.name)))
        return self._upload(row)

    async def find(self, organisation_id: OrganisationId, ids: Collection[str]) -> dict[str, Upload]:
        table, column = _TABLES[self.kind], _IDS[self.kind]
        names, found = sorted(set(ids)), dict[str, Upload]()
        async with transaction(self._engine) as rows:
            for start in range(0, len(names), _IDS_PER_QUERY):
                some = column.in_(names[start : start + _IDS_PER_QUERY])
                query = select(table).where(col(table.organisation_id) == organisation_id, some)
                found |= {getattr(row, self.id_name): self._upload(row) for row in await rows.exec(query)}
        return found

    def _upload(self, row: FileRow | ImageRow) -> Upload:
        content = ObjectReference(name=row.object_name, size=row.object_size, sha256=row.object_sha256)
        upload: Upload = to_record(self.record, row, content=content)
        return upload


class DatabaseImages(_UploadRepository[UploadedImage]):
    """Implements `Images`."""

    kind, record, id_name = UploadKind.IMAGE, UploadedImage, "image_id"


class DatabaseFiles(_UploadRepository[UploadedFile]):
    """Implements `Files`."""

    kind, record, id_name = UploadKind.FILE, UploadedFile, "file_id"
