"""Encrypts the payloads of Temporal.

Arguments, results, summaries, details and messages of failures are payloads; names of workflows and activities, their
ids, search attributes and times are not. A payload is bound either to its workflow or to the activities of
that workflow: it cannot be decrypted elsewhere.
"""

import hmac
import zlib
from collections.abc import Iterable, Sequence
from contextlib import suppress
from os import urandom
from typing import Self

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from temporalio.api.common.v1 import Payload
from temporalio.converter import (
    ActivitySerializationContext,
    PayloadCodec,
    SerializationContext,
    WithSerializationContext,
    WorkflowSerializationContext,
)

from domain.ports.temporal import PlainPayload
from workflows.sdk.payload_keys_setting import PLAIN, PayloadKey

ENCODING = b"binary/encrypted"
KEY_ID = "encryption-key-id"
BOUND_TO = "encryption-bound-to"

_SALT_BYTES = 16
_NONCE_BYTES = 12
_LABEL = b"undersign payload 2"
_LEVEL = 1
"""The level of zlib. Higher ones take longer, for histories that are a tenth smaller at most."""


class PayloadUnreadable(Exception):
    """A payload cannot be decrypted. The message contains the reason and the remedy, and nothing of the payload."""


class EncryptionCodec(PayloadCodec, WithSerializationContext):
    """Encrypts with AES-256-GCM under the first of `keys`; decrypts with any of them. The key says whether to compress.

    Each payload has its own key, derived from a salt: with random nonces alone, one key would be safe for about 2^32
    payloads only. Plain payloads are refused, unless `none` is among the keys. Payloads that are bound to another place
    than `bound_to` are refused too; if it is None, as for operators, any payload is decrypted.
    """

    def __init__(self, keys: Sequence[PayloadKey], bound_to: bytes | None = None) -> None:
        self._newest = keys[0]
        self._keys = {key.key_id: key for key in keys if key.secret}
        self._takes_plain = len(self._keys) < len(keys)
        self._given = tuple(keys)
        self._bound_to = bound_to

    @property
    def encrypts(self) -> bool:
        """Whether new payloads are encrypted."""
        return bool(self._newest.secret)

    def with_context(self, context: SerializationContext) -> Self:
        return type(self)(self._given, _place_of(context))

    async def encode(self, payloads: Sequence[Payload]) -> list[Payload]:
        if not self.encrypts:
            return list(payloads)
        return [self._encrypted(payload) for payload in payloads]

    async def decode(self, payloads: Sequence[Payload]) -> list[Payload]:
        """Decrypts `payloads`. Raises `PayloadUnreadable`."""
        return list(self._decrypted(payloads))

    async def decrypt(self, payloads: Sequence[PlainPayload]) -> list[PlainPayload]:
        """Decrypts payloads of any workflow, for operators. Plain payloads and unknown keys stay unchanged."""
        reader = type(self)((*(key for key in self._given if key.secret), PLAIN))
        found = [Payload(metadata=dict(payload.metadata), data=payload.data) for payload in payloads]
        for number, payload in enumerate(found):
            with suppress(PayloadUnreadable):  # a payload under an unknown key must not hide the rest of a history
                [found[number]] = await reader.decode([payload])
        return [PlainPayload(dict(payload.metadata), payload.data) for payload in found]

    def _encrypted(self, payload: Payload) -> Payload:
        salt, nonce = urandom(_SALT_BYTES), urandom(_NONCE_BYTES)
        place = self._bound_to or b""
        plain = payload.SerializeToString()
        if self._newest.compresses:
            plain = zlib.compress(plain, _LEVEL)
        ciphertext = _cipher(self._newest, salt).encrypt(nonce, plain, _LABEL + place)
        metadata = {"encoding": ENCODING, KEY_ID: self._newest.key_id.encode("ascii"), BOUND_TO: place}
        return Payload(metadata=metadata, data=salt + nonce + ciphertext)

    def _decrypted(self, payloads: Iterable[Payload]) -> Iterable[Payload]:
        for payload in payloads:
            if payload.metadata.get("encoding") == ENCODING:
                yield self._decrypt(payload)
            elif self._takes_plain:
                yield payload
            else:
                raise PayloadUnreadable(
                    "a payload is not encrypted; if it was written before there was a key, put `none` at the end of "
                    "UNDERSIGN_PAYLOAD_KEYS until those workflows have ended"
                )

    def _decrypt(self, payload: Payload) -> Payload:
        key_id = payload.metadata.get(KEY_ID, b"").decode("ascii", "replace")
        key = self._keys.get(key_id)
        if key is None:
            raise PayloadUnreadable(
                f"a payload is encrypted under key {key_id or 'of no name'}, which this process does not have; "
                "add that key to UNDERSIGN_PAYLOAD_KEYS"
            )
        place = payload.metadata.get(BOUND_TO, b"")
        # Clients get no context for headers, which hold the request id, so these are not bound.
        if self._bound_to is not None and place not in {b"", self._bound_to}:
            raise PayloadUnreadable("a payload was written for another workflow, or for another step of it")
        salt, nonce = payload.data[:_SALT_BYTES], payload.data[_SALT_BYTES : _SALT_BYTES + _NONCE_BYTES]
        try:
            plain = _cipher(key, salt).decrypt(nonce, payload.data[_SALT_BYTES + _NONCE_BYTES :], _LABEL + place)
        except (InvalidTag, ValueError) as error:
            raise PayloadUnreadable(f"a payload under key {key_id} was changed since it was encrypted") from error
        return Payload.FromString(zlib.decompress(plain) if key.compresses else plain)


def _place_of(context: SerializationContext) -> bytes | None:
    """Returns the place to which payloads are bound: the workflow, or the activities of the workflow."""
    if isinstance(context, WorkflowSerializationContext):
        return f"workflow {context.workflow_id}".encode()
    if isinstance(context, ActivitySerializationContext):
        return f"activity {context.workflow_id or ''}".encode()
    return None


def _cipher(key: PayloadKey, salt: bytes) -> AESGCM:
    return AESGCM(hmac.digest(key.secret, _LABEL + salt, "sha256"))
