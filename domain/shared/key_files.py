"""Lists of secret keys in key files, newest first.

The newest key signs and encrypts. All keys verify and decrypt, until former ones are removed.
"""

import re
from hashlib import sha256
from typing import Any

KEY_BYTES = 32

SIGNING: dict[str, Any] = {"key_derivation": "hmac", "digest_method": sha256}
"""Options of the signers of itsdangerous."""


def keys_in(content: bytes) -> tuple[bytes, ...]:
    """Returns the keys of a file, newest first; at least one."""
    return tuple(content[at : at + KEY_BYTES] for at in range(0, max(len(content), 1), KEY_BYTES))


def newest_in(content: bytes) -> bytes:
    """Returns the key that signs and encrypts."""
    return keys_in(content)[0]


def oldest_first(content: bytes) -> list[bytes]:
    """Returns the keys, oldest first, as itsdangerous expects them: it signs with the last."""
    return [*reversed(keys_in(content))]


_PEM = re.compile(rb"-----BEGIN [A-Z ]+-----.*?-----END [A-Z ]+-----\n?", re.DOTALL)


def pem_keys_in(content: bytes) -> tuple[bytes, ...]:
    """Returns the keys (PEM) of a file, the signing key first. Content without PEM is returned as one unusable key."""
    return tuple(_PEM.findall(content)) or (content,)
