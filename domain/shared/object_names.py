"""References to objects in the store, and their names.

Bytes never travel through a workflow: a reference with size and hash does. Every name begins with the organisation
and the session, so that tenancy is in the key and one prefix holds all there is of a session.

The name of each object of a session holds a digest: of its content or, where making it again gives other bytes (seals),
of what it is made from. So what stands under a name is what is wanted, even after a restore from a backup.
"""

from hashlib import sha256

from domain.shared.frozen_model import FrozenModel
from domain.shared.ids import FileId, OrganisationId, RecipientId, SessionId


class ObjectReference(FrozenModel):
    """One immutable object: its name in the store, its size in bytes and the SHA-256 of its content (hex)."""

    name: str
    size: int
    sha256: str


def digest(content: bytes) -> str:
    """The SHA-256 of `content` as 64 hexadecimal digits."""
    return sha256(content).hexdigest()


def make_reference(name: str, content: bytes) -> ObjectReference:
    """The reference under which `content` is stored as `name`."""
    return ObjectReference(name=name, size=len(content), sha256=digest(content))


def session_prefix(organisation_id: OrganisationId, session_id: SessionId) -> str:
    """What the name of every object of a session begins with."""
    return f"organisations/{organisation_id}/sessions/{session_id}/"


def upload_prefix(organisation_id: OrganisationId, kind: str, upload_id: str, copy: str) -> str:
    """What the name of an upload's object begins with. Each upload has an object of its own: `copy` tells apart those
    of an upload that is deleted and comes again, so that deleting the one never touches the other.
    """
    return f"organisations/{organisation_id}/{kind}/{upload_id}/{copy}/"


def upload_name(prefix: str) -> str:
    """The content of the upload with that prefix."""
    return f"{prefix}content"


def prefix_of(name: str) -> str:
    """The prefix that the upload with its content under `name` has for itself; one that has none shares no other's."""
    return name.removesuffix("content") if name.endswith("/content") else f"{name}/"


def session_image_name(prefix: str, sha256: str) -> str:
    """A session's own copy of an image that its documents show."""
    return f"{prefix}images/{sha256}"


def images_name(prefix: str, file_id: FileId, content: bytes) -> str:
    """Which images a document shows, and the session's copies of them (JSON)."""
    return f"{prefix}files/{file_id}/images-{digest(content)}.json"


def source_name(prefix: str, file_id: FileId, content: bytes) -> str:
    """The block document as the client posted it (JSON)."""
    return f"{prefix}files/{file_id}/source-{digest(content)}.json"


def zones_name(prefix: str, file_id: FileId, content: bytes) -> str:
    """Where the inputs and signatures stand on the pages (JSON)."""
    return f"{prefix}files/{file_id}/zones-{digest(content)}.json"


def rendered_name(prefix: str, file_id: FileId, content: bytes) -> str:
    """The laid-out PDF as it is sent to the recipients."""
    return f"{prefix}files/{file_id}/sent-{digest(content)}.pdf"


def augmented_name(prefix: str, file_id: FileId, sha256: str, level: str) -> str:
    """The signed PDF that was raised to `level` from the one with that SHA-256, which stays what it is."""
    return f"{prefix}files/{file_id}/raised-{sha256}-{level}.pdf"


def submission_name(prefix: str, recipient_id: RecipientId, content: bytes) -> str:
    """What a recipient submitted. By content: of two parallel submissions, each keeps its own object."""
    return f"{prefix}submissions/{recipient_id}/{digest(content)}.json"
