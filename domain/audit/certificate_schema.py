"""The JSON data of a certificate of completion, attached to its PDF (Specification 4.3).

It holds the whole history with its hash chain, so a reader can verify the chain from the JSON alone
(`domain.audit.hash_chain`). `docs/certificate.schema.json` is the schema of `Evidence`.
"""

from collections.abc import Mapping
from typing import Annotated, Literal

import rfc8785
from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from domain.shared.frozen_model import omitted_default

FORMAT: Literal["undersign-certificate"] = "undersign-certificate"
FILE_NAME = "certificate.json"
MEDIA_TYPE = "application/json"

_AUGMENTED_HASHES = ("previousSha256", "signedSha256")
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$", description="SHA-256 as 64 hexadecimal digits")]
Time = Annotated[
    str, Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$", description="RFC 3339, UTC, with milliseconds")
]


class Members(BaseModel):
    """Base class of the objects in the JSON. Unknown members, which later versions may add, are ignored."""

    model_config = ConfigDict(frozen=True, alias_generator=to_camel, validate_by_name=True, extra="ignore")


class SessionEvidence(Members):
    session_id: str
    name: str
    organisation_id: str
    organisation_name: str
    status: str
    created_at: Time
    sent_at: Time | None
    completed_at: Time | None
    expiry_date: Time | None


class DocumentEvidence(Members):
    file_id: str
    file_name: str
    type: str = Field(description="`blocks` or `uploadedPdf`")
    page_count: int
    sha256: Sha256 = Field(description="SHA-256 of the PDF as it was sent to the recipients")
    signed_sha256: Sha256 | None = Field(description="SHA-256 of the signed PDF; null while it is being generated")
    materials_sha256: Sha256 = Field(
        description="digest of all that the signed PDF is made from; its seal states the same"
    )
    seal_level: str | None = Field(default=None, description="`B-B`, `B-T`, `B-LT` or `B-LTA`, as it was found")


class DelegationEvidence(Members):
    """The recipient acted instead of a person who had passed their turn on."""

    name: str
    email: str
    at: Time
    reason: str


class RecipientEvidence(Members):
    recipient_id: str
    key: str
    name: str
    email: str
    signing_order: int
    status: str
    identified_by: tuple[str, ...] = Field(description="how the recipient was identified, in words")
    invited_at: Time | None
    viewed_at: Time | None
    consented_at: Time | None
    consent_version: str | None
    consent_text: str | None
    signed_at: Time | None
    role: str | None = omitted_default(None, "`approver` or `copy`; absent for a recipient who signs")
    approved_at: Time | None = omitted_default(None, "when an approver approved the documents")
    delegations: tuple[DelegationEvidence, ...] = omitted_default(
        (), "the persons who passed their turn on, oldest first"
    )
    date_signed: str | None = Field(
        default=None,
        pattern=r"^\d{4}-\d\d-\d\d$",
        description="the day that is printed, that of `signedAt` in `timeZone`; null: the day in UTC",
    )
    time_zone: str | None = Field(default=None, description="IANA name of the time zone of `dateSigned`")
    ip: str | None = Field(description="address from which they signed or approved")
    user_agent: str | None = Field(description="browser with which they signed or approved, from its User-Agent")
    signature_sha256: str | None
    submission_sha256: str | None


class EventEvidence(Members):
    """One event of the history. `hash` covers the canonical JSON of all other members, also unknown ones."""

    sequence: int
    at: Time
    type: str
    actor: Mapping[str, str]
    ip: str | None
    user_agent: str | None
    details: Mapping[str, str | int | None]
    previous_hash: Sha256
    hash: Sha256


class ChainEvidence(Members):
    algorithm: str = "SHA-256 over RFC 8785"
    length: int = Field(description="number of the events that are here")
    head: Sha256 = Field(description="hash of the last event")
    lost_events: tuple[int, ...] = omitted_default(
        (), "numbers of the events that a restore from a backup has lost; absent if all are here"
    )


class Evidence(Members):
    """The data of one certificate."""

    format: Literal["undersign-certificate"] = FORMAT
    version: int = 1
    service_version: str
    verify_url: str
    session: SessionEvidence
    documents: tuple[DocumentEvidence, ...]
    recipients: tuple[RecipientEvidence, ...]
    events: tuple[EventEvidence, ...]
    chain: ChainEvidence

    def hashes_of(self, document: DocumentEvidence) -> frozenset[str]:
        """Returns the SHA-256 hashes of the signed document: now, and before each augmentation of its seal."""
        details = [event.details for event in self.events if event.type == "session.sealRaised"]
        augmented = [one for one in details if one.get("fileId") == document.file_id]
        hashes = [document.signed_sha256, *(one.get(member) for one in augmented for member in _AUGMENTED_HASHES)]
        return frozenset(str(sha256) for sha256 in hashes if sha256)

    def to_bytes(self) -> bytes:
        """Returns canonical JSON (RFC 8785): equal data gives equal bytes."""
        return rfc8785.dumps(self.model_dump(mode="json", by_alias=True))
