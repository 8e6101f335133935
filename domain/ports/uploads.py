"""Uploads, their uses by sessions and templates, and objects that are still to be deleted."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol, TypeVar

from domain.shared.ids import FileId, OrganisationId
from domain.shared.object_names import ObjectReference

PRINT_AGAIN = "Open it in a browser, choose Print and “Save as PDF” there, and upload the new PDF."
"""What to do about a PDF that cannot be accepted as it is: its pages stay, what disturbs is left out."""


class UploadKind(StrEnum):
    FILE = "files"
    IMAGE = "images"


class UploadMissing(Exception):
    """The organisation has no such upload."""


class UploadInUse(Exception):
    """A session or a template uses the upload."""


class Uploads(Protocol):
    """Uses of uploads by sessions and templates. A used upload is never deleted.

    The content of an upload is stored under a prefix of its own. A prefix without an upload is due for deletion until
    `mark_deleted`, so that a crash leaves no object behind.
    """

    async def expect(self, prefix: str, due_at: datetime) -> None:
        """Registers `prefix` before an object is stored. It is due at `due_at`, unless an upload is added with it.

        Another attempt at the same moment may register it too.
        """

    async def stored_bytes(self, organisation_id: OrganisationId) -> int:
        """Returns the size of all uploads of the organisation, in bytes."""

    async def use(
        self, kind: UploadKind, organisation_id: OrganisationId, ids: Collection[str], user_id: str, at: datetime
    ) -> frozenset[str]:
        """Returns those of `ids` that exist, and records that `user_id` (a session or template) uses them."""

    async def release(self, organisation_id: OrganisationId, user_id: str) -> None:
        """Removes the uses of `user_id`, which was not created."""

    async def erase(self, organisation_id: OrganisationId, user_id: str, at: datetime) -> None:
        """Removes `user_id` and the uploads that only it used. Their prefixes are due."""

    async def delete(self, kind: UploadKind, organisation_id: OrganisationId, upload_id: str, at: datetime) -> str:
        """Deletes an upload and returns its prefix, which is due. Raises `UploadMissing` or `UploadInUse`."""

    async def expire(self, uploaded_before: datetime, used_before: datetime, at: datetime) -> int:
        """Deletes unused uploads from before `uploaded_before`, and returns their number.

        Uses from before `used_before` by sessions and templates that were never created do not count.
        """

    async def find_own(self, organisation_id: OrganisationId, user_id: str) -> tuple[str, ...]:
        """Returns the prefixes of the uploads that only `user_id` uses."""

    async def due(self, at: datetime, among: Collection[str] | None = None) -> tuple[str, ...]:
        """Returns prefixes, of `among` or of all, whose objects are due for deletion at `at`, longest due first.

        A call returns a limited number.
        """

    async def defer(self, prefix: str, at: datetime) -> None:
        """Lets the deletion of the objects of `prefix` wait until `at`."""

    async def mark_deleted(self, prefixes: Collection[str]) -> None:
        """Removes `prefixes`, whose objects are deleted, from the due prefixes."""


@dataclass(frozen=True, slots=True)
class UploadedImage:
    """An uploaded image (PNG or JPEG) for documents of its organisation. Sizes are in pixels."""

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
    """An uploaded PDF, which sessions of its organisation may send along."""

    organisation_id: OrganisationId
    file_id: FileId
    file_name: str
    page_count: int
    content: ObjectReference
    uploaded_at: datetime


Upload = TypeVar("Upload", UploadedImage, UploadedFile)


class UploadRepository(Protocol[Upload]):
    """Uploads of one kind."""

    async def add(self, upload: Upload) -> Upload:
        """Stores `upload` and returns it. If its id is stored, returns that upload with the new `uploaded_at`."""

    async def find(self, organisation_id: OrganisationId, ids: Collection[str]) -> dict[str, Upload]:
        """Returns those of `ids` that are uploads of the organisation, by id."""


Images = UploadRepository[UploadedImage]
Files = UploadRepository[UploadedFile]
