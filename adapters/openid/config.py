"""The registration of this service at the OpenID provider by which users sign in."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class ProviderClient:
    """The provider, the client id of this service there, and the shared secret."""

    issuer: str
    client_id: str
    client_secret: str = field(repr=False)
