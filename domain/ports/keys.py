"""The keys of the service."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

PublicKey = dict[str, str | list[str]]
"""A JSON Web Key (RFC 7517) without its private part."""


class KeyInUse(Exception):
    """The key signs tokens now. Make another one before removing it."""


class KeyNotFound(Exception):
    """No key has this id."""


@dataclass(frozen=True, slots=True)
class SigningKey:
    """The key that signs tokens: EC P-256, PEM. `key_id` is its thumbprint (RFC 7638)."""

    key_id: str
    since: datetime
    private: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class FormerKey:
    """A former key. Its tokens are accepted until `until`, when the last of them expires."""

    key_id: str
    since: datetime
    until: datetime
    public: PublicKey


@dataclass(frozen=True, slots=True)
class KeyRing:
    """All keys at one moment. `former` is newest first and includes expired ones."""

    signing: SigningKey
    former: tuple[FormerKey, ...] = ()


class AccessKeys(Protocol):
    """The store of the keys of access tokens."""

    def read(self) -> KeyRing:
        """Returns the current keys; the same object as before if nothing has changed."""


@dataclass(frozen=True, slots=True)
class SecretKeys:
    """The contents of key files.

    `receipt` begins with an EC P-256 private key (PEM), followed by the public keys of former receipt keys. The others
    are lists of 32 random bytes (`domain.shared.key_files`). Keys of access tokens are not included.
    """

    receipt: bytes = field(repr=False)
    link: bytes = field(repr=False)
    cookie: bytes = field(repr=False)
    download: bytes = field(repr=False)
