"""PDFs that sessions send along as reference (Specification 4.15)."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from application.errors import (
    FileTooLarge,
    InsufficientScope,
    InvalidBase64,
    InvalidFileType,
    InvalidRequest,
    Unauthorized,
    UnsupportedMediaType,
    UploadNotFound,
    UploadUsed,
)
from application.idempotency import IDEMPOTENCY_ERRORS, Attempt
from application.scopes import Scope
from application.uploads.store import MAX_PDF, delete_upload, store_pdf
from asgi.dependencies import FileWriteCaller, InjectedServices
from asgi.error_handlers import error_responses
from asgi.idempotency import KeyInHeader, to_response
from asgi.query_validation import StrictRoute
from asgi.uploads import UploadRequest, get_upload_id, read_upload, upload_body
from domain.shared.errors import Unavailable
from domain.shared.ids import FileId
from ports.uploads import UploadKind
from schemas.uploads import FileUploaded, UploadDeleted

router = APIRouter(
    route_class=StrictRoute,
    prefix="/api/v1",
    tags=["Files"],
    responses=error_responses(Unauthorized, InsufficientScope, Unavailable),
)


async def get_file_upload(request: Request, caller: FileWriteCaller) -> UploadRequest:
    """The body, read only for a caller who may send it."""
    return UploadRequest(caller, request.url.path, await read_upload(request, MAX_PDF))


@router.post(
    "/File",
    response_model=FileUploaded,
    responses=error_responses(
        InvalidRequest,
        InvalidBase64,
        InvalidFileType,
        FileTooLarge,
        UnsupportedMediaType,
        *IDEMPOTENCY_ERRORS,
    ),
    openapi_extra={
        **upload_body(MAX_PDF),
        "security": [{"accessToken": [Scope.WRITE_SESSIONS.value]}],
    },  # or this one
)
async def upload_file(
    asked: Annotated[UploadRequest, Depends(get_file_upload)], services: InjectedServices, key: KeyInHeader = None
) -> Response:
    """Uploads a PDF of up to 7 MB (7,340,032 bytes) and 2,000 pages, for sessions to send along as reference.

    Send it as a form (`multipart/form-data`) with one part `file`, or as JSON with the bytes in base64; what is more
    than 7 MB before base64 is refused with 413.

    It is kept byte for byte, and a seal is added to its end when all have signed. Signatures of others in it stay
    valid. The bytes decide whether it is a PDF; damaged and encrypted ones are refused, those that hold JavaScript,
    launch actions, XFA forms, rich media or attached programs, those with forms that readers are to draw, and those
    whose signatures are broken or forbid every change; the message says which. A few that nobody has signed are written
    in a way to which no seal can be added, for old and new readers at once above all: they are written anew, and
    `rewritten` says so. The same bytes under the same name are one file: to upload them again answers with the same
    `fileId`.
    """

    async def keep(_attempt: Attempt) -> tuple[None, FileUploaded]:
        return None, await store_pdf(services, asked.caller, asked.upload)

    return to_response(await asked.once(services, key).do(keep))


@router.delete(
    "/File/{fileId}",
    responses=error_responses(UploadNotFound, UploadUsed),
    openapi_extra={"security": [{"accessToken": [Scope.WRITE_SESSIONS.value]}]},  # or this one
)
async def delete_file(
    file_id: Annotated[FileId, Depends(get_upload_id(UploadKind.FILE))],
    caller: FileWriteCaller,
    services: InjectedServices,
) -> UploadDeleted:
    """Deletes an uploaded PDF permanently, if no session and no template uses it; otherwise 409.

    A session uses an upload until the session is deleted permanently. With the last such session, the upload is
    deleted too. An upload that nothing has used is deleted 30 days after it was last uploaded.
    """
    await delete_upload(services, UploadKind.FILE, caller, file_id)
    return UploadDeleted(file_id=file_id)
