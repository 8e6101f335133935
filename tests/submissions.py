"""Submissions as recipients hand them in: in the store, and what the session knows of them."""

from collections.abc import Mapping, Sequence
from typing import Any

from domain.session.fields import FieldValue, Signature, SignatureKind, SubmittedContent
from domain.session.session import Session, Submission
from domain.shared.object_names import session_prefix, submission_name
from ports.object_store import ObjectStore


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
