"""The keys that encrypt payloads, from the settings. Does not load the SDK."""

import base64
import binascii
import secrets
from dataclasses import dataclass, field
from hashlib import sha256

KEY_BYTES = 32

_HOW = "32 random bytes in base64, as `undersign payload-key new` makes them"

_COMPRESSES = "zlib:"
"""The beginning of a key whose payloads are compressed. Version 0.1 refuses it at start, as it cannot read those."""

NOTHING = "none"
"""An entry in place of a key: plain payloads are accepted too. If it is the first entry, nothing is encrypted."""


@dataclass(frozen=True, slots=True)
class PayloadKey:
    """An AES-256 key (empty: encrypts nothing), and the id by which payloads refer to it.

    `compresses`: its payloads are compressed before they are encrypted.
    """

    key_id: str
    secret: bytes = field(repr=False)
    compresses: bool = False


PLAIN = PayloadKey(NOTHING, b"")
"""The key of `NOTHING`."""


def read_payload_keys(text: str) -> tuple[PayloadKey, ...]:
    """Returns the keys in `text`, separated by commas, or `none`. Raises `ValueError`, whose message quotes no key."""
    keys = tuple(_read(number, part.strip()) for number, part in enumerate(text.split(","), 1))
    if len({key.key_id for key in keys}) < len(keys):
        raise ValueError("a key is listed twice; list each once, the one that encrypts first")
    return keys


def new_payload_key() -> str:
    """Returns a new random key, in the form of the setting."""
    return _COMPRESSES + base64.b64encode(secrets.token_bytes(KEY_BYTES)).decode("ascii")


def _read(number: int, text: str) -> PayloadKey:
    if text == NOTHING:
        return PLAIN
    try:
        secret = base64.b64decode(text.removeprefix(_COMPRESSES), validate=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError(f"key {number} is not base64; a key is {_HOW}") from error
    if len(secret) != KEY_BYTES:
        raise ValueError(f"key {number} has {len(secret)} bytes; a key is {_HOW}")
    form = _COMPRESSES if text.startswith(_COMPRESSES) else ""
    key_id = sha256(b"undersign payload key" + form.encode() + secret).hexdigest()[:16]
    return PayloadKey(key_id, secret, compresses=bool(form))
