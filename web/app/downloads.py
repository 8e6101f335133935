"""Downloads from the app: signed PDFs, all of them at once, the certificate, and PDFs as they were sent."""

import asyncio
from collections.abc import Sequence
from http import HTTPStatus
from io import BytesIO
from pathlib import PurePath
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from fastapi import Response
from fastapi.responses import RedirectResponse

from application.services import Services
from application.sessions.download import address_of, link_documents, make_certificate, record_download
from domain.audit.events import AuditContext
from domain.session.downloads import CERTIFICATE
from domain.session.session import Session
from domain.shared.errors import DocumentNotReady
from domain.shared.file_names import attachment, safe_file_name
from domain.shared.ids import FileId


async def download_signed(services: Services, session: Session, file_id: str, audit: AuditContext) -> Response:
    """To the signed PDF of one file. Raises `FileNotFound`, `SessionNotCompleted` or `DocumentNotReady`."""
    linked = await link_documents(services, session, [session.file(FileId(file_id))], audit)
    return RedirectResponse(linked.documents[0].url, HTTPStatus.SEE_OTHER)


async def download_sent(services: Services, session: Session, file_id: str) -> Response:
    """To the PDF of one file without values and signatures. Raises `FileNotFound`."""
    file = session.file(FileId(file_id))
    return RedirectResponse(await address_of(services, file, file.rendered), HTTPStatus.SEE_OTHER)


async def download_certificate(services: Services, session: Session, audit: AuditContext) -> Response:
    """The certificate of completion. Raises `SessionNotCompleted` or `Unavailable`."""
    pdf = await make_certificate(services, session, audit)
    return _attached(pdf, "application/pdf", _certificate_name(session))


async def download_all(services: Services, session: Session, audit: AuditContext) -> Response:
    """Every signed PDF and the certificate in one ZIP.

    Raises:
        SessionNotCompleted: signing has not finished.
        DocumentNotReady: one of them is still being generated.
        Unavailable: the certificate cannot be made right now.
    """
    wanted = [*(file.file_id for file in session.files), CERTIFICATE]
    session = await record_download(services, session, wanted, audit)
    entries: list[tuple[str, bytes]] = []
    for file in session.files:  # one after another: each may have megabytes
        if file.signed is None:
            raise DocumentNotReady
        name = safe_file_name(file.file_name.removesuffix(".pdf"))  # no path, whatever it was uploaded as
        entries.append((name, await services.objects.get(file.signed)))
    entries.append((_certificate_name(session), await make_certificate(services, session, audit)))
    packed = await asyncio.to_thread(_pack, entries, session)
    return _attached(packed, "application/zip", f"{PurePath(safe_file_name(session.name)).stem}.zip")


def _pack(entries: Sequence[tuple[str, bytes]], session: Session) -> bytes:
    """Stored, not squeezed: PDFs are squeezed already. Of equal names, later ones get a number."""
    at = (session.completed_at or session.updated_at).timetuple()[:6]
    taken: set[str] = set()
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_STORED) as archive:
        for name, content in entries:
            archive.writestr(ZipInfo(free_name(name, taken), at), content)
    return packed.getvalue()


def free_name(name: str, taken: set[str]) -> str:
    """`name`, or one like it that is not `taken`, whatever system unpacks it; it is taken from then on."""
    path, number = PurePath(name), 1
    while name.casefold() in taken:
        number += 1
        name = f"{path.stem} ({number}){path.suffix}"
    taken.add(name.casefold())
    return name


def _certificate_name(session: Session) -> str:
    return safe_file_name(f"{session.name} - certificate of completion")


def _attached(content: bytes, media_type: str, name: str) -> Response:
    return Response(content, media_type=media_type, headers={"Content-Disposition": attachment(name)})
