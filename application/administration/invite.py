"""Invites a person to an organisation: emails them a link with which they sign in and answer the invitation."""

import secrets
from datetime import timedelta

import structlog

from application.administration.add_user import NewUser, add_user
from application.mails.render_mail import PRODUCT, MailEnvelope, make_mail
from application.services import Services
from domain.audit.events import AuditContext
from domain.shared.ids import ClientId
from domain.shared.object_names import digest
from ports.database import DatabaseUnavailable, Organisation, User
from ports.mail import MailNotSent, MailRejected
from ports.rate_and_sending_limits import ChargeResult, SendingCharge
from ports.sign_ins import LinkLimits, SignInLink

INVITATION_LIFETIME = timedelta(days=7)
"""Lifetime of the link in the email. It works once, as every sign-in link."""

INVITATIONS_A_DAY = 50
"""Maximum invitations of one organisation on one day (UTC)."""

INVITATIONS_OF_ADDRESS_A_DAY = 3
"""Maximum invitations of one address by all organisations on one day (UTC)."""

log = structlog.get_logger(__name__)


class TooManyInvitations(Exception):
    """The organisation or the address has reached its limit of invitations for the day. Nothing was changed."""


async def invite(
    services: Services, organisation: Organisation, inviter: User, audit: AuditContext, new: NewUser
) -> tuple[User, bool]:
    """Adds the invited user. Returns the user, and whether the mail server accepted the email.

    Raises `EmailTaken` or `TooManyInvitations`.
    """
    organisation_id = organisation.organisation_id
    await _charge(services, f"address {digest(new.email.encode())}", audit, INVITATIONS_OF_ADDRESS_A_DAY)
    await _charge(services, f"invitations {organisation_id}", audit, INVITATIONS_A_DAY)
    user = await add_user(services.users, services.acts, organisation_id, audit, new)
    try:
        return user, await _send(services, user, organisation, inviter)
    except DatabaseUnavailable:  # the user was invited, and can request a link
        return user, False


async def _charge(services: Services, account: str, audit: AuditContext, at_most: int) -> None:
    """Counts one invitation of `account`. Raises `TooManyInvitations`."""
    charge = SendingCharge(ClientId(account), f"invite {secrets.token_hex(8)}", 1)
    if await services.budgets.charge(charge, audit.at.date(), at_most) is ChargeResult.EXCEEDED:
        raise TooManyInvitations


async def _send(services: Services, user: User, organisation: Organisation, inviter: User) -> bool:
    """Emails the link. The mail has no identity of the organisation, which the person need not know."""
    secret, at = secrets.token_urlsafe(32), user.invited_at
    if at is None:
        raise LookupError("the user is not invited")
    link = SignInLink(digest(secret.encode()), user.email, "/app", at + INVITATION_LIFETIME, {user.user_id: 0})
    if not await services.sign_ins.store_link(link, at, LinkLimits()):
        log.warning("no sign-in link was sent: the address has too many unused links")
        return False
    facts = {
        "name": user.name,
        "inviter": inviter.name,
        "inviter_address": inviter.email,
        "organisation": organisation.name,
        "organisation_id": organisation.organisation_id,
        "days": str(INVITATION_LIFETIME.days),
        "address": f"{services.base_url}/app/sign-in/{secret}",
    }
    envelope = MailEnvelope(f"invitation.{user.user_id}@undersign", user.name, user.email, PRODUCT, at)
    try:
        await services.mailer.send(make_mail("member-invitation", facts, envelope))
    except (MailNotSent, MailRejected) as error:
        log.warning("a sign-in link was not sent", reason=str(error))
        return False
    return True
