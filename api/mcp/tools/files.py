"""Tools for images, signed documents and certificates."""

from base64 import b64encode
from typing import Annotated, Any, Literal

from mcp.types import BlobResourceContents, EmbeddedResource
from pydantic import Field

from api.mcp.tool import Answer, Call, Effect, Operation, Tool
from api.mcp.tools.sessions import OneSession
from application.idempotency import Attempt
from application.scopes import Scope
from application.sessions.download import certificate_name, link_documents, make_certificate
from application.uploads.store import MAX_IMAGE, store_image
from asgi.idempotency import IdempotencyKey
from asgi.uploads import decode_upload
from domain.shared.ids import FileId, SessionId
from domain.shared.object_names import digest
from schemas.base import Identifier, ResponseModel
from schemas.uploads import FileUpload, ImageRead

_FILE: dict[str, Any] = {"type": "string", "description": "one of the session's `files`; left out: all of them"}


class UploadImage(FileUpload):
    """An image to be kept, once for a key."""

    idempotency_key: IdempotencyKey | None = None


class GetDocuments(OneSession):
    """Which documents of a session."""

    file_id: Identifier | None = None


class CertificateRead(ResponseModel):
    """A certificate of completion, which is attached as a PDF."""

    session_id: SessionId
    file_name: str
    file_type: Literal["application/pdf"] = "application/pdf"
    size_bytes: int
    sha256: Annotated[str, Field(description="of the attached PDF")]


async def _upload(call: Call[UploadImage]) -> Answer:
    upload = decode_upload(call.asked, MAX_IMAGE)

    async def keep(_attempt: Attempt) -> tuple[None, ImageRead]:
        return None, await store_image(call.services, call.caller, upload)

    return Answer(await call.once(call.asked.idempotency_key, keep))


async def _documents(call: Call[GetDocuments]) -> Answer:
    session = await call.session(call.asked.session_id)
    wanted = call.asked.file_id
    files = session.files if wanted is None else [session.file(FileId(wanted))]
    return Answer.of(await link_documents(call.services, session, files, call.caller.audit))


async def _certificate(call: Call[OneSession]) -> Answer:
    session = await call.session(call.asked.session_id)
    pdf = await make_certificate(call.services, session, call.caller.audit)
    contents = BlobResourceContents(
        uri=f"undersign://sessions/{session.session_id}/certificate",
        mime_type="application/pdf",
        blob=b64encode(pdf).decode("ascii"),
    )
    shown = CertificateRead(
        session_id=session.session_id,
        file_name=certificate_name(session),
        size_bytes=len(pdf),
        sha256=digest(pdf),
    )
    return Answer.of(shown, attached=[EmbeddedResource(type="resource", resource=contents)])


UPLOAD = Tool(
    name="upload_image",
    title="Upload image",
    description="""\
Uploads a PNG, JPEG, WebP or GIF of up to 2 MB (`data` in base64) for documents to show: the `fileId` of the answer \
goes into a `logo` or an image block. The same bytes are one image.""",
    operation=Operation("POST", "/api/v1/Image"),
    scopes=(Scope.WRITE_FILES, Scope.WRITE_SESSIONS),
    asked=UploadImage,
    act=_upload,
    effect=Effect.WRITES,
)

DOCUMENTS = Tool(
    name="get_documents",
    title="Get signed documents",
    description="""\
Gives addresses of the signed PDFs of a session that all have signed, or of the one of `fileId`. They work without a \
token for `expiresInSeconds`: fetch them at once, or hand them to the user; do not keep them.""",
    operation=Operation("GET", "/api/v1/Session/{sessionId}/Documents"),
    scopes=(Scope.READ_SESSIONS,),
    asked=GetDocuments,
    act=_documents,
    own={"fileId": _FILE},
    counts_as_read=True,
)

CERTIFICATE = Tool(
    name="get_certificate",
    title="Get certificate of completion",
    description="""\
Makes the certificate of completion of a session that all have signed: documents, recipients, consent and the chained \
history, as a sealed PDF, which is attached.""",
    operation=Operation("GET", "/api/v1/Session/{sessionId}/Certificate"),
    scopes=(Scope.READ_SESSIONS,),
    asked=OneSession,
    shown=(CertificateRead,),
    act=_certificate,
    counts_as_read=True,
)
