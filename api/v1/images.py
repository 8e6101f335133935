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
from application.idempotency import KEY_REFUSALS, Attempt
from application.scopes import Scope
from application.uploads.images.store import MAX_UPLOAD, keep_upload
from application.uploads.stored import delete_upload
from asgi.dependencies import FilesWriting, InjectedServices
from asgi.error_handlers import refused
from asgi.idempotency import KeyInHeader, answer_with
from asgi.query_validation import StrictRoute
from asgi.uploads import AskedUpload, get_upload_id, read_upload, upload_body
from domain.shared.errors import Unavailable
from domain.shared.ids import FileId
from ports.uploads import UploadKind
from schemas.uploads import ImageRead, UploadDeleted

router = APIRouter(
    route_class=StrictRoute,
    prefix="/api/v1",
    tags=["Files"],
    responses=refused(Unauthorized, InsufficientScope, Unavailable),
)


async def get_image_upload(request: Request, caller: FilesWriting) -> AskedUpload:
    """The body, read only for a caller who may send it."""
    return AskedUpload(caller, request.url.path, await read_upload(request, MAX_UPLOAD))


@router.post(
    "/Image",
    response_model=ImageRead,
    responses=refused(
        InvalidRequest,
        InvalidBase64,
        InvalidFileType,
        FileTooLarge,
        UnsupportedMediaType,
        *KEY_REFUSALS,
    ),
    openapi_extra={
        **upload_body(MAX_UPLOAD),
        "security": [{"accessToken": [Scope.WRITE_SESSIONS.value]}],
    },  # or this one
)
async def upload_image(
    asked: Annotated[AskedUpload, Depends(get_image_upload)], services: InjectedServices, key: KeyInHeader = None
) -> Response:
    """Uploads a PNG, JPEG, WebP or GIF (its first frame) of up to 2 MB (2,097,152 bytes) and 40 megapixels.

    Documents show it, as a logo or in an image block.

    Send it as a form (`multipart/form-data`) with one part `file`, or as JSON with the bytes in base64; what is more
    than 2 MB before base64 is refused with 413. The bytes decide what it is. It is turned upright, and its metadata are
    dropped. The same bytes are one image: to upload them again answers with the same `fileId`.
    """

    async def keep(_attempt: Attempt) -> tuple[None, ImageRead]:
        return None, (await keep_upload(services, asked.caller, asked.upload)).shown()

    return answer_with(await asked.once(services, key).do(keep))


@router.delete(
    "/Image/{fileId}",
    responses=refused(UploadNotFound, UploadUsed),
    openapi_extra={"security": [{"accessToken": [Scope.WRITE_SESSIONS.value]}]},  # or this one
)
async def delete_image(
    file_id: Annotated[FileId, Depends(get_upload_id(UploadKind.IMAGE))],
    caller: FilesWriting,
    services: InjectedServices,
) -> UploadDeleted:
    """Deletes an uploaded image permanently, if no session and no template uses it; otherwise 409.

    A session uses an upload until the session is deleted permanently. With the last such session, the upload is
    deleted too. An upload that nothing has used is deleted 30 days after it was last uploaded.
    """
    await delete_upload(services, UploadKind.IMAGE, caller, file_id)
    return UploadDeleted(file_id=file_id)
