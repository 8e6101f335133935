"""Uploads: images for logos and image blocks, and PDFs for reference (Specification 2.10, 4.14, 4.15)."""

from collections.abc import Awaitable, Callable
from typing import Annotated

from fastapi import APIRouter, Depends, Request

from application.errors import FileTooLarge, InvalidBase64, InvalidFileType, StorageFull, UploadNotFound, UploadUsed
from application.idempotency import Attempt
from application.schemas.uploads import FileUploaded, ImageRead, UploadDeleted
from application.scopes import Scope
from application.uploads.store import delete_upload, store_image, store_pdf
from domain.ports.uploads import UploadKind
from domain.shared.ids import FileId
from domain.shared.limits import MAX_IMAGE, MAX_PDF
from web.asgi.dependencies import InjectedServices
from web.asgi.error_handlers import error_responses
from web.asgi.idempotency_key_header import KeyInHeader, to_response
from web.asgi.query_validation import StrictRoute
from web.asgi.required_scopes import FileWriteCaller
from web.asgi.route_signature import ModelResponse
from web.asgi.uploads import UploadRequest, get_upload_id, read_upload, upload_body

router = APIRouter(route_class=StrictRoute, prefix="/api/v1", tags=["Files"])

_OR_WRITE_SESSIONS = {"security": [{"accessToken": [Scope.WRITE_SESSIONS.value]}]}
_UPLOAD_ERRORS = error_responses(InvalidBase64, InvalidFileType, FileTooLarge, StorageFull)
_DELETE_ERRORS = error_responses(UploadNotFound, UploadUsed)


def get_upload(limit: int) -> Callable[..., Awaitable[UploadRequest]]:
    """Returns a dependency: the upload of at most `limit` bytes, read after the caller is authorised."""

    async def read(request: Request, caller: FileWriteCaller) -> UploadRequest:
        return UploadRequest(caller, request.url.path, await read_upload(request, limit))

    return read


@router.post(
    "/Image",
    responses=_UPLOAD_ERRORS,
    openapi_extra={**upload_body(MAX_IMAGE), **_OR_WRITE_SESSIONS},
)
async def upload_image(
    upload: Annotated[UploadRequest, Depends(get_upload(MAX_IMAGE))],
    services: InjectedServices,
    key: KeyInHeader = None,
) -> ModelResponse[ImageRead]:
    """Uploads a PNG, JPEG, WebP or GIF (its first frame) of up to 2 MB (2,097,152 bytes) and 40 megapixels.

    Documents show it as a logo or in an image block.

    Send a form (`multipart/form-data`) with one part `file`, or JSON with the bytes in base64. Images above 2 MB before
    base64 are refused with 413. The type is detected from the bytes. The image is turned upright, and its metadata is
    removed. The same bytes are one image: a repeated upload returns the same `fileId`.
    """

    async def store(_attempt: Attempt) -> tuple[None, ImageRead]:
        return None, await store_image(services, upload.caller, upload.upload)

    return to_response(await upload.once(services, key).do(store))


@router.post(
    "/File",
    responses=_UPLOAD_ERRORS,
    openapi_extra={**upload_body(MAX_PDF), **_OR_WRITE_SESSIONS},
)
async def upload_file(
    upload: Annotated[UploadRequest, Depends(get_upload(MAX_PDF))], services: InjectedServices, key: KeyInHeader = None
) -> ModelResponse[FileUploaded]:
    """Uploads a PDF of up to 7 MB (7,340,032 bytes) and 2,000 pages, which sessions can contain for reference.

    Send a form (`multipart/form-data`) with one part `file`, or JSON with the bytes in base64. Files above 7 MB before
    base64 are refused with 413.

    The file is stored in a canonical form, in which all PDF readers show the same, unless it is signed: `rewritten` is
    then true. Fields and remarks become a part of the page. After all recipients have signed, a seal is appended.
    Signatures of others stay valid. The type is detected from the bytes. These are refused: damaged and encrypted
    PDFs; PDFs with JavaScript, launch actions, XFA forms, rich media or attached programs; PDFs that readers show
    differently; and PDFs whose signatures are broken or forbid every change. The message names the reason.
    The same bytes under the same name are one file: a repeated upload returns the same `fileId`.
    """

    async def store(_attempt: Attempt) -> tuple[None, FileUploaded]:
        return None, await store_pdf(services, upload.caller, upload.upload)

    return to_response(await upload.once(services, key).do(store))


@router.delete("/Image/{fileId}", responses=_DELETE_ERRORS, openapi_extra=_OR_WRITE_SESSIONS)
async def delete_image(
    file_id: Annotated[FileId, Depends(get_upload_id(UploadKind.IMAGE))],
    caller: FileWriteCaller,
    services: InjectedServices,
) -> UploadDeleted:
    """Deletes an uploaded image permanently, unless a session or template uses it (409).

    A session uses an upload until the session is deleted permanently; the upload is deleted with the last such session.
    An unused upload is deleted 30 days after its latest upload.
    """
    await delete_upload(services, UploadKind.IMAGE, caller, file_id)
    return UploadDeleted(file_id=file_id)


@router.delete("/File/{fileId}", responses=_DELETE_ERRORS, openapi_extra=_OR_WRITE_SESSIONS)
async def delete_file(
    file_id: Annotated[FileId, Depends(get_upload_id(UploadKind.FILE))],
    caller: FileWriteCaller,
    services: InjectedServices,
) -> UploadDeleted:
    """Deletes an uploaded PDF permanently, unless a session or template uses it (409).

    A session uses an upload until the session is deleted permanently; the upload is deleted with the last such session.
    An unused upload is deleted 30 days after its latest upload.
    """
    await delete_upload(services, UploadKind.FILE, caller, file_id)
    return UploadDeleted(file_id=file_id)
