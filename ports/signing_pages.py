"""What signing pages store for each recipient: form drafts and email codes."""

from datetime import datetime, timedelta
from enum import Enum, auto
from typing import NamedTuple, Protocol

from domain.shared.ids import OrganisationId, RecipientId, SessionId


class RecipientRef(NamedTuple):
    """The recipient that a row belongs to."""

    organisation_id: OrganisationId
    session_id: SessionId
    recipient_id: RecipientId


class FormDrafts(Protocol):
    """One encrypted form draft per recipient. Erasing a session erases its drafts."""

    async def save(self, key: RecipientRef, content: bytes, at: datetime) -> None:
        """Replaces the draft. Has no effect for an erased session."""

    async def find(self, key: RecipientRef) -> bytes | None:
        """Returns the draft; None if there is none, or its key is lost."""

    async def discard(self, key: RecipientRef) -> None: ...


MAX_WRONG_CODES = 100
"""Wrong codes of a recipient since the last right one: of a million codes, so many may be guessed."""

CODE_PAUSE = timedelta(seconds=60)
"""Minimum time between two codes."""

CODE_WINDOW = timedelta(hours=1)
CODES_PER_WINDOW = 5


class CodeResult(Enum):
    """The result of entering a code."""

    RIGHT = auto()  # it is used up now
    WRONG = auto()
    ENDED = auto()  # no code, or it expired, was used, or had too many wrong attempts


class EmailCodes(Protocol):
    """The latest code of each recipient, as a hash. Erasing a session erases its codes."""

    async def issue(self, key: RecipientRef, code_hash: str, at: datetime) -> bool:
        """Makes this code the only valid one. Returns false if the limits of codes are reached."""

    async def withdraw(self, key: RecipientRef) -> None:
        """Withdraws the latest code, which was not delivered: another may be issued at once."""

    async def enter(self, key: RecipientRef, code_hash: str, at: datetime) -> CodeResult:
        """Checks a code. Of two concurrent calls with the right code, one gets `RIGHT`."""
