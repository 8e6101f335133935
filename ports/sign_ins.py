"""What the database promises about the ways into the app: links that mails hold, and who is signed in.

Of secrets (256 random bits) only the SHA-256 is kept.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Protocol

from domain.shared.ids import UserId
from ports.database import Organisation, User


@dataclass(frozen=True, slots=True)
class SignInLink:
    """A link that was mailed to `email` (lower case); whoever has it gets in once. `goes_to` is a path of the app."""

    secret_sha256: str
    email: str
    goes_to: str
    ends_at: datetime


@dataclass(frozen=True, slots=True)
class SignIn:
    """A browser in which a person is signed in, until `ends_at`."""

    secret_sha256: str
    user_id: UserId
    began_at: datetime
    ends_at: datetime


class Member(NamedTuple):
    """A person who may get in, with their organisation."""

    user: User
    organisation: Organisation


class SignIns(Protocol):
    """Links and sign-ins. What is over at `at` is not found, and goes when something new is kept."""

    async def list_members(self, email: str) -> tuple[Member, ...]:
        """Everybody with that address (lower case) who is not disabled, by the name of the organisation."""
        ...

    async def store_link(self, link: SignInLink, at: datetime, at_most: int) -> bool:
        """Stores `link`, unless its address has `at_most` links already that are not used and not over."""
        ...

    async def find_link(self, secret_sha256: str, at: datetime) -> SignInLink | None:
        """The link, which stays as it is."""
        ...

    async def consume_link(self, secret_sha256: str, at: datetime) -> SignInLink | None:
        """The link, which is used up with that: of several who take it, one gets it."""
        ...

    async def start(self, sign_in: SignIn) -> None:
        """Signs a person in."""
        ...

    async def find(self, secret_sha256: str, at: datetime) -> Member | None:
        """Who is signed in with that secret; nobody from the moment on in which they are disabled."""
        ...

    async def end(self, secret_sha256: str) -> None:
        """Signs out."""
        ...
