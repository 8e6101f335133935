"""Tools for images, signed documents and certificates."""

from base64 import b64encode
from typing import Annotated, Any, Literal

from mcp.types import BlobResourceContents, EmbeddedResource
from pydantic import Field

from api.mcp.tool import Answer, Call, IdempotentCall, tool
from api.mcp.tools.sessions import OneSession
from application.idempotency import Attempt
from application.schemas.base import Identifier, ResponseModel
from application.schemas.uploads import FileUpload, ImageRead
from application.scopes import Scope
from application.sessions.download import link_documents, make_certificate
from application.uploads.store import store_image
from domain.shared.file_names import certificate_name
from domain.shared.ids import FileId, SessionId
from domain.shared.limits import MAX_IMAGE
from domain.shared.object_names import digest
from web.asgi.uploads import decode_upload

_FILE: dict[str, Any] = {"type": "string", "description": "one of the session's `files`; default: all of them"}


class UploadImage(FileUpload, IdempotentCall):
    pass


class GetDocuments(OneSession):
    file_id: Identifier | None = None


class CertificateRead(ResponseModel):
    """A certificate of completion, which is attached as a PDF."""

    session_id: SessionId
    file_name: str
    file_type: Literal["application/pdf"] = "application/pdf"
    size_bytes: int
    sha256: Annotated[str, Field(description="of the attached PDF")]


@tool("Upload image", "POST /api/v1/Image", Scope.WRITE_FILES, Scope.WRITE_SESSIONS)
async def upload_image(call: Call[UploadImage]) -> Answer:
    """Uploads a PNG, JPEG, WebP or GIF of up to 2 MB (`data` in base64) for use in documents.

    Returns the `fileId` for a `logo` or an image block. Uploading the same bytes again returns the same image.
    """
    upload = decode_upload(call.arguments, MAX_IMAGE)

    async def store(_attempt: Attempt) -> tuple[None, ImageRead]:
        return None, await store_image(call.services, call.caller, upload)

    return Answer(await call.once(store))


@tool("Get signed documents", "GET /api/v1/Session/{sessionId}/Documents", Scope.READ_SESSIONS, own={"fileId": _FILE})
async def get_documents(call: Call[GetDocuments]) -> Answer:
    """Returns download addresses of the signed PDFs of a completed session, or of the file `fileId` only.

    The addresses work without a token for `expiresInSeconds`: fetch them at once or give them to the user. Do not store
    them.
    """
    session = await call.session(call.arguments.session_id)
    file_id = call.arguments.file_id
    files = session.files if file_id is None else [session.file(FileId(file_id))]
    return Answer.of(await link_documents(call.services, session, files, call.caller))


@tool(
    "Get certificate of completion",
    "GET /api/v1/Session/{sessionId}/Certificate",
    Scope.READ_SESSIONS,
)
async def get_certificate(call: Call[OneSession]) -> Answer:
    """Returns the certificate of completion of a completed session as an attached PDF.

    The sealed PDF lists the documents, the recipients, their consent and the chained history.
    """
    session = await call.session(call.arguments.session_id)
    pdf = await make_certificate(call.services, session, call.caller.audit)
    contents = BlobResourceContents(
        uri=f"undersign://sessions/{session.session_id}/certificate",
        mime_type="application/pdf",
        blob=b64encode(pdf).decode("ascii"),
    )
    read = CertificateRead(
        session_id=session.session_id,
        file_name=certificate_name(session.name),
        size_bytes=len(pdf),
        sha256=digest(pdf),
    )
    return Answer.of(read, content=[EmbeddedResource(type="resource", resource=contents)])
