"""The keys of the service, and those of an external token issuer."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from joserfc.jwk import ECKey, RSAKey

PublicKey = dict[str, str | list[str]]
"""A JSON Web Key (RFC 7517) without its private part."""


class KeyInUse(Exception):
    """The key is the one that signs; another must be made before it can go."""


class KeyNotFound(Exception):
    """No key has that id."""


@dataclass(frozen=True, slots=True)
class SigningKey:
    """The key that signs: EC P-256, PEM. `key_id` is its thumbprint (RFC 7638)."""

    key_id: str
    since: datetime
    private: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class FormerKey:
    """A key that signs no more. What it signed is accepted before `until`, when the last of its tokens is over."""

    key_id: str
    since: datetime
    until: datetime
    public: PublicKey


@dataclass(frozen=True, slots=True)
class KeyRing:
    """All keys at one moment; `former` the newest first, those whose time is over included."""

    signing: SigningKey
    former: tuple[FormerKey, ...] = ()


class AccessKeys(Protocol):
    """Where the keys of access tokens are."""

    def read(self) -> KeyRing:
        """The keys as they are now; the same object as before while nothing has changed."""
        ...


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


@dataclass(frozen=True, slots=True)
class SecretKeys:
    """The contents of key files: `receipt` begins with an EC P-256 private key (PEM), and the public keys that signed
    before follow; the others are lists of 32 random bytes (`domain.shared.key_lists`).

    Those of access tokens are in `adapters.keys.token_signing`.
    """

    receipt: bytes = field(repr=False)
    link: bytes = field(repr=False)
    cookie: bytes = field(repr=False)
    download: bytes = field(repr=False)
