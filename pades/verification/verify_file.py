"""Checking one file, whatever it is. Runs in child processes: the file is anybody's."""

import asyncio
import logging
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from io import BytesIO

from pyhanko.pdf_utils.reader import PdfFileReader

from domain.audit.verification import Check, FileReport, Finding, Outcome, SealFacts, Verdict
from domain.seal.level import SealLevel
from domain.seal.statement import Statement
from domain.shared.object_names import digest
from pades.cms import statement_of
from pades.seal_validation import PARSE_ERRORS, check_seal
from pades.updates.grammar import MAX_REVISIONS
from pades.verification.certificate_attachment import attached_evidence
from pades.verification.cms_container import is_tidy_room
from pades.verification.file_structure import form_findings, has_remains_of_seal, is_pdf, sealed_beginning
from pades.verification.report_messages import finding, named, of_earlier_signature, of_level, of_seal, of_statement
from pades.verification.signature_validation import Judge, Judgement, held_by
from pades.verification.signatures import Signature, signatures_of
from ports.sealing import SealNotValid, TrustAnchors

for _chatty in ("pyhanko", "pyhanko_certvalidator"):
    logging.getLogger(_chatty).setLevel(logging.CRITICAL)  # they tell of every certificate that is not believed

_NO_PDF = "This is no PDF: it does not begin as one."
_DAMAGED = "It cannot be read as a PDF: it is damaged, or was cut off."
_NO_SEAL = "There is no seal in this PDF, nor any other signature."
_ENCRYPTED = "It is encrypted: nothing can be said about what it holds. Save it without a password."
_MOST_ENDS = 20 * MAX_REVISIONS
"""Ends of PDFs in a file. PDFs that are attached have ends too."""

_TOO_MANY_REVISIONS = (
    f"It was added to more than {MAX_REVISIONS} times, which no file of this service is. It was not looked at further."
)
_REMAINS = "It was sealed or signed once, but what is left of that cannot be understood: the file was changed since."


@dataclass(frozen=True, slots=True)
class Judged:
    """A signature, and what is known of it."""

    signature: Signature
    judgement: Judgement
    is_tidy: bool

    @property
    def is_ours(self) -> bool:
        return self.judgement.is_ours


def verify_file(file: bytes, trusted: TrustAnchors, now: datetime, *, is_part: bool = False) -> FileReport:
    """All that can be said of `file` from what it holds and from the certificates that are `trusted`.

    Never raises, whatever the bytes are. What takes too much time or memory ends the child process. `is_part`: it is
    the beginning of another file, and no part of it is looked at by itself.
    """
    if not is_pdf(file) or file.count(b"startxref") > _MOST_ENDS:
        return _unreadable(file, _TOO_MANY_REVISIONS if is_pdf(file) else _NO_PDF)
    form = tuple(form_findings(file))
    try:
        reader = PdfFileReader(BytesIO(file), strict=False)
        if reader.encrypted or reader.xrefs.total_revisions > MAX_REVISIONS:
            return _unreadable(file, _ENCRYPTED if reader.encrypted else _TOO_MANY_REVISIONS)
        signatures = signatures_of(reader, file, trusted.seals)
        if not all(signature.is_timestamp for signature in signatures):
            with ThreadPoolExecutor(1) as beside:  # the caller's thread may have an event loop
                judged = beside.submit(asyncio.run, _judge(reader, signatures, trusted, now)).result()
            return _sealed(form, judged, trusted)
        without = _report(file, Verdict.NOT_SEALED, *form, finding(Check.SEAL, Outcome.FAILS, _NO_SEAL))
    except PARSE_ERRORS:
        without = _report(file, Verdict.UNREADABLE, *form, finding(Check.FILE, Outcome.FAILS, _DAMAGED))
    if not has_remains_of_seal(file):
        return without
    beginning = None if is_part else sealed_beginning(file)
    return _with_remains(file, form, verify_file(beginning, trusted, now, is_part=True) if beginning else None)


def _with_remains(file: bytes, form: tuple[Finding, ...], within: FileReport | None) -> FileReport:
    """A file that was sealed, and is not to be understood as it is now. `within` is what its beginning is."""
    if within is None or not within.verdict.is_intact:
        return _report(file, Verdict.CHANGED, *form, finding(Check.SEAL, Outcome.FAILS, _REMAINS))
    text = (
        f"{len(file) - within.size} bytes were added after the seal. The first {within.size} bytes are a sealed "
        "PDF still."
    )
    return _report(file, Verdict.CHANGED, *form, finding(Check.CHANGES, Outcome.FAILS, text))


async def _judge(
    reader: PdfFileReader, signatures: Sequence[Signature], trusted: TrustAnchors, now: datetime
) -> list[Judged]:
    """Each signature that is no timestamp, with what the timestamps after it prove."""
    for signature in signatures:
        signature.look()
    judge = Judge(trusted, held_by(reader, signatures), now)
    stamps = [signature for signature in signatures if signature.is_timestamp]
    judged = []
    for signature in signatures:
        if not signature.is_timestamp:
            later = [stamp for stamp in stamps if stamp.end > signature.end]
            judgement = await judge.judge(signature, later)
            judged.append(Judged(signature, judgement, is_tidy_room(signature.room, trusted.seals)))
    return judged


def _sealed(form: tuple[Finding, ...], judged: Sequence[Judged], trusted: TrustAnchors) -> FileReport:
    """The seal is the newest signature whose certificate is believed; where none is, the newest one."""
    seal = next((one for one in reversed(judged) if one.is_ours), judged[-1])
    file = seal.signature.file
    others = [one for one in judged if one is not seal]
    foreign = seal.signature.find_foreign_addition()
    level = None if foreign else _level(file, seal, trusted)
    statement = statement_of(seal.signature.embedded.signer_info) if seal.is_ours and seal.judgement.intact else None
    stated = tuple(of_statement(seal.signature, seal.judgement, statement))
    findings = [
        *form,
        *of_seal(seal.signature, seal.judgement, foreign, is_tidy=seal.is_tidy),
        *of_level(level),
        *stated,
        *(of_earlier_signature(one.signature, one.judgement) for one in others),
    ]
    verdict = Verdict.CHANGED if foreign else _verdict(seal)
    if verdict is Verdict.GENUINE and any(one.outcome is Outcome.FAILS for one in (*form, *stated)):
        verdict = Verdict.CONTRADICTORY
    report = FileReport(
        sha256=digest(file),
        size=len(file),
        verdict=verdict,
        findings=tuple(findings),
        seal=_facts(seal, level, statement),
    )
    return report if verdict is Verdict.CHANGED else attached_evidence(file, report)


def _level(file: bytes, seal: Judged, trusted: TrustAnchors) -> SealLevel | None:
    """As the service finds it when it seals; where its key has ended since, as far as can be said."""
    if seal.judgement.level is None:
        return None
    try:
        return check_seal(file, trusted)
    except SealNotValid:
        return seal.judgement.level


def _verdict(seal: Judged) -> Verdict:
    judgement = seal.judgement
    is_whole = judgement.intact and seal.signature.covers_its_revision and judgement.timestamps_hold
    if not is_whole or (seal.is_ours and not seal.is_tidy):
        return Verdict.CHANGED
    if not seal.is_ours:
        return Verdict.UNKNOWN_AUTHORITY
    return Verdict.GENUINE if judgement.believed else Verdict.UNPROVEN


def _facts(seal: Judged, level: SealLevel | None, statement: Statement | None) -> SealFacts:
    certificate = seal.judgement.certificate
    return SealFacts(
        sealed_by=named(certificate.subject),
        issued_by=named(certificate.issuer),
        certificate_sha256=certificate.sha256.hex(),
        statement=statement,
        claimed_at=seal.judgement.claimed_at,
        proven_at=seal.judgement.proven_at,
        level=level,
        revision_sha256=seal.signature.revision_sha256,
        revision_size=seal.signature.end,
    )


def _unreadable(file: bytes, why: str) -> FileReport:
    return _report(file, Verdict.UNREADABLE, finding(Check.FILE, Outcome.FAILS, why))


def _report(file: bytes, verdict: Verdict, *findings: Finding) -> FileReport:
    return FileReport(sha256=digest(file), size=len(file), verdict=verdict, findings=findings)
