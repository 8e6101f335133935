"""A recipient's cookie: the cookie that takes the place of the link's token once the documents are opened.

The cookie only says which link was used. Whether that link is still the recipient's latest is asked of the session on
every request, so a newer invitation ends the visits of the older one at once.
"""

import asyncio
from datetime import UTC, datetime
from hashlib import sha256
from time import monotonic
from typing import NamedTuple

from fastapi import Request, Response
from itsdangerous import BadData, Signer, URLSafeTimedSerializer

from application.sessions.read import SessionReader
from domain.session.recipients import Recipient, RecipientStatus
from domain.session.session import Session, SessionStatus
from domain.session.signing_links import Link
from domain.session.state import OPEN_FOR_SIGNING
from domain.shared.errors import LinkNotValid, SessionNotActive
from domain.shared.ids import OrganisationId, RecipientId, SessionId
from domain.shared.key_lists import oldest_first
from web.errors import CookieExpired, DeclinedByOther, DeclinedByViewer, FormOutOfDate, SessionExpired

REJECTION_STEP = 0.25
"""Seconds. Links that open nothing are refused at whole steps after they came: long enough for the look-ups of each
kind on a busy machine, and short for somebody with an old mail."""

LIFETIME = 12 * 3600
"""Seconds: a working day with the documents open, and a lost laptop is no open door tomorrow."""

_KEYING = {"key_derivation": "hmac", "digest_method": sha256}


class RecipientCookie(NamedTuple):
    """Who came, and with which link."""

    link: Link
    recipient_id: RecipientId


class RecipientAccess(NamedTuple):
    """A recipient of a session whose link shows something: the documents, or that they have signed."""

    session: Session
    recipient: Recipient

    @property
    def is_signed(self) -> bool:
        return self.recipient.status is RecipientStatus.COMPLETED


async def resolve_recipient(reader: SessionReader, link: Link) -> RecipientAccess:
    """The access that `link` opens.

    Whether a session never was, was deleted, or has given its recipient a newer link is nobody's to learn who holds
    none that works: they are all looked up in the same places, and told the same thing after the same time.

    Raises:
        LinkNotValid: no session, or not the recipient's latest link.
        SessionNotActive: the session is archived.
        DeclinedByViewer: this recipient declined.
        DeclinedByOther: somebody else did, before this recipient had signed.
        SessionExpired: it expired before this recipient had signed, whether the session has noticed it yet or not.
        NotYourTurn: others sign first.
    """
    came_at = monotonic()
    try:
        access = RecipientAccess(*await reader.get_by_link(link))
    except LinkNotValid:
        await asyncio.sleep(until_rejection(monotonic() - came_at))
        raise
    session = access.session
    if session.status is SessionStatus.CANCELLED:
        raise SessionNotActive
    if not access.is_signed:
        _check_open(access, datetime.now(UTC))
        session.check_may_act(access.recipient.recipient_id)
    return access


def until_rejection(passed: float) -> float:
    """Seconds from now to the next whole step, when `passed` seconds went into looking."""
    return REJECTION_STEP - passed % REJECTION_STEP


def _check_open(access: RecipientAccess, at: datetime) -> None:
    session, recipient = access
    if recipient.status is RecipientStatus.DECLINED:
        raise DeclinedByViewer(session)
    if session.status is SessionStatus.DECLINED:
        raise DeclinedByOther(session)
    if session.status is SessionStatus.EXPIRED or (session.status in OPEN_FOR_SIGNING and session.has_expired(at)):
        raise SessionExpired(session)


class RecipientCookies:
    """Writes and reads the cookies of visits, and the token that ties a form to its cookie."""

    def __init__(self, key: bytes, base_url: str) -> None:
        self._secure = base_url.startswith("https:")
        self._serializer = URLSafeTimedSerializer(oldest_first(key), salt="undersign.visit", signer_kwargs=_KEYING)
        self._forms = Signer(oldest_first(key), salt="undersign.form", key_derivation="hmac", digest_method=sha256)

    def remember(self, response: Response, cookie: RecipientCookie) -> None:
        """Has the browser keep `cookie`. Strict: no other site, not even by a link, brings the cookie along."""
        response.set_cookie(
            self._cookie_name(cookie.recipient_id),
            str(self._serializer.dumps([*cookie.link, cookie.recipient_id])),
            max_age=LIFETIME,
            path="/",
            secure=self._secure,
            httponly=True,
            samesite="strict",
        )

    def read(self, request: Request, recipient_id: str) -> RecipientCookie:
        """The cookie of that recipient that the browser kept; raises `CookieExpired`."""
        cookie = request.cookies.get(self._cookie_name(recipient_id), "")
        try:
            organisation, session, link_hash, recipient = self._serializer.loads(cookie, max_age=LIFETIME)
        except BadData as error:
            raise CookieExpired from error
        if recipient != recipient_id:
            raise CookieExpired
        return RecipientCookie(
            Link(OrganisationId(organisation), SessionId(session), link_hash), RecipientId(recipient)
        )

    def form_token(self, cookie: RecipientCookie) -> str:
        """What a form of this cookie carries. The same for all visits by one link: a second tab breaks nothing."""
        return self._forms.get_signature(_named(cookie)).decode()

    def check_form_token(self, cookie: RecipientCookie, token: str) -> None:
        """Raises `FormOutOfDate` unless `token` is the one of `cookie`."""
        if not self._forms.verify_signature(_named(cookie), token):
            raise FormOutOfDate

    def _cookie_name(self, recipient_id: str) -> str:
        # Browsers accept the prefix with Secure only, and Secure over https only.
        prefix = "__Host-" if self._secure else ""
        return f"{prefix}undersign-{recipient_id.replace('-', '')[:12]}"


def _named(cookie: RecipientCookie) -> str:
    return "/".join((*cookie.link, cookie.recipient_id))
