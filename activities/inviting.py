"""Mails of a session: links and the mails that carry them, reminders, and how it ended."""

from temporalio import activity
from temporalio.exceptions import ApplicationError

from activities.heartbeats import heartbeats
from activities.interface import (
    MAIL_REJECTED,
    InvitationRequest,
    IssuedLink,
    IssueLinkRequest,
    NoticeRequest,
    ReminderRequest,
)
from activities.links import SigningLinks
from activities.mails import invitation_mail, notice_mail, reminder_mail
from adapters.mail.port import Logo, Logos, Mail, Mailer, MailRejected
from domain.ids import OrganisationId
from domain.notices import NoticeKind


class Inviting:
    """Makes links under the service's link key and mails them. `base_url` is where recipients reach the service.

    Mails carry the organisation's logo of now, if it has one in `logos`.

    What sends a mail raises:
        ApplicationError: `LinkKeyChanged`, tried again; `MailRejected`, for good.
        MailNotSent: the mail server did not take it.
    """

    def __init__(self, mailer: Mailer, link_key: bytes, base_url: str, logos: Logos | None = None) -> None:
        self._mailer = mailer
        self._logos = logos
        self._base_url = base_url
        self._links = SigningLinks(link_key, base_url)

    @activity.defn
    async def issue_link(self, request: IssueLinkRequest) -> IssuedLink:
        """See `interface.issue_link`."""
        return IssuedLink(link_hash=self._links.hash_of(request))

    @activity.defn
    async def send_invitation(self, request: InvitationRequest) -> None:
        """See `interface.send_invitation`."""
        address = self._links.address_of(request.link, request.link_hash)
        await self._send(invitation_mail(request, address, await self._logo(request.link.organisation_id)))

    @activity.defn
    async def send_reminder(self, request: ReminderRequest) -> None:
        """See `interface.send_reminder`."""
        address = self._links.address_of(request.link, request.link_hash)
        await self._send(reminder_mail(request, address, await self._logo(request.link.organisation_id)))

    @activity.defn
    async def send_notice(self, request: NoticeRequest) -> None:
        """See `interface.send_notice`."""
        address = None
        if request.notice.recipient_id is None:
            address = f"{self._base_url}/app/sessions/{request.session_id}"
        elif request.notice.kind is NoticeKind.COMPLETED and request.link and request.link_hash:
            address = self._links.address_of(request.link, request.link_hash)
        await self._send(notice_mail(request, address, await self._logo(request.organisation_id)))

    async def _logo(self, organisation_id: OrganisationId) -> Logo | None:
        return await self._logos.find(organisation_id) if self._logos else None

    async def _send(self, mail: Mail) -> None:
        try:
            async with heartbeats():
                await self._mailer.send(mail)
        except MailRejected as error:
            raise ApplicationError(str(error), type=MAIL_REJECTED, non_retryable=True) from error
