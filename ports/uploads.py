"""What the database promises about who uses which uploads, and about objects that are still to be deleted."""

from collections.abc import Collection
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from domain.shared.ids import OrganisationId


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

    async def mark_deleted(self, prefixes: Collection[str]) -> None:
        """Their objects are deleted."""
        ...
