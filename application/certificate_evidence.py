"""The facts of the certificate of completion, and their form as JSON (Specification 4.3)."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from domain.audit.certificate_schema import (
    ChainEvidence,
    DelegationEvidence,
    DocumentEvidence,
    EventEvidence,
    Evidence,
    RecipientEvidence,
    SessionEvidence,
)
from domain.audit.events import Event, EventType
from domain.seal.seal import CompletionCertificate
from domain.session.consent_texts import find_consent_text
from domain.session.materials import Materials
from domain.session.recipients import Recipient, RecipientVerification
from domain.session.session import Session, SessionFile
from domain.shared.times import rfc3339
from domain.texts.languages import ENGLISH, marked

_BY_LINK = marked("a secret link sent to this email address")
_BY_PROGRAM = marked(
    "{organisation}, which identified them and opened the documents for them by a single-use address (API client or "
    "user {program}); the service itself did not check who they are"
)
_BY_CODE = marked("a one-time code sent to this email address, entered before the documents opened")


@dataclass(frozen=True, slots=True)
class CertificateFacts:
    """The input of a certificate. `events` is the history without `lost`, the numbers of the events that are gone.

    `verify_url` is the page that verifies certificates.
    """

    session: Session
    events: tuple[Event, ...]
    service_version: str
    verify_url: str
    language: str = ENGLISH
    lost: tuple[int, ...] = ()

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
        chain=ChainEvidence(length=len(facts.events), head=session.head, lost_events=facts.lost),
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
    completed, at = _latest(events, _act_of(person), person), _time(person.completed_at)
    consent, signed = consented.details if consented else {}, completed.details if completed else {}
    version = _text(consent, "consentVersion")
    agreed = find_consent_text(version)
    return RecipientEvidence(
        recipient_id=person.recipient_id,
        key=person.key,
        name=person.name,
        email=person.email,
        signing_order=person.signing_order,
        status=person.status.value,
        identified_by=() if person.gets_copy else tuple(ways_of(session, events, person, str)),
        invited_at=_time(person.sent_at),
        viewed_at=_time(person.viewed_at),
        consented_at=rfc3339(consented.at) if consented else None,
        consent_version=version,
        consent_text=agreed[1] if agreed else None,
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


def _act_of(person: Recipient) -> EventType:
    return EventType.RECIPIENT_APPROVED if person.approves else EventType.RECIPIENT_COMPLETED


def ways_of(
    session: Session, events: tuple[Event, ...], person: Recipient, translate: Callable[[str], str]
) -> Iterator[str]:
    """Yields the means by which the recipient was identified, in the words that `translate` returns."""
    completed = _latest(events, _act_of(person), person)
    program = completed.details.get("program") if completed else None
    if program:
        yield translate(_BY_PROGRAM).format(organisation=session.organisation_name, program=program)
    else:
        yield translate(_BY_LINK)
    if _entered_code(events, person):
        yield translate(_BY_CODE)


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
