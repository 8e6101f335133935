"""The store of form drafts: forms that a recipient has filled in but not submitted."""

from datetime import datetime
from typing import Protocol

from domain.shared.ids import RecipientRef


class FormDrafts(Protocol):
    """One encrypted form draft per recipient. Erasing a session erases its drafts."""

    async def save(self, key: RecipientRef, content: bytes, at: datetime) -> None:
        """Replaces the draft. Has no effect for an erased session."""

    async def find(self, key: RecipientRef) -> bytes | None:
        """Returns the draft; None if there is none, or its key is lost."""

    async def discard(self, key: RecipientRef) -> None: ...
