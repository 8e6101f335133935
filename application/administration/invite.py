"""Invites a person to an organisation: emails them a link with which they sign in and answer the invitation."""

import secrets
from datetime import datetime, timedelta

import structlog

from application.administration.add_user import NewUser, add_user
from application.mails.render_mail import PRODUCT, MailEnvelope, make_mail
from application.services import Services
from domain.audit.events import AuditContext
from domain.ports.administrative_acts import ActKind, Change
from domain.ports.database import DatabaseUnavailable, Organisation, User
from domain.ports.limits import ChargeResult, SendingCharge
from domain.ports.mail import MailNotSent, MailRejected
from domain.ports.sign_ins import LinkLimits, SignInLink
from domain.shared.errors import CodedError
from domain.shared.ids import ClientId
from domain.shared.object_names import digest

INVITATION_LIFETIME = timedelta(days=7)
"""Lifetime of the link in the email. It works once, as every sign-in link."""

INVITATIONS_A_DAY = 50
"""Maximum invitations of one organisation on one day (UTC)."""

INVITATIONS_OF_ADDRESS_A_DAY = 3
"""Maximum invitations of one address by all organisations on one day (UTC)."""

log = structlog.get_logger(__name__)


class TooManyInvitations(CodedError, code="TOO_MANY_INVITATIONS"):
    """The organisation or the address has reached its limit of invitations for the day. Nothing was changed."""


async def invite(
    services: Services, organisation: Organisation, inviter: User, audit: AuditContext, new: NewUser
) -> tuple[User, bool]:
    """Adds the invited user. Returns the user, and whether the mail server accepted the email.

    Raises `EmailTaken` or `TooManyInvitations`.
    """
    organisation_id = organisation.organisation_id
    await _charge_both(services, organisation_id, new.email, audit)
    user = await add_user(services.users, services.acts, organisation_id, audit, new)
    try:
        return user, await _send(services, user, organisation, inviter, audit.at)
    except DatabaseUnavailable:  # the user was invited, and can request a link
        return user, False


async def invite_again(
    services: Services, organisation: Organisation, inviter: User, audit: AuditContext, user: User
) -> bool:
    """Emails an invited user another link. Returns whether the mail server accepted the email.

    Raises `TooManyInvitations`.
    """
    organisation_id = organisation.organisation_id
    await _charge_both(services, organisation_id, user.email, audit)
    after = {"name": user.name, "email": user.email, "role": user.role.value}
    await services.acts.add(organisation_id, audit, Change(ActKind.USER_INVITED, user.user_id, after=after))
    return await _send(services, user, organisation, inviter, audit.at)


async def _charge_both(services: Services, organisation_id: str, email: str, audit: AuditContext) -> None:
    await _charge(services, f"address {digest(email.encode())}", audit, INVITATIONS_OF_ADDRESS_A_DAY)
    await _charge(services, f"invitations {organisation_id}", audit, INVITATIONS_A_DAY)


async def _charge(services: Services, account: str, audit: AuditContext, at_most: int) -> None:
    """Counts one invitation of `account`. Raises `TooManyInvitations`."""
    charge = SendingCharge(ClientId(account), f"invite {secrets.token_hex(8)}", 1)
    if await services.budgets.charge(charge, audit.at.date(), at_most) is ChargeResult.EXCEEDED:
        raise TooManyInvitations


async def _send(services: Services, user: User, organisation: Organisation, inviter: User, at: datetime) -> bool:
    """Emails the link. The mail has no identity of the organisation, which the person need not know."""
    secret = secrets.token_urlsafe(32)
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
    envelope = MailEnvelope(
        f"invitation.{user.user_id}.{at:%Y%m%d%H%M%S%f}@undersign", user.name, user.email, PRODUCT, at
    )
    try:
        await services.mailer.send(make_mail("member-invitation", facts, envelope))
    except (MailNotSent, MailRejected) as error:
        log.warning("a sign-in link was not sent", reason=str(error))
        return False
    return True
