"""What recipients have filled in and not handed in yet: kept for them, legible to the service alone."""

from datetime import datetime
from typing import NamedTuple, Protocol

from domain.shared.ids import OrganisationId, RecipientId, SessionId


class DraftKey(NamedTuple):
    """Whose draft it is."""

    organisation_id: OrganisationId
    session_id: SessionId
    recipient_id: RecipientId


class FormDrafts(Protocol):
    """One draft for each recipient, encrypted. Erasing a session erases its drafts."""

    async def save(self, key: DraftKey, content: bytes, at: datetime) -> None:
        """Implements `content` in place of what was kept before. Nothing is kept of a session that was erased."""
        ...

    async def find(self, key: DraftKey) -> bytes | None:
        """What was kept last; None too when it was encrypted under a key that is lost."""
        ...

    async def discard(self, key: DraftKey) -> None: ...
