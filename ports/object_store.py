"""What an object store promises.

ObjectStoreError
|-- ObjectMissing    nothing under that name
|-- ObjectConflict   another content is stored under that name already; objects never change
|-- ObjectDamaged    what is stored is not what the reference promises
|-- StoreUnwritable  it can never work like this: the disk is full or somebody else's, a role is missing
`-- DownloadNotValid an address for a download that nobody was given, or whose time is over

ObjectStoreError itself: the store does not answer; try again later.
"""

from dataclasses import dataclass
from typing import Protocol

from domain.shared.object_names import ObjectReference


class ObjectStoreError(Exception):
    """Base of what can go wrong with the store. Names of objects hold identifiers only, so messages may show them."""


class ObjectMissing(ObjectStoreError):
    pass


class ObjectConflict(ObjectStoreError):
    pass


class ObjectDamaged(ObjectStoreError):
    pass


class StoreUnwritable(ObjectStoreError):
    pass


class DownloadNotValid(ObjectStoreError):
    pass


@dataclass(frozen=True, slots=True)
class Download:
    """How an object is to be handed out: as an attachment of that name and type, for `lifetime` seconds."""

    file_name: str
    content_type: str
    lifetime: int


class ObjectStore(Protocol):
    """Write-once objects. Names are `/`-separated paths of safe characters (see `domain.shared.object_names`)."""

    async def put(self, name: str, content: bytes, content_type: str) -> ObjectReference:
        """Stores `content` durably under `name`. Again with the same bytes: the same reference, nothing changes.

        Raises:
            ObjectConflict: other bytes are stored under that name.
        """
        ...

    async def get(self, reference: ObjectReference) -> bytes:
        """The content.

        Raises:
            ObjectMissing: nothing is stored under that name.
            ObjectDamaged: size or hash is not the reference's.
        """
        ...

    async def find(self, name: str) -> ObjectReference | None:
        """The reference of what is stored under `name`, if anything is."""
        ...

    async def delete_prefix(self, prefix: str) -> int:
        """Deletes every object whose name begins with `prefix` (which ends with `/`); returns how many there were."""
        ...

    async def signed_url(self, reference: ObjectReference, download: Download) -> str:
        """An address that any HTTP client can download from without a header, until its lifetime is over."""
        ...
