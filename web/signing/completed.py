"""The page after signing or approving, and downloads of documents."""

from http import HTTPStatus

from fastapi import Request, Response
from fastapi.responses import RedirectResponse

from application.services import Services
from application.sessions.download import address_of, make_certificate, record_download
from domain.session.recipients import ACTIVE, Recipient, RecipientRole
from domain.session.session import FileType, SessionFile
from domain.session.status import FINISHED, OPEN_FOR_SIGNING, SessionStatus
from domain.shared.errors import DocumentNotReady, FileNotFound
from domain.shared.file_names import attachment, certificate_name, inline
from domain.shared.ids import FileId
from domain.shared.object_names import ObjectReference
from web.forms import is_own_request
from web.html_response import render
from web.page_route import READ, page_router
from web.sender_identity import find_sender
from web.signing.page_images import view_page_images
from web.signing.recipient_access import InjectedVisit
from web.signing.resolve_link import RecipientAccess

router = page_router("/signing/{recipient_id}")


ACTS = {RecipientRole.SIGNER: "signed", RecipientRole.APPROVER: "approved"}
"""The event that is reported to the host page, by the role of the recipient."""


def is_other_submission(recipient: Recipient, sha256: str | None) -> bool:
    """Returns whether `sha256` is of a submission other than the one that was recorded. None is of no submission."""
    recorded = recipient.submission.sha256 if recipient.submission else None
    return sha256 is not None and sha256 != recorded


async def show_completed(services: Services, access: RecipientAccess, *, has_refused: bool = False) -> Response:
    """Shows the page after signing or approving, with the signed documents once they exist.

    `has_refused`: another form of the recipient arrived after that, and was not recorded.
    """
    session = access.session
    is_over = session.status in FINISHED
    own = session.parts_of(access.recipient)
    is_open = session.status in OPEN_FOR_SIGNING
    others = [who for who in session.recipients if is_open and who.status in ACTIVE and who not in own]
    return render(
        "completed.html",
        session=session,
        recipient=access.recipient,
        here=access.address,
        host_page=access.host,
        act=ACTS.get(access.recipient.role, "loaded"),
        downloads=[file for file in session.files if is_over and file.signed],
        thumbnail=next((images for images in view_page_images(access) if images.pages), None),
        waiting_for=[who.name for who in others],
        has_own_part=is_open and any(who.gets_emails and who.completed_at is None for who in own),
        waits_for_approval=any(who.approves for who in others),
        has_refused=has_refused,
        is_generating=session.status is SessionStatus.COMPLETED,
        sender=await find_sender(services, session),
    )


@router.api_route("/document/{file_id}", methods=READ)
async def download_signed(visit: InjectedVisit, file_id: FileId) -> Response:
    """Redirects to a signed PDF; raises `FileNotFound` or `DocumentNotReady`. The first download is recorded."""
    file = visit.session.file(file_id)
    if file.signed is None:
        raise DocumentNotReady
    await record_download(visit.services, visit.session, [file_id], visit.audit())
    return await _redirect_to(visit.services, file, file.signed)


@router.api_route("/certificate", methods=READ)
async def download_certificate(request: Request, visit: InjectedVisit) -> Response:
    """Returns the certificate of completion; raises the errors of `make_certificate`.

    A request of another site is redirected to the page: making a certificate takes a seal, and is recorded.
    """
    if not is_own_request(request):
        return RedirectResponse(visit.access.address, HTTPStatus.SEE_OTHER)
    pdf = await make_certificate(visit.services, visit.session, visit.audit())
    headers = {"Content-Disposition": attachment(certificate_name(visit.session.name))}
    return Response(pdf, media_type="application/pdf", headers=headers)


@router.api_route("/sent/{file_id}", methods=READ)
async def download_sent(visit: InjectedVisit, file_id: FileId) -> Response:
    """Redirects to the PDF of one file as it was sent; raises `FileNotFound`."""
    file = visit.session.file(file_id)
    return await _redirect_to(visit.services, file, file.rendered)


@router.api_route("/reference/{file_id}", methods=READ)
async def show_uploaded(visit: InjectedVisit, file_id: FileId) -> Response:
    """Returns an uploaded PDF for display in the browser; raises `FileNotFound` for other files."""
    file = visit.session.file(file_id)
    if file.type is not FileType.UPLOADED_PDF:
        raise FileNotFound
    headers = {"Content-Disposition": inline(file.file_name)}
    return Response(await visit.services.objects.get(file.rendered), media_type="application/pdf", headers=headers)


async def _redirect_to(services: Services, file: SessionFile, reference: ObjectReference) -> Response:
    return RedirectResponse(await address_of(services, file, reference), HTTPStatus.SEE_OTHER)
