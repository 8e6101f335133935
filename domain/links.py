"""Signing links. A link's token names its session and carries a secret of 256 bits.

The secret derives from a key of the service and the invitation, so that a mail sent again after a crash holds the same
link; only its SHA-256 is kept with the recipient, and a newer invitation replaces it (contract 7 and 17).
"""

import binascii
import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import NamedTuple
from uuid import UUID

from domain.errors import LinkNotValid
from domain.ids import OrganisationId, RecipientId, SessionId
from domain.objects import digest

_SECRET_BYTES = 32
_TOKEN_BYTES = 16 + 16 + _SECRET_BYTES


class Link(NamedTuple):
    """What a token says: where to look, and the hash that the recipient's latest link must have."""

    organisation_id: OrganisationId
    session_id: SessionId
    link_hash: str


def link_secret(key: bytes, session_id: SessionId, recipient_id: RecipientId, invitation: int) -> bytes:
    """The secret of one invitation: HMAC-SHA256 under the service's link key."""
    return hmac.digest(key, f"{session_id}/{recipient_id}/{invitation}".encode(), "sha256")


def link_hash(secret: bytes) -> str:
    """What is kept of a secret."""
    return digest(secret)


def make_token(organisation_id: OrganisationId, session_id: SessionId, secret: bytes) -> str:
    """The token: 86 characters that are safe in a path."""
    return urlsafe_b64encode(UUID(organisation_id).bytes + UUID(session_id).bytes + secret).decode().rstrip("=")


def read_token(token: str) -> Link:
    """What `token` says; raises `LinkNotValid` for anything that `make_token` cannot have made."""
    try:
        raw = urlsafe_b64decode(token + "=" * (-len(token) % 4))
    except (binascii.Error, ValueError) as error:
        raise LinkNotValid from error
    if len(raw) != _TOKEN_BYTES:
        raise LinkNotValid
    organisation, session = (str(UUID(bytes=raw[at : at + 16])) for at in (0, 16))
    organisation_id, session_id, secret = OrganisationId(organisation), SessionId(session), raw[32:]
    if make_token(organisation_id, session_id, secret) != token:
        raise LinkNotValid  # decoding passes over characters that no token has
    return Link(organisation_id, session_id, link_hash(secret))
