"""The images that documents show: found for a new session, and kept with it, so that it never needs them elsewhere."""

import asyncio
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass

from pydantic import TypeAdapter

from application.errors import InvalidRequest, RequestIssue
from application.services import Services
from domain.session.session import SessionFile
from domain.shared.frozen_model import FrozenModel
from domain.shared.ids import FileId, OrganisationId
from domain.shared.object_names import ObjectReference, images_name, session_image_name
from layout.schema.block_document import BlockDocument
from layout.schema.image_file import ImageFile
from ports.object_store import ObjectMissing, ObjectStore
from ports.uploads import UploadedImage

MAX_SHOWN = 32_000_000
"""Bytes of all images that the documents of one request show."""

MAX_PIXELS_SHOWN = 100_000_000
"""Pixels of all of them: some seconds of work where all have to be compressed for the PDF."""


@dataclass(frozen=True, slots=True)
class ShownImage:
    """An uploaded image with its content."""

    uploaded: UploadedImage
    content: bytes

    @property
    def file(self) -> ImageFile:
        uploaded = self.uploaded
        return ImageFile(self.content, uploaded.width, uploaded.height, uploaded.file_name)


class KeptImage(FrozenModel):
    """An image that a document of a session shows: which one it was, and the session's own copy."""

    image_id: FileId
    file_name: str
    content_type: str
    width: int
    height: int
    content: ObjectReference


_KEPT = TypeAdapter(tuple[KeptImage, ...])


async def find_images(
    services: Services, organisation_id: OrganisationId, documents: Iterable[BlockDocument], place: str = "/files"
) -> dict[str, ShownImage]:
    """The images of the organisation that `documents` show, by file id. What is missing is nobody's, or another's.

    `place` is the JSON pointer of the documents.

    Raises:
        InvalidRequest: they are too large together.
    """
    wanted = {file_id for document in documents for file_id in document.image_ids().values()}
    found = await services.images.find(organisation_id, wanted) if wanted else {}
    _check_amount(found.values(), place)
    contents = await asyncio.gather(*(_content(services.objects, image) for image in found.values()))
    return {
        file_id: ShownImage(image, content)
        for (file_id, image), content in zip(found.items(), contents, strict=True)
        if content is not None
    }


async def _content(objects: ObjectStore, image: UploadedImage) -> bytes | None:
    """None of one that was deleted since it was found."""
    with suppress(ObjectMissing):
        return await objects.get(image.content)
    return None


def _check_amount(images: Collection[UploadedImage], place: str) -> None:
    size = sum(image.content.size for image in images)
    pixels = sum(image.width * image.height for image in images)
    if size > MAX_SHOWN or pixels > MAX_PIXELS_SHOWN:
        issue = "The images that these documents show may have 32 MB and 100 megapixels together. Upload smaller ones."
        raise InvalidRequest([RequestIssue(place, issue)])


def images_of(document: BlockDocument, found: Mapping[str, ShownImage]) -> dict[str, ShownImage]:
    """Those of `found` that this document shows, in the order in which it first does."""
    wanted = dict.fromkeys(document.image_ids().values())
    return {file_id: found[file_id] for file_id in wanted if file_id in found}


def files_by_id(shown: Mapping[str, ShownImage]) -> dict[str, ImageFile]:
    """The images as the layout engine takes them."""
    return {file_id: image.file for file_id, image in shown.items()}


async def keep_images(
    objects: ObjectStore, prefix: str, file_id: FileId, shown: Mapping[str, ShownImage]
) -> ObjectReference | None:
    """Copies the images of one document to its session, with a list of them; None when it shows none."""
    if not shown:
        return None
    kept = await asyncio.gather(*(_keep(objects, prefix, image) for image in shown.values()))
    content = _KEPT.dump_json(tuple(kept))
    return await objects.put(images_name(prefix, file_id, content), content, "application/json")


async def _keep(objects: ObjectStore, prefix: str, image: ShownImage) -> KeptImage:
    uploaded = image.uploaded
    name = session_image_name(prefix, uploaded.content.sha256)
    return KeptImage(
        image_id=uploaded.image_id,
        file_name=uploaded.file_name,
        content_type=uploaded.content_type,
        width=uploaded.width,
        height=uploaded.height,
        content=await objects.put(name, image.content, uploaded.content_type),
    )


async def kept_images(objects: ObjectStore, file: SessionFile) -> Mapping[str, KeptImage]:
    """The images that a document of a session shows, by file id."""
    if file.images is None:
        return {}
    return {image.image_id: image for image in _KEPT.validate_json(await objects.get(file.images))}
