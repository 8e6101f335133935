"""Signing links. A link's token holds the organisation, the session and a secret of 256 bits.

The secret derives from a key of the service, the recipient and the number of the invitation. It is not stored: the
service derives it again to check a link. A newer invitation replaces the link (Specification 4.10, 12.2).
"""

import binascii
import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import datetime
from hmac import compare_digest
from itertools import product
from typing import NamedTuple
from uuid import UUID

from domain.session.error_messages import not_active
from domain.session.recipients import ACTIVE, Delegation, Recipient, RecipientStatus
from domain.session.session import Session
from domain.session.snapshot import SessionSnapshot
from domain.session.status import OPEN_FOR_SIGNING, SessionStatus
from domain.shared.errors import LinkNotValid, RecipientNotActive, Unavailable
from domain.shared.ids import OrganisationId, RecipientId, SessionId
from domain.shared.key_files import keys_in, newest_in
from domain.shared.object_names import digest

_OTHERS_FIRST = "Others sign first. The event recipient.invited says when it is this recipient's turn."
_COPY_LATER = "This recipient gets a copy when all others have finished. The event session.completed says when."

_SECRET_BYTES = 32
_TOKEN_BYTES = 16 + 16 + _SECRET_BYTES


class Link(NamedTuple):
    """The content of a token, with the SHA-256 (hex) of its secret."""

    organisation_id: OrganisationId
    session_id: SessionId
    link_hash: str


def link_secret(key: bytes, session_id: SessionId, recipient_id: RecipientId, invitation: int) -> bytes:
    """Returns the secret of an invitation: HMAC-SHA256 under the newest link key."""
    return hmac.digest(newest_in(key), f"{session_id}/{recipient_id}/{invitation}".encode(), "sha256")


def link_hash(secret: bytes) -> str:
    """Returns the SHA-256 (hex) of a secret, which cookies and logs may hold."""
    return digest(secret)


class LinkDelegated(LinkNotValid):
    """The holder of the link passed the turn of `recipient` on. The link opens only a page about `delegation`."""

    def __init__(self, session: Session, recipient: Recipient, delegation: Delegation) -> None:
        self.session = session
        self.recipient = recipient
        self.delegation = delegation
        super().__init__()


def find_by_link(key: bytes, session: Session, hash: str) -> Recipient:
    """Returns the recipient whose latest link has that hash, in constant time.

    Raises `LinkNotValid`, `LinkDelegated`, or `Unavailable` for the link of an invitation that is being recorded.
    """
    found, is_early, passed = None, False, None
    for recipient, one, later in product(session.recipients, keys_in(key), (0, 1)):
        number = recipient.invitation.number + later
        secret = link_secret(one, session.session_id, recipient.recipient_id, number)
        if compare_digest(link_hash(secret), hash) and number:
            found, is_early = recipient, bool(later)
    for recipient, one in product(session.recipients, keys_in(key)):
        for delegation in recipient.delegations:
            secret = link_secret(one, session.session_id, recipient.recipient_id, delegation.invitation)
            if compare_digest(link_hash(secret), hash):
                passed = recipient, delegation
    if found is None:
        raise LinkDelegated(session, *passed) if passed else LinkNotValid
    if is_early:
        raise Unavailable
    return found


def check_may_open(session: SessionSnapshot, recipient_id: RecipientId, at: datetime) -> Recipient:
    """Returns the recipient if they can act at `at`, or have finished and may see their copy.

    Raises `RecipientNotFound`, `SessionNotActive` or `RecipientNotActive`.
    """
    session.check_exists()
    recipient = session.recipient(recipient_id)
    if recipient.status is RecipientStatus.COMPLETED and session.status is not SessionStatus.CANCELLED:
        return recipient
    if session.status not in OPEN_FOR_SIGNING or session.has_expired(at):
        raise not_active(session, at)
    if recipient.status not in ACTIVE:
        raise RecipientNotActive(_COPY_LATER if recipient.gets_copy else _OTHERS_FIRST)
    return recipient


def make_token(organisation_id: OrganisationId, session_id: SessionId, secret: bytes) -> str:
    """Returns the token: 86 URL-safe characters."""
    return urlsafe_b64encode(UUID(organisation_id).bytes + UUID(session_id).bytes + secret).decode().rstrip("=")


def read_token(token: str) -> Link:
    """Parses a token. Raises `LinkNotValid` for any text that `make_token` does not return."""
    try:
        raw = urlsafe_b64decode(token + "=" * (-len(token) % 4))
    except (binascii.Error, ValueError) as error:
        raise LinkNotValid from error
    if len(raw) != _TOKEN_BYTES:
        raise LinkNotValid
    organisation, session = (str(UUID(bytes=raw[at : at + 16])) for at in (0, 16))
    organisation_id, session_id, secret = OrganisationId(organisation), SessionId(session), raw[32:]
    if make_token(organisation_id, session_id, secret) != token:
        raise LinkNotValid  # base64 decoding ignores characters that no token contains
    return Link(organisation_id, session_id, link_hash(secret))
