"""The emails of a session: invitations and reminders with their links, and how it ended."""

from temporalio import activity
from temporalio.exceptions import ApplicationError

from activities.heartbeats import heartbeats
from activities.interface import (
    MAIL_REJECTED,
    EmailRequest,
    InvitationRequest,
    LinkRequest,
    OutcomeMailRequest,
    ReminderRequest,
)
from activities.mail_builder import invitation_mail, outcome_mail, reminder_mail
from domain.session.reminders_and_outcome_mails import OutcomeMailKind
from domain.session.signing_links import link_secret, make_token
from domain.shared.ids import OrganisationId
from ports.mail import Logo, Logos, Mailer, MailRejected


class SessionMailActivities:
    """Sends the emails of sessions, with links under the service's link key.

    `base_url` is where recipients reach the service. Emails carry the organisation's logo of now, if it has one.
    """

    def __init__(self, mailer: Mailer, link_key: bytes, base_url: str, logos: Logos | None = None) -> None:
        self._mailer = mailer
        self._logos = logos
        self._base_url = base_url
        self._links = SigningLinks(link_key, base_url)

    @activity.defn
    async def send_invitation(self, request: InvitationRequest) -> None:
        """See `interface.send_invitation`."""
        await self._send_alone(request)

    @activity.defn
    async def send_reminder(self, request: ReminderRequest) -> None:
        """See `interface.send_reminder`."""
        await self._send_alone(request)

    @activity.defn
    async def send_outcome_mail(self, request: OutcomeMailRequest) -> None:
        """See `interface.send_outcome_mail`."""
        await self._send_alone(request)

    async def send(self, request: EmailRequest) -> None:
        """Sends the email.

        Raises:
            MailRejected: the mail server permanently rejected it.
            MailNotSent: the mail server did not accept it.
        """
        if isinstance(request, OutcomeMailRequest):
            logo = await self._logo(request.organisation_id)
            mail = outcome_mail(request, self._address_in(request), logo)
        elif isinstance(request, ReminderRequest):
            link = request.invitation.link
            mail = reminder_mail(request, self._links.address_of(link), await self._logo(link.organisation_id))
        else:
            link = request.link
            mail = invitation_mail(request, self._links.address_of(link), await self._logo(link.organisation_id))
        await self._mailer.send(mail)

    def _address_in(self, request: OutcomeMailRequest) -> str | None:
        if request.notice.recipient_id is None:
            return f"{self._base_url}/app/sessions/{request.session_id}"
        if request.notice.kind is OutcomeMailKind.COMPLETED and request.link:
            return self._links.address_of(request.link)
        return None

    async def _logo(self, organisation_id: OrganisationId) -> Logo | None:
        return await self._logos.find(organisation_id) if self._logos else None

    async def _send_alone(self, request: EmailRequest) -> None:
        try:
            async with heartbeats():
                await self.send(request)
        except MailRejected as error:
            raise ApplicationError(str(error), type=MAIL_REJECTED, non_retryable=True) from error


class SigningLinks:
    """Makes links. `base_url` is where recipients reach the service."""

    def __init__(self, link_key: bytes, base_url: str) -> None:
        self._link_key = link_key
        self._base_url = base_url

    def address_of(self, request: LinkRequest) -> str:
        """Returns the URL of the link, always the same."""
        secret = link_secret(self._link_key, request.session_id, request.recipient_id, request.invitation)
        return f"{self._base_url}/sign/{make_token(request.organisation_id, request.session_id, secret)}"
