"""Stores and deletes uploads: images (Specification 2.10) and PDFs (Specification 2.13).

The id of an upload derives from its organisation and its content, for a PDF also from its name, so the same upload has
the same id. Each upload is stored under a new object name, so deleting it never affects a later one.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TypeVar
from uuid import UUID, uuid4, uuid5

import structlog

from application.caller import Caller
from application.errors import FileTooLarge, InvalidFileType, PageIssue, StorageFull, UploadNotFound, UploadUsed
from application.schemas.uploads import FileUploaded, ImageRead
from application.services import Services
from application.uploads.compare_readers import BATCH, compare_readers
from application.uploads.pdf_limits import PdfRefused
from application.uploads.sanitize_image import ImageUnreadable, sanitize
from application.uploads.validate_pdf import validate_pdf
from domain.ports.object_store import ObjectStoreError
from domain.ports.process_pool import PoolClosed, ProcessDied
from domain.ports.uploads import PRINT_AGAIN, UploadedFile, UploadedImage, UploadInUse, UploadKind, UploadMissing
from domain.shared.file_names import with_pdf
from domain.shared.ids import FileId
from domain.shared.limits import MAX_IMAGE, MAX_PDF
from domain.shared.object_names import ObjectReference, digest, upload_name, upload_prefix

_EXPECTED_FOR = timedelta(days=1)
"""Time after which an object without an upload is deleted; longer than any request lasts."""

_IMAGE_TOO_COSTLY = "The picture takes more time or memory to decode than it may. Save it again, with fewer pixels."
_PDF_TOO_COSTLY = f"The PDF takes more time or memory to read than it may. {PRINT_AGAIN}"

_DIFFERENT = (
    "Page {page} of the PDF looks different in different PDF readers. Print it to a new PDF with another program, "
    "compare what you see, and upload that."
)

T = TypeVar("T")
U = TypeVar("U", UploadedImage, UploadedFile)

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Upload:
    """A file as a client sent it. `path` is its JSON pointer or the name of its part, for issues."""

    file_name: str
    content: bytes
    path: str = "/file"


async def store_image(services: Services, caller: Caller, upload: Upload) -> ImageRead:
    """Sanitizes and stores an image. Raises `FileTooLarge`, `StorageFull` or `InvalidFileType`."""
    await _check_room(services, caller, upload, MAX_IMAGE)
    sanitized = await _in_child_process(services, sanitize, upload, _IMAGE_TOO_COSTLY)
    organisation_id = caller.organisation_id
    image_id = FileId(str(uuid5(UUID(organisation_id), digest(upload.content))))
    image = await _store(
        services,
        upload_prefix(organisation_id, UploadKind.IMAGE.value, image_id, str(uuid4())),
        (sanitized.content, sanitized.content_type),
        lambda content: services.images.add(
            UploadedImage(
                organisation_id=organisation_id,
                image_id=image_id,
                file_name=upload.file_name,
                content_type=sanitized.content_type,
                width=sanitized.width,
                height=sanitized.height,
                content=content,
                uploaded_at=datetime.now(UTC),
            )
        ),
    )
    return ImageRead(
        file_id=image_id,
        file_name=upload.file_name,
        file_type=sanitized.uploaded_type,
        width=image.width,
        height=image.height,
        size_bytes=len(upload.content),
    )


async def store_pdf(services: Services, caller: Caller, upload: Upload) -> FileUploaded:
    """Validates and stores a PDF. Raises `FileTooLarge`, `StorageFull` or `InvalidFileType`."""
    await _check_room(services, caller, upload, MAX_PDF)
    validated = await _in_child_process(services, validate_pdf, upload, _PDF_TOO_COSTLY)
    canonical = upload.content if validated.rewritten is None else validated.rewritten
    await _compare_readers(services, canonical, validated.page_count, upload.path)
    organisation_id, sha256, name = caller.organisation_id, digest(upload.content), with_pdf(upload.file_name)
    file_id = FileId(str(uuid5(UUID(organisation_id), f"file {sha256} {name}")))
    file = await _store(
        services,
        upload_prefix(organisation_id, UploadKind.FILE.value, file_id, str(uuid4())),
        (canonical, "application/pdf"),
        lambda content: services.files.add(
            UploadedFile(
                organisation_id=organisation_id,
                file_id=file_id,
                file_name=name,
                page_count=validated.page_count,
                content=content,
                uploaded_at=datetime.now(UTC),
            )
        ),
    )
    return FileUploaded(
        file_id=file_id,
        file_name=file.file_name,
        size_bytes=file.content.size,
        page_count=file.page_count,
        sha256=file.content.sha256,
        rewritten=file.content.sha256 != sha256,
    )


async def _check_room(services: Services, caller: Caller, upload: Upload, most: int) -> None:
    size = len(upload.content)
    if size > most:
        raise FileTooLarge
    # Uploads at the same time may exceed it, by as many as an organisation sends at once.
    if await services.uploads.stored_bytes(caller.organisation_id) + size > services.upload_quota:
        raise StorageFull


async def delete_upload(services: Services, kind: UploadKind, caller: Caller, upload_id: FileId) -> None:
    """Deletes an unused upload permanently. Raises `UploadNotFound`, or `UploadUsed` by a session or template."""
    try:
        prefix = await services.uploads.delete(kind, caller.organisation_id, upload_id, caller.audit.at)
    except UploadMissing as error:
        raise UploadNotFound from error
    except UploadInUse as error:
        raise UploadUsed from error
    await _delete_object(services, prefix)


async def _in_child_process(services: Services, check: Callable[[bytes], T], upload: Upload, too_costly: str) -> T:
    """Runs `check` within the limits for untrusted files."""
    try:
        return await services.quarantine.run(check, upload.content)
    except (ImageUnreadable, PdfRefused) as error:
        raise InvalidFileType(str(error)) from error
    except PoolClosed:
        raise
    except ProcessDied as error:
        raise InvalidFileType(too_costly) from error


async def _compare_readers(services: Services, pdf: bytes, page_count: int, path: str) -> None:
    """Raises `InvalidFileType` with the first page that two renderers show differently."""
    for first in range(1, page_count + 1, BATCH):
        try:
            found = await services.quarantine.run(compare_readers, pdf, first, min(first + BATCH - 1, page_count))
        except PoolClosed:
            raise
        except ProcessDied as error:
            raise InvalidFileType(_PDF_TOO_COSTLY) from error
        if found is not None:
            message = _DIFFERENT.format(page=found.page)
            raise InvalidFileType(message, [PageIssue(path, message, found.page, found.picture)])


async def _store(
    services: Services, prefix: str, content: tuple[bytes, str], add: Callable[[ObjectReference], Awaitable[U]]
) -> U:
    """Stores `content` (bytes and media type) and returns the upload. An existing upload keeps its object."""
    await services.uploads.expect(prefix, datetime.now(UTC) + _EXPECTED_FOR)
    stored = await services.objects.put(upload_name(prefix), *content)
    upload = await add(stored)
    if upload.content.name != stored.name:
        await _delete_object(services, prefix)
    return upload


async def _delete_object(services: Services, prefix: str) -> None:
    """Deletes the object now if the store responds; otherwise a worker deletes it later."""
    try:
        await services.objects.delete_prefix(prefix)
    except ObjectStoreError as error:
        log.warning("the object of an upload is deleted later", error=type(error).__name__)
        return
    await services.uploads.mark_deleted([prefix])
