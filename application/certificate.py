"""Composes the certificate of completion (Specification 4.3), with its facts attached as JSON.

The same facts result in the same bytes. The pages are in the language of the facts, their JSON is English.
"""

from collections.abc import Iterator, Sequence

from application.certificate_events import OPENED_WITHOUT_EMAIL, describe_lost_events, event_rows
from application.certificate_evidence import CertificateFacts, evidence_of, ways_of
from application.translations import current_language, in_language, ngettext
from application.translations import gettext as _
from application.translations.localised_formats import format_names
from domain.audit.certificate_schema import (
    FILE_NAME,
    MEDIA_TYPE,
    DocumentEvidence,
    Evidence,
    RecipientEvidence,
)
from domain.audit.events import Event
from domain.audit.hash_chain import chain_is_intact
from domain.session.recipients import RecipientRole
from domain.texts.browser_names import browser_name
from domain.texts.languages import marked
from layout.pdf.document_catalog import Attachment
from layout.reports.report import Entry, Heading, Note, Part, Report, Table, TableWithQrCode, TextRole

_FACTS = (3.0, 11.0)  # relative widths of the columns
_SUMMARY = (2.4, 6.0)
_HISTORY = (1.0, 5.0, 17.0)

_ALL_OF = {1: marked("Signed by the only recipient"), 2: marked("Signed by both recipients")}
_ROLES = {
    "approver": marked("Approver: read the documents and approved them, without signing"),
    "copy": marked("Copy: receives the signed documents, and signs nothing"),
}
_STATUSES = {
    "completed": marked("All have signed; the signed documents are being generated"),
    "completedAndGenerated": marked("All have signed; the signed documents are sealed, checked and stored"),
}
_RECIPIENT_STATUSES = {"completed": marked("completed")}
_UPLOADED = marked("An uploaded PDF for reference: it has no fields, and was shown as it was uploaded")
_CHECKING = marked(
    "The PDF of this certificate and those of the documents are sealed: a PDF reader shows the seal and whether "
    "anything was changed after it. “undersign verify” checks seal, history and the documents’ hashes on any machine "
    "without a network, and the page at {url} does the same. The facts of this certificate are attached to it as "
    "JSON ({file_name}), with the whole history as it was chained."
)
_CHAINING = marked(
    "Every event is chained to the one before it: its hash is the SHA-256 of the canonical JSON (RFC 8785) of its "
    "other members, the hash of the event before among them. Changing, removing or adding an event breaks the "
    "chain. When this certificate was composed, the chain was checked and was {state}."
)


def compose(facts: CertificateFacts) -> Report:
    """Returns the certificate as a report for the layout engine."""
    with in_language(facts.language):
        return _compose(facts)


def _compose(facts: CertificateFacts) -> Report:
    evidence = evidence_of(facts)
    session = evidence.session
    attachment = Attachment(
        FILE_NAME, MEDIA_TYPE, _("The facts of this certificate as JSON"), evidence.to_bytes(), facts.session.updated_at
    )
    return Report(
        title=_("Certificate of completion"),
        subtitle=session.name,
        footer=_("Certificate of completion, session {id}").format(id=session.session_id),
        parts=(
            *_summary(evidence),
            *_recipients(evidence, facts),
            *_documents(evidence),
            *_consents(evidence),
            *_identifiers(evidence, facts),
            *_history(evidence, facts),
            Heading(_("How to check this certificate")),
            Note(f"{_(_CHECKING).format(url=evidence.verify_url, file_name=FILE_NAME)}\n{_composed(evidence)}"),
        ),
        attachments=(attachment,),
        language=facts.language,
    )


def _composed(evidence: Evidence) -> str:
    return _("Composed by Undersign {version} from the recorded history.").format(version=evidence.service_version)


def _summary(evidence: Evidence) -> Iterator[Part]:
    session = evidence.session
    yield Note(_lead(evidence.recipients), TextRole.LEAD)
    status = _(_STATUSES[session.status]) if session.status in _STATUSES else session.status
    rows = (
        _row(_("Session"), session.name, TextRole.STRONG),
        _row(_("Organisation"), session.organisation_name, TextRole.STRONG),
        _row(_("Status"), status),
        _row(_("Created"), _shown(session.created_at)),
        _row(_("Sent"), _shown(session.sent_at)),
        _row(_("Completed"), _shown(session.completed_at)),
    )
    yield TableWithQrCode(Table(_SUMMARY, rows), evidence.verify_url, _("Check it here"))


def _lead(recipients: Sequence[RecipientEvidence]) -> str:
    signed = sum(person.signed_at is not None for person in recipients)
    approved, copied = (sum(person.role == role for person in recipients) for role in ("approver", "copy"))
    if not approved and not copied:
        return _(_ALL_OF[signed]) if signed in _ALL_OF else _signers(signed)
    parts = [ngettext("Signed by {count} recipient", "Signed by {count} recipients", signed).format(count=signed)]
    if approved:
        parts.append(
            ngettext("Approved by {count} recipient", "Approved by {count} recipients", approved).format(count=approved)
        )
    if copied:
        parts.append(ngettext("Copy to {count} recipient", "Copies to {count} recipients", copied).format(count=copied))
    return " · ".join(parts)


def _documents(evidence: Evidence) -> Iterator[Part]:
    yield Heading(_("Documents"))
    for number, document in enumerate(evidence.documents, start=1):
        yield Table(_FACTS, tuple(_document_rows(number, document)))


def _document_rows(number: int, document: DocumentEvidence) -> Iterator[tuple[tuple[Entry, ...], ...]]:
    pages = ngettext("{count} page", "{count} pages", document.page_count).format(count=document.page_count)
    yield _row(_("Document {number}").format(number=number), document.file_name, TextRole.STRONG)
    yield _row(_("Pages"), pages if document.type == "blocks" else f"{pages}. {_(_UPLOADED)}")


def _identifiers(evidence: Evidence, facts: CertificateFacts) -> Iterator[Part]:
    yield Heading(_("Identifiers and hashes"))
    session = evidence.session
    chain = _("{events}, chain {state}").format(events=_number_of_events(facts.events), state=_state(facts))
    rows = (
        _row(_("Session id"), session.session_id),
        _row(_("Organisation id"), session.organisation_id),
        _row(_("History"), chain),
    )
    yield Table(_FACTS, rows)
    for number, document in enumerate(evidence.documents, start=1):
        yield Table(_FACTS, tuple(_document_hashes(number, document)))
    for number, recipient in enumerate(evidence.recipients, start=1):
        yield Table(_FACTS, tuple(_recipient_hashes(number, recipient)))


def _document_hashes(number: int, document: DocumentEvidence) -> Iterator[tuple[tuple[Entry, ...], ...]]:
    yield _row(_("Document {number}").format(number=number), document.file_name, TextRole.STRONG)
    yield _row(_("SHA-256 as sent"), document.sha256)
    yield _row(_("SHA-256 as signed"), document.signed_sha256 or _("the signed PDF is still being generated"))
    yield _row(_("SHA-256 of materials"), document.materials_sha256)
    if document.seal_level:
        yield _row(_("Seal"), f"PAdES {document.seal_level}")
    yield _row(_("Document id"), document.file_id)


def _recipient_hashes(number: int, recipient: RecipientEvidence) -> Iterator[tuple[tuple[Entry, ...], ...]]:
    yield _row(_("Recipient {number}").format(number=number), recipient.name, TextRole.STRONG)
    if recipient.user_agent and _browser(recipient.user_agent) != recipient.user_agent:
        yield _row(_("Browser"), recipient.user_agent)
    if recipient.signed_at:
        yield _row(_("SHA-256 of signature"), recipient.signature_sha256 or _("unknown"))
        yield _row(_("SHA-256 of entries"), recipient.submission_sha256 or _("unknown"))
    yield _row(_("Recipient id"), f"{recipient.recipient_id} ({recipient.key})")


def _recipients(evidence: Evidence, facts: CertificateFacts) -> Iterator[Part]:
    yield Heading(_("Recipients"))
    for number, (recipient, person) in enumerate(
        zip(evidence.recipients, facts.session.recipients, strict=True), start=1
    ):
        ways = "; ".join(ways_of(facts.session, facts.events, person, _))
        invited = _("Invited") if person.gets_emails else _(OPENED_WITHOUT_EMAIL)
        yield Table(_FACTS, tuple(_recipient_rows(number, recipient, ways, invited)))


def _recipient_rows(
    number: int, recipient: RecipientEvidence, ways: str, invited: str
) -> Iterator[tuple[tuple[Entry, ...], ...]]:
    """Yields the rows about a recipient. `ways` identified them; `invited` names the time of their invitation."""
    yield _row(_("Recipient {number}").format(number=number), recipient.name, TextRole.STRONG)
    yield _row(_("Email"), recipient.email)
    if recipient.role is not None:
        yield _row(_("Role"), _(_ROLES[recipient.role]))
    for one in recipient.delegations:
        passed = _("{name} <{email}>, who passed it on at {time}: {reason}")
        yield _row(
            _("Instead of"), passed.format(name=one.name, email=one.email, time=_shown(one.at), reason=one.reason)
        )
    if recipient.role != RecipientRole.COPY:
        status = _(_RECIPIENT_STATUSES.get(recipient.status, recipient.status))
        order = _("{status}, signing order {order}").format(status=status, order=recipient.signing_order)
        yield _row(_("Status"), order)
        yield _row(_("Identified by"), ways)
    for name, at in (
        (invited, recipient.invited_at),
        (_("Opened"), recipient.viewed_at),
        (_("Consented"), recipient.consented_at),
        (_("Signed"), recipient.signed_at),
        (_("Approved"), recipient.approved_at),
    ):
        if at:
            yield _row(name, _shown(at))
    if recipient.date_signed:
        day = _("{date}, the day in the time zone {zone}")
        yield _row(_("Date signed"), day.format(date=recipient.date_signed, zone=recipient.time_zone))
    if recipient.signed_at or recipient.approved_at:
        origin = _("Signed from") if recipient.signed_at else _("Approved from")
        yield _row(origin, recipient.ip or _("an unknown address"))
        yield _row(_("Browser"), _browser(recipient.user_agent) or _("unknown"))


def _browser(user_agent: str | None) -> str | None:
    """Returns the names of a browser and its system; the header if they are not known."""
    return ", ".join(filter(None, browser_name(user_agent))) or user_agent


def _consents(evidence: Evidence) -> Iterator[Part]:
    given: dict[tuple[str, str | None], list[str]] = {}
    for person in evidence.recipients:
        if person.consent_version is not None:
            given.setdefault((person.consent_version, person.consent_text), []).append(person.name)
    if not given:
        return
    yield Heading(_("Consent"))
    for (version, text), names in given.items():
        words = _("“{text}”").format(text=text) if text else _("see the documentation of the service")
        rows = [_row(_("Text agreed to"), words)]
        rows += [_row(_("Version"), version), _row(_("Agreed to by"), format_names(names, current_language()))]
        yield Table(_FACTS, tuple(rows))


def _history(evidence: Evidence, facts: CertificateFacts) -> Iterator[Part]:
    events = facts.events
    names = {person.recipient_id: person.name for person in evidence.recipients}
    yield Heading(_("History"))
    yield Note(_(_CHAINING).format(state=_state(facts)))
    if facts.lost:
        yield Note(describe_lost_events(facts.lost))
    head = _("{events}. Head of the chain: {hash}")
    yield Note(head.format(events=_number_of_events(events), hash=evidence.chain.head), TextRole.PLAIN)
    yield Table(_HISTORY, tuple(event_rows(events, names)), head=(_("No."), _("Time (UTC)"), _("Event")))


def _row(name: str, text: str, look: TextRole = TextRole.PLAIN) -> tuple[tuple[Entry, ...], ...]:
    return (Entry(name, TextRole.MUTED),), (Entry(text, look),)


def _shown(at: object) -> str:
    return _("not yet") if at is None else f"{str(at)[:19].replace('T', ' ')} UTC"


def _signers(count: int) -> str:
    return ngettext("Signed by all {count} recipient", "Signed by all {count} recipients", count).format(count=count)


def _number_of_events(events: tuple[Event, ...]) -> str:
    return ngettext("{count} event", "{count} events", len(events)).format(count=len(events))


def _state(facts: CertificateFacts) -> str:
    return _("intact") if chain_is_intact(facts.events, frozenset(facts.lost)) else _("BROKEN")
