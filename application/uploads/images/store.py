"""Keeping an uploaded image: the bytes decide what it is, and the same bytes are one image of the organisation."""

from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID, uuid5

from application.caller import Caller
from application.errors import FileTooLarge, InvalidFileType
from application.services import Services
from application.uploads.images.sanitize import CleanImage, ImageUnreadable, clean
from application.uploads.stored import drop_copy, store_upload
from application.uploads.upload import Upload
from domain.shared.ids import FileId
from domain.shared.object_names import digest
from ports.process_pool import PoolClosed, ProcessDied
from ports.uploads import UploadedImage, UploadKind
from schemas.uploads import ImageRead

MAX_UPLOAD = 2 * 1024 * 1024
"""Bytes of one image. Specification 2.10."""


_TOO_MUCH = "The picture takes more time or memory to decode than it may. Save it again, with fewer pixels."


@dataclass(frozen=True, slots=True)
class AcceptedImage:
    """An upload that was kept: what it was, and what is kept of it."""

    upload: Upload
    cleaned: CleanImage
    kept: UploadedImage

    def shown(self) -> ImageRead:
        return ImageRead(
            file_id=self.kept.image_id,
            file_name=self.upload.file_name,
            file_type=self.cleaned.uploaded_type,
            width=self.kept.width,
            height=self.kept.height,
            size_bytes=len(self.upload.content),
        )


async def keep_upload(services: Services, caller: Caller, upload: Upload) -> AcceptedImage:
    """Checks, cleans and keeps `upload`; twice is as once.

    Raises:
        FileTooLarge: more than 2 MB.
        InvalidFileType: no PNG, JPEG, WebP or GIF, damaged, or with too many pixels.
    """
    if len(upload.content) > MAX_UPLOAD:
        raise FileTooLarge
    try:
        cleaned = await services.turns.share(services.quarantine, caller.organisation_id).run(clean, upload.content)
    except ImageUnreadable as error:
        raise InvalidFileType(str(error)) from error
    except PoolClosed:
        raise
    except ProcessDied as error:
        raise InvalidFileType(_TOO_MUCH) from error
    organisation = caller.organisation_id
    image_id = FileId(str(uuid5(UUID(organisation), digest(upload.content))))
    upload_key = (UploadKind.IMAGE, organisation, image_id)
    image = UploadedImage(
        organisation_id=organisation,
        image_id=image_id,
        file_name=upload.file_name,
        content_type=cleaned.content_type,
        width=cleaned.width,
        height=cleaned.height,
        content=await store_upload(services, upload_key, cleaned.content, cleaned.content_type),
        uploaded_at=datetime.now(UTC),
    )
    kept = await services.images.add(image)
    await drop_copy(services, image.content, kept.content)
    return AcceptedImage(upload, cleaned, kept)
