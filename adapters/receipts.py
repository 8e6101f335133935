"""Receipts of what was erased: facts under a signature that anybody with the public key can check."""

import json
from collections.abc import Mapping

from joserfc import jws
from joserfc.jwk import ECKey

_ALGORITHM = "ES256"


def sign_receipt(key: bytes, facts: Mapping[str, str | int]) -> str:
    """A compact JWS (RFC 7515) of `facts` under the EC P-256 private key (PEM)."""
    private = ECKey.import_key(key)
    header = {"alg": _ALGORITHM, "typ": "undersign-receipt+jws", "kid": private.thumbprint()}
    return jws.serialize_compact(header, json.dumps(facts, sort_keys=True).encode(), private)


def read_receipt(key: bytes, receipt: str) -> dict[str, str | int]:
    """The facts of a receipt. `key` may be the public key or the private one.

    Raises:
        joserfc.errors.JoseError: somebody else signed it, or it was changed.
    """
    signed = jws.deserialize_compact(receipt, ECKey.import_key(key), algorithms=[_ALGORITHM])
    facts: dict[str, str | int] = json.loads(signed.payload)
    return facts
