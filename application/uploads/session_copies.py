"""Finds the uploads that a new session names, and copies them, so that the session never needs the uploads again."""

import asyncio
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from typing import NamedTuple

from pydantic import TypeAdapter

from application.caller import Caller
from application.errors import InvalidRequest, RequestIssue
from application.schemas.session_create import UploadedFileCreate
from application.services import SessionServices
from domain.ports.object_store import ObjectMissing, ObjectStore
from domain.ports.uploads import UploadedFile, UploadedImage, UploadKind
from domain.session.session import FileType, SessionFile
from domain.shared.frozen_model import FrozenModel
from domain.shared.ids import FileId, OrganisationId, SessionId
from domain.shared.object_names import ObjectReference, images_name, rendered_name, session_image_name
from layout.schema.block_document import BlockDocument
from layout.schema.image_file import ImageFile

MAX_IMAGE_BYTES = 32_000_000
"""Maximum bytes of all images in the documents of one request."""

MAX_IMAGE_PIXELS = 100_000_000
"""Maximum pixels of all images in the documents of one request. They take some seconds to compress for the PDF."""

RequestedFiles = Mapping[int, UploadedFileCreate]
"""The uploaded PDFs that a request names, by the number of their entry (from 0)."""


class ShownImage(NamedTuple):
    """An uploaded image with its content."""

    uploaded: UploadedImage
    content: bytes


class CopiedImage(FrozenModel):
    """The copy of an image in a session. `image_id` is the id of the upload."""

    image_id: FileId
    file_name: str
    content_type: str
    width: int
    height: int
    content: ObjectReference


_COPIED_IMAGES = TypeAdapter(tuple[CopiedImage, ...])


async def find_images(
    services: SessionServices,
    organisation_id: OrganisationId,
    documents: Iterable[BlockDocument],
    place: str = "/files",
) -> dict[str, ShownImage]:
    """Returns the images of the organisation that `documents` show, by file id, without those that do not exist.

    `place` is the JSON pointer of the documents. Raises `InvalidRequest` if the images are too large together.
    """
    ids = {file_id for document in documents for file_id in document.image_ids().values()}
    images = await services.images.find(organisation_id, ids) if ids else {}
    size = sum(image.content.size for image in images.values())
    pixels = sum(image.width * image.height for image in images.values())
    if size > MAX_IMAGE_BYTES or pixels > MAX_IMAGE_PIXELS:
        issue = "The images that these documents show may have 32 MB and 100 megapixels together. Upload smaller ones."
        raise InvalidRequest([RequestIssue(place, issue)])
    contents = await asyncio.gather(*(_content(services.objects, image) for image in images.values()))
    return {
        file_id: ShownImage(image, content)
        for (file_id, image), content in zip(images.items(), contents, strict=True)
        if content is not None
    }


async def _content(objects: ObjectStore, image: UploadedImage) -> bytes | None:
    """Returns the content; None if the image was deleted since it was found."""
    # The caller reports the image as unknown, as if it had been deleted before the request.
    with suppress(ObjectMissing):
        return await objects.get(image.content)
    return None


def images_of(document: BlockDocument, images: Mapping[str, ShownImage]) -> dict[str, ShownImage]:
    """Returns the `images` that `document` shows, in its order."""
    return {file_id: images[file_id] for file_id in dict.fromkeys(document.image_ids().values()) if file_id in images}


def image_files(document: BlockDocument, images: Mapping[str, ShownImage]) -> dict[str, ImageFile]:
    """Returns the `images` that `document` shows as input of the layout engine."""
    return {
        file_id: ImageFile(content, uploaded.width, uploaded.height, uploaded.file_name)
        for file_id, (uploaded, content) in images_of(document, images).items()
    }


async def copy_images(
    objects: ObjectStore, prefix: str, file_id: FileId, images: Mapping[str, ShownImage]
) -> ObjectReference | None:
    """Copies the images of one document, and returns the stored list of them; None if it has none."""
    if not images:
        return None
    copies = await asyncio.gather(*(_copy_image(objects, prefix, *image) for image in images.values()))
    content = _COPIED_IMAGES.dump_json(tuple(copies))
    return await objects.put(images_name(prefix, file_id, content), content, "application/json")


async def _copy_image(objects: ObjectStore, prefix: str, uploaded: UploadedImage, content: bytes) -> CopiedImage:
    name = session_image_name(prefix, uploaded.content.sha256)
    return CopiedImage(
        image_id=uploaded.image_id,
        file_name=uploaded.file_name,
        content_type=uploaded.content_type,
        width=uploaded.width,
        height=uploaded.height,
        content=await objects.put(name, content, uploaded.content_type),
    )


async def copy_images_of(
    objects: ObjectStore, prefix: str, file_id: FileId, file: SessionFile
) -> ObjectReference | None:
    """Copies the images of another session's document, and returns the stored list of them; None if it has none."""
    images = await read_copied_images(objects, file)
    if not images:
        return None
    copies = []
    for image in images.values():
        content, name = await objects.get(image.content), session_image_name(prefix, image.content.sha256)
        copied = await objects.put(name, content, image.content_type)
        copies.append(image.model_copy(update={"content": copied}))
    listed = _COPIED_IMAGES.dump_json(tuple(copies))
    return await objects.put(images_name(prefix, file_id, listed), listed, "application/json")


async def read_copied_images(objects: ObjectStore, file: SessionFile) -> Mapping[str, CopiedImage]:
    """Returns the images of a session's document, by the id of their upload."""
    if file.images is None:
        return {}
    return {image.image_id: image for image in _COPIED_IMAGES.validate_json(await objects.get(file.images))}


async def find_files(
    services: SessionServices, organisation_id: OrganisationId, requested: RequestedFiles
) -> dict[int, UploadedFile]:
    """Returns the requested PDFs of the organisation, by the number of their entry, without those that do not exist."""
    ids = {file.file_id for file in requested.values()}
    files = await services.files.find(organisation_id, ids) if ids else {}
    return {number: files[file.file_id] for number, file in requested.items() if file.file_id in files}


async def use_files(
    services: SessionServices, caller: Caller, session_id: SessionId, requested: RequestedFiles
) -> dict[int, UploadedFile]:
    """Records that the session uses the PDFs, which prevents their deletion, and returns them.

    Raises `InvalidRequest` if one was deleted since it was found.
    """
    ids = {file.file_id for file in requested.values()}
    uploads, organisation_id = services.uploads, caller.organisation_id
    await uploads.use(UploadKind.FILE, organisation_id, ids, session_id, caller.audit.at)
    files = await find_files(services, organisation_id, requested)
    if missing := missing_files(requested, files):
        await uploads.release(organisation_id, session_id)
        raise InvalidRequest(missing)
    return files


def missing_files(requested: RequestedFiles, found: Collection[int]) -> list[RequestIssue]:
    """Returns an issue for each requested PDF that is not among the `found` numbers."""
    issue = "No such file; upload it with Upload File first."
    return [RequestIssue(f"/files/{number}/fileId", issue) for number in requested if number not in found]


async def copy_file(
    objects: ObjectStore, prefix: str, file_id: FileId, requested: UploadedFileCreate, uploaded: UploadedFile
) -> SessionFile:
    """Copies one PDF unchanged, and returns it as a file of the session."""
    content = await objects.get(uploaded.content)
    name = requested.file_name or uploaded.file_name
    return SessionFile(
        type=FileType.UPLOADED_PDF,
        file_id=file_id,
        file_name=name,
        title=name.removesuffix(".pdf"),
        page_count=uploaded.page_count,
        rendered=await objects.put(rendered_name(prefix, file_id, content), content, "application/pdf"),
    )
