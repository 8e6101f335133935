"""Signed documents, certificate, values and history of a session (Specification 2.3, 4.1 to 4.3, 4.18, 4.19)."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Response

from application.credentials_in_force import is_in_force
from application.errors import HistoryNotWhole
from application.schemas.base import PageQuery
from application.schemas.events import EventsRead
from application.schemas.session_read import DownloadsRead
from application.schemas.values import ValuesRead
from application.scopes import Scope
from application.sessions.download import link_documents, make_certificate, read_values
from domain.ports.object_store import DownloadNotValid
from domain.session.session import Session
from domain.shared.errors import DocumentNotReady, DocumentsDiffer, FileNotFound, SessionNotCompleted, SessionNotFound
from domain.shared.file_names import attachment, certificate_name
from domain.shared.ids import FileId
from web.asgi.dependencies import InjectedReader, InjectedServices
from web.asgi.error_handlers import error_responses
from web.asgi.query_validation import BodilessRoute, StrictRoute
from web.asgi.required_scopes import ReadableSession, SessionIdPath, SessionReadCaller, ValueReadCaller

router = APIRouter(route_class=StrictRoute, prefix="/api/v1/Session/{sessionId}", tags=["Downloads"])
pre_signed_router = APIRouter(route_class=BodilessRoute, tags=["Downloads"])
"""Downloads by pre-signed URL, for an object store without a web server of its own."""

_PDF = {"application/pdf": {"schema": {"type": "string", "format": "binary"}}}


@router.get("/Documents", responses=error_responses(SessionNotCompleted, DocumentNotReady))
async def list_documents(
    session: ReadableSession, caller: SessionReadCaller, services: InjectedServices
) -> DownloadsRead:
    """Lists the pre-signed URLs of all signed PDFs. Download them promptly; they need no header, and expire."""
    return await link_documents(services, session, session.files, caller)


@router.get("/Document/{fileId}", responses=error_responses(FileNotFound, SessionNotCompleted, DocumentNotReady))
async def get_document(
    session: ReadableSession,
    file_id: Annotated[FileId, Path(alias="fileId", description="Unique identifier of the file.")],
    caller: SessionReadCaller,
    services: InjectedServices,
) -> DownloadsRead:
    """Returns the pre-signed URL of one signed PDF, as soon as it is ready."""
    return await link_documents(services, session, [session.file(file_id)], caller)


@router.get(
    "/Certificate",
    response_class=Response,
    responses={
        200: {"content": _PDF, "description": "The certificate, as an attachment"},
        **error_responses(SessionNotCompleted, DocumentsDiffer, HistoryNotWhole),
    },
)
async def get_certificate(session: ReadableSession, caller: SessionReadCaller, services: InjectedServices) -> Response:
    """Returns the certificate of completion as a PDF: documents, recipients, consent and the chained history.

    It is available as soon as the status of the session is `completed`. It is made and sealed for each download, so
    two downloads differ. 500 `HISTORY_NOT_WHOLE` means that events of the session are missing or altered in the
    database, for example after a partial restore. Retries do not help; `undersign verify --session` shows the fault.
    """
    pdf = await make_certificate(services, session, caller.audit)
    headers = {"Content-Disposition": attachment(certificate_name(session.name))}
    return Response(pdf, media_type="application/pdf", headers=headers)


async def get_session(caller: ValueReadCaller, reader: InjectedReader, session_id: SessionIdPath) -> Session:
    """Returns the session in the path, for a caller who may read its values."""
    return await reader.get(caller.organisation_id, session_id)


@router.get("/Values")
async def get_values(
    session: Annotated[Session, Depends(get_session)], caller: ValueReadCaller, services: InjectedServices
) -> ValuesRead:
    """Returns the values that recipients entered, by file and field, with the recipient and the time of signing.

    The values of a recipient are available as soon as the recipient has signed, in every status of the session. The
    client needs the scope `read:values`, which no other scope includes. The first read of a recipient's values is
    recorded as the event `session.valuesRead`. Permanent deletion of the session erases them.
    """
    return await read_values(services, session, caller.audit)


@router.get("/Events")
async def list_events(
    session: ReadableSession, services: InjectedServices, page: Annotated[PageQuery, Query()]
) -> EventsRead:
    """Lists the history of a session, oldest first: append-only, numbered from 1, chained by hashes.

    To verify it, start with the first event. Remove `hash` and write the other members as canonical JSON (RFC 8785:
    members in the order of their names, no white space, UTF-8). The SHA-256 of these bytes in lower-case hexadecimal is
    `hash`; `previousHash` is the `hash` of the previous event, and 64 zeros in the first event.
    """
    history = await services.rows.find_history(session.organisation_id, session.session_id)
    if history is None:
        raise SessionNotFound
    return EventsRead.page(history.events, page.limit, page.offset)


@pre_signed_router.get(
    "/objects/{token}",
    response_class=Response,
    responses={
        200: {"content": _PDF, "description": "The file, as an attachment"},
        **error_responses(DownloadNotValid),
    },
)
async def download_file(
    token: Annotated[str, Path(description="Token of the pre-signed URL.")], services: InjectedServices
) -> Response:
    """Downloads a signed PDF by its pre-signed URL, which authorises the request until it expires.

    It ends earlier if the client or user who requested it is revoked or disabled.

    HEAD returns the same headers without the file. Neither counts towards a rate limit, and neither is recorded as an
    event.
    """
    if services.downloads is None:
        raise DownloadNotValid
    content, download = await services.downloads.read_signed(token)
    if download.origin and not await is_in_force(services, *download.origin, Scope.READ_SESSIONS):
        raise DownloadNotValid
    headers = {
        "Content-Disposition": attachment(download.file_name),
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "private, no-store",
    }
    return Response(content, media_type=download.content_type, headers=headers)
