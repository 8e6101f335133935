"""Sends mails: those of a session, those about its deletion, and those about a paused receiver of callbacks."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta

import structlog
from temporalio import activity
from temporalio.exceptions import ApplicationError

from activities.build_mails import deletion_mail, invitation_mail, outcome_mail, pause_mail, reminder_mail
from activities.heartbeats import heartbeats
from activities.interface import (
    MAIL_REJECTED,
    EmailRequest,
    EraseRequest,
    InvitationRequest,
    LinkRequest,
    OutcomeMailRequest,
    PauseMailRequest,
    ReminderRequest,
    UsersToNotify,
)
from domain.callbacks.delivery_schedule import ReceiverPause
from domain.ports.database import Organisations, SessionRows, User, Users
from domain.ports.mail import Mail, Mailer, MailRefusedForNow, MailRejected
from domain.ports.sender_identity import NO_IDENTITY, SenderIdentities, SenderIdentity
from domain.session.outcome_mail_kinds import OutcomeMailKind
from domain.session.signing_links import link_secret, make_token
from domain.shared.ids import OrganisationId

log = structlog.get_logger(__name__)

REFUSED_RETRY = timedelta(minutes=5)
"""Time to the next attempt after the mail server refused the service: an operator must act first."""


@dataclass(frozen=True, slots=True)
class SessionMailActivities:
    """Sends the emails of sessions, with the current sender identity, and times in the zone of the organisation.

    `base_url` is the address of the service.

    The user who sent a session is looked up when an email is due, not when the session is sent: sessions last for
    months, in which users change their choice of emails, and some are disabled.
    """

    mailer: Mailer
    link_key: bytes
    base_url: str
    identities: SenderIdentities | None = None
    users: Users | None = None
    organisations: Organisations | None = None

    @activity.defn
    async def send_invitation(self, request: InvitationRequest) -> None:
        async with _sending():
            await self.send(request)

    @activity.defn
    async def send_reminder(self, request: ReminderRequest) -> None:
        async with _sending():
            await self.send(request)

    @activity.defn
    async def send_outcome_mail(self, request: OutcomeMailRequest) -> None:
        async with _sending():
            await self.send(request)

    async def send(self, request: EmailRequest) -> None:
        """Sends the email, unless it is for a user who does not want it; raises `MailRejected` or `MailNotSent`."""
        if isinstance(request, OutcomeMailRequest) and request.notice.user_id:
            user = await self._find_user(request)
            if user is None:
                return
            request = request.model_copy(update={"to_name": user.name, "to_email": user.email})
        await self.mailer.send(await self._build(request))

    async def _find_user(self, request: OutcomeMailRequest) -> User | None:
        """Returns the user to notify; None if they are disabled, chose not to be, or have the sender's address."""
        people = await self.users.list(request.organisation_id) if self.users else ()
        user = next((user for user in people if user.user_id == request.notice.user_id), None)
        if user is None or user.disabled_at or request.notice.kind not in user.notifications:
            return None
        return None if request.also_to and request.also_to.casefold() == user.email.casefold() else user

    async def _build(self, request: EmailRequest) -> Mail:
        if isinstance(request, OutcomeMailRequest):
            about = await self._facts_of(request.organisation_id)
            return outcome_mail(request, self._address_in(request), *about)
        link = request.invitation.link if isinstance(request, ReminderRequest) else request.link
        about = await self._facts_of(link.organisation_id)
        if isinstance(request, ReminderRequest):
            return reminder_mail(request, self._link_address(link), *about)
        return invitation_mail(request, self._link_address(link), *about)

    def _address_in(self, request: OutcomeMailRequest) -> str | None:
        if request.notice.recipient_id is None:
            return f"{self.base_url}/app/sessions/{request.session_id}"
        if request.notice.kind in (OutcomeMailKind.SIGNED, OutcomeMailKind.COMPLETED) and request.link:
            return self._link_address(request.link)
        return None

    def _link_address(self, link: LinkRequest) -> str:
        secret = link_secret(self.link_key, link.session_id, link.recipient_id, link.invitation)
        return f"{self.base_url}/sign/{make_token(link.organisation_id, link.session_id, secret)}"

    async def _facts_of(self, organisation_id: OrganisationId) -> tuple[SenderIdentity, str]:
        """Returns how the organisation appears, and its time zone."""
        identity = await self.identities.find(organisation_id) if self.identities else NO_IDENTITY
        organisation = await self.organisations.get(organisation_id) if self.organisations else None
        return identity, organisation.time_zone if organisation else "UTC"


@dataclass(frozen=True, slots=True)
class PauseMailActivities:
    """Sends the mails about paused receivers. `base_url` is the address of the service.

    `sender_email` gets the mail if an organisation has no administrators.
    """

    users: Users
    organisations: Organisations
    identities: SenderIdentities
    mailer: Mailer
    base_url: str
    sender_email: str | None

    @activity.defn
    async def list_users(self, pause: ReceiverPause) -> UsersToNotify:
        people = tuple(user.user_id for user in await self._people(pause))
        if not people and self.sender_email:
            return UsersToNotify(user_ids=(None,))
        return UsersToNotify(user_ids=people)

    @activity.defn
    async def send_pause_mail(self, request: PauseMailRequest) -> None:
        """Sends the mail, unless the user was removed or disabled meanwhile."""
        organisation = await self.organisations.get(request.pause.organisation_id)
        name = organisation.name if organisation else ""
        if request.user_id is None:
            to = (name, self.sender_email)
        else:
            people = {user.user_id: (user.name, user.email) for user in await self._people(request.pause)}
            to = people.get(request.user_id, ("", None))
        if to[1] is None:
            return
        identity = await self.identities.find(request.pause.organisation_id)
        mail = pause_mail(request, name, (to[0], to[1]), f"{self.base_url}/app/organisation/webhooks", identity)
        async with _sending():
            await self.mailer.send(mail)

    async def _people(self, pause: ReceiverPause) -> list[User]:
        """Returns the administrators, who can resume the receiver."""
        return [user for user in await self.users.list(pause.organisation_id) if user.is_administrator]


@dataclass(frozen=True, slots=True)
class DeletionMailActivities:
    """Sends the emails about a deleted session, from its tombstone."""

    rows: SessionRows
    mailer: Mailer
    identities: SenderIdentities

    @activity.defn
    async def send_deletion_mails(self, request: EraseRequest) -> None:
        """Sends the mails that no earlier attempt reported as sent. Raises `MailNotSent`."""
        mails = await self.rows.find_deletion_mails(request.organisation_id, request.session_id)
        if mails is None:
            return
        identity = await self.identities.find(request.organisation_id)
        done: dict[str, None] = dict(*activity.info().heartbeat_details)
        async with heartbeats(done):
            for recipient in mails.recipients:
                if recipient.recipient_id in done:
                    continue
                try:
                    await self.mailer.send(deletion_mail(mails, recipient, identity))
                except MailRejected:
                    log.warning("an email about a deletion was refused")
                done[recipient.recipient_id] = None
                activity.heartbeat(done)  # Temporal keeps the latest details when the attempt fails


@asynccontextmanager
async def _sending() -> AsyncIterator[None]:
    """Sends heartbeats, and converts refusals: of the address into a failure that Temporal does not retry.

    One of the service becomes a failure that is retried slowly.
    """
    try:
        async with heartbeats():
            yield
    except MailRejected as error:
        raise ApplicationError(str(error), type=MAIL_REJECTED, non_retryable=True) from error
    except MailRefusedForNow as error:
        raise ApplicationError(str(error), type=type(error).__name__, next_retry_delay=REFUSED_RETRY) from error
