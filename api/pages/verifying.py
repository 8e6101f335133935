"""The page on which anybody checks a PDF: sealed by this service or not, changed since or not, by whom and when.

What is posted goes through a child process and is forgotten: nothing of it is stored, logged or sent on. Which session
it is, only those are told who are signed in to the app for its organisation.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import structlog
from fastapi import Request, Response

from adapters.processes import PoolBusy, ProcessDied
from api.client_address import counted_networks
from api.pages.app.person import find_person
from api.pages.refusals import FormNotForm
from api.pages.rendering import render, texts_of
from api.pages.texts import Texts
from api.refusals import FileTooLarge, InvalidRequest, UnsupportedMediaType
from api.services import Services
from api.uploads import Upload, read_files
from api.verifying import Checked, check_upload
from domain.chains import find_break
from domain.ids import OrganisationId, SessionId
from domain.session import Session
from domain.verification import Check, FileReport, Finding, Outcome, Verdict, match_documents

log = structlog.get_logger(__name__)

MOST_FILES = 5
CHECKS_AT_ONCE = 8
"""Posts that are read and checked at the same time: 200 MB of files."""

READING_SECONDS = 120
"""In which the files have to arrive."""

MAX_UPLOAD = 25_000_000
"""Bytes of all files together: a signed document with its pictures, and certificates, several times over."""


@dataclass(frozen=True, slots=True)
class KnownSession:
    """The session of a file, for members of its organisation. `chain_holds`: of its history in the database."""

    session: Session
    chain_holds: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """What is said of one file. `signers` are those whom a genuine certificate of completion names, and when."""

    name: str
    report: FileReport
    known: KnownSession | None = None

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
        """Whether what the seal says of itself is worth repeating."""
        return self.report.verdict in {Verdict.GENUINE, Verdict.UNPROVEN}

    @property
    def is_bad(self) -> bool:
        return self.report.verdict in {Verdict.CHANGED, Verdict.CONTRADICTORY}


def show_form(request: Request, problem: str | None = None, status: int = 200) -> Response:
    return render(request, "verify.html", status, answers=(), problem=problem, outcomes=Outcome)


async def answer_upload(request: Request, services: Services) -> Response:
    """Checks what was posted and says what holds; asks again for what is no file, or too large.

    Raises:
        PoolBusy: the address has files checked already, or very many have.
    """
    key = f"check {tuple(counted_networks(request))[-1]}"
    async with services.turns.turn(key, most=1), services.turns.turn("check", CHECKS_AT_ONCE, CHECKS_AT_ONCE):
        return await _answer(request, services)


async def _answer(request: Request, services: Services) -> Response:
    texts = texts_of(request)
    try:
        async with asyncio.timeout(READING_SECONDS):
            uploads = [upload for upload in await read_files(request, MOST_FILES) if upload.content]
    except TimeoutError as error:
        raise PoolBusy("the files did not arrive in time") from error
    except FileTooLarge:
        return show_form(request, texts.verify_too_large.format(most=MAX_UPLOAD // 1_000_000), 413)
    except (InvalidRequest, UnsupportedMediaType) as error:
        raise FormNotForm from error
    if not uploads:
        return show_form(request, texts.verify_no_file, 422)
    checked = [await _check(services, upload, texts) for upload in uploads]
    reports = match_documents([one.report for one in checked])
    found = [await _known(request, services, one, report) for one, report in zip(checked, reports, strict=True)]
    answers = tuple(
        Answer(upload.file_name, report, known) for upload, report, known in zip(uploads, reports, found, strict=True)
    )
    return render(request, "verify.html", answers=answers, problem=None, outcomes=Outcome)


async def _check(services: Services, upload: Upload, texts: Texts) -> Checked:
    try:
        return await services.checking.run(check_upload, upload.content, services.sealer.trusted, datetime.now(UTC))
    except ProcessDied:
        log.warning("a file could not be checked within its limits", size=len(upload.content))
        finding = Finding(check=Check.FILE, outcome=Outcome.FAILS, text=texts.verify_too_much)
        return Checked(FileReport.unreadable(upload.content, finding))


async def _known(request: Request, services: Services, checked: Checked, report: FileReport) -> KnownSession | None:
    """The session of this file, if it is one of the organisation of whoever is signed in."""
    if report.verdict in {Verdict.UNREADABLE, Verdict.NOT_SEALED}:
        return None
    person = await find_person(request, services)
    if person is None:
        return None
    for session_id in checked.named:
        session = await services.rows.find(person.organisation_id, SessionId(session_id))
        if session is not None and _is_of(session, report):
            return KnownSession(session, await _holds(services, person.organisation_id, session))
    return None


def _is_of(session: Session, report: FileReport) -> bool:
    if report.certificate is not None:
        return report.certificate.session.session_id == session.session_id
    signed: Sequence[str] = [file.signed.sha256 for file in session.files if file.signed]
    return bool(report.hashes & set(signed))


async def _holds(services: Services, organisation_id: OrganisationId, session: Session) -> bool:
    events = await services.rows.events(organisation_id, session.session_id)
    chained = [{**event.facts(), "hash": event.hash} for event in events]
    return find_break(chained) is None and bool(events) and events[-1].hash == session.head
