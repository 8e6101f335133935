"""The JSON in a certificate of completion, checked against itself: the chain of events, and what it says of people."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import ValidationError
from pyhanko.pdf_utils import generic
from pyhanko.pdf_utils.reader import PdfFileReader

from adapters.verification.telling import finding
from domain.chains import Fault, find_break, head_of
from domain.evidence import FILE_NAME, FORMAT, Evidence, RecipientEvidence
from domain.verification import Check, FileReport, Finding, Outcome

_FAULTS = {
    Fault.CHANGED: "its hash is not that of what it says",
    Fault.NOT_NEXT: "it does not follow the one before it: events were taken out, added or put in another order",
    Fault.NO_EVENT: "it is no event",
}
_NOT_UNDERSTOOD = "It carries the facts of a certificate of completion, but they cannot be understood."


def attached_evidence(reader: PdfFileReader, report: FileReport) -> FileReport:
    """`report` with what the certificate's JSON says, if the PDF is a certificate of completion."""
    contents = _attached(reader)
    if contents is None:
        return report
    try:
        members = json.loads(contents)
        if not isinstance(members, dict) or members.get("format") != FORMAT:
            return report
        evidence = Evidence.model_validate(members)
    except (ValueError, RecursionError, ValidationError):
        return report.with_findings([finding(Check.HISTORY, Outcome.FAILS, _NOT_UNDERSTOOD)])
    found = (_history(evidence, members["events"]), *_people(evidence))
    return report.model_copy(update={"certificate": evidence}).with_findings(found)


def _attached(reader: PdfFileReader) -> bytes | None:
    """The contents of the file that certificates carry. It is named in the catalog, not in a tree of names."""
    for reference in reader.root.get("/AF", ()):
        specification = reference.get_object()
        if isinstance(specification, generic.DictionaryObject) and specification.get("/UF") == FILE_NAME:
            contents: bytes = specification["/EF"]["/F"].data
            return contents
    return None


def _history(evidence: Evidence, events: Sequence[Mapping[str, Any]]) -> Finding:
    broken = find_break(events)
    if broken is not None:
        text = f"The chain of events is broken at event {broken.place} of {len(events)}: {_FAULTS[broken.fault]}."
        return finding(Check.HISTORY, Outcome.FAILS, text)
    if (evidence.chain.head, evidence.chain.length) != (head_of(events), len(events)):
        text = "The chain of events does not end where the certificate says: events were taken out or added at its end."
        return finding(Check.HISTORY, Outcome.FAILS, text)
    text = f"The chain of its {len(events)} events is intact, up to its head {evidence.chain.head}."
    return finding(Check.HISTORY, Outcome.HOLDS, text)


def _people(evidence: Evidence) -> Iterator[Finding]:
    """Whether what it says about recipients is what the history says."""
    wrong = [person.name for person in evidence.recipients if not _agrees(person, evidence)]
    if wrong:
        text = f"What it says about {', '.join(wrong)} is not what its history says."
        yield finding(Check.FACTS, Outcome.FAILS, text)
    else:
        yield finding(Check.FACTS, Outcome.HOLDS, "What it says about the recipients is what its history says.")


def _agrees(person: RecipientEvidence, evidence: Evidence) -> bool:
    signed = [
        event
        for event in evidence.events
        if event.type == "recipient.completed" and event.details.get("recipientId") == person.recipient_id
    ]
    if not signed:
        return person.signed_at is None
    last = signed[-1]
    told = (person.signed_at, person.signature_sha256, person.submission_sha256, person.ip, person.user_agent)
    details = last.details
    return told == (last.at, details.get("signatureSha256"), details.get("submissionSha256"), last.ip, last.user_agent)
