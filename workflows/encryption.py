"""Payloads under encryption, from before they leave a process for Temporal until after they are back.

Arguments, results, summaries, details and messages of failures are payloads; names of workflows and activities, their
ids, search attributes and times are not. Payloads of before there was a key are read as they are.
"""

import hmac
from collections.abc import Iterable, Mapping, Sequence
from os import urandom
from typing import NamedTuple

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from temporalio.api.common.v1 import Payload
from temporalio.converter import PayloadCodec

from workflows.payload_keys import PayloadKey

ENCODING = b"binary/encrypted"
KEY_ID = "encryption-key-id"

_SALT_BYTES = 16
_NONCE_BYTES = 12
_LABEL = b"undersign payload 1"


class PlainPayload(NamedTuple):
    """A payload for those who know nothing of Temporal."""

    metadata: Mapping[str, bytes]
    data: bytes


class PayloadUnreadable(Exception):
    """A payload cannot be decrypted. The message says why and what to do, and nothing of the payload."""


class Encryption(PayloadCodec):
    """AES-256-GCM under the first of `keys`; decrypts what any of them encrypted.

    Each payload has a key of its own, derived from a salt. A nonce of 96 bits alone would let a key be used for some
    four thousand million payloads: a month, where a million sessions are signed a day.
    """

    def __init__(self, keys: Sequence[PayloadKey]) -> None:
        self._newest = keys[0]
        self._keys = {key.key_id: key for key in keys}

    @property
    def encrypts(self) -> bool:
        """Whether it does, and not only decrypts."""
        return bool(self._newest.secret)

    async def encode(self, payloads: Sequence[Payload]) -> list[Payload]:
        if not self.encrypts:
            return list(payloads)
        return [self._encrypted(payload) for payload in payloads]

    async def decode(self, payloads: Sequence[Payload]) -> list[Payload]:
        """Raises `PayloadUnreadable`."""
        return list(self._decrypted(payloads))

    async def opened(self, payloads: Sequence[PlainPayload]) -> list[PlainPayload]:
        """As `decode`."""
        return _plain(await self.decode(_payloads(payloads)))

    async def sealed(self, payloads: Sequence[PlainPayload]) -> list[PlainPayload]:
        """As `encode`."""
        return _plain(await self.encode(_payloads(payloads)))

    def _encrypted(self, payload: Payload) -> Payload:
        salt, nonce = urandom(_SALT_BYTES), urandom(_NONCE_BYTES)
        sealed = _cipher(self._newest, salt).encrypt(nonce, payload.SerializeToString(), _LABEL)
        metadata = {"encoding": ENCODING, KEY_ID: self._newest.key_id.encode("ascii")}
        return Payload(metadata=metadata, data=salt + nonce + sealed)

    def _decrypted(self, payloads: Iterable[Payload]) -> Iterable[Payload]:
        for payload in payloads:
            yield self._opened(payload) if payload.metadata.get("encoding") == ENCODING else payload

    def _opened(self, payload: Payload) -> Payload:
        key_id = payload.metadata.get(KEY_ID, b"").decode("ascii", "replace")
        key = self._keys.get(key_id)
        if key is None:
            raise PayloadUnreadable(
                f"a payload is encrypted under key {key_id or 'of no name'}, which this process does not have; "
                "add that key to UNDERSIGN_PAYLOAD_KEYS"
            )
        salt, nonce = payload.data[:_SALT_BYTES], payload.data[_SALT_BYTES : _SALT_BYTES + _NONCE_BYTES]
        try:
            plain = _cipher(key, salt).decrypt(nonce, payload.data[_SALT_BYTES + _NONCE_BYTES :], _LABEL)
        except (InvalidTag, ValueError) as error:
            raise PayloadUnreadable(f"a payload under key {key_id} was changed since it was encrypted") from error
        return Payload.FromString(plain)


def _payloads(plain: Sequence[PlainPayload]) -> list[Payload]:
    return [Payload(metadata=dict(one.metadata), data=one.data) for one in plain]


def _plain(payloads: Sequence[Payload]) -> list[PlainPayload]:
    return [PlainPayload(dict(payload.metadata), payload.data) for payload in payloads]


def _cipher(key: PayloadKey, salt: bytes) -> AESGCM:
    return AESGCM(hmac.digest(key.secret, _LABEL + salt, "sha256"))
