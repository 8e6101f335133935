"""Applications, approvals and grants of OAuth (Specification 5.4).

A registered third-party program is an *application*. An approval makes it a client of the organisation: the *grant*,
with an identifier of its own. Revoking that client ends the grant with all its tokens. Only the SHA-256 of a secret
(256 random bits) is stored.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Protocol

from domain.ports.database import ClientCredentials, User
from domain.shared.ids import ApplicationId, ClientId, OrganisationId, UserId
from domain.shared.sending_limit import SendingLimit


@dataclass(frozen=True, slots=True)
class Application:
    """A registered application (RFC 7591). `name` is unverified.

    `secret_sha256` is None for a public client. `approved_at` is the time of the first approval.
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
        """The `client_id` of OAuth."""
        return self.application_id


@dataclass(frozen=True, slots=True)
class Approval:
    """An approval, for which the application can fetch tokens once.

    `code_sha256` is the hash of the authorization code, `challenge` the code challenge of PKCE (S256). `client_id` is
    the future client, `resource` the audience of its tokens (RFC 8707). `used_at` is when the tokens were fetched.
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
    generation: int = 0
    """The generation of the user (`domain.shared.standing`)."""


@dataclass(frozen=True, slots=True)
class RefreshToken:
    """A refresh token of a grant. `used_at` is when the next one replaced it."""

    secret_sha256: str
    client_id: ClientId
    application_id: ApplicationId
    resource: str | None
    issued_at: datetime
    ends_at: datetime
    used_at: datetime | None = None
    generation: int = 0


class Grant(NamedTuple):
    """A grant of an organisation, with the user who approved it. `fetched_at` is when it last got tokens."""

    client: ClientCredentials
    application_id: ApplicationId
    approved_by: User
    approved_at: datetime
    fetched_at: datetime
    ends_at: datetime
    """When it expires, unless tokens are fetched before."""
    budget: SendingLimit


class Grants(Protocol):
    """Applications, approvals and grants."""

    async def register(self, application: Application, at_most: int, since: datetime) -> None:
        """Stores `application`. Deletes unapproved ones from before `since`, and the oldest beyond `at_most`."""

    async def find_application(self, application_id: ApplicationId) -> Application | None: ...

    async def approve(self, approval: Approval, forget_before: datetime) -> None:
        """Stores `approval`, and marks its application as approved. Deletes approvals ended before `forget_before`."""

    async def find_approval(self, code_sha256: str) -> Approval | None:
        """Returns the approval, also if it is used or expired."""

    async def redeem(self, approval: Approval, token: RefreshToken) -> bool:
        """Creates the client with its limit and token. Returns false for a used approval or a disabled user."""

    async def find_token(self, secret_sha256: str) -> RefreshToken | None:
        """Returns the refresh token, also if it is used or expired."""

    async def rotate(self, secret_sha256: str, token: RefreshToken) -> bool:
        """Replaces the refresh token by `token`. Returns false if it was used before."""

    async def find_application_of(self, client_id: ClientId) -> ApplicationId | None:
        """Returns the application of the grant; None if the client is not a grant."""

    async def find_user_of(self, client_id: ClientId) -> UserId | None:
        """Returns the user who approved the grant; None if the client is not a grant."""

    async def list(self, organisation_id: OrganisationId, at: datetime) -> tuple[Grant, ...]:
        """Returns the grants that are neither revoked nor expired, latest first."""
