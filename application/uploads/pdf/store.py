"""Keeping an uploaded PDF: checked, and stored byte for byte as it came, but for a few (Specification 2.13)."""

from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID, uuid5

from application.caller import Caller
from application.errors import FileTooLarge, InvalidFileType
from application.services import Services
from application.uploads.pdf.errors import PdfRefused
from application.uploads.pdf.validate import check
from application.uploads.stored import drop_copy, store_upload
from application.uploads.upload import Upload
from domain.shared.file_names import with_pdf
from domain.shared.ids import FileId
from domain.shared.object_names import digest
from ports.process_pool import PoolClosed, ProcessDied
from ports.uploads import UploadedFile, UploadKind
from schemas.uploads import FileUploaded

MAX_UPLOAD = 7 * 1024 * 1024
"""Bytes of one PDF."""

_TOO_MUCH = "The PDF takes more time or memory to read than it may. Print it to a new PDF, and upload that."


@dataclass(frozen=True, slots=True)
class KeptPdf:
    """An uploaded PDF, and whether what is kept are other bytes than came."""

    file: UploadedFile
    is_rewritten: bool

    def shown(self) -> FileUploaded:
        return FileUploaded(
            file_id=self.file.file_id,
            file_name=self.file.file_name,
            size_bytes=self.file.content.size,
            page_count=self.file.page_count,
            sha256=self.file.content.sha256,
            rewritten=self.is_rewritten,
        )


async def keep_pdf(services: Services, caller: Caller, upload: Upload) -> KeptPdf:
    """Checks and keeps `upload`; twice is as once. The same bytes under another name are another file.

    Raises:
        FileTooLarge: more than 7 MB.
        InvalidFileType: no PDF, damaged, encrypted, scripted, signed so that no seal can follow, or too much of
            something.
    """
    if len(upload.content) > MAX_UPLOAD:
        raise FileTooLarge
    try:
        checked = await services.turns.share(services.quarantine, caller.organisation_id).run(check, upload.content)
    except PdfRefused as error:
        raise InvalidFileType(str(error)) from error
    except PoolClosed:
        raise
    except ProcessDied as error:
        raise InvalidFileType(_TOO_MUCH) from error
    organisation = caller.organisation_id
    name = with_pdf(upload.file_name)
    content = upload.content if checked.rewritten is None else checked.rewritten
    file_id = FileId(str(uuid5(UUID(organisation), f"file {digest(upload.content)} {name}")))
    stored = await store_upload(services, (UploadKind.FILE, organisation, file_id), content, "application/pdf")
    file = await services.files.add(
        UploadedFile(
            organisation_id=organisation,
            file_id=file_id,
            file_name=name,
            page_count=checked.page_count,
            content=stored,
            uploaded_at=datetime.now(UTC),
        )
    )
    await drop_copy(services, stored, file.content)
    return KeptPdf(file, is_rewritten=file.content.sha256 != digest(upload.content))
