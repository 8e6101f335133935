"""Downloads of a session: pre-signed URLs of its documents, its certificate, and the values of its recipients."""

import asyncio
from collections.abc import Sequence

import structlog

from application.caller import Caller, is_head_request
from application.certificate_evidence import CertificateFacts
from application.documents.render_jobs import prepare_certificate
from application.errors import HistoryNotWhole
from application.schemas.session_read import DownloadEntry, DownloadsRead
from application.schemas.values import FileValuesRead, ValuesRead
from application.services import Services
from application.stamping import inputs
from domain.audit.events import AuditContext, Event
from domain.ports.administrative_acts import find_lost_events
from domain.ports.object_store import Download, DownloadOrigin, ObjectDamaged, ObjectMissing
from domain.ports.seals import SealFailed
from domain.ports.session_requests import RecordDownloadRequest
from domain.session.downloadable_items import CERTIFICATE, unrecorded_downloads, values_item
from domain.session.error_messages import not_completed
from domain.session.materials import Materials, matches_history
from domain.session.session import Session, SessionFile
from domain.session.status import FINISHED
from domain.shared.errors import DocumentNotReady, DocumentsDiffer, SessionNotFound, Unavailable
from domain.shared.object_names import ObjectReference
from domain.shared.version import VERSION
from domain.texts.languages import ENGLISH
from pades.seal_validation import read_seal_statement

log = structlog.get_logger(__name__)


async def record_download(services: Services, session: Session, items: Sequence[str], audit: AuditContext) -> Session:
    """Records the first download of `items` (file ids, or `CERTIFICATE`) by the actor, and returns the session.

    A HEAD request records nothing. Raises `SessionNotCompleted`, `DocumentNotReady`, or `Unavailable` if the event
    cannot be recorded.
    """
    _check_completed(session)
    return await _record_access(services, session, items, audit)


async def _record_access(services: Services, session: Session, items: Sequence[str], audit: AuditContext) -> Session:
    if is_head_request.get() or not unrecorded_downloads(session.downloaded, audit.actor, items):
        return session
    return await services.sessions.act(session, RecordDownloadRequest(audit=audit, wanted=tuple(items)))


async def link_documents(
    services: Services, session: Session, files: Sequence[SessionFile], caller: Caller
) -> DownloadsRead:
    """Returns the pre-signed URLs of the signed PDFs of `files`. Raises the errors of `record_download`."""
    session = await record_download(services, session, [file.file_id for file in files], caller.audit)
    return DownloadsRead(
        session_id=session.session_id,
        session_status=session.status,
        documents=tuple(await asyncio.gather(*(_link(services, session.file(file.file_id), caller) for file in files))),
        expires_in_seconds=services.download_lifetime,
    )


async def _link(services: Services, file: SessionFile, caller: Caller) -> DownloadEntry:
    if file.signed is None:
        raise DocumentNotReady
    url = await address_of(services, file, file.signed, caller)
    return DownloadEntry(file_id=file.file_id, file_name=file.file_name, url=url)


async def address_of(services: Services, file: SessionFile, pdf: ObjectReference, caller: Caller | None = None) -> str:
    """Returns a pre-signed URL of `pdf`, sent or signed, under the name of `file`.

    In a store whose downloads the API serves, it ends with the credentials of `caller`.
    """
    origin = DownloadOrigin(caller.organisation_id, caller.client_id, caller.generation) if caller else None
    download = Download(file.file_name, "application/pdf", services.download_lifetime, origin)
    return await services.objects.signed_url(pdf, download)


async def make_certificate(services: Services, session: Session, audit: AuditContext) -> bytes:
    """Returns the certificate of completion as a sealed PDF.

    Raises:
        SessionNotCompleted, SessionNotFound: signing has not finished, or the session was deleted meanwhile.
        DocumentsDiffer: a signed PDF does not match the history.
        HistoryNotWhole: events are missing, which `undersign repair` did not record, or differ from the session's row.
        Unavailable: the certificate cannot be recorded or sealed now.
    """
    session = await record_download(services, session, [CERTIFICATE], audit)
    history = await services.rows.find_history(session.organisation_id, session.session_id)
    if history is None:
        raise SessionNotFound
    session, events = history.session, history.events
    _check_completed(session)  # it may have been archived meanwhile
    lost = find_lost_events(await services.acts.list_about(session.organisation_id, session.session_id), events)
    if not history.is_whole(lost):
        counts = {"events": len(events), "expected": session.sequence}
        log.error("the history of a session is not whole", session_id=session.session_id, **counts)
        raise HistoryNotWhole
    language = session.language or ENGLISH
    facts = CertificateFacts(session, events, VERSION, verify_url(services.base_url), language, tuple(sorted(lost)))
    await _check_documents(services, session, events)
    prepared = await services.pool.run(prepare_certificate, facts, services.sealer.reserved_bytes(facts.statement))
    try:
        return (await services.sealer.seal(prepared, facts.statement)).pdf
    except SealFailed as error:
        log.exception("the certificate of completion could not be sealed")
        raise Unavailable from error


async def _check_documents(services: Services, session: Session, events: Sequence[Event]) -> None:
    """Raises `DocumentsDiffer` unless every signed PDF was made from the submissions in the history."""
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


def verify_url(base_url: str) -> str:
    """Returns the URL of the page that verifies documents and certificates."""
    return f"{base_url.rstrip('/')}/verify"


def _check_completed(session: Session) -> None:
    if session.status not in FINISHED:
        raise not_completed(session)


async def read_values(services: Services, session: Session, audit: AuditContext) -> ValuesRead:
    """Returns the values of all recipients who have signed, in the order of the documents.

    It first records the first read of a recipient's values by an actor, and raises `Unavailable` if it cannot.
    """
    signed = [person for person in session.recipients if person.submission is not None]
    await _record_access(services, session, [values_item(person.recipient_id) for person in signed], audit)
    files = await inputs.read_values(services.objects.get, session, signed)
    return ValuesRead(
        session_id=session.session_id,
        session_status=session.status,
        files=tuple(FileValuesRead.model_validate(file.facts()) for file in files),
    )
