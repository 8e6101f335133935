"""The page after signing, and downloads of documents."""

from http import HTTPStatus

from fastapi import Request, Response
from fastapi.responses import RedirectResponse

from application.services import Services
from application.sessions.download import address_of, record_download
from asgi.audit_context import audit_context_of
from domain.audit.events import Actor, ActorKind
from domain.session.session import FileType, SessionFile, SessionStatus
from domain.session.snapshot import FINISHED
from domain.shared.errors import DocumentNotReady, FileNotFound
from domain.shared.file_names import inline
from domain.shared.ids import FileId
from domain.shared.object_names import ObjectReference
from web.rendering import render
from web.signing.recipient_access import RecipientAccess


def show_completed(access: RecipientAccess) -> Response:
    """Shows the page, with the signed documents once they exist."""
    session = access.session
    is_over = session.status in FINISHED
    return render(
        "completed.html",
        session=session,
        recipient=access.recipient,
        downloads=[file for file in session.files if is_over and file.signed],
        is_generating=session.status is SessionStatus.COMPLETED,
    )


async def download_signed(services: Services, access: RecipientAccess, file_id: FileId, request: Request) -> Response:
    """Redirects to the signed PDF of one file. The first download is recorded.

    Raises:
        FileNotFound: the session has no such file.
        DocumentNotReady: not everyone has signed, or the document is still being generated.
        Unavailable: the download cannot be recorded.
    """
    file = access.session.file(file_id)
    if file.signed is None:
        raise DocumentNotReady
    actor = Actor(kind=ActorKind.RECIPIENT, id=access.recipient.recipient_id)
    await record_download(services, access.session, [file_id], audit_context_of(request, actor))
    return await _redirect_to(services, file, file.signed)


async def download_sent(services: Services, access: RecipientAccess, file_id: FileId) -> Response:
    """Redirects to the PDF of one file as it was sent; raises `FileNotFound`."""
    file = access.session.file(file_id)
    return await _redirect_to(services, file, file.rendered)


async def show_uploaded(services: Services, access: RecipientAccess, file_id: FileId) -> Response:
    """Returns an uploaded PDF for display in the browser; raises `FileNotFound` for other files."""
    file = access.session.file(file_id)
    if file.type is not FileType.UPLOADED_PDF:
        raise FileNotFound
    headers = {"Content-Disposition": inline(file.file_name)}
    return Response(await services.objects.get(file.rendered), media_type="application/pdf", headers=headers)


async def _redirect_to(services: Services, file: SessionFile, reference: ObjectReference) -> Response:
    return RedirectResponse(await address_of(services, file, reference), HTTPStatus.SEE_OTHER)
