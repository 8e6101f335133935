"""Small, complete values for tests. Every builder takes the few things that a test is about."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid5

from domain.audit.events import Actor, ActorKind, AuditContext
from domain.ports.object_store import ObjectStore
from domain.session.recipients import Recipient
from domain.session.reminder_schedule import ReminderFrequency
from domain.session.session import Session, SessionDraft, SessionFile, Submission, Transition
from domain.session.submission import FieldValue, Signature, SignatureKind, SubmittedContent
from domain.shared.ids import FileId, OrganisationId, RecipientId, SessionId, TemplateId
from domain.shared.object_names import ObjectReference, make_reference, session_prefix, submission_name
from domain.templates.template import Template, TemplateRecipient, TemplateStatus
from domain.templates.variables import Variable

NOON = datetime(2026, 6, 12, 12, 0, tzinfo=UTC)
VERIFY_URL = "https://sign.example.com/verify"
ORGANISATION = OrganisationId("0b7c1e4e-5f0a-4a39-8b64-5a4b2e6f7a01")
_NAMESPACE = UUID("7b0c9a52-1d52-4f8e-9a43-52f3c1a0d0aa")


def identifier(name: str) -> str:
    """Returns the same UUID for the same name."""
    return str(uuid5(_NAMESPACE, name))


def audit(at: datetime = NOON, kind: ActorKind = ActorKind.CLIENT) -> AuditContext:
    return AuditContext(at=at, actor=Actor(kind=kind, id=identifier(kind)), ip="192.0.2.7", user_agent="a browser")


def reference(name: str) -> ObjectReference:
    return make_reference(f"organisations/{ORGANISATION}/{name}", name.encode())


def recipient(key: str, signing_order: int = 1, **members: object) -> Recipient:
    return Recipient.model_validate(
        {
            "recipient_id": RecipientId(identifier(key)),
            "key": key,
            "name": key.title(),
            "email": f"{key}@example.com",
            "signing_order": signing_order,
            **members,
        }
    )


def file(title: str = "Agreement") -> SessionFile:
    return SessionFile(
        file_id=FileId(identifier(title)),
        file_name=f"{title}.pdf",
        title=title,
        page_count=1,
        source=reference(f"{title}/source.json"),
        zones=reference(f"{title}/zones.json"),
        rendered=reference(f"{title}/sent.pdf"),
    )


def draft(
    *recipients: Recipient, files: tuple[SessionFile, ...] = (), name: str = "Consulting agreement", **settings: Any
) -> SessionDraft:
    return SessionDraft(
        session_id=SessionId(identifier(name)),
        organisation_id=ORGANISATION,
        organisation_name="Northwind Trading",
        name=name,
        message=None,
        files=files or (file(),),
        recipients=recipients or (recipient("ada", 1), recipient("grace", 2)),
        **settings,
    )


def created(
    *recipients: Recipient, files: tuple[SessionFile, ...] = (), name: str = "Consulting agreement", **settings: Any
) -> Transition:
    return Session.create(draft(*recipients, files=files, name=name, **settings), audit())


def submission(key: str = "ada") -> Submission:
    return Submission(content=reference(f"submissions/{key}.json"), signature_sha256="5" * 64, consent_version="1")


def template(name: str, **members: Any) -> Template:
    standard: dict[str, Any] = {
        "organisation_id": ORGANISATION,
        "template_id": TemplateId(identifier(name)),
        "name": name,
        "status": TemplateStatus.ACTIVE,
        "created_at": NOON,
        "updated_at": NOON,
        "document": {"format": "blocks", "title": "{{{x}}}", "blocks": [{"type": "pageBreak", "header": None}]},
        "recipients": (TemplateRecipient(key="ada", name="", email="{{{x}}}", signing_order=1),),
        "variables": (Variable(name="x"),),
        "expiry_days": 30,
        "reminder_enabled": True,
        "reminder_frequency": ReminderFrequency.DAILY,
        "message": None,
    }
    return Template.model_validate({**standard, **members})


def session_body(name: str, people: Mapping[str, str], *blocks: dict[str, Any], **members: Any) -> dict[str, Any]:
    """Returns the body of a request to create a session: `people` are names by key, each with a signature block."""
    signatures = ({"type": "signatureBlock", "label": f"For {key}", "recipient": key} for key in people)
    document = {"format": "blocks", "title": "Agreement", "blocks": [*blocks, *signatures]}
    return {
        "name": name,
        "files": [{"type": "blocks", "document": document}],
        "recipients": [{"key": key, "name": person, "email": f"{key}@example.com"} for key, person in people.items()],
        **members,
    }


async def submit(
    objects: ObjectStore, session: Session, key: str, entries: Mapping[str, Sequence[Any]], signature: str = "typed"
) -> Submission:
    """Stores what the recipient `key` entered. `entries` has the values of each name, one for each file in turn."""
    who = next(recipient for recipient in session.recipients if recipient.key == key)
    values = tuple(
        FieldValue(file_id=file.file_id, name=name, value=value)
        for name, entered in entries.items()
        for file, value in zip(session.files, entered, strict=False)
    )
    typed = Signature(kind=SignatureKind.TYPED, text=signature)
    content = SubmittedContent(recipient_key=key, values=values, signature=typed, consent_version="1")
    written = content.model_dump_json().encode()
    name = submission_name(session_prefix(session.organisation_id, session.session_id), who.recipient_id, written)
    stored = await objects.put(name, written, "application/json")
    return Submission(content=stored, signature_sha256="5" * 64, consent_version="1")
