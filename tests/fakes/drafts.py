"""Drafts of forms in memory."""

from datetime import datetime

from adapters.database.draft_port import DraftKey


class MemoryFormDrafts:
    def __init__(self) -> None:
        self.held: dict[DraftKey, bytes] = {}

    async def save(self, key: DraftKey, content: bytes, at: datetime) -> None:
        self.held[key] = content

    async def find(self, key: DraftKey) -> bytes | None:
        return self.held.get(key)

    async def forget(self, key: DraftKey) -> None:
        self.held.pop(key, None)
