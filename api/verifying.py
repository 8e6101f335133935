"""Checking PDFs for whoever asks, by command or by page. Child processes do it: the files may be anybody's."""

from collections.abc import Iterator
from datetime import datetime

from adapters.sealing.port import Trusted
from adapters.verification.examining import examine
from domain.evidence import Evidence
from domain.verification import Check, FileReport, Finding, Outcome

MAX_SIZE = 50_000_000
"""Bytes of a file that is checked: seven times what may be uploaded, for what seals and certificates add."""

_AGREES = "Its pages say the same as the facts that are attached to it."


def check_file(file: bytes, trusted: Trusted, now: datetime) -> FileReport:
    """All that can be said of `file`; for child processes."""
    report = examine(file, trusted, now)
    if report.certificate is None:
        return report
    return report.with_findings([_compared(_text_of(file), report.certificate)])


def _text_of(file: bytes) -> str:
    from layout.pdf.texts import text_of  # noqa: PLC0415  # what reads pages is loaded by child processes only

    try:
        return text_of(file)
    except RuntimeError:
        return ""


def _compared(text: str, evidence: Evidence) -> Finding:
    """The pages of a certificate against its JSON."""
    printed = "".join(text.split())
    missing = [told for told in _to_be_printed(evidence) if "".join(told.split()) not in printed]
    if missing:
        text = f"Its pages do not say what the attached facts say: {missing[0]} is not on them."
        return Finding(check=Check.FACTS, outcome=Outcome.FAILS, text=text)
    return Finding(check=Check.FACTS, outcome=Outcome.HOLDS, text=_AGREES)


def _to_be_printed(evidence: Evidence) -> Iterator[str]:
    """What the pages show letter by letter: no names, of which a font may lack letters."""
    yield from (evidence.session.session_id, evidence.session.organisation_id, evidence.chain.head)
    for document in evidence.documents:
        yield from (document.file_id, document.sha256)
        if document.signed_sha256:
            yield document.signed_sha256
    for person in evidence.recipients:
        yield person.recipient_id
        for told in (person.invited_at, person.viewed_at, person.consented_at, person.signed_at):
            if told:
                yield told.replace("T", " ").removesuffix("Z")
        yield from filter(None, (person.signature_sha256, person.submission_sha256))
    for event in evidence.events:
        yield event.hash
