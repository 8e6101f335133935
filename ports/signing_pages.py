"""What signing pages store for each recipient: form drafts and email codes."""

from datetime import datetime, timedelta
from enum import Enum, auto
from typing import NamedTuple, Protocol

from domain.shared.ids import OrganisationId, RecipientId, SessionId


class RecipientRef(NamedTuple):
    """Whose draft it is."""

    organisation_id: OrganisationId
    session_id: SessionId
    recipient_id: RecipientId


class FormDrafts(Protocol):
    """One draft for each recipient, encrypted. Erasing a session erases its drafts."""

    async def save(self, key: RecipientRef, content: bytes, at: datetime) -> None:
        """Implements `content` in place of what was kept before. Nothing is kept of a session that was erased."""
        ...

    async def find(self, key: RecipientRef) -> bytes | None:
        """What was kept last; None too when it was encrypted under a key that is lost."""
        ...

    async def forget(self, key: RecipientRef) -> None: ...


CODE_LIFETIME = timedelta(minutes=10)
CODE_ATTEMPTS = 5
"""How often one code may be entered wrong."""

MAX_WRONG_CODES = 100
"""Wrong codes of one recipient in all, since the last right one: so many guesses in a million are no way in."""

CODE_PAUSE = timedelta(seconds=60)
"""Between two codes."""

CODE_WINDOW = timedelta(hours=1)
CODES_PER_WINDOW = 5


class CodeResult(Enum):
    """What came of entering a code."""

    RIGHT = auto()  # it has been used up
    WRONG = auto()
    ENDED = auto()  # there is none, its time is over, it was used, or was entered wrong too often


class EmailCodes(Protocol):
    """The latest code of each recipient. Erasing a session erases its codes."""

    async def issue(self, key: RecipientRef, code_hash: str, at: datetime) -> bool:
        """Makes that code the only one that works. False, and nothing changes, when the last one is too recent or there
        were too many in the last hour, or too many wrong ones were entered.
        """
        ...

    async def withdraw(self, key: RecipientRef) -> None:
        """The latest code never reached anybody: another may be issued at once."""
        ...

    async def enter(self, key: RecipientRef, code_hash: str, at: datetime) -> CodeResult:
        """Tries a code. Of two that enter the right one at once, one is told so."""
        ...
