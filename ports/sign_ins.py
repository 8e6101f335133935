"""Sign-in links of the app, and the signed-in users.

Only the SHA-256 of a secret (256 random bits) is stored.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Protocol

from domain.shared.ids import UserId
from ports.database import Organisation, User

MAX_OPEN_LINKS = 5
"""Maximum number of unused, unexpired links of one address, to protect mailboxes from floods of links."""


@dataclass(frozen=True, slots=True)
class SignInLink:
    """A sign-in link mailed to `email` (lower case), valid once. `goes_to` is a path of the app."""

    secret_sha256: str
    email: str
    goes_to: str
    ends_at: datetime


@dataclass(frozen=True, slots=True)
class SignIn:
    """The sign-in of a user in one browser, until `ends_at`."""

    secret_sha256: str
    user_id: UserId
    began_at: datetime
    ends_at: datetime


class Member(NamedTuple):
    """A user who is not disabled, with their organisation."""

    user: User
    organisation: Organisation


class SignIns(Protocol):
    """Links and sign-ins. Those that expired before `at` are not found, and are deleted when a new one is stored."""

    async def list_members(self, email: str) -> tuple[Member, ...]:
        """Returns the users with that address (lower case) who are not disabled, by the name of the organisation."""

    async def store_link(self, link: SignInLink, at: datetime, at_most: int) -> bool:
        """Stores `link`, unless its address has `at_most` unused and unexpired links. Returns whether it was stored."""

    async def find_link(self, secret_sha256: str, at: datetime) -> SignInLink | None:
        """Returns the link without using it."""

    async def consume_link(self, secret_sha256: str, at: datetime) -> SignInLink | None:
        """Uses the link and returns it. Of concurrent calls, only one returns it."""

    async def start(self, sign_in: SignIn) -> None:
        """Signs a user in."""

    async def find(self, secret_sha256: str, at: datetime) -> Member | None:
        """Returns the user who is signed in with that secret; None once the user is disabled."""

    async def end(self, secret_sha256: str) -> None:
        """Signs out."""
