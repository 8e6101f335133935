"""Downloads from the app: signed PDFs, all of them at once, the certificate, and PDFs as they were sent."""

from collections.abc import Sequence
from http import HTTPStatus
from io import BytesIO
from pathlib import PurePath
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from fastapi import Depends, Request, Response
from fastapi.responses import RedirectResponse

from application.off_loop import off_loop
from application.services import Services
from application.sessions.download import (
    address_of,
    link_documents,
    make_certificate,
    record_download,
)
from domain.audit.events import AuditContext
from domain.session.downloadable_items import CERTIFICATE
from domain.session.session import Session
from domain.shared.errors import DocumentNotReady
from domain.shared.file_names import attachment, certificate_name, free_name, safe_file_name
from domain.shared.ids import FileId
from web.app.app_router import app_router
from web.app.current_user import CurrentAudit, CurrentCaller
from web.app.session_page import OwnSession
from web.asgi.dependencies import InjectedServices
from web.errors import CrossSiteDownload
from web.forms import is_own_request
from web.page_route import READ

router = app_router("/sessions/{session_id}")


async def check_own_request(request: Request, session_id: str) -> None:
    """Raises `CrossSiteDownload` if another site requests a download, which would be recorded with the user's name."""
    if not is_own_request(request):
        raise CrossSiteDownload(f"/app/sessions/{session_id}")


OwnRequestsOnly = Depends(check_own_request)


@router.get("/signed/{file_id}", dependencies=[OwnRequestsOnly])
async def download_signed(
    services: InjectedServices, session: OwnSession, caller: CurrentCaller, file_id: FileId
) -> Response:
    """Redirects to the signed PDF of one file. Raises `FileNotFound`, `SessionNotCompleted` or `DocumentNotReady`."""
    linked = await link_documents(services, session, [session.file(file_id)], caller)
    return RedirectResponse(linked.documents[0].url, HTTPStatus.SEE_OTHER)


@router.api_route("/sent/{file_id}", methods=READ)
async def download_sent(
    services: InjectedServices, session: OwnSession, caller: CurrentCaller, file_id: FileId
) -> Response:
    """Redirects to the PDF of one file as it was sent, without values and signatures. Raises `FileNotFound`."""
    file = session.file(file_id)
    return RedirectResponse(await address_of(services, file, file.rendered, caller), HTTPStatus.SEE_OTHER)


@router.get("/certificate", dependencies=[OwnRequestsOnly])
async def download_certificate(services: InjectedServices, session: OwnSession, audit: CurrentAudit) -> Response:
    """Returns the certificate of completion. Raises `SessionNotCompleted` or `Unavailable`."""
    pdf = await make_certificate(services, session, audit)
    return _attached(pdf, "application/pdf", certificate_name(session.name))


@router.get("/all", dependencies=[OwnRequestsOnly])
async def download_all(services: InjectedServices, session: OwnSession, audit: CurrentAudit) -> Response:
    """Returns all signed PDFs and the certificate in a ZIP file. Raises the errors of the downloads of single files."""
    files = await collect_files(services, session, audit)
    packed = await off_loop(sum(len(content) for _, content in files), lambda: _pack(files, session))
    return _attached(packed, "application/zip", f"{PurePath(safe_file_name(session.name)).stem}.zip")


async def collect_files(services: Services, session: Session, audit: AuditContext) -> Sequence[tuple[str, bytes]]:
    """Returns the file name and content of all signed PDFs and of the certificate, and records their download.

    Raises the errors of the downloads of single files.
    """
    downloaded = [*(file.file_id for file in session.files), CERTIFICATE]
    session = await record_download(services, session, downloaded, audit)
    entries: list[tuple[str, bytes]] = []
    taken: set[str] = set()
    for file in session.files:  # one at a time: each may have megabytes
        if file.signed is None:
            raise DocumentNotReady
        name = safe_file_name(file.file_name.removesuffix(".pdf"))  # never a path
        entries.append((free_name(name, taken), await services.objects.get(file.signed)))
    certificate = await make_certificate(services, session, audit)
    return [*entries, (free_name(certificate_name(session.name), taken), certificate)]


def _pack(entries: Sequence[tuple[str, bytes]], session: Session) -> bytes:
    """Packs the files without compression, as PDFs are compressed already."""
    at = (session.completed_at or session.updated_at).timetuple()[:6]
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_STORED) as archive:
        for name, content in entries:
            archive.writestr(ZipInfo(name, at), content)
    return packed.getvalue()


def _attached(content: bytes, media_type: str, name: str) -> Response:
    return Response(content, media_type=media_type, headers={"Content-Disposition": attachment(name)})
