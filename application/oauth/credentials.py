"""The credentials of a client in a token request: HTTP Basic, or members of the form (RFC 6749 section 2.3.1)."""

import binascii
from base64 import b64decode
from collections.abc import Mapping
from hmac import compare_digest
from typing import NamedTuple
from urllib.parse import unquote_plus

from domain.shared.object_names import digest
from ports.database import ClientCredentials

_NOBODY = digest(b"")
"""Hash to compare a secret with if the client does not exist, so that both cases take the same time."""


class PresentedCredentials(NamedTuple):
    """The credentials in a request. `twice` is true if both the header and the form hold credentials."""

    client_id: str
    secret: str
    twice: bool = False


def read_credentials(authorization: str | None, form: Mapping[str, str]) -> PresentedCredentials:
    """Returns the credentials in a request; empty ones if there are none, or they are malformed."""
    in_form = PresentedCredentials(form.get("client_id", ""), form.get("client_secret", ""))
    if authorization is None:
        return in_form
    basic = _basic(authorization)
    twice = bool(in_form.secret) or in_form.client_id not in {"", basic.client_id}
    return basic._replace(twice=twice)


def _basic(authorization: str) -> PresentedCredentials:
    scheme, _, encoded = authorization.partition(" ")
    if scheme.lower() != "basic":
        return PresentedCredentials("", "")
    try:
        decoded = b64decode(encoded.strip(), validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return PresentedCredentials("", "")
    client_id, _, secret = decoded.partition(":")
    return PresentedCredentials(unquote_plus(client_id), unquote_plus(secret))


def is_authentic(client: ClientCredentials | None, secret: str) -> bool:
    """Returns whether `client` exists, is not revoked and has `secret`."""
    equal = is_secret(client.secret_sha256 if client else None, secret)
    return equal and client is not None and client.revoked_at is None


def is_secret(kept_sha256: str | None, secret: str) -> bool:
    """Returns whether `secret` has the hash `kept_sha256`. None and "" match no secret, in the same time."""
    equal = compare_digest(digest(secret.encode()), kept_sha256 or _NOBODY)
    return equal and bool(kept_sha256)
