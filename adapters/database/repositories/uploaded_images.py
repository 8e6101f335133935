"""Uploaded images in SQL."""

from collections.abc import Collection, Iterator
from itertools import islice

from sqlalchemy.ext.asyncio import AsyncEngine
from sqlmodel import col, select

from adapters.database.engine import insert_into, transaction
from adapters.database.tables.core import ImageRow
from adapters.database.tables.uploads import keep_object
from domain.shared.ids import FileId, OrganisationId
from domain.shared.object_names import ObjectReference
from ports.uploads import UploadedImage

_AT_ONCE = 500
"""Ids in one question: databases bound how many values a statement may have."""


class DatabaseImages:
    """Implements `Images`."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def add(self, image: UploadedImage) -> UploadedImage:
        addition = insert_into(ImageRow, self._engine.dialect).values(
            organisation_id=image.organisation_id,
            image_id=image.image_id,
            file_name=image.file_name,
            content_type=image.content_type,
            width=image.width,
            height=image.height,
            object_name=image.content.name,
            object_size=image.content.size,
            object_sha256=image.content.sha256,
            uploaded_at=image.uploaded_at,
        )
        async with transaction(self._engine) as rows:
            again = {"uploaded_at": addition.excluded.uploaded_at}
            await rows.exec(addition.on_conflict_do_update(index_elements=["organisation_id", "image_id"], set_=again))
            row = await rows.get_one(ImageRow, (image.organisation_id, image.image_id))
            await keep_object(rows, row.object_name, image.content.name)
        return _image(row)

    async def find(self, organisation_id: OrganisationId, ids: Collection[str]) -> dict[str, UploadedImage]:
        found: dict[str, UploadedImage] = {}
        async with transaction(self._engine) as rows:
            for some in _in_parts(ids):
                mine = (ImageRow.organisation_id == organisation_id, col(ImageRow.image_id).in_(some))
                found |= {row.image_id: _image(row) for row in await rows.exec(select(ImageRow).where(*mine))}
        return found


def _in_parts(ids: Collection[str]) -> Iterator[list[str]]:
    rest = iter(sorted(set(ids)))
    while part := list(islice(rest, _AT_ONCE)):
        yield part


def _image(row: ImageRow) -> UploadedImage:
    return UploadedImage(
        organisation_id=OrganisationId(row.organisation_id),
        image_id=FileId(row.image_id),
        file_name=row.file_name,
        content_type=row.content_type,
        width=row.width,
        height=row.height,
        content=ObjectReference(name=row.object_name, size=row.object_size, sha256=row.object_sha256),
        uploaded_at=row.uploaded_at,
    )
