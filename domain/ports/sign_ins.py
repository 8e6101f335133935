"""Sign-in links of the app, and the signed-in users.

Only the SHA-256 of a secret (256 random bits) is stored.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Protocol

from domain.ports.database import Organisation, User
from domain.shared.ids import UserId
from domain.shared.standing import IN_FORCE, Standing

KNOWN_BROWSER = "browser "
"""The start of `SignInLink.requested_from` for a browser in which the user has signed in before."""


class LinkLimits(NamedTuple):
    """Maximum numbers of unused, unexpired links of one address, which protect mailboxes.

    `of_place` counts those that were requested from the same place, `of_strangers` all that were not requested by a
    known browser. So requests of strangers never refuse those of a browser in which the user has signed in before.
    """

    of_place: int = 3
    of_strangers: int = 5


class Member(NamedTuple):
    """A user who is not disabled, with their organisation. `inviter` is the name of the user who invited them.

    The standing is ended while the invitation is open.
    """

    user: User
    organisation: Organisation
    standing: Standing = IN_FORCE
    inviter: str | None = None


@dataclass(frozen=True, slots=True)
class SignInLink:
    """A sign-in link mailed to `email` (lower case), valid once. `goes_to` is a path of the app.

    It is valid for the users in `generations`, in these generations. `requested_from` is the browser or the network
    that requested it; "": the service sent it with an invitation.
    """

    secret_sha256: str
    email: str
    goes_to: str
    ends_at: datetime
    generations: Mapping[str, int] | None = None
    requested_from: str = ""

    @property
    def is_of_known_browser(self) -> bool:
        return self.requested_from.startswith(KNOWN_BROWSER)

    def is_for(self, member: Member) -> bool:
        """Returns whether the link is valid for `member` now. Links of the previous version name no users."""
        if self.generations is None:
            return member.standing.generation == 0 and not member.user.is_pending
        return self.generations.get(member.user.user_id) == member.standing.generation


@dataclass(frozen=True, slots=True)
class SignIn:
    """The sign-in of a user in one browser, until `ends_at`, with the network address and the browser's User-Agent."""

    secret_sha256: str
    user_id: UserId
    began_at: datetime
    ends_at: datetime
    generation: int = 0
    ip: str | None = None
    user_agent: str | None = None


class SignIns(Protocol):
    """Links and sign-ins. Those that expired before `at` are not found, and are deleted when a new one is stored."""

    async def list_members(self, email: str) -> tuple[Member, ...]:
        """Returns the users with that address (lower case) who are not disabled, by the name of the organisation.

        Invited users are among them. Users of a closed organisation are not.
        """

    async def store_link(self, link: SignInLink, at: datetime, limits: LinkLimits) -> bool:
        """Stores `link`, unless a limit is reached. Returns whether it was stored."""

    async def find_link(self, secret_sha256: str, at: datetime) -> SignInLink | None:
        """Returns the link without using it."""

    async def consume_link(self, secret_sha256: str, at: datetime) -> SignInLink | None:
        """Uses the link and returns it. Of concurrent calls, only one returns it."""

    async def start(self, sign_in: SignIn) -> None:
        """Signs a user in, and stores the time with the user."""

    async def find(self, secret_sha256: str, at: datetime) -> tuple[Member, SignIn] | None:
        """Returns the user who is signed in with that secret; None once their credentials were ended."""

    async def list(self, user_id: UserId, at: datetime) -> tuple[SignIn, ...]:
        """Returns the sign-ins of the user, latest first."""

    async def end(self, secret_sha256: str, user_id: UserId | None = None) -> None:
        """Ends a sign-in. With `user_id`: only if it is of that user."""

    async def end_all(self, user_id: UserId, but: str = "") -> None:
        """Ends all sign-ins of the user; the one with the hash `but` stays."""
