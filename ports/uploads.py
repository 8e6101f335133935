"""What the database promises about who uses which uploads, and about objects that are still to be deleted."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from domain.shared.ids import FileId, OrganisationId
from domain.shared.object_names import ObjectReference


class UploadKind(StrEnum):
    FILE = "files"
    IMAGE = "images"


class UploadMissing(Exception):
    """There is no such upload in that organisation."""


class UploadInUse(Exception):
    """A session or a template uses the upload."""


class Uploads(Protocol):
    """Which sessions and templates use which uploads. An upload that one of them uses is never deleted.

    The content of an upload is under a prefix of the object store that is its own. A prefix that no upload has (any
    more) is `due` until it is forgotten, so that a crash leaves no object behind.
    """

    async def expect(self, prefix: str, due_at: datetime) -> None:
        """An object is about to be stored under `prefix`; it is due at `due_at` unless an upload is added with it."""
        ...

    async def use(
        self, kind: UploadKind, organisation_id: OrganisationId, ids: Collection[str], user_id: str, at: datetime
    ) -> frozenset[str]:
        """Those of `ids` that are there, and are used by `user_id` (a session or template) from now on."""
        ...

    async def release(self, organisation_id: OrganisationId, user_id: str) -> None:
        """`user_id` was not made, and uses none."""
        ...

    async def erase(self, organisation_id: OrganisationId, user_id: str, at: datetime) -> None:
        """`user_id` is erased, with the uploads that it alone used; their prefixes are due."""
        ...

    async def delete(self, kind: UploadKind, organisation_id: OrganisationId, upload_id: str, at: datetime) -> str:
        """Deletes one upload; returns its prefix, which is due. Raises `UploadMissing` or `UploadInUse`."""
        ...

    async def expire(self, uploaded_before: datetime, used_before: datetime, at: datetime) -> int:
        """Deletes uploads that nothing uses and that were last uploaded before then; returns how many.

        A use from before `used_before` whose session or template was never made does not count.
        """
        ...

    async def due(self, at: datetime) -> tuple[str, ...]:
        """Some of the prefixes whose objects are to be deleted now."""
        ...

    async def forget(self, prefixes: Collection[str]) -> None:
        """Their objects are deleted."""
        ...


@dataclass(frozen=True, slots=True)
class UploadedImage:
    """An image that documents of its organisation may show: PNG or JPEG in the object store, sizes in pixels."""

    organisation_id: OrganisationId
    image_id: FileId
    file_name: str
    content_type: str
    width: int
    height: int
    content: ObjectReference
    uploaded_at: datetime


@dataclass(frozen=True, slots=True)
class UploadedFile:
    """A PDF that sessions of its organisation may send along, as it was uploaded."""

    organisation_id: OrganisationId
    file_id: FileId
    file_name: str
    page_count: int
    content: ObjectReference
    uploaded_at: datetime


class Images(Protocol):
    """Uploaded images."""

    async def add(self, image: UploadedImage) -> UploadedImage:
        """Stores `image` and returns it; if one of its id is stored, that one stays, as new as this one."""
        ...

    async def find(self, organisation_id: OrganisationId, ids: Collection[str]) -> dict[str, UploadedImage]:
        """Those of `ids` that are images of the organisation, by id."""
        ...


class Files(Protocol):
    """Uploaded PDFs."""

    async def add(self, file: UploadedFile) -> UploadedFile:
        """Stores `file` and returns it; if one of its id is stored, that one stays, as new as this one."""
        ...

    async def find(self, organisation_id: OrganisationId, ids: Collection[str]) -> dict[str, UploadedFile]:
        """Those of `ids` that are files of the organisation, by id."""
        ...
