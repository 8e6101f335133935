"""Uploaded images and PDFs in SQL."""

from collections.abc import Collection, Iterator
from itertools import islice
from typing import TypeVar

from sqlalchemy import inspect
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlmodel import col, delete, select
from sqlmodel.ext.asyncio.session import AsyncSession

from adapters.database.engine import insert_into, transaction
from adapters.database.records import row_values, to_record
from adapters.database.tables.uploads import DueObjectRow, FileRow, ImageRow
from domain.shared.ids import OrganisationId
from domain.shared.object_names import ObjectReference, prefix_of
from ports.uploads import UploadedFile, UploadedImage

_Row = TypeVar("_Row", FileRow, ImageRow)

_IDS_PER_QUERY = 500
"""Databases limit the number of values in a statement."""


class DatabaseImages:
    """Implements `Images`."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def add(self, image: UploadedImage) -> UploadedImage:
        async with transaction(self._engine) as rows:
            return _image(await _add(rows, ImageRow, image, image.image_id))

    async def find(self, organisation_id: OrganisationId, ids: Collection[str]) -> dict[str, UploadedImage]:
        found: dict[str, UploadedImage] = {}
        async with transaction(self._engine) as rows:
            for some in _in_parts(ids):
                own = (ImageRow.organisation_id == organisation_id, col(ImageRow.image_id).in_(some))
                found |= {row.image_id: _image(row) for row in await rows.exec(select(ImageRow).where(*own))}
        return found


class DatabaseFiles:
    """Implements `Files`."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def add(self, file: UploadedFile) -> UploadedFile:
        async with transaction(self._engine) as rows:
            return _file(await _add(rows, FileRow, file, file.file_id))

    async def find(self, organisation_id: OrganisationId, ids: Collection[str]) -> dict[str, UploadedFile]:
        own = (FileRow.organisation_id == organisation_id, col(FileRow.file_id).in_(sorted(set(ids))))
        async with transaction(self._engine) as rows:
            return {row.file_id: _file(row) for row in await rows.exec(select(FileRow).where(*own))}


async def _add(rows: AsyncSession, table: type[_Row], upload: UploadedFile | UploadedImage, upload_id: str) -> _Row:
    """Adds the upload, or renews the time of the one with its id. Returns the stored row."""
    content = upload.content
    values = row_values(table, upload, object_name=content.name, object_size=content.size, object_sha256=content.sha256)
    addition = insert_into(table, rows.get_bind().dialect).values(values)
    keys = [column.name for column in inspect(table).primary_key]
    renewed = {"uploaded_at": addition.excluded.uploaded_at}
    await rows.exec(addition.on_conflict_do_update(index_elements=keys, set_=renewed))
    row = await rows.get_one(table, (upload.organisation_id, upload_id))
    if row.object_name == content.name:  # otherwise this object stays due for deletion
        await rows.exec(delete(DueObjectRow).where(col(DueObjectRow.prefix) == prefix_of(content.name)))
    return row


def _in_parts(ids: Collection[str]) -> Iterator[list[str]]:
    rest = iter(sorted(set(ids)))
    while part := list(islice(rest, _IDS_PER_QUERY)):
        yield part


def _image(row: ImageRow) -> UploadedImage:
    return to_record(UploadedImage, row, content=_content(row))


def _file(row: FileRow) -> UploadedFile:
    return to_record(UploadedFile, row, content=_content(row))


def _content(row: FileRow | ImageRow) -> ObjectReference:
    return ObjectReference(name=row.object_name, size=row.object_size, sha256=row.object_sha256)
