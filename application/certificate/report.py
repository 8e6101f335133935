"""The certificate of completion: what an auditor wants to know, composed as a report (Specification 4.3).

It is laid out by the engine that makes the documents, so it looks like one of them, and carries the same facts as JSON
for programs (`domain.audit.certificate_data`). Composing is a pure function of the facts: the same facts give the same
bytes.
"""

from collections.abc import Iterator, Mapping

from application.certificate.event_descriptions import story_of
from application.certificate.facts import CertificateFacts, evidence_of
from domain.audit.certificate_data import FILE_NAME, MEDIA_TYPE, DocumentEvidence, Evidence, RecipientEvidence
from domain.audit.events import Event, chain_is_intact
from layout.pdf.attachments import Attachment
from layout.reports.report import Entry, Heading, Note, Part, Report, Table, TableWithQrCode, TextRole

__all__ = ["CertificateFacts", "compose"]

_ABOUT = (3.0, 11.0)  # the shares of a name and of what it names
_SUMMARY = (2.4, 6.0)
_HISTORY = (1.0, 5.0, 17.0)

_ALL_OF = {1: "the only recipient", 2: "both recipients"}
_STATUSES = {
    "completed": "All have signed; the signed documents are being generated",
    "completedAndGenerated": "All have signed; every signed document is sealed, checked and stored",
}
_UPLOADED = "An uploaded PDF, sent along for reference: it has nothing to fill in, and was shown as it was uploaded"
_CHECKING = (
    "The PDF of this certificate and those of the documents are sealed: a PDF reader shows the seal and whether "
    "anything was changed after it. “undersign verify” checks seal, history and the documents’ hashes on any machine "
    "without asking anybody, and the page at {url} does the same. The facts of this certificate are attached to it as "
    f"JSON ({FILE_NAME}), with the whole history as it was chained."
)
_CHAINING = (
    "Every event is chained to the one before it: its hash is the SHA-256 of the canonical JSON (RFC 8785) of its "
    "other members, the hash of the event before among them. Whoever changes, removes or adds an event breaks the "
    "chain. When this certificate was composed, the chain was checked and was {state}."
)


def compose(facts: CertificateFacts) -> Report:
    """The certificate, with its facts as JSON attached."""
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
    session, signed = evidence.session, [person for person in evidence.recipients if person.signed_at]
    yield Note(f"Signed by {_ALL_OF.get(len(signed), f'all {len(signed)} recipients')}", TextRole.LEAD)
    table = Table(
        _SUMMARY,
        tuple(
            _row(name, text, look)
            for name, text, look in (
                ("Session", session.name, TextRole.STRONG),
                ("Organisation", session.organisation_name, TextRole.STRONG),
                ("Status", _STATUSES.get(session.status, session.status), TextRole.PLAIN),
                ("Created", _shown(session.created_at), TextRole.PLAIN),
                ("Sent", _shown(session.sent_at), TextRole.PLAIN),
                ("Completed", _shown(session.completed_at), TextRole.PLAIN),
                ("Session id", session.session_id, TextRole.PLAIN),
                ("Organisation id", session.organisation_id, TextRole.PLAIN),
                ("History", f"{_number(len(events), 'event')}, chain {_state(events)}", TextRole.PLAIN),
            )
        ),
    )
    yield TableWithQrCode(table, evidence.verify_url, "Check it here")


def _documents(evidence: Evidence) -> Iterator[Part]:
    yield Heading("Documents")
    for number, document in enumerate(evidence.documents, start=1):
        yield Table(_ABOUT, tuple(_document_rows(number, document)))


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
        yield Table(_ABOUT, tuple(_recipient_rows(number, recipient)))


def _recipient_rows(number: int, recipient: RecipientEvidence) -> Iterator[tuple[tuple[Entry, ...], ...]]:
    yield _row(f"Recipient {number}", recipient.name, TextRole.STRONG)
    yield _row("Email", recipient.email)
    yield _row("Status", f"{recipient.status}, signing order {recipient.signing_order}")
    yield _row("Identified by", "; ".join(recipient.identified_by))
    for name, at in (
        ("Invited", recipient.invited_at),
        ("Opened", recipient.viewed_at),
        ("Consented", recipient.consented_at),
        ("Signed", recipient.signed_at),
    ):
        if at:
            yield _row(name, _shown(at))
    if recipient.date_signed:
        yield _row("Date signed", f"{recipient.date_signed}, the day in the time zone {recipient.time_zone}")
    if recipient.signed_at:
        yield _row("Signed from", recipient.ip or "an unknown address")
        yield _row("Browser", recipient.user_agent or "unknown")
        yield _row("SHA-256 of signature", recipient.signature_sha256 or "unknown")
        yield _row("SHA-256 of entries", recipient.submission_sha256 or "unknown")
    yield _row("Recipient id", f"{recipient.recipient_id} ({recipient.key})")


def _consents(evidence: Evidence) -> Iterator[Part]:
    """Each text once, with those who agreed to it."""
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
        yield Table(_ABOUT, tuple(rows))


def _history(evidence: Evidence, events: tuple[Event, ...]) -> Iterator[Part]:
    names = {person.recipient_id: person.name for person in evidence.recipients}
    yield Heading("History")
    yield Note(_CHAINING.format(state=_state(events)))
    yield Note(f"{_number(len(events), 'event')}. Head of the chain: {evidence.chain.head}", TextRole.PLAIN)
    yield Table(_HISTORY, tuple(_event_row(event, names) for event in events), head=("No.", "Time (UTC)", "Event"))


def _event_row(event: Event, names: Mapping[str, str]) -> tuple[tuple[Entry, ...], ...]:
    story = story_of(event, names)
    return (
        (Entry(str(event.sequence), TextRole.MUTED),),
        (Entry(_shown(event.facts()["at"]).removesuffix(" UTC")),),
        (
            Entry(story.title, TextRole.STRONG),
            *(Entry(line, TextRole.FINE) for line in story.lines),
            Entry(f"Hash {event.hash}", TextRole.FINE),
        ),
    )


def _row(name: str, text: str, look: TextRole = TextRole.PLAIN) -> tuple[tuple[Entry, ...], ...]:
    return (Entry(name, TextRole.MUTED),), (Entry(text, look),)


def _shown(at: object) -> str:
    """A time such as `2026-06-12 10:30:00.000 UTC`."""
    return "not yet" if at is None else f"{str(at).replace('T', ' ').removesuffix('Z')} UTC"


def _number(count: int, of: str) -> str:
    return f"{count} {of}" if count == 1 else f"{count} {of}s"


def _state(events: tuple[Event, ...]) -> str:
    return "intact" if chain_is_intact(events) else "BROKEN"
