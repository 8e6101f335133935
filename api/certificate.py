"""The certificate of completion: what an auditor wants to know, composed as a block document (contract 9).

It is laid out by the engine that makes the documents, so it looks like one of them. Composing is a pure function of
the facts: the same facts give the same bytes.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

import rfc8785

from domain.events import Event, EventType, chain_is_intact
from domain.fields import CONSENT_TEXT, CONSENT_VERSION
from domain.recipients import Recipient
from domain.session import FileType, Session, SessionFile
from domain.times import rfc3339
from layout.document import Block, BlockDocument, Heading, Paragraph, Spacer

Undrawable = Callable[[str], str]
"""Gives the characters of a text that cannot be drawn."""

_SMALL = 8.5
_FINE = 8
_CONSENTS = {CONSENT_VERSION: CONSENT_TEXT}


@dataclass(frozen=True, slots=True)
class CertificateFacts:
    """All that goes into a certificate. `events` is the whole history up to the session's latest event."""

    session: Session
    events: tuple[Event, ...]
    service_version: str


def compose(facts: CertificateFacts, undrawable: Undrawable) -> BlockDocument:
    """The certificate as blocks. What cannot be printed in names and browsers is printed as a question mark."""
    session = facts.session
    clean = _Printable(undrawable)
    return BlockDocument(
        format="blocks",
        title="Certificate of completion",
        subtitle=clean(session.name),
        footer_label=f"Certificate of completion, session {session.session_id}",
        blocks=(*_session(facts, clean), *_files(session, clean), *_recipients(facts, clean), *_history(facts, clean)),
    )


class _Printable:
    """Makes texts that others wrote printable: no character that cannot be drawn, nothing that reads as a token."""

    def __init__(self, undrawable: Undrawable) -> None:
        self._undrawable = undrawable

    def __call__(self, text: str) -> str:
        replaced = text.translate({ord(character): "?" for character in self._undrawable(text)})
        return replaced.replace("{{{", "{ { {")

    def lines(self, *lines: str | None, size: float = _SMALL) -> Paragraph:
        """A paragraph of these lines, without those that are None."""
        text = "\n".join(self(line) for line in lines if line is not None)
        return Paragraph(type="paragraph", text=text, font_size=size)


def _session(facts: CertificateFacts, clean: _Printable) -> Iterator[Block]:
    session = facts.session
    yield clean.lines(
        f"This certificate says who signed the documents of this session, when and from where, and which events led "
        f"to it. It was composed by Undersign {facts.service_version} from the recorded history of the session. "
        f"All times are UTC.",
        size=10,
    )
    yield _heading("Session")
    yield clean.lines(
        f"Name: {session.name}",
        f"Organisation: {session.organisation_name}",
        f"Session: {session.session_id}",
        f"Organisation identifier: {session.organisation_id}",
        f"Status: {session.status.value}",
        _when("Created", session.created_at),
        _when("Sent", session.sent_at),
        _when("Completed", session.completed_at),
    )


def _files(session: Session, clean: _Printable) -> Iterator[Block]:
    for number, file in enumerate(session.files, start=1):
        yield _heading(clean(f"Document {number}: {file.file_name}"))
        yield clean.lines(*_file_lines(file))


def _file_lines(file: SessionFile) -> Iterator[str]:
    yield "1 page" if file.page_count == 1 else f"{file.page_count} pages"
    yield f"Document: {file.file_id}"
    if file.type is FileType.UPLOADED_PDF:
        yield "An uploaded PDF, sent along for reference: it has nothing to fill in, and was shown as it was uploaded"
    yield f"SHA-256 before signing: {file.rendered.sha256}"
    yield f"SHA-256 after signing: {file.signed.sha256 if file.signed else 'the signed PDF is still being generated'}"


def _recipients(facts: CertificateFacts, clean: _Printable) -> Iterator[Block]:
    for number, recipient in enumerate(facts.session.recipients, start=1):
        yield _heading(clean(f"Recipient {number}: {recipient.name}"))
        yield clean.lines(*_recipient_lines(recipient, facts.events))


def _recipient_lines(recipient: Recipient, events: tuple[Event, ...]) -> Iterator[str | None]:
    consented = _latest(events, EventType.RECIPIENT_CONSENTED, recipient)
    completed = _latest(events, EventType.RECIPIENT_COMPLETED, recipient)
    yield f"Email: {recipient.email}"
    yield f"Recipient: {recipient.recipient_id} ({recipient.key}), signing order {recipient.signing_order}"
    yield f"Status: {recipient.status.value}"
    yield "Identified by: a secret link sent to this email address"
    yield _when("Invited", recipient.sent_at)
    yield _when("Opened the documents", recipient.viewed_at)
    yield _when("Consented to sign electronically", consented.at if consented else None)
    yield _when("Signed", recipient.completed_at)
    if completed:
        yield f"Address: {completed.ip or 'unknown'}"
        yield f"Browser: {completed.user_agent or 'unknown'}"
        yield f"SHA-256 of the signature: {completed.details.get('signatureSha256')}"
        yield f"SHA-256 of all that was submitted: {completed.details.get('submissionSha256')}"
    if consented:
        version = str(consented.details.get("consentVersion"))
        text = _CONSENTS.get(version)
        yield f"Consent given (version {version})" + (f": “{text}”" if text else "")


def _history(facts: CertificateFacts, clean: _Printable) -> Iterator[Block]:
    intact = chain_is_intact(facts.events)
    yield _heading("History")
    yield clean.lines(
        "Every event is chained to the one before it: its hash is the SHA-256 of the canonical JSON (RFC 8785) of its "
        "other members, the hash of the event before among them. Whoever changes, removes or adds an event breaks "
        "the chain.",
        f"The chain was checked when this certificate was composed and is {'intact' if intact else 'BROKEN'}: "
        f"{len(facts.events)} events.",
        f"Head of the chain: {facts.session.head}",
    )
    names: dict[str, str] = {recipient.recipient_id: recipient.name for recipient in facts.session.recipients}
    for event in facts.events:
        # One paragraph an event: a title of its own could be left alone at the bottom of a page.
        yield Spacer(type="spacer", height=4)
        yield clean.lines(*_event_lines(event, names), size=_FINE)


def _event_lines(event: Event, names: Mapping[str, str]) -> Iterator[str | None]:
    name = names.get(str(event.details.get("recipientId")))
    yield f"{event.sequence}. {event.type.value}" + (f" · {name}" if name else "")
    yield f"{rfc3339(event.at)} by {event.actor.kind.value} {event.actor.id}"
    if event.ip or event.user_agent:
        yield f"From {event.ip or 'an unknown address'} with {event.user_agent or 'an unknown program'}"
    if event.details:
        yield f"Details: {rfc8785.dumps(dict(event.details)).decode()}"
    yield f"Hash: {event.hash}"


def _latest(events: tuple[Event, ...], type: EventType, recipient: Recipient) -> Event | None:
    return next(
        (e for e in reversed(events) if e.type is type and e.details.get("recipientId") == recipient.recipient_id),
        None,
    )


def _heading(text: str) -> Heading:
    return Heading(type="heading", text=text)


def _when(what: str, at: datetime | None) -> str | None:
    """A line such as `Signed: 2026-06-12 10:30:00.000`; None for what did not happen."""
    return None if at is None else f"{what}: {rfc3339(at).replace('T', ' ').removesuffix('Z')}"
