"""Downloads of a completed session: pre-signed URLs of its documents, and its certificate, rendered on demand."""

import asyncio
from collections.abc import Sequence

import structlog

from application.caller import is_head_request
from application.certificate.report import CertificateFacts
from application.documents.render_jobs import prepare_certificate
from application.errors import HistoryNotWhole
from application.services import Services
from domain.audit.events import AuditContext, Event
from domain.seal.materials import Materials, matches_history
from domain.session.downloads import CERTIFICATE, unrecorded_downloads
from domain.session.session import Session, SessionFile
from domain.session.state import FINISHED
from domain.session.status_errors import not_completed
from domain.shared.errors import DocumentNotReady, DocumentsDiffer, SessionNotFound, Unavailable
from domain.shared.file_names import safe_file_name
from domain.shared.object_names import ObjectReference
from domain.shared.version import VERSION
from pades.seal_validation import read_seal_statement
from ports.object_store import Download, ObjectDamaged, ObjectMissing
from ports.seals import SealFailed
from ports.session_requests import RecordDownloadRequest
from schemas.session_read import DownloadEntry, DownloadsRead

log = structlog.get_logger(__name__)


async def record_download(services: Services, session: Session, wanted: Sequence[str], audit: AuditContext) -> Session:
    """Records the download of `wanted` (file ids, or `CERTIFICATE`), and returns the session.

    Only the first download of a file by an actor is an event. A HEAD records nothing.

    Raises:
        SessionNotCompleted: signing has not finished.
        DocumentNotReady: one of them is still being generated.
        Unavailable: the event cannot be recorded now.
    """
    check_completed(session)
    return await record_access(services, session, wanted, audit)


async def record_access(services: Services, session: Session, wanted: Sequence[str], audit: AuditContext) -> Session:
    """Records access to `wanted` before or after the session is completed. Raises `Unavailable`."""
    if is_head_request.get() or not unrecorded_downloads(session.downloaded, audit.actor, wanted):
        return session
    request = RecordDownloadRequest(audit=audit, wanted=tuple(wanted))
    return await services.sessions.record_download(session, request)


async def link_documents(
    services: Services, session: Session, files: Sequence[SessionFile], audit: AuditContext
) -> DownloadsRead:
    """Returns the pre-signed URLs of the signed PDFs of `files`.

    Raises:
        SessionNotCompleted: signing has not finished.
        DocumentNotReady: one of them is still being generated.
        Unavailable: the download cannot be recorded now.
    """
    session = await record_download(services, session, [file.file_id for file in files], audit)
    return DownloadsRead(
        session_id=session.session_id,
        session_status=session.status,
        documents=tuple(await asyncio.gather(*(_link(services, session.file(file.file_id)) for file in files))),
        expires_in_seconds=services.download_lifetime,
    )


async def _link(services: Services, file: SessionFile) -> DownloadEntry:
    if file.signed is None:
        raise DocumentNotReady
    url = await address_of(services, file, file.signed)
    return DownloadEntry(file_id=file.file_id, file_name=file.file_name, url=url)


async def address_of(services: Services, file: SessionFile, pdf: ObjectReference) -> str:
    """Returns a pre-signed URL of `pdf`, sent or signed, under the name of `file`."""
    return await services.objects.signed_url(
        pdf, Download(file.file_name, "application/pdf", services.download_lifetime)
    )


async def make_certificate(services: Services, session: Session, audit: AuditContext) -> bytes:
    """Returns the certificate of completion as a sealed PDF.

    Raises:
        SessionNotCompleted: signing has not finished.
        DocumentsDiffer: a signed PDF does not match the history.
        SessionNotFound: the session was deleted meanwhile.
        HistoryNotWhole: events are missing in the database or differ from the session's row.
        Unavailable: the certificate cannot be recorded or sealed now.
    """
    session = await record_download(services, session, [CERTIFICATE], audit)
    found = await services.rows.find_history(session.organisation_id, session.session_id)
    if found is None:
        raise SessionNotFound
    check_completed(found.session)  # it may have been archived meanwhile
    if not found.is_whole:
        log.error(
            "the history of a session is not whole",
            session_id=found.session.session_id,
            events=len(found.events),
            expected=found.session.sequence,
        )
        raise HistoryNotWhole
    facts = CertificateFacts(found.session, found.events, VERSION, verify_url(services.base_url))
    await _check_documents(services, found.session, found.events)
    prepared = await services.pool.run(prepare_certificate, facts, services.sealer.reserved_bytes(facts.statement))
    try:
        return (await services.sealer.seal(prepared, facts.statement)).pdf
    except SealFailed as error:
        log.exception("the certificate of completion could not be sealed")
        raise Unavailable from error


async def _check_documents(services: Services, session: Session, events: Sequence[Event]) -> None:
    """Raises `DocumentsDiffer` unless every signed PDF was made from the entries that the history names."""
    if not all(matches_history(recipient, events) for recipient in session.recipients):
        raise DocumentsDiffer
    for file in session.files:
        if file.signed is None:
            continue
        try:
            stated = await services.pool.run(read_seal_statement, await services.objects.get(file.signed))
        except (ObjectMissing, ObjectDamaged) as error:
            raise DocumentsDiffer from error
        if stated != Materials.of(session, file).statement:
            raise DocumentsDiffer


def certificate_name(session: Session) -> str:
    """The file name of the certificate."""
    return safe_file_name(f"{session.name} - certificate of completion")


def verify_url(base_url: str) -> str:
    """Returns the URL of the page that verifies documents and certificates."""
    return f"{base_url.rstrip('/')}/verify"


def check_completed(session: Session) -> None:
    """Raises `SessionNotCompleted` in every status but the two completed ones."""
    if session.status not in FINISHED:
        raise not_completed(session)
