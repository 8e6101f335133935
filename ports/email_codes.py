"""One-time codes that recipients enter before the documents open: hashes of them, and how often they were tried."""

from datetime import datetime, timedelta
from enum import Enum, auto
from typing import Protocol

from ports.saved_forms import DraftKey as CodeKey

LIFETIME = timedelta(minutes=10)
TRIES = 5
"""How often one code may be entered wrong."""

GUESSES = 100
"""Wrong codes of one recipient in all, since the last right one: so many guesses in a million are no way in."""

PAUSE = timedelta(seconds=60)
"""Between two codes."""

WINDOW = timedelta(hours=1)
CODES_A_WINDOW = 5

__all__ = ["CODES_A_WINDOW", "GUESSES", "LIFETIME", "PAUSE", "TRIES", "WINDOW", "CodeKey", "CodeResult", "EmailCodes"]


class CodeResult(Enum):
    """What came of entering a code."""

    RIGHT = auto()  # it has been used up
    WRONG = auto()
    ENDED = auto()  # there is none, its time is over, it was used, or was entered wrong too often


class EmailCodes(Protocol):
    """The latest code of each recipient. Erasing a session erases its codes."""

    async def issue(self, key: CodeKey, code_hash: str, at: datetime) -> bool:
        """Makes that code the only one that works. False, and nothing changes, when the last one is too recent or there
        were too many in the last hour, or too many wrong ones were entered.
        """
        ...

    async def withdraw(self, key: CodeKey) -> None:
        """The latest code never reached anybody: another may be issued at once."""
        ...

    async def enter(self, key: CodeKey, code_hash: str, at: datetime) -> CodeResult:
        """Tries a code. Of two that enter the right one at once, one is told so."""
        ...
