"""Uploaded PDFs in SQL."""

from collections.abc import Collection

from sqlalchemy.ext.asyncio import AsyncEngine
from sqlmodel import col, select

from adapters.database.engine import insert_into, transaction
from adapters.database.tables.core import FileRow
from adapters.database.tables.uploads import keep_object
from domain.shared.ids import FileId, OrganisationId
from domain.shared.object_names import ObjectReference
from ports.uploads import UploadedFile


class DatabaseFiles:
    """Implements `Files`."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def add(self, file: UploadedFile) -> UploadedFile:
        addition = insert_into(FileRow, self._engine.dialect).values(
            organisation_id=file.organisation_id,
            file_id=file.file_id,
            file_name=file.file_name,
            page_count=file.page_count,
            object_name=file.content.name,
            object_size=file.content.size,
            object_sha256=file.content.sha256,
            uploaded_at=file.uploaded_at,
        )
        async with transaction(self._engine) as rows:
            again = {"uploaded_at": addition.excluded.uploaded_at}
            await rows.exec(addition.on_conflict_do_update(index_elements=["organisation_id", "file_id"], set_=again))
            row = await rows.get_one(FileRow, (file.organisation_id, file.file_id))
            await keep_object(rows, row.object_name, file.content.name)
        return _file(row)

    async def find(self, organisation_id: OrganisationId, ids: Collection[str]) -> dict[str, UploadedFile]:
        mine = (FileRow.organisation_id == organisation_id, col(FileRow.file_id).in_(sorted(set(ids))))
        async with transaction(self._engine) as rows:
            return {row.file_id: _file(row) for row in await rows.exec(select(FileRow).where(*mine))}


def _file(row: FileRow) -> UploadedFile:
    return UploadedFile(
        organisation_id=OrganisationId(row.organisation_id),
        file_id=FileId(row.file_id),
        file_name=row.file_name,
        page_count=row.page_count,
        content=ObjectReference(name=row.object_name, size=row.object_size, sha256=row.object_sha256),
        uploaded_at=row.uploaded_at,
    )
