"""Lists of secret keys, as key files hold them: one after the other, the newest first.

The newest key signs and encrypts. All of them verify and decrypt, until the former ones are retired.
"""

import re

KEY_BYTES = 32
"""The size of each key."""


def keys_in(content: bytes) -> tuple[bytes, ...]:
    """The keys of a file, newest first; at least one."""
    return tuple(content[at : at + KEY_BYTES] for at in range(0, max(len(content), 1), KEY_BYTES))


def newest_in(content: bytes) -> bytes:
    """The key that signs and encrypts."""
    return keys_in(content)[0]


def oldest_first(content: bytes) -> list[bytes]:
    """The keys in the order in which itsdangerous takes them: it signs with the last."""
    return [*reversed(keys_in(content))]


_PEM = re.compile(rb"-----BEGIN [A-Z ]+-----.*?-----END [A-Z ]+-----\n?", re.DOTALL)


def pem_keys_in(content: bytes) -> tuple[bytes, ...]:
    """The keys (PEM) of a file, the one that signs first. What holds none is one key, which cannot be used."""
    return tuple(_PEM.findall(content)) or (content,)
