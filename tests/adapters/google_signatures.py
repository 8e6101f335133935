"""What Google checks of a signed address (V4, RSA), written from its description: servers of tests check nothing."""

from datetime import UTC, datetime, timedelta
from hashlib import sha256
from urllib.parse import parse_qsl, quote, urlsplit

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa


def lets_in(url: str, key: rsa.RSAPublicKey, now: datetime, method: str = "GET") -> bool:
    """Whether the storage would answer `method` on `url` at `now` for the account with that public key."""
    parts = urlsplit(url)
    query = dict(parse_qsl(parts.query, keep_blank_values=True, strict_parsing=True))
    signature = bytes.fromhex(query.pop("X-Goog-Signature"))
    begins = datetime.strptime(query["X-Goog-Date"], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
    is_in_time = begins <= now < begins + timedelta(seconds=int(query["X-Goog-Expires"]))
    scope = query["X-Goog-Credential"].partition("/")[2]
    asked = "\n".join(
        [
            method,
            parts.path,
            "&".join(f"{quote(name, safe='~')}={quote(value, safe='~')}" for name, value in sorted(query.items())),
            f"host:{parts.netloc}\n",
            query["X-Goog-SignedHeaders"],
            "UNSIGNED-PAYLOAD",
        ]
    )
    signed = "\n".join([query["X-Goog-Algorithm"], query["X-Goog-Date"], scope, sha256(asked.encode()).hexdigest()])
    try:
        key.verify(signature, signed.encode(), padding.PKCS1v15(), hashes.SHA256())
    except InvalidSignature:
        return False
    return is_in_time
