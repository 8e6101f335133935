"""Signed documents, the certificate of completion and the history of a session (Specification 4.1 to 4.3, 4.19)."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from application.errors import HistoryNotWhole, InsufficientScope, InvalidRequest, Unauthorized
from application.sessions.download import certificate_name, link_documents, make_certificate
from asgi.dependencies import InjectedServices, ReadableSession, SessionsReading
from asgi.error_handlers import refused
from asgi.query_validation import StrictRoute
from domain.shared.errors import (
    DocumentNotReady,
    DocumentsDiffer,
    FileNotFound,
    SessionNotCompleted,
    SessionNotFound,
    Unavailable,
)
from domain.shared.file_names import attachment
from domain.shared.ids import FileId
from schemas.events import EventsRead
from schemas.pagination import PageQuery
from schemas.session_read import DownloadsRead

router = APIRouter(
    route_class=StrictRoute,
    prefix="/api/v1/Session/{sessionId}",
    tags=["Downloads"],
    responses=refused(Unauthorized, InsufficientScope, SessionNotFound, Unavailable),
)

_PDF = {"application/pdf": {"schema": {"type": "string", "format": "binary"}}}


@router.get("/Documents", responses=refused(SessionNotCompleted, DocumentNotReady))
async def list_documents(
    session: ReadableSession, caller: SessionsReading, services: InjectedServices
) -> DownloadsRead:
    """Lists the pre-signed URLs of all signed PDFs. Fetch them promptly; they need no header, and expire."""
    return await link_documents(services, session, session.files, caller.audit)


@router.get("/Document/{fileId}", responses=refused(FileNotFound, SessionNotCompleted, DocumentNotReady))
async def get_document(
    session: ReadableSession,
    file_id: Annotated[FileId, Path(alias="fileId")],
    caller: SessionsReading,
    services: InjectedServices,
) -> DownloadsRead:
    """Returns the pre-signed URL of one signed PDF, as soon as that one is ready."""
    return await link_documents(services, session, [session.file(file_id)], caller.audit)


@router.get(
    "/Certificate",
    response_class=Response,
    responses={
        200: {"content": _PDF, "description": "The certificate, as an attachment"},
        **refused(SessionNotCompleted, DocumentsDiffer, HistoryNotWhole),
    },
)
async def get_certificate(session: ReadableSession, caller: SessionsReading, services: InjectedServices) -> Response:
    """Returns the certificate of completion: documents, recipients, consent and the chained history, as a PDF.

    It answers as soon as the status of the session is `completed`. 500 `HISTORY_NOT_WHOLE` means that events of this
    session are missing in the database or are others, for example after a part of it was restored: trying again does
    not help, and `undersign verify --session` shows what is wrong.
    """
    pdf = await make_certificate(services, session, caller.audit)
    headers = {"Content-Disposition": attachment(certificate_name(session))}
    return Response(pdf, media_type="application/pdf", headers=headers)


@router.get("/Events", responses=refused(InvalidRequest))
async def list_events(
    session: ReadableSession,
    services: InjectedServices,
    wanted: Annotated[PageQuery, Query()],
) -> EventsRead:
    """Lists the history of a session, oldest first: append-only, numbered from 1, chained by hashes.

    To check it, take each event from the first one on. Leave out `hash`, and write the other members, as they came, as
    canonical JSON (RFC 8785: members in the order of their names, no white space, UTF-8). The SHA-256 of these bytes in
    lower-case hexadecimal is `hash`; `previousHash` is the `hash` of the event before, 64 zeros in the first one.
    """
    found = await services.rows.find_history(session.organisation_id, session.session_id)
    if found is None:
        raise SessionNotFound
    return EventsRead.page(found.events, wanted.limit, wanted.offset)
