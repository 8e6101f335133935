"""Inviting: links and the mails that carry them, first invitations and then reminders."""

import hmac

from temporalio import activity
from temporalio.exceptions import ApplicationError

from activities.heartbeats import heartbeats
from activities.interface import InvitationRequest, IssuedLink, IssueLinkRequest, ReminderRequest
from activities.invitation_mail import SigningInvitation, invitation_mail, reminder_mail
from adapters.mail.port import Mailer
from domain.links import link_hash, link_secret, make_token


class Inviting:
    """Makes links under the service's link key and mails them. `base_url` is where recipients reach the service."""

    def __init__(self, mailer: Mailer, link_key: bytes, base_url: str) -> None:
        self._mailer = mailer
        self._link_key = link_key
        self._base_url = base_url

    @activity.defn
    async def issue_link(self, request: IssueLinkRequest) -> IssuedLink:
        """See `interface.issue_link`."""
        return IssuedLink(link_hash=link_hash(self._secret(request)))

    @activity.defn
    async def send_invitation(self, request: InvitationRequest) -> None:
        """See `interface.send_invitation`.

        Raises:
            ApplicationError: the link key changed since the link was made; retried, since with the earlier key back
                in place the mail can leave.
            MailNotSent: the mail server did not take it.
        """
        mail = invitation_mail(self._with_address(request))
        async with heartbeats():
            await self._mailer.send(mail)

    @activity.defn
    async def send_reminder(self, request: ReminderRequest) -> None:
        """See `interface.send_reminder`. Raises what `send_invitation` raises."""
        mail = reminder_mail(self._with_address(request), request.reminder, request.due_at)
        async with heartbeats():
            await self._mailer.send(mail)

    def _with_address(self, request: InvitationRequest) -> SigningInvitation:
        secret = self._secret(request.link)
        if not hmac.compare_digest(link_hash(secret), request.link_hash):
            raise ApplicationError(
                "the link key is not the one this link was made with; put the earlier key back", type="LinkKeyChanged"
            )
        token = make_token(request.link.organisation_id, request.link.session_id, secret)
        return SigningInvitation(request, f"{self._base_url}/sign/{token}")

    def _secret(self, request: IssueLinkRequest) -> bytes:
        return link_secret(self._link_key, request.session_id, request.recipient_id, request.invitation)
