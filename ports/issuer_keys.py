"""The public keys of an outside OpenID issuer."""

from typing import Protocol

from joserfc.jwk import ECKey, RSAKey

IssuerKey = RSAKey | ECKey


class IssuerUnavailable(Exception):
    """The issuer does not answer, or not with what an OpenID issuer answers; try again later."""


class IssuerKeys(Protocol):
    """Where the keys of an issuer are."""

    async def find(self, key_id: str | None) -> IssuerKey | None:
        """The key of that id that verifies signatures; without an id the only one that there is, if there is one.

        Raises:
            IssuerUnavailable: no keys are known that may still be used.
        """
        ...
