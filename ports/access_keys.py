"""The keys of access tokens."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

PublicKey = dict[str, str | list[str]]
"""A JSON Web Key (RFC 7517) without its private part."""


class KeySigns(Exception):
    """The key is the one that signs; another must be made before it can go."""


class NoSuchKey(Exception):
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
