"""The store of one-time codes by email. Their limits are in `domain.session.email_code_limits`."""

from datetime import datetime
from enum import Enum, auto
from typing import Protocol

from domain.shared.ids import RecipientRef


class CodeIssue(Enum):
    """The result of requesting a code."""

    ISSUED = auto()
    TOO_SOON = auto()  # the latest code was issued less than `CODE_PAUSE` ago
    TOO_MANY = auto()  # `CODES_PER_WINDOW` codes were issued within `CODE_WINDOW`
    ENDED = auto()  # no code is issued any more, after `MAX_WRONG_CODES` wrong entries or an erasure of the session


class CodeResult(Enum):
    """The result of entering a code."""

    RIGHT = auto()  # the code is now used
    WRONG = auto()
    ENDED = auto()  # there is no code, or it expired, was used, or had too many wrong attempts


class EmailCodes(Protocol):
    """The latest code of each recipient, as a hash. Erasing a session erases its codes.

    `person` is the hash of the recipient's email address. After a correction or a delegation it is another one: codes,
    limits and wrong entries of the earlier person no longer count.
    """

    async def issue(self, key: RecipientRef, code_hash: str, at: datetime, person: str | None = None) -> CodeIssue:
        """Makes this code the only valid one, or returns which limit is reached."""

    async def withdraw(self, key: RecipientRef, person: str | None = None) -> None:
        """Withdraws the latest code, which was not delivered, so that another can be issued at once."""

    async def enter(self, key: RecipientRef, code_hash: str, at: datetime, person: str | None = None) -> CodeResult:
        """Checks a code. Of two concurrent calls with the right code, one gets `RIGHT`."""
