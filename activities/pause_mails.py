"""Mails to an organisation's users about a paused receiver of callbacks."""

from dataclasses import dataclass

from temporalio import activity
from temporalio.exceptions import ApplicationError

from activities.heartbeats import heartbeats
from activities.interface import MAIL_REJECTED, PauseMailRequest, UsersToNotify
from activities.mail_builder import pause_mail
from domain.callbacks.retries_and_pauses import ReceiverPause
from ports.database import Organisations, User, Users
from ports.mail import Logos, Mailer, MailRejected


@dataclass(frozen=True, slots=True)
class PauseMailActivities:
    """`base_url` is the address of the app; `sender_email` gets the mail if an organisation has no users."""

    users: Users
    organisations: Organisations
    logos: Logos
    mailer: Mailer
    base_url: str
    sender_email: str | None

    @activity.defn
    async def list_users(self, pause: ReceiverPause) -> UsersToNotify:
        """See `interface.list_users`."""
        people = tuple(user.user_id for user in await self._people(pause))
        if not people and self.sender_email:
            return UsersToNotify(user_ids=(None,))
        return UsersToNotify(user_ids=people)

    @activity.defn
    async def send_pause_mail(self, request: PauseMailRequest) -> None:
        """See `interface.send_pause_mail`. Sends nothing to a user who was removed or disabled meanwhile.

        Raises:
            ApplicationError: `MailRejected`, not retried.
            MailNotSent: the mail server did not accept the mail; retried.
        """
        organisation = await self.organisations.get(request.pause.organisation_id)
        name = organisation.name if organisation else ""
        if request.user_id is None:
            to = (name, self.sender_email)
        else:
            people = {user.user_id: (user.name, user.email) for user in await self._people(request.pause)}
            to = people.get(request.user_id, ("", None))
        if to[1] is None:
            return
        logo = await self.logos.find(request.pause.organisation_id)
        mail = pause_mail(request, name, (to[0], to[1]), f"{self.base_url}/app/organisation", logo)
        try:
            async with heartbeats():
                await self.mailer.send(mail)
        except MailRejected as error:
            raise ApplicationError(str(error), type=MAIL_REJECTED, non_retryable=True) from error

    async def _people(self, pause: ReceiverPause) -> list[User]:
        return [user for user in await self.users.list(pause.organisation_id) if user.disabled_at is None]
