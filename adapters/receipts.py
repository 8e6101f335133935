"""Receipts of what was erased: facts under a signature that anybody with the public key can check."""

import json
from collections.abc import Mapping

from joserfc import jws
from joserfc.errors import JoseError
from joserfc.jwk import ECKey

_ALGORITHM = "ES256"
_TYPE = "undersign-receipt+jws"

Facts = dict[str, str | int]


class ReceiptNotValid(Exception):
    """Somebody else signed it, it was changed, or it is no receipt at all."""


def sign_receipt(key: bytes, facts: Mapping[str, str | int]) -> str:
    """A compact JWS (RFC 7515) of `facts` under the EC P-256 private key (PEM)."""
    private = ECKey.import_key(key)
    header = {"alg": _ALGORITHM, "typ": _TYPE, "kid": private.thumbprint()}
    return jws.serialize_compact(header, json.dumps(facts, sort_keys=True).encode(), private)


def read_receipt(key: bytes, receipt: str) -> Facts:
    """The facts of a receipt. `key` (PEM) may be the public key or the private one.

    Raises:
        ReceiptNotValid: see there; or `key` is no EC P-256 key.
    """
    try:
        signed = jws.deserialize_compact(receipt, ECKey.import_key(key), algorithms=[_ALGORITHM])
        facts: Facts = json.loads(signed.payload)
    except (JoseError, ValueError, TypeError) as error:
        raise ReceiptNotValid("This receipt was changed, or it was not signed with this key.") from error
    if signed.headers().get("typ") != _TYPE:
        raise ReceiptNotValid("This was signed with this key, but it is not a receipt of an erasure.")
    return facts


def public_key_of(key: bytes) -> bytes:
    """The public key (PEM) that belongs to the private one: what others check receipts with."""
    return ECKey.import_key(key).as_pem(private=False)
