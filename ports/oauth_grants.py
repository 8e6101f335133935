"""What the database promises about grants: which programs people let work for their organisations (Specification 5.4).

A program that registers is an *application*. When somebody approves it, it becomes a client of their organisation: the
*grant*, under an identifier of its own. Revoking that client ends the grant, with every token of it.

Of secrets (256 random bits) only the SHA-256 is kept.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Protocol

from domain.shared.ids import ApplicationId, ClientId, OrganisationId, UserId
from domain.shared.sending_limits import SendingLimit
from ports.database import ClientCredentials, User


@dataclass(frozen=True, slots=True)
class Application:
    """A program that has registered (RFC 7591). `name` is what it calls itself, which nobody has checked.

    `secret_sha256` is None for one that can keep no secret. `approved_at`: when somebody approved it first.
    """

    application_id: ApplicationId
    name: str
    redirect_uris: tuple[str, ...]
    auth_method: str
    secret_sha256: str | None
    registered_at: datetime
    approved_at: datetime | None = None

    @property
    def client_id(self) -> ApplicationId:
        """What OAuth calls it."""
        return self.application_id


@dataclass(frozen=True, slots=True)
class Approval:
    """What somebody approved, until the program has fetched its tokens for it.

    `code_sha256` is of the authorization code, `challenge` of PKCE (S256). `client_id` is the client that the program
    is to become, `resource` what the tokens are to be for (RFC 8707). `used_at`: when it fetched them.
    """

    code_sha256: str
    client_id: ClientId
    application_id: ApplicationId
    organisation_id: OrganisationId
    user_id: UserId
    redirect_uri: str
    challenge: str
    resource: str | None
    scopes: tuple[str, ...]
    budget: SendingLimit
    approved_at: datetime
    ends_at: datetime
    used_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class RefreshToken:
    """A refresh token of a grant; `used_at`: when the next one took its place."""

    secret_sha256: str
    client_id: ClientId
    application_id: ApplicationId
    resource: str | None
    issued_at: datetime
    ends_at: datetime
    used_at: datetime | None = None


class Grant(NamedTuple):
    """A program that works for an organisation, by whose leave, and when it last fetched tokens."""

    client: ClientCredentials
    application_id: ApplicationId
    approved_by: User
    approved_at: datetime
    fetched_at: datetime
    ends_at: datetime
    """When it is over unless tokens are fetched before."""
    budget: SendingLimit


class Grants(Protocol):
    """Applications, approvals, and the clients that they become."""

    async def register(self, application: Application, at_most: int, since: datetime) -> None:
        """Implements `application`. Of those that nobody ever approved, the ones registered before `since` go, and the
        oldest beyond `at_most`.
        """
        ...

    async def find_application(self, application_id: ApplicationId) -> Application | None: ...

    async def approve(self, approval: Approval, forget_before: datetime) -> None:
        """Implements `approval`, and its application for good. Approvals that were over at `forget_before` go."""
        ...

    async def find_approval(self, code_sha256: str) -> Approval | None:
        """The approval, used or over or not."""
        ...

    async def redeem(self, approval: Approval, token: RefreshToken) -> bool:
        """Makes the client with its budget and its first refresh token, at the time of that.

        Once: False, and nothing is made, for an approval that was used, or whose person is disabled.
        """
        ...

    async def find_token(self, secret_sha256: str) -> RefreshToken | None:
        """The refresh token, used or over or not."""
        ...

    async def rotate(self, secret_sha256: str, token: RefreshToken) -> bool:
        """Has `token` take the place of that one. Once: False for one that was used."""
        ...

    async def find_application_of(self, client_id: ClientId) -> ApplicationId | None:
        """The application of a grant; None for a client that is none."""
        ...

    async def list(self, organisation_id: OrganisationId, at: datetime) -> tuple[Grant, ...]:
        """The grants of the organisation that are neither revoked nor over, the latest first."""
        ...
