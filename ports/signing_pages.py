"""What signing pages store for each recipient: form drafts, email codes and signing URLs."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, auto
from typing import NamedTuple, Protocol

from domain.session.signing_links import Link
from domain.shared.ids import ClientId, OrganisationId, RecipientId, SessionId


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

ENDED_URLS_KEPT = timedelta(days=1)
"""How long a signing URL that has ended is kept for."""

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


@dataclass(frozen=True, slots=True)
class SigningUrl:
    """An address that opens the documents for one recipient, once.

    `invitation` is the recipient's latest one: a newer invitation ends the visit. `client_id` is the API client that
    requested the address. Pages of `origin` may frame the visit; None: no page may. After signing or declining, the
    browser goes to `return_url`.
    """

    recipient_id: RecipientId
    invitation: int
    client_id: ClientId
    origin: str | None
    return_url: str | None
    ends_at: datetime
    used_at: datetime | None = None


class SigningUrls(Protocol):
    """Signing URLs, by the hash of their secrets. Erasing a session erases them."""

    async def add(self, link: Link, url: SigningUrl, at: datetime) -> None:
        """Stores a URL, and deletes those of the session that ended more than `ENDED_URLS_KEPT` ago.

        Has no effect for an erased session.
        """

    async def find(self, link: Link) -> SigningUrl | None:
        """Returns the URL, also a used or expired one, so that the page can say so."""

    async def use(self, link: Link, at: datetime) -> bool:
        """Uses up the URL. Returns false if it is used or expired. Of two concurrent calls, one returns true."""
