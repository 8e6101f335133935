"""Resolves the link of a recipient: to a session that they may open, or to the page that says why they may not."""

import asyncio
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from time import monotonic
from typing import NamedTuple

from application.session_reader import SessionReader
from domain.ports.process_pool import run_jobs_for
from domain.session.delegation import may_delegate
from domain.session.recipients import Recipient, RecipientStatus, RecipientVerification
from domain.session.session import Session
from domain.session.signing_links import Link, LinkDelegated
from domain.session.status import OPEN_FOR_SIGNING, SessionStatus
from domain.shared.errors import LinkNotValid, NotYourTurn
from web.errors import (
    ApprovalDeclined,
    DeclinedByOther,
    DeclinedByViewer,
    NotTheirTurn,
    PassedOn,
    SessionArchived,
    SessionExpired,
    Withdrawn,
)
from web.reader_language import address_suffix, prefer_language
from web.security_headers import NO_HOST, HostPage

REJECTION_STEP = 0.25
"""In seconds. Invalid links are rejected after a multiple of this time, so that timing reveals nothing."""


class RecipientAccess(NamedTuple):
    """A session and the recipient whose link opens the documents, or the page after signing.

    In a visit that a program opened, `ticket` identifies the visit, and `host` is the host page.
    """

    session: Session
    recipient: Recipient
    ticket: str | None = None
    host: HostPage = NO_HOST

    @property
    def address(self) -> str:
        """The path of the page with the documents."""
        return f"/signing/{self.ticket or self.recipient.recipient_id}{address_suffix()}"

    @property
    def may_delegate(self) -> bool:
        return may_delegate(self.session, self.recipient)

    @property
    def is_signed(self) -> bool:
        """Whether the recipient has signed or approved, or has got their copy."""
        return self.recipient.status is RecipientStatus.COMPLETED

    def asks_for_code(self, copy_days: int, at: datetime) -> bool:
        """Returns whether opening the documents at `at` requires a code.

        Without a code, the link opens the signed copy for `copy_days` after the session is completed. While others have
        not signed, the days count from the recipient's own signature.
        """
        if self.session.recipient_verification is RecipientVerification.EMAIL_CODE:
            return True
        signed_at = self.session.completed_at or self.recipient.completed_at
        return self.is_signed and signed_at is not None and at >= signed_at + timedelta(days=copy_days)


async def resolve_recipient(reader: SessionReader, link: Link) -> RecipientAccess:
    """Returns the session and recipient of `link`, who own the jobs of the request.

    All invalid links get the same response.

    Raises:
        LinkNotValid: no session, or not the recipient's latest link.
        PassedOn: the holder of the link passed their turn on.
        Withdrawn, SessionArchived: the session is archived.
        DeclinedByViewer, ApprovalDeclined, DeclinedByOther, SessionExpired: the session ended before this recipient
            signed or approved.
        NotTheirTurn: other recipients sign first.
    """
    started_at = monotonic()
    try:
        access = RecipientAccess(*await reader.get_by_link(link))
    except LinkDelegated as error:
        prefer_language(error.session.language_of(error.recipient))
        passed_on = error.delegation
        raise PassedOn(error.session, passed_on.to_name, passed_on.to_email, passed_on.reason) from error
    except LinkNotValid:
        await asyncio.sleep(until_rejection(monotonic() - started_at))
        raise
    session = access.session
    run_jobs_for(session.organisation_id, access.recipient.recipient_id)
    prefer_language(session.language_of(access.recipient))
    if session.status is SessionStatus.CANCELLED:
        raise (Withdrawn if session.is_open else SessionArchived)(session)
    if not access.is_signed:
        _check_open(access, datetime.now(UTC))
        try:
            session.check_may_act(access.recipient.recipient_id)
        except NotYourTurn as error:
            raise NotTheirTurn(session) from error
    return access


async def prefer_language_of(reader: SessionReader, link: Link) -> None:
    """Sets the language of a page that does not open the documents to that of the recipient or session of `link`."""
    # Pages for invalid links are in the language of the browser.
    with suppress(LinkNotValid):
        session, recipient = await reader.get_by_link(link)
        prefer_language(session.language_of(recipient))


def until_rejection(passed: float) -> float:
    """Returns the seconds from `passed` seconds to the next multiple of `REJECTION_STEP`."""
    return REJECTION_STEP - passed % REJECTION_STEP


def _check_open(access: RecipientAccess, at: datetime) -> None:
    session, recipient = access.session, access.recipient
    if recipient.status is RecipientStatus.DECLINED:
        raise (ApprovalDeclined if recipient.approves else DeclinedByViewer)(session, recipient.decline_reason or "")
    if session.status is SessionStatus.DECLINED:
        raise DeclinedByOther(session)
    if session.status is SessionStatus.EXPIRED or (session.status in OPEN_FOR_SIGNING and session.has_expired(at)):
        raise SessionExpired(session)
