"""Encryption of secrets in rows under a list of keys, which can be rotated."""

import secrets
from contextlib import suppress

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from domain.shared.key_files import keys_in

_NONCE_BYTES = 12


class KeyListCipher:
    """AES-256-GCM under a list of keys: the newest encrypts, all decrypt. `decrypt` needs the same `context`."""

    def __init__(self, keys: bytes) -> None:
        self._ciphers = tuple(map(AESGCM, keys_in(keys)))

    def encrypt(self, content: bytes, context: str) -> bytes:
        nonce = secrets.token_bytes(_NONCE_BYTES)
        return nonce + self._ciphers[0].encrypt(nonce, content, context.encode())

    def decrypt(self, encrypted: bytes, context: str) -> bytes | None:
        """Returns the content; None if it was encrypted with another key or another context."""
        nonce, content = encrypted[:_NONCE_BYTES], encrypted[_NONCE_BYTES:]
        for cipher in self._ciphers:
            # The content may be encrypted with the next key: during a rotation both are in use.
            with suppress(InvalidTag):
                return cipher.decrypt(nonce, content, context.encode())
        return None
