"""Verification of one file of any kind. Runs in child processes, as files are untrusted."""

import asyncio
import logging
import re
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from io import BytesIO

from pyhanko.pdf_utils.reader import PdfFileReader

from domain.audit.verification_report import Check, FileReport, Finding, Outcome, SealFacts, Verdict
from domain.seal.seal import SealLevel, Statement
from domain.shared.object_names import digest
from pades.cms import is_canonical_cms, read_signed_statement
from pades.seal_validation import PARSE_ERRORS, check_seal
from pades.updates.grammar import MAX_REVISIONS
from pades.verification.certificate_attachment import check_certificate_attachment
from pades.verification.findings import (
    common_name,
    earlier_signature_finding,
    finding,
    level_findings,
    seal_findings,
    statement_findings,
)
from pades.verification.signature_validation import SignatureValidator, ValidationResult, read_embedded_data
from pades.verification.signed_ranges import Signature, signatures_of
from ports.seals import SealNotValid, TrustAnchors

for _logger in ("pyhanko", "pyhanko_certvalidator"):
    logging.getLogger(_logger).setLevel(logging.CRITICAL)  # they log each untrusted certificate

_NO_PDF = "This is not a PDF: it does not begin like one."
_DAMAGED = "It cannot be read as a PDF: it is damaged, or was cut off."
_NO_SEAL = "There is no seal in this PDF, nor any other signature."
_ENCRYPTED = "It is encrypted, so it cannot be checked. Save it without a password."
_MOST_ENDS = 20 * MAX_REVISIONS
"""Limit of `startxref` in a file. Attached PDFs have their own."""

_TOO_MANY_REVISIONS = (
    f"It has more than {MAX_REVISIONS} revisions, which no file of this service has. It was not checked further."
)
_REMAINS = "It was sealed or signed once, but the rest of that signature cannot be read: the file was changed since."
_BEGINNING = re.compile(rb"%PDF-\d\.\d")
_SEARCHED = 1024
"""Bytes at the start and end of a file that readers search for its markers. ISO 32000-1, annex H."""

_END = re.compile(rb"%%EOF[\r\n \t\0]*\Z")
_RANGE = re.compile(rb"/ByteRange\s*\[\s*0\s+(\d{1,10})\s+(\d{1,10})\s+(\d{1,10})\s*\]")
_MARKS_OF_SEALS = (b"/ByteRange", b"/DocMDP", b"/ETSI.CAdES.detached")
_ARCHIVE_END = b"PK\x05\x06"
_ARCHIVE_END_SIZE = 22
_LONGEST_COMMENT = 65535
WHOLE = "The file is one complete PDF, with nothing before or after it."


@dataclass(frozen=True, slots=True)
class ValidatedSignature:
    """A signature, its validation result, and whether its container is canonical."""

    signature: Signature
    result: ValidationResult
    is_canonical: bool


def verify_file(file: bytes, trusted: TrustAnchors, now: datetime, *, is_part: bool = False) -> FileReport:
    """Verifies `file` with the certificates that are `trusted`.

    Never raises. Excessive time or memory ends the child process. `is_part`: `file` is a prefix of another file, so its
    own prefixes are not verified.
    """
    if not is_pdf(file) or file.count(b"startxref") > _MOST_ENDS:
        return _unreadable(file, _TOO_MANY_REVISIONS if is_pdf(file) else _NO_PDF)
    structure = tuple(structure_findings(file))
    try:
        reader = PdfFileReader(BytesIO(file), strict=False)
        if reader.encrypted or reader.xrefs.total_revisions > MAX_REVISIONS:
            return _unreadable(file, _ENCRYPTED if reader.encrypted else _TOO_MANY_REVISIONS)
        signatures = signatures_of(reader, file, trusted.seals)
        if not all(signature.is_timestamp for signature in signatures):
            with ThreadPoolExecutor(1) as thread:  # the caller's thread may have an event loop
                validated = thread.submit(asyncio.run, _validate_signatures(reader, signatures, trusted, now)).result()
            return _sealed(structure, validated, trusted)
        without = _report(file, Verdict.NOT_SEALED, *structure, finding(Check.SEAL, Outcome.FAILS, _NO_SEAL))
    except PARSE_ERRORS:
        without = _unreadable(file, _DAMAGED, *structure)
    if not has_seal_remnants(file):
        return without
    beginning = None if is_part else sealed_revision(file)
    return _with_remains(file, structure, verify_file(beginning, trusted, now, is_part=True) if beginning else None)


def _with_remains(file: bytes, structure: tuple[Finding, ...], within: FileReport | None) -> FileReport:
    """Reports a file that was sealed but cannot be read as it is now. `within` is the report of its prefix."""
    if within is None or not within.verdict.is_intact:
        return _report(file, Verdict.CHANGED, *structure, finding(Check.SEAL, Outcome.FAILS, _REMAINS))
    text = (
        f"{len(file) - within.size} bytes were added after the seal. The first {within.size} bytes are a sealed "
        "PDF still."
    )
    return _report(file, Verdict.CHANGED, *structure, finding(Check.CHANGES, Outcome.FAILS, text))


async def _validate_signatures(
    reader: PdfFileReader, signatures: Sequence[Signature], trusted: TrustAnchors, now: datetime
) -> list[ValidatedSignature]:
    """Validates each signature that is not a timestamp, with the timestamps after it."""
    for signature in signatures:
        signature.compute_coverage()
    validator = SignatureValidator(trusted, read_embedded_data(reader, signatures), now)
    stamps = [signature for signature in signatures if signature.is_timestamp]
    validated = []
    for signature in signatures:
        if not signature.is_timestamp:
            later = [stamp for stamp in stamps if stamp.end > signature.end]
            result = await validator.validate(signature, later)
            validated.append(
                ValidatedSignature(signature, result, is_canonical_cms(signature.reserved_region, trusted.seals))
            )
    return validated


def _sealed(
    structure: tuple[Finding, ...], validated: Sequence[ValidatedSignature], trusted: TrustAnchors
) -> FileReport:
    """Reports on the seal: the newest signature with a trusted certificate, or else the newest signature."""
    seal = next((one for one in reversed(validated) if one.result.has_trusted_certificate), validated[-1])
    file = seal.signature.file
    others = [one for one in validated if one is not seal]
    disallowed = seal.signature.find_disallowed_change()
    level = None if disallowed else _level(file, seal, trusted)
    statement = (
        read_signed_statement(seal.signature.embedded.signer_info)
        if seal.result.has_trusted_certificate and seal.result.is_sound
        else None
    )
    stated = tuple(statement_findings(seal.signature, seal.result, statement))
    findings = [
        *structure,
        *seal_findings(seal.signature, seal.result, disallowed, is_canonical=seal.is_canonical),
        *level_findings(level),
        *stated,
        *(earlier_signature_finding(one.signature, one.result) for one in others),
    ]
    verdict = Verdict.CHANGED if disallowed else _verdict(seal)
    if verdict is Verdict.GENUINE and any(one.outcome is Outcome.FAILS for one in (*structure, *stated)):
        verdict = Verdict.CONTRADICTORY
    report = _report(file, verdict, *findings).model_copy(update={"seal": _facts(seal, level, statement)})
    return report if verdict is Verdict.CHANGED else check_certificate_attachment(file, report)


def _level(file: bytes, seal: ValidatedSignature, trusted: TrustAnchors) -> SealLevel | None:
    """Returns the level by `check_seal`, as after sealing; if that fails (certificate expired), by validation."""
    if seal.result.level is None:
        return None
    try:
        return check_seal(file, trusted)
    except SealNotValid:
        return seal.result.level


def _verdict(seal: ValidatedSignature) -> Verdict:
    result = seal.result
    is_whole = result.is_sound and seal.signature.covers_its_revision and result.are_timestamps_valid
    if not is_whole or (seal.result.has_trusted_certificate and not seal.is_canonical):
        return Verdict.CHANGED
    if not seal.result.has_trusted_certificate:
        return Verdict.UNKNOWN_AUTHORITY
    return Verdict.GENUINE if result.is_trusted else Verdict.UNPROVEN


def _facts(seal: ValidatedSignature, level: SealLevel | None, statement: Statement | None) -> SealFacts:
    certificate = seal.result.certificate
    return SealFacts(
        sealed_by=common_name(certificate.subject),
        issued_by=common_name(certificate.issuer),
        certificate_sha256=certificate.sha256.hex(),
        statement=statement,
        claimed_at=seal.result.claimed_at,
        proven_at=seal.result.proven_at,
        level=level,
        revision_sha256=seal.signature.revision_sha256,
        revision_size=seal.signature.end,
    )


def _unreadable(file: bytes, text: str, *structure: Finding) -> FileReport:
    return _report(file, Verdict.UNREADABLE, *structure, finding(Check.FILE, Outcome.FAILS, text))


def _report(file: bytes, verdict: Verdict, *findings: Finding) -> FileReport:
    return FileReport(sha256=digest(file), size=len(file), verdict=verdict, findings=findings)


def is_pdf(file: bytes) -> bool:
    """Whether PDF readers would open `file`."""
    return _BEGINNING.search(file, 0, _SEARCHED) is not None


def structure_findings(file: bytes) -> Iterator[Finding]:
    """Yields a finding for each structural problem, or one finding that there is none."""
    problems = [finding(Check.FILE, Outcome.FAILS, text) for text in _problems(file)]
    yield from problems or [finding(Check.FILE, Outcome.HOLDS, WHOLE)]


def _problems(file: bytes) -> Iterator[str]:
    beginning = _BEGINNING.search(file, 0, _SEARCHED)
    if beginning is not None and beginning.start():
        yield f"{beginning.start()} bytes stand before the start of the PDF: it may be another kind of file as well."
    if not _END.search(file, max(0, len(file) - _SEARCHED)):
        yield "The PDF does not end where the file ends: it is cut off, or other bytes follow it."
    if is_archive(file):
        yield "The file is a ZIP archive as well: other programs find other content in it."


def is_archive(file: bytes) -> bool:
    """Whether `file` ends like a ZIP archive. PKWARE APPNOTE, 4.3.16."""
    at = file.rfind(_ARCHIVE_END, max(0, len(file) - _ARCHIVE_END_SIZE - _LONGEST_COMMENT))
    while at >= 0:
        comment = int.from_bytes(file[at + 20 : at + _ARCHIVE_END_SIZE], "little")
        if at + _ARCHIVE_END_SIZE + comment == len(file):
            return True
        at = file.rfind(_ARCHIVE_END, 0, at)
    return False


def has_seal_remnants(file: bytes) -> bool:
    """Whether the bytes have keywords of a signature, even if the file has no readable one."""
    return any(mark in file for mark in _MARKS_OF_SEALS)


def sealed_revision(file: bytes) -> bytes | None:
    """Returns the longest part of the file that a signature covers from its start, if more bytes follow."""
    ends = (int(match[2]) + int(match[3]) for match in _RANGE.finditer(file))
    end = max((end for end in ends if end < len(file)), default=0)
    return file[:end] if end else None
