"""Receipts of permanent deletions, as signed JWS (RFC 7515) that can be verified with the public key."""

import json
from collections.abc import Mapping
from contextlib import suppress

from joserfc import jws
from joserfc.errors import JoseError
from joserfc.jwk import ECKey

from domain.shared.key_files import pem_keys_in

_ALGORITHM = "ES256"
_TYPE = "undersign-receipt+jws"

Facts = dict[str, str | int]


class InvalidReceipt(Exception):
    """The receipt was not signed with this key, was changed, or is not a receipt."""


def sign_receipt(key: bytes, facts: Mapping[str, str | int]) -> str:
    """Returns a compact JWS (RFC 7515) of `facts`, signed with the first EC P-256 private key (PEM) in `key`."""
    private = ECKey.import_key(pem_keys_in(key)[0])
    header = {"alg": _ALGORITHM, "typ": _TYPE, "kid": private.thumbprint()}
    return jws.serialize_compact(header, json.dumps(facts, sort_keys=True).encode(), private)


def read_receipt(key: bytes, receipt: str) -> Facts:
    """Returns the facts of a receipt. Raises `InvalidReceipt` unless one of the keys (PEM) in `key` signed it."""
    *others, last = pem_keys_in(key)
    for one in others:
        # The next key may have signed it; the error of the last key is that of the receipt.
        with suppress(InvalidReceipt):
            return _read_receipt(one, receipt)
    return _read_receipt(last, receipt)


def _read_receipt(key: bytes, receipt: str) -> Facts:
    try:
        signed = jws.deserialize_compact(receipt, ECKey.import_key(key), algorithms=[_ALGORITHM])
        facts: Facts = json.loads(signed.payload)
    except (JoseError, ValueError, TypeError) as error:
        raise InvalidReceipt("This receipt was changed, or it was not signed with this key.") from error
    if signed.headers().get("typ") != _TYPE:
        raise InvalidReceipt("This was signed with this key, but it is not a receipt of an erasure.")
    return facts


def public_key_of(key: bytes) -> bytes:
    """Returns the public keys (PEM) of the keys in `key`, with which receipts are verified."""
    return b"".join(ECKey.import_key(one).as_pem(private=False) for one in pem_keys_in(key))
