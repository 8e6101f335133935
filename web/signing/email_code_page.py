"""The one-time code that a session may require before its documents open, sent by email.

It proves that the recipient can read email at their address now. Only the right code is exchanged for a cookie.
`adapters.database.repositories.email_codes` compares codes and counts attempts.
"""

import hmac
import secrets
from datetime import UTC, datetime
from http import HTTPStatus
from uuid import uuid4

import structlog
from fastapi import Request, Response

from application.mails.render_mail import MailEnvelope, make_mail
from application.services import Services
from domain.ports.email_codes import CodeIssue, CodeResult
from domain.ports.mail import MailNotSent, MailRejected
from domain.session.email_code_limits import CODE_LIFETIME
from domain.session.signing_links import Link
from domain.session.value_parsers import only_digits
from domain.shared.ids import RecipientRef
from domain.shared.key_files import newest_in
from domain.shared.object_names import digest
from domain.texts.languages import ENGLISH
from web.forms import read_form
from web.html_response import render
from web.sender_identity import find_sender
from web.signing.resolve_link import RecipientAccess
from web.texts import PAGES

log = structlog.get_logger(__name__)

CODE = "code"

_DIGITS = 6


class CodePage:
    """The code page of one recipient in one request."""

    def __init__(self, request: Request, services: Services, link: Link, access: RecipientAccess) -> None:
        self._request = request
        self._services = services
        self._link = link
        self._access = access
        session = access.session
        self._key = RecipientRef(session.organisation_id, session.session_id, access.recipient.recipient_id)
        self._person = digest(access.recipient.email.encode())

    async def send(self, here: str) -> Response:
        """Sends a new code unless a limit of codes is reached, and shows the result. `here` is the address of the page.

        Raises `DatabaseUnavailable`.
        """
        code = f"{secrets.randbelow(10**_DIGITS):0{_DIGITS}}"
        at = datetime.now(UTC)
        issue = await self._services.codes.issue(self._key, self._hash(code), at, self._person)
        if issue is not CodeIssue.ISSUED:
            return await self._ask(here, issue)
        try:
            await self._mail(code, at)
        except (MailNotSent, MailRejected) as error:
            log.warning("code not sent", error=type(error).__name__)
            await self._services.codes.withdraw(self._key, self._person)
            return await self._ask(here, None, status=HTTPStatus.SERVICE_UNAVAILABLE)
        return await self._ask(here)

    async def enter(self, here: str) -> Response | None:
        """Returns None for the right code, otherwise the form with an error."""
        form = await read_form(self._request)
        code = only_digits(form.get(CODE, ""))
        if len(code) != _DIGITS:
            return await self._ask(here, problem=PAGES.code_incomplete, status=HTTPStatus.UNPROCESSABLE_ENTITY)
        result = await self._services.codes.enter(self._key, self._hash(code), datetime.now(UTC), self._person)
        if result is CodeResult.RIGHT:
            return None
        problem = PAGES.code_wrong if result is CodeResult.WRONG else PAGES.code_ended
        return await self._ask(here, problem=problem, status=HTTPStatus.UNPROCESSABLE_ENTITY)

    async def _ask(
        self,
        here: str,
        issue: CodeIssue | None = CodeIssue.ISSUED,
        *,
        problem: str = "",
        status: HTTPStatus = HTTPStatus.OK,
    ) -> Response:
        """Shows the page after `issue`; None means that the code could not be sent."""
        return render(
            "code.html",
            status,
            session=self._access.session,
            address=mask_email(self._access.recipient.email),
            minutes=int(CODE_LIFETIME.total_seconds() // 60),
            here=here,
            host_page=self._access.host,
            issue=issue.name if issue else "",
            problem=problem,
            sender=await find_sender(self._services, self._access.session),
        )

    async def _mail(self, code: str, at: datetime) -> None:
        session, recipient = self._access.session, self._access.recipient
        facts = {
            "code": code,
            "name": recipient.name,
            "session": session.name,
            "organisation": session.organisation_name,
            "minutes": str(int(CODE_LIFETIME.total_seconds() // 60)),
        }
        envelope = MailEnvelope(
            message_id=f"code-{uuid4()}@undersign",
            to_name=recipient.name,
            to_email=recipient.email,
            organisation=session.organisation_name,
            sent_at=at,
            identity=await self._services.identities.find(session.organisation_id),
            language=session.language_of(recipient) or ENGLISH,
        )
        await self._services.mailer.send(make_mail("code", facts, envelope))

    def _hash(self, code: str) -> str:
        """Returns an HMAC of the code that is bound to this link. A plain hash of six digits could be reversed."""
        words = "/".join(("code", *self._key, self._link.link_hash, code))
        return hmac.new(newest_in(self._services.keys.cookie), words.encode(), "sha256").hexdigest()


def mask_email(email: str) -> str:
    """Returns the first letter and the domain of an address, which its owner recognises."""
    name, _, domain = email.rpartition("@")
    return f"{name[:1]}•••@{domain}"
