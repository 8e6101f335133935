"""Object storage.

ObjectStoreError     the store does not respond; try again later
|-- ObjectMissing    no object has that name
|-- ObjectConflict   other content is stored under that name; objects never change
|-- ObjectDamaged    the stored content does not match its reference
|-- StoreUnwritable  it cannot work: the disk is full or not writable, or a role is missing
`-- DownloadNotValid the download URL is invalid or expired
"""

from dataclasses import dataclass
from typing import NamedTuple, Protocol

from domain.shared.errors import Outage
from domain.shared.ids import ClientId, OrganisationId
from domain.shared.object_names import ObjectReference


class ObjectStoreError(Outage):
    """Base of errors of the store. Messages may show names of objects, which hold identifiers only."""


class ObjectMissing(ObjectStoreError):
    pass


class ObjectConflict(ObjectStoreError):
    pass


class ObjectDamaged(ObjectStoreError):
    pass


class StoreUnwritable(ObjectStoreError):
    pass


class DownloadNotValid(ObjectStoreError, code="NOT_FOUND"):
    default = "This download does not exist or has expired."


class DownloadOrigin(NamedTuple):
    """The client or user who requested a download URL, and the generation of their credential."""

    organisation_id: OrganisationId
    client_id: ClientId
    generation: int


@dataclass(frozen=True, slots=True)
class Download:
    """A download: an attachment with that name and type, for `lifetime` seconds.

    `origin` is None if a recipient requested it.
    """

    file_name: str
    content_type: str
    lifetime: int
    origin: DownloadOrigin | None = None


class ObjectStore(Protocol):
    """Write-once objects. Names are `/`-separated paths of safe characters (`domain.shared.object_names`)."""

    async def put(self, name: str, content: bytes, content_type: str) -> ObjectReference:
        """Stores `content` durably. A second call with the same bytes succeeds; other bytes raise `ObjectConflict`."""

    async def get(self, reference: ObjectReference) -> bytes:
        """Returns the content. Raises `ObjectMissing`, or `ObjectDamaged` if it does not match the reference."""

    async def find(self, name: str) -> ObjectReference | None:
        """Returns the reference of the object with that name, if it exists."""

    async def count(self, prefix: str) -> int:
        """Returns the number of objects with that prefix (which ends with `/`)."""

    async def delete_prefix(self, prefix: str) -> int:
        """Deletes all objects with that prefix (which ends with `/`), and returns their number."""

    async def signed_url(self, reference: ObjectReference, download: Download) -> str:
        """Returns a URL that any HTTP client can download from without headers, until it expires."""
