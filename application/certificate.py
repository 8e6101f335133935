"""Composes the certificate of completion (Specification 4.3), with its facts attached as JSON.

The same facts give the same bytes.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from domain.audit.certificate_schema import (
    FILE_NAME,
    MEDIA_TYPE,
    ChainEvidence,
    DelegationEvidence,
    DocumentEvidence,
    EventEvidence,
    Evidence,
    RecipientEvidence,
    SessionEvidence,
)
from domain.audit.events import ActorKind, Event, EventType, chain_is_intact
from domain.audit.recipient_names import names_at_events
from domain.seal.materials import Materials
from domain.seal.seal import CompletionCertificate
from domain.session.fields import CONSENT_TEXT, CONSENT_VERSION
from domain.session.recipients import Recipient, RecipientRole, RecipientVerification
from domain.session.session import Session, SessionFile
from domain.shared.times import rfc3339
from layout.pdf.attachments import Attachment
from layout.reports.report import Entry, Heading, Note, Part, Report, Table, TableWithQrCode, TextRole

_CONSENTS = {CONSENT_VERSION: CONSENT_TEXT}
_BY_LINK = "a secret link sent to this email address"
_BY_PROGRAM = (
    "a program of {organisation} (API client {program}), which identified them and opened the documents for them by a "
    "single-use address; the service itself did not check who they are"
)
_BY_CODE = "a one-time code sent to this email address, entered before the documents opened"

_FACTS = (3.0, 11.0)  # relative widths of the columns
_SUMMARY = (2.4, 6.0)
_HISTORY = (1.0, 5.0, 17.0)

_ALL_OF = {1: "the only recipient", 2: "both recipients"}
_ROLES = {
    "approver": "Approver: read the documents and approved them, without signing",
    "copy": "Copy: was asked for nothing, and gets the signed documents",
}
_DONE_BY = {"approver": "approved by", "copy": "a copy to"}
_STATUSES = {
    "completed": "All have signed; the signed documents are being generated",
    "completedAndGenerated": "All have signed; every signed document is sealed, checked and stored",
}
_UPLOADED = "An uploaded PDF, sent along for reference: it has nothing to fill in, and was shown as it was uploaded"
_CHECKING = (
    "The PDF of this certificate and those of the documents are sealed: a PDF reader shows the seal and whether "
    "anything was changed after it. “undersign verify” checks seal, history and the documents’ hashes on any machine "
    "without a network, and the page at {url} does the same. The facts of this certificate are attached to it as "
    f"JSON ({FILE_NAME}), with the whole history as it was chained."
)
_CHAINING = (
    "Every event is chained to the one before it: its hash is the SHA-256 of the canonical JSON (RFC 8785) of its "
    "other members, the hash of the event before among them. Changing, removing or adding an event breaks the "
    "chain. When this certificate was composed, the chain was checked and was {state}."
)


_TITLES = {
    EventType.SESSION_CREATED: "Session created",
    EventType.SESSION_EDITED: "Draft changed",
    EventType.SESSION_SENT: "Session sent",
    EventType.RECIPIENT_INVITED: "Invited",
    EventType.RECIPIENT_INVITATION_FAILED: "Invitation refused by the mail server",
    EventType.RECIPIENT_REMINDED: "Reminded",
    EventType.RECIPIENT_CORRECTED: "Name or email address corrected",
    EventType.RECIPIENT_DELEGATED: "Passed on to another person",
    EventType.RECIPIENT_VIEWED: "Documents opened",
    EventType.RECIPIENT_CONSENTED: "Consent to sign electronically given",
    EventType.RECIPIENT_COMPLETED: "Signed",
    EventType.RECIPIENT_APPROVED: "Approved",
    EventType.RECIPIENT_DECLINED: "Declined to sign",
    EventType.SESSION_COMPLETED: "All have signed",
    EventType.SESSION_DOCUMENTS_GENERATED: "Signed documents generated, checked and stored",
    EventType.SESSION_SEAL_RAISED: "The seal of a document raised to a higher level",
    EventType.SESSION_DOWNLOADED: "A copy downloaded for the first time",
    EventType.SESSION_VALUES_READ: "Entered values read by a program for the first time",
    EventType.SESSION_RESCHEDULED: "Expiry or reminders changed",
    EventType.SESSION_DECLINED: "Session ended because a recipient declined",
    EventType.SESSION_EXPIRED: "Session expired",
    EventType.SESSION_ARCHIVED: "Session archived",
    EventType.SESSION_RESTORED: "Session restored",
}
_ACTORS = {
    ActorKind.CLIENT: "By API client",
    ActorKind.RECIPIENT: "By recipient",
    ActorKind.USER: "By user",
    ActorKind.SYSTEM: "By the service,",
}


@dataclass(frozen=True, slots=True)
class CertificateFacts:
    """The input of a certificate. `events` is the whole history, `verify_url` the page that verifies certificates."""

    session: Session
    events: tuple[Event, ...]
    service_version: str
    verify_url: str

    @property
    def statement(self) -> CompletionCertificate:
        """The statement in the seal of the certificate."""
        session = self.session
        return CompletionCertificate(session_id=session.session_id, head=session.head, length=len(self.events))


def evidence_of(facts: CertificateFacts) -> Evidence:
    """Returns the facts that are attached to the certificate as JSON."""
    session = facts.session
    return Evidence(
        service_version=facts.service_version,
        verify_url=facts.verify_url,
        session=SessionEvidence(
            session_id=session.session_id,
            name=session.name,
            organisation_id=session.organisation_id,
            organisation_name=session.organisation_name,
            status=session.status.value,
            created_at=rfc3339(session.created_at),
            sent_at=_time(session.sent_at),
            completed_at=_time(session.completed_at),
            expiry_date=_time(session.expires_at),
        ),
        documents=tuple(_document(session, file) for file in session.files),
        recipients=tuple(_recipient(session, person, facts.events) for person in session.recipients),
        events=tuple(EventEvidence.model_validate({**event.facts(), "hash": event.hash}) for event in facts.events),
        chain=ChainEvidence(length=len(facts.events), head=session.head),
    )


def _document(session: Session, file: SessionFile) -> DocumentEvidence:
    return DocumentEvidence(
        file_id=file.file_id,
        file_name=file.file_name,
        type=file.type.value,
        page_count=file.page_count,
        sha256=file.rendered.sha256,
        materials_sha256=Materials.of(session, file).sha256,
        signed_sha256=file.signed.sha256 if file.signed else None,
        seal_level=file.seal_level.value if file.seal_level else None,
    )


def _recipient(session: Session, person: Recipient, events: tuple[Event, ...]) -> RecipientEvidence:
    consented = _latest(events, EventType.RECIPIENT_CONSENTED, person)
    act = EventType.RECIPIENT_APPROVED if person.approves else EventType.RECIPIENT_COMPLETED
    completed, at = _latest(events, act, person), _time(person.completed_at)
    consent, signed = consented.details if consented else {}, completed.details if completed else {}
    version = _text(consent, "consentVersion")
    return RecipientEvidence(
        recipient_id=person.recipient_id,
        key=person.key,
        name=person.name,
        email=person.email,
        signing_order=person.signing_order,
        status=person.status.value,
        identified_by=()
        if person.gets_copy
        else tuple(_ways(session, signed.get("program"), has_entered_code=_entered_code(events, person))),
        invited_at=_time(person.sent_at),
        viewed_at=_time(person.viewed_at),
        consented_at=rfc3339(consented.at) if consented else None,
        consent_version=version,
        consent_text=_CONSENTS.get(version or ""),
        signed_at=at if person.signs else None,
        role=None if person.signs else person.role.value,
        approved_at=at if person.approves else None,
        delegations=tuple(_delegations(events, person)),
        date_signed=_text(signed, "dateSigned"),
        time_zone=_text(signed, "timeZone"),
        ip=completed.ip if completed else None,
        user_agent=completed.user_agent if completed else None,
        signature_sha256=_text(signed, "signatureSha256"),
        submission_sha256=_text(signed, "submissionSha256"),
    )


def _delegations(events: tuple[Event, ...], person: Recipient) -> Iterator[DelegationEvidence]:
    for event in events:
        details = event.details
        if event.type is EventType.RECIPIENT_DELEGATED and details.get("recipientId") == person.recipient_id:
            name, email, reason = (str(details[member]) for member in ("previousName", "previousEmail", "reason"))
            yield DelegationEvidence(name=name, email=email, at=rfc3339(event.at), reason=reason)


def _ways(session: Session, program: object, *, has_entered_code: bool) -> Iterator[str]:
    yield _BY_PROGRAM.format(organisation=session.organisation_name, program=program) if program else _BY_LINK
    if has_entered_code:
        yield _BY_CODE


def _entered_code(events: tuple[Event, ...], person: Recipient) -> bool:
    viewed = _latest(events, EventType.RECIPIENT_VIEWED, person)
    return viewed is not None and viewed.details.get("identifiedBy") == RecipientVerification.EMAIL_CODE


def _latest(events: tuple[Event, ...], type: EventType, person: Recipient) -> Event | None:
    return next(
        (e for e in reversed(events) if e.type is type and e.details.get("recipientId") == person.recipient_id), None
    )


def _text(details: Mapping[str, str | int | None], member: str) -> str | None:
    found = details.get(member)
    return None if found is None else str(found)


def _time(at: datetime | None) -> str | None:
    return None if at is None else rfc3339(at)


class EventDescription(NamedTuple):
    """The title of an event, and the lines below it."""

    title: str
    lines: tuple[str, ...]


def describe_event(event: Event, names: Mapping[str, str]) -> EventDescription:
    """Describes an event. `names` are the names of the recipients by id."""
    name = names.get(str(event.details.get("recipientId")))
    title = _TITLES.get(event.type, event.type.value)
    return EventDescription(f"{title} · {name}" if name else title, tuple(_lines(event)))


def _lines(event: Event) -> Iterator[str]:
    actor = f"{_ACTORS[event.actor.kind]} {event.actor.id}"
    yield f"{event.type.value} · {actor}" + (f", from {event.ip}" if event.ip else "")
    if event.user_agent:
        yield f"With {event.user_agent}"
    yield from (f"{member} {event.details[member]}" for member in sorted(event.details) if member != "recipientId")


def compose(facts: CertificateFacts) -> Report:
    """Returns the certificate as a report for the layout engine."""
    evidence = evidence_of(facts)
    session = evidence.session
    attachment = Attachment(
        FILE_NAME, MEDIA_TYPE, "The facts of this certificate as JSON", evidence.to_bytes(), facts.session.updated_at
    )
    return Report(
        title="Certificate of completion",
        subtitle=session.name,
        footer=f"Certificate of completion, session {session.session_id}",
        parts=(
            *_summary(evidence, facts.events),
            *_documents(evidence),
            *_recipients(evidence),
            *_consents(evidence),
            *_history(evidence, facts.events),
            Heading("How to check this certificate"),
            Note(_CHECKING.format(url=evidence.verify_url)),
            Note(f"Composed by Undersign {evidence.service_version} from the recorded history.", TextRole.MUTED),
        ),
        attachments=(attachment,),
    )


def _summary(evidence: Evidence, events: tuple[Event, ...]) -> Iterator[Part]:
    session = evidence.session
    yield Note(_lead(evidence.recipients), TextRole.LEAD)
    rows = (
        _row("Session", session.name, TextRole.STRONG),
        _row("Organisation", session.organisation_name, TextRole.STRONG),
        _row("Status", _STATUSES.get(session.status, session.status)),
        _row("Created", _shown(session.created_at)),
        _row("Sent", _shown(session.sent_at)),
        _row("Completed", _shown(session.completed_at)),
        _row("Session id", session.session_id),
        _row("Organisation id", session.organisation_id),
        _row("History", f"{_number(len(events), 'event')}, chain {_state(events)}"),
    )
    yield TableWithQrCode(Table(_SUMMARY, rows), evidence.verify_url, "Check it here")


def _lead(recipients: Sequence[RecipientEvidence]) -> str:
    signed = sum(person.signed_at is not None for person in recipients)
    others = {role: sum(person.role == role for person in recipients) for role in _DONE_BY}
    if not any(others.values()):
        return f"Signed by {_ALL_OF.get(signed, f'all {signed} recipients')}"
    parts = [f"{_DONE_BY[role]} {_number(count, 'recipient')}" for role, count in others.items() if count]
    return ", ".join([f"Signed by {_number(signed, 'recipient')}", *parts])


def _documents(evidence: Evidence) -> Iterator[Part]:
    yield Heading("Documents")
    for number, document in enumerate(evidence.documents, start=1):
        yield Table(_FACTS, tuple(_document_rows(number, document)))


def _document_rows(number: int, document: DocumentEvidence) -> Iterator[tuple[tuple[Entry, ...], ...]]:
    pages = _number(document.page_count, "page")
    yield _row(f"Document {number}", document.file_name, TextRole.STRONG)
    yield _row("Pages", pages if document.type == "blocks" else f"{pages}. {_UPLOADED}")
    yield _row("SHA-256 as sent", document.sha256)
    yield _row("SHA-256 as signed", document.signed_sha256 or "the signed PDF is still being generated")
    yield _row("SHA-256 of materials", document.materials_sha256)
    if document.seal_level:
        yield _row("Seal", f"PAdES {document.seal_level}")
    yield _row("Document id", document.file_id)


def _recipients(evidence: Evidence) -> Iterator[Part]:
    yield Heading("Recipients")
    for number, recipient in enumerate(evidence.recipients, start=1):
        yield Table(_FACTS, tuple(_recipient_rows(number, recipient)))


def _recipient_rows(number: int, recipient: RecipientEvidence) -> Iterator[tuple[tuple[Entry, ...], ...]]:
    yield _row(f"Recipient {number}", recipient.name, TextRole.STRONG)
    yield _row("Email", recipient.email)
    if recipient.role is not None:
        yield _row("Role", _ROLES[recipient.role])
    for one in recipient.delegations:
        yield _row("Instead of", f"{one.name} <{one.email}>, who passed it on at {_shown(one.at)}: “{one.reason}”")
    if recipient.role != RecipientRole.COPY:
        yield _row("Status", f"{recipient.status}, signing order {recipient.signing_order}")
        yield _row("Identified by", "; ".join(recipient.identified_by))
    for name, at in (
        ("Invited", recipient.invited_at),
        ("Opened", recipient.viewed_at),
        ("Consented", recipient.consented_at),
        ("Signed", recipient.signed_at),
        ("Approved", recipient.approved_at),
    ):
        if at:
            yield _row(name, _shown(at))
    if recipient.date_signed:
        yield _row("Date signed", f"{recipient.date_signed}, the day in the time zone {recipient.time_zone}")
    if recipient.signed_at or recipient.approved_at:
        yield _row("Signed from" if recipient.signed_at else "Approved from", recipient.ip or "an unknown address")
        yield _row("Browser", recipient.user_agent or "unknown")
    if recipient.signed_at:
        yield _row("SHA-256 of signature", recipient.signature_sha256 or "unknown")
        yield _row("SHA-256 of entries", recipient.submission_sha256 or "unknown")
    yield _row("Recipient id", f"{recipient.recipient_id} ({recipient.key})")


def _consents(evidence: Evidence) -> Iterator[Part]:
    given: dict[tuple[str, str | None], list[str]] = {}
    for person in evidence.recipients:
        if person.consent_version is not None:
            given.setdefault((person.consent_version, person.consent_text), []).append(person.name)
    if not given:
        return
    yield Heading("Consent")
    for (version, text), names in given.items():
        rows = [_row("Text agreed to", f"“{text}”" if text else "see the documentation of the service")]
        rows += [_row("Version", version), _row("Agreed to by", ", ".join(names))]
        yield Table(_FACTS, tuple(rows))


def _history(evidence: Evidence, events: tuple[Event, ...]) -> Iterator[Part]:
    names = {person.recipient_id: person.name for person in evidence.recipients}
    yield Heading("History")
    yield Note(_CHAINING.format(state=_state(events)))
    yield Note(f"{_number(len(events), 'event')}. Head of the chain: {evidence.chain.head}", TextRole.PLAIN)
    rows = tuple(map(_event_row, events, names_at_events(events, names)))
    yield Table(_HISTORY, rows, head=("No.", "Time (UTC)", "Event"))


def _event_row(event: Event, names: Mapping[str, str]) -> tuple[tuple[Entry, ...], ...]:
    description = describe_event(event, names)
    return (
        (Entry(str(event.sequence), TextRole.MUTED),),
        (Entry(_shown(event.facts()["at"]).removesuffix(" UTC")),),
        (
            Entry(description.title, TextRole.STRONG),
            *(Entry(line, TextRole.FINE) for line in (*description.lines, f"Hash {event.hash}")),
        ),
    )


def _row(name: str, text: str, look: TextRole = TextRole.PLAIN) -> tuple[tuple[Entry, ...], ...]:
    return (Entry(name, TextRole.MUTED),), (Entry(text, look),)


def _shown(at: object) -> str:
    return "not yet" if at is None else f"{str(at).replace('T', ' ').removesuffix('Z')} UTC"


def _number(count: int, of: str) -> str:
    return f"{count} {of}" if count == 1 else f"{count} {of}s"


def _state(events: tuple[Event, ...]) -> str:
    return "intact" if chain_is_intact(events) else "BROKEN"
