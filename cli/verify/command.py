"""`undersign verify`: verifies sealed PDFs, and prints findings."""

import asyncio
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from enum import IntEnum
from pathlib import Path

from adapters.processes.job_limits import UNTRUSTED_FILES, JobLimits
from adapters.processes.pool import ForkServerPool
from adapters.sealing.factory import LOCAL
from adapters.sealing.trust_store import read_certificates, read_trusted
from application.documents.verify import MAX_SIZE, check_file
from cli.backends import key_errors, read_settings
from cli.output import InvalidInput
from domain.audit.verification_report import Check, FileReport, Finding, Outcome, Verdict, cross_check_documents
from domain.ports.process_pool import ProcessDied
from domain.ports.seals import TrustAnchors
from domain.shared.printable import printable


class ExitCode(IntEnum):
    ALL_HOLDS = 0
    NOT_ALL_HOLDS = 1
    NOT_READABLE = 2


CHECK_LIMITS = JobLimits(seconds=120, memory=UNTRUSTED_FILES.memory)
"""Longer than in the API: a busy machine starts processes slowly, and no request waits."""

_MARKS = {Outcome.HOLDS: "  ok    ", Outcome.FAILS: "  FAILS ", Outcome.OPEN: "  note  "}
_LIMIT_EXCEEDED = "Checking it exceeds the limit of time or memory. It could not be verified."


def verify_files(paths: Sequence[Path], trusted: TrustAnchors, *, as_json: bool) -> ExitCode:
    """Verifies every file, checks documents against the certificates among them, and prints the results."""
    contents = [_read(path) for path in paths]
    reports = cross_check_documents(asyncio.run(_check(contents, trusted)))
    verdicts = {report.verdict for report in reports}
    code = ExitCode.ALL_HOLDS if verdicts == {Verdict.GENUINE} else ExitCode.NOT_ALL_HOLDS
    if Verdict.UNREADABLE in verdicts:
        code = ExitCode.NOT_READABLE
    if as_json:
        files = [{"file": _name(path), **report.to_members()} for path, report in zip(paths, reports, strict=True)]
        print(json.dumps({"allHolds": code is ExitCode.ALL_HOLDS, "files": files}, ensure_ascii=False))
        return code
    print("\n\n".join("\n".join(_lines(path, report)) for path, report in zip(paths, reports, strict=True)))
    return code


def print_findings(findings: Sequence[Finding], *, as_json: bool) -> ExitCode:
    """Prints each finding with its outcome; returns the exit code."""
    fails = any(finding.outcome is Outcome.FAILS for finding in findings)
    if as_json:
        rows = [{"check": one.check.value, "outcome": one.outcome.value, "text": one.text} for one in findings]
        print(json.dumps({"allHolds": not fails, "findings": rows}, ensure_ascii=False))
    else:
        print("\n".join(f"{_MARKS[finding.outcome]}{finding.text}" for finding in findings))
    return ExitCode.NOT_ALL_HOLDS if fails else ExitCode.ALL_HOLDS


def read_trusted_certificates(seals: Sequence[Path], timestamps: Sequence[Path]) -> TrustAnchors:
    """Returns the certificates in the files; without files for seals, those that this installation trusts."""
    with key_errors():
        named = tuple(der for path in seals for der in read_certificates(path))
        clocks = tuple(der for path in timestamps for der in read_certificates(path))
        if seals:
            return TrustAnchors(named, clocks)
        settings = read_settings()
        own = () if settings.timestamp_roots is None else read_certificates(settings.timestamp_roots)
        return read_trusted(settings.data_dir / "keys" / LOCAL, (*own, *clocks))


async def _check(contents: Sequence[bytes], trusted: TrustAnchors) -> list[FileReport]:
    pool = ForkServerPool(1, limits=CHECK_LIMITS)
    try:
        return [await _check_one(pool, content, trusted) for content in contents]
    finally:
        await pool.close()


async def _check_one(pool: ForkServerPool, content: bytes, trusted: TrustAnchors) -> FileReport:
    try:
        return await pool.run(check_file, content, trusted, datetime.now(UTC))
    except ProcessDied:
        return FileReport.unreadable(content, Finding(check=Check.FILE, outcome=Outcome.FAILS, text=_LIMIT_EXCEEDED))


def _read(path: Path) -> bytes:
    try:
        if path.stat().st_size > MAX_SIZE:
            limit = f"{MAX_SIZE // 1_000_000} MB"
            raise InvalidInput(f"{_name(path)} is larger than {limit}. Files of the service are smaller.")
        return path.read_bytes()
    except OSError as error:
        raise InvalidInput(f"{_name(path)}: {error.strerror}.") from error


def _name(path: Path) -> str:
    """Returns the name of a file so that it cannot pass for other output."""
    return printable(str(path))


def _lines(path: Path, report: FileReport) -> list[str]:
    lines = [_name(path), report.summary]
    lines += [f"{_MARKS[finding.outcome]}{finding.text}" for finding in report.findings]
    if report.seal is not None:
        lines.append(f"  SHA-256 of the certificate of the seal: {report.seal.certificate_sha256}")
    lines.append(f"  SHA-256 of the file: {report.sha256}")
    if report.tools:
        lines.append(f"  Verified with {', '.join(f'{name} {version}' for name, version in report.tools.items())}.")
    return lines
