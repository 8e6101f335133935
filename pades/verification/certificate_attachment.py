"""Consistency check of the JSON in a certificate of completion: its hash chain, and its data about recipients."""

import json
from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any

import pikepdf

from domain.audit.certificate_schema import Evidence, RecipientEvidence
from domain.audit.hash_chain import ChainError, find_break, head_of
from domain.audit.verification_report import Check, FileReport, Finding, Outcome, Verdict
from domain.seal.seal import CompletionCertificate, Statement
from pades.attached_files import attached_files
from pades.verification.findings import finding

_FAULTS = {
    ChainError.CHANGED: "its hash does not match its content",
    ChainError.NOT_NEXT: "it does not follow the one before it: events were taken out, added or put in another order",
    ChainError.NO_EVENT: "it is no event",
}
_NOT_UNDERSTOOD = "It carries the facts of a certificate of completion, but they cannot be understood."
_NOT_A_CERTIFICATE = (
    "The facts of a certificate of completion are attached to it, but it is none: no seal that is trusted here says "
    "that it is one. The data may be forged, so it is not shown."
)
_OF_ANOTHER = (
    "The facts that are attached to it are not those that it was sealed as: its seal names another session, or another "
    "history."
)
_WITHOUT_FACTS = "Its seal says that it is a certificate of completion, but the facts of exactly one are not in it."
_UNREADABLE = "A file that is attached to it cannot be read."


class _NotAsStated(Exception):
    """The attachment contradicts the statement of the seal."""


def check_certificate_attachment(file: bytes, report: FileReport) -> FileReport:
    """Returns `report` with findings about the attached JSON of a certificate of completion.

    The JSON counts only if the seal states that the file is a certificate of completion.
    """
    stated = report.seal.statement if report.seal else None
    try:
        contents = _attached(file, stated)
        if not isinstance(stated, CompletionCertificate):
            return report
        members, evidence = _parse(contents, stated)
    except _NotAsStated as error:
        updated = report.with_findings([finding(Check.HISTORY, Outcome.FAILS, str(error))])
        return updated.model_copy(update={"verdict": Verdict.CONTRADICTORY})
    updated = report.with_findings([_history(evidence, members["events"]), _recipients(evidence)])
    return updated.model_copy(update={"certificate": evidence})


def _attached(file: bytes, stated: Statement | None) -> bytes:
    """Returns the JSON attached to a certificate of completion; nothing if the seal states another kind of document."""
    try:
        with pikepdf.open(BytesIO(file)) as pdf:
            attached = list(attached_files(pdf))
    except (pikepdf.PdfError, RuntimeError) as error:
        if stated:
            raise _NotAsStated(_UNREADABLE) from error
        return b""
    if stated and any(one.contents is None for one in attached):
        raise _NotAsStated(_UNREADABLE)
    facts = {one.contents for one in attached if one.contents and one.reads_as_certificate}
    if isinstance(stated, CompletionCertificate):
        if len(facts) != 1:
            raise _NotAsStated(_WITHOUT_FACTS)
        return facts.pop()
    if facts:
        raise _NotAsStated(_NOT_A_CERTIFICATE)
    return b""


def _parse(contents: bytes, stated: CompletionCertificate) -> tuple[dict[str, Any], Evidence]:
    try:
        members: dict[str, Any] = json.loads(contents)
        evidence = Evidence.model_validate(members)
    except (ValueError, RecursionError) as error:
        raise _NotAsStated(_NOT_UNDERSTOOD) from error
    attached = (evidence.session.session_id, evidence.chain.head, evidence.chain.length)
    if attached != (stated.session_id, stated.head, stated.length):
        raise _NotAsStated(_OF_ANOTHER)
    return members, evidence


def _history(evidence: Evidence, events: Sequence[Mapping[str, Any]]) -> Finding:
    lost = frozenset(evidence.chain.lost_events)
    broken, outcome = find_break(events, lost), Outcome.FAILS
    if broken is not None:
        text = f"The chain of events is broken at event {broken.place} of {len(events)}: {_FAULTS[broken.fault]}."
    elif (evidence.chain.head, evidence.chain.length) != (head_of(events), len(events)):
        text = "The chain of events does not end where the certificate says: events were taken out or added at its end."
    else:
        outcome = Outcome.HOLDS
        text = f"The chain of its {len(events)} events is intact, up to its head {evidence.chain.head}."
        if lost:
            text += f" A restore from a backup lost {len(lost)} events, as it says."
    return finding(Check.HISTORY, outcome, text)


def _recipients(evidence: Evidence) -> Finding:
    """Compares the data about recipients with the recorded events."""
    wrong = [person.name for person in evidence.recipients if not _agrees(person, evidence)]
    if wrong:
        return finding(
            Check.FACTS, Outcome.FAILS, f"What it says about {', '.join(wrong)} is not what its history says."
        )
    return finding(Check.FACTS, Outcome.HOLDS, "What it says about the recipients is what its history says.")


def _agrees(person: RecipientEvidence, evidence: Evidence) -> bool:
    own = [event for event in evidence.events if event.details.get("recipientId") == person.recipient_id]
    signed = [event for event in own if event.type == "recipient.completed"]
    approved = [(event.at, event.ip, event.user_agent) for event in own if event.type == "recipient.approved"]
    if approved[-1:] != ([(person.approved_at, person.ip, person.user_agent)] if person.approved_at else []):
        return False
    delegated = [
        (event.at, *map(event.details.get, ("previousName", "previousEmail", "reason")))
        for event in own
        if event.type == "recipient.delegated"
    ]
    if delegated != [(one.at, one.name, one.email, one.reason) for one in person.delegations]:
        return False
    if not signed:
        return person.signed_at is None
    last, details = signed[-1], signed[-1].details
    claimed = (person.signature_sha256, person.submission_sha256, person.date_signed, person.time_zone)
    recorded = tuple(map(details.get, ("signatureSha256", "submissionSha256", "dateSigned", "timeZone")))
    where = (person.signed_at, person.ip, person.user_agent)
    return claimed == recorded and where == (last.at, last.ip, last.user_agent)
