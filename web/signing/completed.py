"""After signing: thanks, and the documents to keep."""

from http import HTTPStatus

from fastapi import Request, Response
from fastapi.responses import RedirectResponse

from application.services import Services
from application.sessions.download import address_of, record_download
from asgi.audit_context import audit_context_of
from domain.audit.events import Actor, ActorKind
from domain.session.session import FileType, SessionFile, SessionStatus
from domain.session.state import FINISHED
from domain.shared.errors import DocumentNotReady, FileNotFound
from domain.shared.file_names import inline
from domain.shared.ids import FileId
from domain.shared.object_names import ObjectReference
from web.rendering import render
from web.signing.recipient_access import RecipientAccess


def show_completed(request: Request, access: RecipientAccess) -> Response:
    """Thanks; the signed documents as soon as there are any."""
    session = access.session
    is_over = session.status in FINISHED
    return render(
        request,
        "completed.html",
        session=session,
        recipient=access.recipient,
        downloads=[file for file in session.files if is_over and file.signed],
        is_generating=session.status is SessionStatus.COMPLETED,
    )


async def download_signed(services: Services, access: RecipientAccess, file_id: FileId, request: Request) -> Response:
    """To the signed PDF of one file. That the recipient gets it is recorded the first time.

    Raises:
        FileNotFound: no such file in this session.
        DocumentNotReady: it is not signed by all, or still being generated.
        Unavailable: it cannot be recorded now.
    """
    file = access.session.file(file_id)
    if file.signed is None:
        raise DocumentNotReady
    actor = Actor(kind=ActorKind.RECIPIENT, id=access.recipient.recipient_id)
    await record_download(services, access.session, [file_id], audit_context_of(request, actor))
    return await _hand_out(services, file, file.signed)


async def download_sent(services: Services, access: RecipientAccess, file_id: FileId) -> Response:
    """To the PDF of one file as it was sent; raises `FileNotFound`."""
    file = access.session.file(file_id)
    return await _hand_out(services, file, file.rendered)


async def show_uploaded(services: Services, access: RecipientAccess, file_id: FileId) -> Response:
    """An uploaded PDF as it was sent, to be read in the browser; raises `FileNotFound` for anything else."""
    file = access.session.file(file_id)
    if file.type is not FileType.UPLOADED_PDF:
        raise FileNotFound
    headers = {"Content-Disposition": inline(file.file_name)}
    return Response(await services.objects.get(file.rendered), media_type="application/pdf", headers=headers)


async def _hand_out(services: Services, file: SessionFile, reference: ObjectReference) -> Response:
    return RedirectResponse(await address_of(services, file, reference), HTTPStatus.SEE_OTHER)
