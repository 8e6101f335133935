"""Passwords of people: hashed with Argon2id (RFC 9106), which costs whoever guesses 64 MB and a moment a guess."""

import secrets
import unicodedata

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

SHORTEST, LONGEST = 12, 1_000
"""Characters of a password."""

_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
"""For passwords that people copy: none that looks like another. 32 of them, so 5 bits each."""

_hasher = PasswordHasher()


def hash_password(password: str) -> str:
    """What is kept of `password`; different each time."""
    return _hasher.hash(_normal(password))


def is_password(password: str, kept: str) -> bool:
    """Whether `kept` was made of `password`."""
    try:
        return _hasher.verify(kept, _normal(password))
    except (VerificationError, InvalidHashError):
        return False


def is_outdated(kept: str) -> bool:
    """Whether `kept` was made with less care than is taken today, and should be made anew when there is a chance."""
    return _hasher.check_needs_rehash(kept)


def new_password() -> str:
    """A password of 100 random bits, in five groups that can be read out."""
    return "-".join("".join(secrets.choice(_LETTERS) for _ in range(4)) for _ in range(5))


def _normal(password: str) -> str:
    """The same text for the same password, however a keyboard composes its characters (NIST SP 800-63B)."""
    return unicodedata.normalize("NFKC", password)
