"""The materials of a signed PDF: everything that determines its bytes, except the service, and time and key of sealing.

Their digest is in the name of the PDF and in the statement of its seal, so a PDF that cannot be reproduced can still be
matched to its session.
"""

from collections.abc import Sequence
from datetime import date, datetime

import rfc8785

from domain.audit.events import Event, EventType
from domain.seal.seal import Identified, ReferenceDocument, SignedDocument, Signer
from domain.session.recipients import Recipient, RecipientVerification
from domain.session.snapshot import SessionFile, SessionSnapshot
from domain.shared.frozen_model import FrozenModel
from domain.shared.ids import FileId, OrganisationId, SessionId
from domain.shared.object_names import ObjectReference, digest, session_prefix, signed_name
from domain.shared.times import LocalDate

_WAYS = {
    (False, False): Identified.LINK,
    (False, True): Identified.CODE,
    (True, False): Identified.PROGRAM,
    (True, True): Identified.PROGRAM_AND_CODE,
}
"""How a recipient was identified: whether a program opened the documents for them, and whether they entered a code."""


class Signatory(FrozenModel):
    """A recipient as shown on the signed document and in the statement of its seal.

    `date_signed` is the printed date: `signed_on`, or the date of `completed_at` in UTC.
    """

    key: str
    name: str
    email: str
    identified_by: Identified
    completed_at: datetime
    submission: ObjectReference
    signed_on: LocalDate | None = None

    @property
    def date_signed(self) -> date:
        return (self.signed_on or LocalDate.in_utc(self.completed_at)).date


class Materials(FrozenModel):
    """The materials of one signed PDF. `zones` is None for an uploaded PDF, which is not stamped.

    They are also the input of the activity that generates the PDF, so the digest covers every member.
    """

    organisation_id: OrganisationId
    session_id: SessionId
    file_id: FileId
    page_count: int
    rendered: ObjectReference
    zones: ObjectReference | None
    signatories: tuple[Signatory, ...]

    @staticmethod
    def of(session: SessionSnapshot, file: SessionFile) -> "Materials":
        """Returns the materials of the signed PDF of `file`, with the submissions so far."""
        by_code = session.recipient_verification is RecipientVerification.EMAIL_CODE
        return Materials(
            organisation_id=session.organisation_id,
            session_id=session.session_id,
            file_id=file.file_id,
            page_count=file.page_count,
            rendered=file.rendered,
            zones=file.zones,
            signatories=tuple(
                Signatory(
                    key=r.key,
                    name=r.name,
                    email=r.email,
                    identified_by=_WAYS[r.program is not None, by_code],
                    completed_at=r.completed_at,
                    submission=r.submission,
                    signed_on=r.signed_on,
                )
                for r in session.recipients
                if r.completed_at and r.submission
            ),
        )

    @property
    def sha256(self) -> str:
        """The SHA-256 (hex) of the canonical JSON (RFC 8785).

        Default values are left out, so a new member does not change the digests of existing PDFs.
        """
        return digest(rfc8785.dumps(self.model_dump(mode="json", exclude_defaults=True)))

    @property
    def signed_name(self) -> str:
        """The name of the PDF in the object store. Other materials give another name."""
        return signed_name(session_prefix(self.organisation_id, self.session_id), self.file_id, self.sha256)

    @property
    def statement(self) -> SignedDocument | ReferenceDocument:
        """The statement of the seal: the signers by time, or that the PDF is for reference."""
        if self.zones is None:
            return ReferenceDocument(session_id=self.session_id, file_id=self.file_id, materials_sha256=self.sha256)
        signers = (
            Signer(name=one.name, email=one.email, identified_by=one.identified_by, signed_at=one.completed_at)
            for one in sorted(self.signatories, key=lambda one: one.completed_at)
        )
        return SignedDocument(
            session_id=self.session_id, file_id=self.file_id, materials_sha256=self.sha256, signers=tuple(signers)
        )


def matches_history(recipient: Recipient, events: Sequence[Event]) -> bool:
    """Returns whether the recipient's submission, time and date of signing, or approval, are those in the history."""
    own = [event for event in events if event.details.get("recipientId") == recipient.recipient_id]
    approved = [event.at for event in own if event.type is EventType.RECIPIENT_APPROVED]
    if approved != ([recipient.completed_at] if recipient.approves and recipient.completed_at else []):
        return False
    day = recipient.signed_on
    recorded = [
        (*map(event.details.get, ("submissionSha256", "dateSigned", "timeZone")), event.at)
        for event in own
        if event.type is EventType.RECIPIENT_COMPLETED
    ]
    if recipient.submission is None:
        return not recorded
    named = (day.date.isoformat(), day.time_zone) if day else (None, None)
    return recorded == [(recipient.submission.sha256, *named, recipient.completed_at)]
