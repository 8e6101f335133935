"""The registration of this service at the OpenID provider by which users sign in."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class ProviderClient:
    """The provider, what it calls this service, and the secret that the two share."""

    issuer: str
    client_id: str
    client_secret: str = field(repr=False)
