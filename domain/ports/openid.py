"""OpenID issuers outside the service: their keys, and the sign-in of users."""

from typing import Protocol

from joserfc.jwk import ECKey, RSAKey

from domain.shared.errors import Outage

IssuerKey = RSAKey | ECKey


class IssuerUnavailable(Outage):
    """The issuer does not respond, or its answer is invalid. Try again later."""


class IssuerKeys(Protocol):
    """The public keys of an external issuer."""

    async def find(self, key_id: str | None) -> IssuerKey | None:
        """Returns the key with that id, or the only key for None. Raises `IssuerUnavailable`."""


class CodeRefused(Exception):
    """The provider does not accept the authorization code: it was used, has expired, or is of another sign-in."""


class OpenIdProvider(IssuerKeys, Protocol):
    """The provider by which users sign in, as its metadata describe it."""

    async def authorization_endpoint(self) -> str:
        """Returns the address at which users sign in. Raises `IssuerUnavailable`."""

    async def redeem(self, code: str, verifier: str, redirect_uri: str) -> str:
        """Returns the ID token for an authorization code and its PKCE verifier.

        The token is not verified. Raises `CodeRefused` or `IssuerUnavailable`.
        """
