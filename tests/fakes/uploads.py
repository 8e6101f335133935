"""The use of uploads in memory. A single thread needs no locks."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from adapters.database.port import UploadedFile, UploadedImage
from adapters.database.upload_port import UploadInUse, UploadKind, UploadMissing
from domain.ids import OrganisationId
from domain.objects import prefix_of
from tests.fakes.database import MemoryFiles, MemoryImages, MemorySessionRows, MemoryTemplates

Key = tuple[OrganisationId, str]
Rows = dict[Key, UploadedFile] | dict[Key, UploadedImage]


class MemoryUploads:
    """Keeps `adapters.database.upload_port.Uploads` on what the other fakes hold."""

    def __init__(
        self,
        files: MemoryFiles | None = None,
        images: MemoryImages | None = None,
        rows: MemorySessionRows | None = None,
        templates: MemoryTemplates | None = None,
    ) -> None:
        self._rows = rows or MemorySessionRows()
        self._templates = templates or MemoryTemplates()
        self.kept: dict[UploadKind, Any] = {
            UploadKind.FILE: (files or MemoryFiles()).files,
            UploadKind.IMAGE: (images or MemoryImages()).images,
        }
        self.uses: dict[tuple[OrganisationId, str, str], datetime] = {}
        self.due_at: dict[str, datetime] = {}

    async def expect(self, prefix: str, due_at: datetime) -> None:
        self.due_at[prefix] = due_at

    async def use(
        self, kind: UploadKind, organisation_id: OrganisationId, ids: Collection[str], user_id: str, at: datetime
    ) -> frozenset[str]:
        used = frozenset(one for one in ids if (organisation_id, one) in self.kept[kind])
        for upload_id in used:
            self.uses.setdefault((organisation_id, upload_id, user_id), at)
        return used

    async def release(self, organisation_id: OrganisationId, user_id: str) -> None:
        for key in [key for key in self.uses if (key[0], key[2]) == (organisation_id, user_id)]:
            del self.uses[key]

    async def erase(self, organisation_id: OrganisationId, user_id: str, at: datetime) -> None:
        used = {key[1] for key in self.uses if (key[0], key[2]) == (organisation_id, user_id)}
        await self.release(organisation_id, user_id)
        for kind in UploadKind:
            for upload_id in used:
                self._delete(kind, (organisation_id, upload_id), at)

    async def delete(self, kind: UploadKind, organisation_id: OrganisationId, upload_id: str, at: datetime) -> str:
        if (organisation_id, upload_id) not in self.kept[kind]:
            raise UploadMissing
        prefix = self._delete(kind, (organisation_id, upload_id), at)
        if prefix is None:
            raise UploadInUse
        return prefix

    async def expire(self, uploaded_before: datetime, used_before: datetime, at: datetime) -> int:
        made = {*self._rows.rows, *self._templates.templates}
        for organisation_id, upload_id, user_id in [key for key, since in self.uses.items() if since < used_before]:
            if (organisation_id, user_id) not in made:
                del self.uses[organisation_id, upload_id, user_id]
        old = [
            (kind, key)
            for kind, rows in self.kept.items()
            for key, row in rows.items()
            if row.uploaded_at < uploaded_before
        ]
        return sum(self._delete(kind, key, at) is not None for kind, key in old)

    async def due(self, at: datetime) -> tuple[str, ...]:
        added = {prefix_of(row.content.name) for rows in self.kept.values() for row in rows.values()}
        return tuple(prefix for prefix, due_at in self.due_at.items() if due_at <= at and prefix not in added)

    async def forget(self, prefixes: Collection[str]) -> None:
        for prefix in prefixes:
            self.due_at.pop(prefix, None)

    def _delete(self, kind: UploadKind, key: Key, at: datetime) -> str | None:
        if key not in self.kept[kind] or any(use[:2] == key for use in self.uses):
            return None
        prefix = prefix_of(self.kept[kind].pop(key).content.name)
        self.due_at[prefix] = at
        return prefix
