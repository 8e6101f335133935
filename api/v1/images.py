"""Images for logos and image blocks (Specification 2.10, 4.14)."""

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
from application.uploads.store import MAX_IMAGE, delete_upload, store_image
from asgi.dependencies import FileWriteCaller, InjectedServices
from asgi.error_handlers import error_responses
from asgi.idempotency import KeyInHeader, to_response
from asgi.query_validation import StrictRoute
from asgi.uploads import UploadRequest, get_upload_id, read_upload, upload_body
from domain.shared.errors import Unavailable
from domain.shared.ids import FileId
from ports.uploads import UploadKind
from schemas.uploads import ImageRead, UploadDeleted

router = APIRouter(
    route_class=StrictRoute,
    prefix="/api/v1",
    tags=["Files"],
    responses=error_responses(Unauthorized, InsufficientScope, Unavailable),
)


async def get_image_upload(request: Request, caller: FileWriteCaller) -> UploadRequest:
    """The body, read only for a caller who may send it."""
    return UploadRequest(caller, request.url.path, await read_upload(request, MAX_IMAGE))


@router.post(
    "/Image",
    response_model=ImageRead,
    responses=error_responses(
        InvalidRequest,
        InvalidBase64,
        InvalidFileType,
        FileTooLarge,
        UnsupportedMediaType,
        *IDEMPOTENCY_ERRORS,
    ),
    openapi_extra={
        **upload_body(MAX_IMAGE),
        "security": [{"accessToken": [Scope.WRITE_SESSIONS.value]}],
    },  # or this one
)
async def upload_image(
    asked: Annotated[UploadRequest, Depends(get_image_upload)], services: InjectedServices, key: KeyInHeader = None
) -> Response:
    """Uploads a PNG, JPEG, WebP or GIF (its first frame) of up to 2 MB (2,097,152 bytes) and 40 megapixels.

    Documents show it, as a logo or in an image block.

    Send it as a form (`multipart/form-data`) with one part `file`, or as JSON with the bytes in base64; what is more
    than 2 MB before base64 is refused with 413. The bytes decide what it is. It is turned upright, and its metadata are
    dropped. The same bytes are one image: to upload them again answers with the same `fileId`.
    """

    async def keep(_attempt: Attempt) -> tuple[None, ImageRead]:
        return None, await store_image(services, asked.caller, asked.upload)

    return to_response(await asked.once(services, key).do(keep))


@router.delete(
    "/Image/{fileId}",
    responses=error_responses(UploadNotFound, UploadUsed),
    openapi_extra={"security": [{"accessToken": [Scope.WRITE_SESSIONS.value]}]},  # or this one
)
async def delete_image(
    file_id: Annotated[FileId, Depends(get_upload_id(UploadKind.IMAGE))],
    caller: FileWriteCaller,
    services: InjectedServices,
) -> UploadDeleted:
    """Deletes an uploaded image permanently, if no session and no template uses it; otherwise 409.

    A session uses an upload until the session is deleted permanently. With the last such session, the upload is
    deleted too. An upload that nothing has used is deleted 30 days after it was last uploaded.
    """
    await delete_upload(services, UploadKind.IMAGE, caller, file_id)
    return UploadDeleted(file_id=file_id)
