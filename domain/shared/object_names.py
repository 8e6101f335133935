"""References to objects in the object store, and their names.

All objects of a session have one prefix. Each name contains a digest: of the content or, for sealed PDFs, of the
materials. So a name always stands for the same content, even after a restore from a backup.
"""

from hashlib import sha256
from typing import Final

from domain.shared.frozen_model import FrozenModel
from domain.shared.ids import BatchId, FileId, OrganisationId, RecipientId, SessionId


class ObjectReference(FrozenModel):
    """A reference to an immutable object: its name, size in bytes and SHA-256 (hex)."""

    name: str
    size: int
    sha256: str


def digest(content: bytes) -> str:
    """Returns the SHA-256 of `content` as 64 hexadecimal digits."""
    return sha256(content).hexdigest()


def make_reference(name: str, content: bytes) -> ObjectReference:
    """Returns the reference of `content` with the given name."""
    return ObjectReference(name=name, size=len(content), sha256=digest(content))


STORE_ID_NAME: Final = "installation/id"
"""The name of the object with the id of the installation that first used the store."""


def session_prefix(organisation_id: OrganisationId, session_id: SessionId) -> str:
    """Returns the prefix of all objects of a session."""
    return f"organisations/{organisation_id}/sessions/{session_id}/"


def upload_prefix(organisation_id: OrganisationId, kind: str, upload_id: str, copy: str) -> str:
    """Returns the prefix of an upload's object.

    `copy` is new for each upload, so that deleting an upload never affects a later one with the same id.
    """
    return f"organisations/{organisation_id}/{kind}/{upload_id}/{copy}/"


def upload_name(prefix: str) -> str:
    """Returns the name of an upload's content."""
    return f"{prefix}content"


def batch_prefix(organisation_id: OrganisationId, batch_id: BatchId) -> str:
    """Returns the prefix of the object of a batch."""
    return f"organisations/{organisation_id}/batches/{batch_id}/"


def rows_name(prefix: str, content: bytes) -> str:
    """Returns the name of the rows (JSON) of a batch."""
    return f"{prefix}rows-{digest(content)}.json"


def prefix_of(name: str) -> str:
    """Returns the prefix of an upload from the name of its content; for any other name, a prefix that no object has."""
    return name.removesuffix("content") if name.endswith("/content") else f"{name}/"


def session_image_name(prefix: str, sha256: str) -> str:
    """Returns the name of a session's copy of an image."""
    return f"{prefix}images/{sha256}"


def images_name(prefix: str, file_id: FileId, content: bytes) -> str:
    """Returns the name of the list (JSON) of a document's images and their copies."""
    return f"{prefix}files/{file_id}/images-{digest(content)}.json"


def source_name(prefix: str, file_id: FileId, content: bytes) -> str:
    """Returns the name of the block document (JSON) as posted."""
    return f"{prefix}files/{file_id}/source-{digest(content)}.json"


def zones_name(prefix: str, file_id: FileId, content: bytes) -> str:
    """Returns the name of the zones (JSON): positions of fields and signatures."""
    return f"{prefix}files/{file_id}/zones-{digest(content)}.json"


def rendered_name(prefix: str, file_id: FileId, content: bytes) -> str:
    """Returns the name of the PDF as sent to the recipients."""
    return f"{prefix}files/{file_id}/sent-{digest(content)}.pdf"


def signed_name(prefix: str, file_id: FileId, materials_sha256: str) -> str:
    """Returns the name of the signed PDF that is made from those materials."""
    return f"{prefix}files/{file_id}/signed-{materials_sha256}.pdf"


def augmented_name(prefix: str, file_id: FileId, sha256: str, level: str) -> str:
    """Returns the name of the signed PDF that was augmented to `level` from the PDF with that SHA-256."""
    return f"{prefix}files/{file_id}/raised-{sha256}-{level}.pdf"


def submission_name(prefix: str, recipient_id: RecipientId, content: bytes) -> str:
    """Returns the name of a submission. Parallel submissions have different names."""
    return f"{prefix}submissions/{recipient_id}/{digest(content)}.json"
