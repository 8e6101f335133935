"""Inviting: links and the mails that carry them."""

import hmac

from temporalio import activity
from temporalio.exceptions import ApplicationError

from activities.interface import InvitationRequest, IssuedLink, IssueLinkRequest
from activities.invitation_mail import SigningInvitation, invitation_mail
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
        secret = self._secret(request.link)
        if not hmac.compare_digest(link_hash(secret), request.link_hash):
            raise ApplicationError(
                "the link key is not the one this link was made with; put the earlier key back", type="LinkKeyChanged"
            )
        token = make_token(request.link.organisation_id, request.link.session_id, secret)
        await self._mailer.send(
            invitation_mail(SigningInvitation(request=request, address=f"{self._base_url}/sign/{token}"))
        )

    def _secret(self, request: IssueLinkRequest) -> bytes:
        return link_secret(self._link_key, request.session_id, request.recipient_id, request.invitation)
