"""Uploaded PDFs that a new session sends along: found for it, and copied, so that it never needs them elsewhere."""

from collections.abc import Collection, Mapping

from application.caller import Caller
from application.errors import InvalidRequest, RequestIssue
from application.services import Services
from domain.session.session import FileType, SessionFile
from domain.shared.ids import FileId, OrganisationId, SessionId
from domain.shared.object_names import rendered_name
from ports.object_store import ObjectStore
from ports.uploads import UploadedFile, UploadKind
from schemas.session_create import UploadedFileCreate

Asked = Mapping[int, UploadedFileCreate]
"""The uploaded PDFs that a request names, by the number of their entry (from 0)."""


async def find_files(services: Services, organisation_id: OrganisationId, asked: Asked) -> dict[int, UploadedFile]:
    """Those of the organisation, by the number of their entry. What is missing is nobody's, or another's."""
    wanted = {file.file_id for file in asked.values()}
    found = await services.files.find(organisation_id, wanted) if wanted else {}
    return {number: found[file.file_id] for number, file in asked.items() if file.file_id in found}


async def use_files(services: Services, caller: Caller, session_id: SessionId, asked: Asked) -> dict[int, UploadedFile]:
    """Those of the organisation, which the session uses from now on: until it is erased, nobody deletes them.

    Raises:
        InvalidRequest: one was deleted since it was found.
    """
    wanted = {file.file_id for file in asked.values()}
    uploads, organisation_id = services.uploads, caller.organisation_id
    await uploads.use(UploadKind.FILE, organisation_id, wanted, session_id, caller.audit.at)
    found = await find_files(services, organisation_id, asked)
    if missing := missing_files(asked, found):
        await uploads.release(organisation_id, session_id)
        raise InvalidRequest(missing)
    return found


def missing_files(asked: Asked, found: Collection[int]) -> list[RequestIssue]:
    """An issue for each entry whose file was not found."""
    return [
        RequestIssue(f"/files/{number}/fileId", "No such file; upload it with Upload File first.")
        for number in asked
        if number not in found
    ]


async def keep_file(
    objects: ObjectStore, prefix: str, file_id: FileId, asked: UploadedFileCreate, uploaded: UploadedFile
) -> SessionFile:
    """Copies one PDF to its session, as it is."""
    content = await objects.get(uploaded.content)
    name = asked.file_name or uploaded.file_name
    return SessionFile(
        type=FileType.UPLOADED_PDF,
        file_id=file_id,
        file_name=name,
        title=name.removesuffix(".pdf"),
        page_count=uploaded.page_count,
        rendered=await objects.put(rendered_name(prefix, file_id, content), content, "application/pdf"),
    )
