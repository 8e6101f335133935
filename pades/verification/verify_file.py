"""Verification of one file of any kind. Runs in child processes, as files are untrusted."""

import asyncio
import logging
import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import datetime
from importlib.metadata import version
from io import BytesIO

import pikepdf
from asn1crypto import core, x509
from pyhanko.pdf_utils.reader import PdfFileReader

from domain.audit.verification_report import Check, FileReport, Finding, Outcome, SealFacts, Verdict
from domain.ports.seals import SealNotValid, TrustAnchors
from domain.seal.seal import SealLevel, Statement
from domain.shared.object_names import digest
from domain.shared.version import VERSION
from pades.cms import STATEMENT, read_signed_statement
from pades.containers import seal_riders
from pades.parse_errors import PARSE_ERRORS
from pades.seal_validation import check_seal, is_trusted_seal
from pades.signatures import Embedded, embedded_signatures
from pades.updates.grammar import MAX_REVISIONS
from pades.verification.certificate_attachment import check_certificate_attachment
from pades.verification.file_structure import is_pdf, structure_findings
from pades.verification.findings import (
    common_name,
    earlier_signature_finding,
    finding,
    level_findings,
    seal_findings,
    statement_findings,
    unreadable_findings,
)
from pades.verification.signature_validation import SignatureValidator, ValidationResult, read_embedded_data
from pades.verification.signed_ranges import Signature, signatures_of

TOOLS = {"Undersign": VERSION, "pyHanko": version("pyHanko"), "qpdf": pikepdf.__libqpdf_version__}
"""The programs that verify a seal, with their versions."""

for _logger in ("pyhanko", "pyhanko_certvalidator"):
    logging.getLogger(_logger).setLevel(logging.CRITICAL)  # they log each untrusted certificate

_NO_PDF = "This is not a PDF: it does not begin like one."
_DAMAGED = "It cannot be read as a PDF: it is damaged, or was cut off."
_NO_SEAL = "There is no seal in this PDF, nor any other signature."
_NO_READABLE_SEAL = "There is no seal in this PDF. It has a signature of others, which cannot be checked."
_ENCRYPTED = "It is encrypted, so it cannot be checked. Save it without a password."
_MAX_ENDS = 20 * MAX_REVISIONS
"""Limit of `startxref` in a file. Attached PDFs have their own."""

_TOO_MANY_REVISIONS = (
    f"It has more than {MAX_REVISIONS} revisions, which no file of this service has. It was not checked further."
)
_REMAINS = "It was sealed or signed once, but the rest of that signature cannot be read: the file was changed since."
_RANGE = re.compile(rb"/ByteRange\s*\[\s*0\s+(\d{1,10})\s+(\d{1,10})\s+(\d{1,10})\s*\]")
_MARKS_OF_SEALS = (b"/ByteRange", b"/DocMDP", b"/ETSI.CAdES.detached")
_KIND_OF_OURS = b"/ETSI.CAdES.detached"
_MARK_OF_OURS = core.ObjectIdentifier(STATEMENT).dump().hex().encode()


@dataclass(frozen=True, slots=True)
class ValidatedSignature:
    """The seal and its validation result. `riders` are bytes in its place that belong to no seal."""

    signature: Signature
    result: ValidationResult
    riders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Signed:
    """The signatures of a file: the seal, the others (no timestamps), and the number of those that are unreadable."""

    seal: ValidatedSignature
    others: Sequence[Signature]
    unreadable: int


def verify_file(file: bytes, trusted: TrustAnchors, now: datetime, *, is_part: bool = False) -> FileReport:
    """Verifies `file` with the certificates that are `trusted`.

    Never raises. Excessive time or memory ends the child process. `is_part`: `file` is a prefix of another file, so its
    own prefixes are not verified.
    """
    if not is_pdf(file) or file.count(b"startxref") > _MAX_ENDS:
        return _unreadable(file, _TOO_MANY_REVISIONS if is_pdf(file) else _NO_PDF)
    structure = structure_findings(file)
    try:
        reader = PdfFileReader(BytesIO(file), strict=False)
        if reader.encrypted or reader.xrefs.total_revisions > MAX_REVISIONS:
            return _unreadable(file, _ENCRYPTED if reader.encrypted else _TOO_MANY_REVISIONS)
        embedded = embedded_signatures(reader)
        with ThreadPoolExecutor(1) as thread:  # the caller's thread may have an event loop
            signed = thread.submit(asyncio.run, _find_seal(reader, file, embedded, (trusted, now))).result()
        has_trusted = signed is not None and signed.seal.result.has_trusted_certificate
        if signed is not None and (has_trusted or not (signed.unreadable and _has_mark(file, trusted))):
            structure = structure_findings(file, signed.seal.signature.end, reader)
            return _sealed(structure, signed, trusted)
        text = _NO_READABLE_SEAL if embedded.readable or embedded.unreadable else _NO_SEAL
        without = _report(file, Verdict.NOT_SEALED, *structure, finding(Check.SEAL, Outcome.FAILS, text))
        if text == _NO_READABLE_SEAL and not _has_mark(file, trusted):
            return without
    except PARSE_ERRORS:
        without = _unreadable(file, _DAMAGED, *structure)
    if not has_seal_remnants(file):
        return without
    beginning = None if is_part else sealed_revision(file)
    return _with_remains(file, structure, verify_file(beginning, trusted, now, is_part=True) if beginning else None)


def _has_mark(file: bytes, trusted: TrustAnchors) -> bool:
    """Whether the file has a signature that may be of the service, however damaged."""
    if _KIND_OF_OURS in file:
        return True
    names = [x509.Certificate.load(one).subject.dump().hex().encode() for one in trusted.seals]
    written = file.lower()
    return any(mark in written for mark in (_MARK_OF_OURS, *names))


def _with_remains(file: bytes, structure: tuple[Finding, ...], within: FileReport | None) -> FileReport:
    """Reports a file that was sealed but cannot be read as it is now. `within` is the report of its prefix."""
    if within is None or not within.verdict.is_intact:
        return _report(file, Verdict.CHANGED, *structure, finding(Check.SEAL, Outcome.FAILS, _REMAINS))
    text = (
        f"{len(file) - within.size} bytes were added after the seal. The first {within.size} bytes are a sealed "
        "PDF still."
    )
    return _report(file, Verdict.CHANGED, *structure, finding(Check.CHANGES, Outcome.FAILS, text))


async def _find_seal(
    reader: PdfFileReader, file: bytes, embedded: Embedded, context: tuple[TrustAnchors, datetime]
) -> _Signed | None:
    """Returns the seal: the newest signature with a trusted certificate, or else the newest that can be validated."""
    trusted, now = context
    signatures = signatures_of(embedded.readable, file, trusted.seals)
    for signature in signatures:
        signature.compute_coverage()
    validator = SignatureValidator(trusted, read_embedded_data(reader, signatures), now)
    stamps = [signature for signature in signatures if signature.is_timestamp]
    candidates = [signature for signature in reversed(signatures) if not signature.is_timestamp]
    pinned = [one for one in candidates if is_trusted_seal(one.embedded.signer_cert, trusted)]
    seal: ValidatedSignature | None = None
    for signature in (*pinned, *(one for one in candidates if one not in pinned)):
        later = [stamp for stamp in stamps if stamp.end > signature.end]
        try:
            result = await validator.validate(signature, later)
        except PARSE_ERRORS:
            # A damaged signature must not prevent the validation of the seal.
            continue
        if seal is None or result.has_trusted_certificate:
            seal = ValidatedSignature(signature, result, seal_riders(signature.reserved_region))
        if result.has_trusted_certificate or signature not in pinned:
            break
    if seal is None:
        return None
    if embedded.unreadable and embedded.unreadable > _unreadable_before(seal.signature):
        seal = replace(seal, result=replace(seal.result, are_timestamps_valid=False))
    others = [one for one in reversed(candidates) if one is not seal.signature]
    return _Signed(seal, others, embedded.unreadable)


def _unreadable_before(signature: Signature) -> int:
    """Returns the number of signatures that cannot be read in the bytes that `signature` covers."""
    sealed = PdfFileReader(BytesIO(signature.file[: signature.end]), strict=False)
    return embedded_signatures(sealed).unreadable


def _sealed(structure: tuple[Finding, ...], signed: _Signed, trusted: TrustAnchors) -> FileReport:
    """Reports on the seal and the other signatures."""
    seal = signed.seal
    file = seal.signature.file
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
        *seal_findings(seal.signature, seal.result, disallowed, riders=seal.riders),
        *level_findings(level),
        *stated,
        *(earlier_signature_finding(one) for one in signed.others),
        *unreadable_findings(signed.unreadable, seal.signature),
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
        return check_seal(file, trusted, has_checked_updates=True)
    except SealNotValid:
        return seal.result.level


def _verdict(seal: ValidatedSignature) -> Verdict:
    result = seal.result
    is_whole = result.is_sound and seal.signature.covers_its_revision and result.are_timestamps_valid
    if not is_whole or (seal.result.has_trusted_certificate and (seal.riders or result.is_timestamp_wrong)):
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
    return FileReport(sha256=digest(file), size=len(file), verdict=verdict, findings=findings, tools=TOOLS)


def has_seal_remnants(file: bytes) -> bool:
    """Whether the bytes have keywords of a signature, even if the file has no readable one."""
    return any(mark in file for mark in _MARKS_OF_SEALS)


def sealed_revision(file: bytes) -> bytes | None:
    """Returns the longest part of the file that a signature covers from its start, if more bytes follow."""
    ends = (int(match[2]) + int(match[3]) for match in _RANGE.finditer(file))
    end = max((end for end in ends if end < len(file)), default=0)
    return file[:end] if end else None
