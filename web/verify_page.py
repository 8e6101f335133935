"""The page that verifies PDFs: whether this service sealed them, when, and whether they have changed since.

Uploads are verified in a child process and discarded: nothing is stored, logged or forwarded. Only signed-in users of
its organisation see the session of a file.
"""

import asyncio
from collections.abc import Sequence, Set
from dataclasses import dataclass
from datetime import UTC, datetime

import structlog
from fastapi import Depends, Request, Response

from application.documents.verify import check_file
from application.errors import FileTooLarge, InvalidRequest, UnsupportedMediaType
from application.services import Services
from application.uploads.store import Upload
from domain.audit.events import Event
from domain.audit.hash_chain import chain_is_intact
from domain.audit.verification_report import Check, FileReport, Finding, Outcome, Verdict, cross_check_documents
from domain.ports.administrative_acts import find_lost_events
from domain.ports.database import SessionHistory
from domain.ports.process_pool import PoolBusy, ProcessDied, run_jobs_for
from domain.seal.seal import CompletionCertificate, ReferenceDocument, Sample, SignedDocument, Signer, Statement
from domain.session.session import Session
from domain.shared.ids import SessionId
from web.app.current_user import find_signed_in_user
from web.asgi.dependencies import InjectedServices
from web.asgi.rate_limits import count_check, counted_networks
from web.asgi.uploads import read_files
from web.errors import NotAForm
from web.html_response import render
from web.page_route import READ, OwnPagesOnly, page_router
from web.texts import PAGES

router = page_router("/verify")

log = structlog.get_logger(__name__)

MAX_FILES = 5
READING_SECONDS = 120

MAX_UPLOAD = 25_000_000
"""The size of all files together in bytes."""


@dataclass(frozen=True, slots=True)
class LinkedSession:
    """The session of a file. `chain_is_intact` concerns its history in the database."""

    session: Session
    chain_is_intact: bool


@dataclass(frozen=True, slots=True)
class VerifiedFile:
    name: str
    report: FileReport
    known: LinkedSession | None = None

    @property
    def is_good(self) -> bool:
        return self.report.verdict is Verdict.GENUINE

    @property
    def signers(self) -> Sequence[tuple[str, datetime]]:
        if self.report.certificate is None or not self.is_good:
            return ()
        people = self.report.certificate.recipients
        return [(one.name, datetime.fromisoformat(one.signed_at)) for one in people if one.signed_at]

    @property
    def is_ours(self) -> bool:
        """Whether the page shows the statements of the seal."""
        return self.report.verdict in {Verdict.GENUINE, Verdict.UNPROVEN}

    @property
    def stated_signers(self) -> Sequence[Signer]:
        statement = self.report.seal.statement if self.report.seal else None
        return statement.signers if isinstance(statement, SignedDocument) else ()

    @property
    def stated_session(self) -> SessionId | None:
        statement = self.report.seal.statement if self.report.seal else None
        return None if statement is None or isinstance(statement, Sample) else statement.session_id

    @property
    def is_unsigned(self) -> bool:
        """Whether the seal states that no recipient signed the file."""
        return self.report.seal is not None and isinstance(self.report.seal.statement, ReferenceDocument | Sample)

    @property
    def is_bad(self) -> bool:
        return self.report.verdict in {Verdict.CHANGED, Verdict.CONTRADICTORY}


@router.api_route("", methods=READ)
async def show_form() -> Response:
    return _form()


def _form(problem: str | None = None, status: int = 200) -> Response:
    return render("verify.html", status, files=(), problem=problem, outcomes=Outcome)


@router.post("", dependencies=[OwnPagesOnly, Depends(count_check)])
async def verify_upload(request: Request, services: InjectedServices) -> Response:
    """Verifies the posted files; shows the form again if there are none, or they are too large. Raises `PoolBusy`."""
    address = next(iter(counted_networks(request)))
    run_jobs_for(f"address {address}")
    with services.verify_slots.hold(address):
        return await _answer(request, services)


async def _answer(request: Request, services: Services) -> Response:
    try:
        async with asyncio.timeout(READING_SECONDS):
            uploads = [upload for upload in await read_files(request, MAX_FILES) if upload.content]
    except TimeoutError as error:
        raise PoolBusy("the files did not arrive in time") from error
    except FileTooLarge:
        return _form(PAGES.verify_too_large.format(most=MAX_UPLOAD // 1_000_000), 413)
    except (InvalidRequest, UnsupportedMediaType) as error:
        raise NotAForm from error
    if not uploads:
        return _form(PAGES.verify_no_file, 422)
    reports = cross_check_documents([await _check(services, upload) for upload in uploads])
    sessions = [await _find_session(request, services, report) for report in reports]
    verified = tuple(
        VerifiedFile(upload.file_name, report, known)
        for upload, report, known in zip(uploads, reports, sessions, strict=True)
    )
    return render("verify.html", files=verified, problem=None, outcomes=Outcome)


async def _check(services: Services, upload: Upload) -> FileReport:
    try:
        return await services.checking.run(check_file, upload.content, services.sealer.trusted, datetime.now(UTC))
    except ProcessDied:
        log.warning("a file could not be checked within its limits", size=len(upload.content))
        finding = Finding(check=Check.FILE, outcome=Outcome.FAILS, text=PAGES.verify_too_much)
        return FileReport.unreadable(upload.content, finding)


async def _find_session(request: Request, services: Services, report: FileReport) -> LinkedSession | None:
    """Returns the session that the seal names, if it belongs to the organisation of the signed-in user."""
    statement = report.seal.statement if report.seal else None
    if statement is None or isinstance(statement, Sample):
        return None
    person = await find_signed_in_user(request, services)
    if person is None:
        return None
    history = await services.rows.find_history(person.organisation_id, statement.session_id)
    if history is None or not _is_document_of(history.session, statement, report):
        return None
    acts = await services.acts.list_about(person.organisation_id, statement.session_id)
    is_intact = _is_intact(history, find_lost_events(acts, history.events))
    return LinkedSession(history.session, is_intact and _includes(history.events, statement))


def _is_document_of(session: Session, statement: Statement, report: FileReport) -> bool:
    """Returns whether the file is a stored document of the session, or a certificate, which is not stored."""
    if isinstance(statement, CompletionCertificate):
        return report.certificate is not None
    return any(file.signed.sha256 in report.hashes for file in session.files if file.signed)


def _is_intact(history: SessionHistory, lost: Set[int]) -> bool:
    return chain_is_intact(history.events, lost) and history.is_whole(lost)


def _includes(events: Sequence[Event], statement: Statement) -> bool:
    """Returns whether the history of a certificate is the beginning of the stored history."""
    if not isinstance(statement, CompletionCertificate):
        return True
    return any(event.hash == statement.head for event in events)
