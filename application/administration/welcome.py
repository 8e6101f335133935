"""Emails new users a link with which they sign in for the first time."""

import secrets
from datetime import UTC, datetime, timedelta

import structlog

from application.mails.render_mail import MailEnvelope, make_mail
from application.services import Services
from domain.shared.object_names import digest
from ports.database import Organisation, User
from ports.mail import MailNotSent, MailRejected
from ports.sign_ins import MAX_OPEN_LINKS, SignInLink

WELCOME_LIFETIME = timedelta(days=7)
"""Lifetime of the link in the first email. It works once, as every sign-in link."""

log = structlog.get_logger(__name__)


async def send_welcome(services: Services, user: User, organisation: Organisation, added_by: str) -> bool:
    """Emails the user a link that signs them in, and returns whether the mail server accepted the email."""
    at, secret = datetime.now(UTC), secrets.token_urlsafe(32)
    link = SignInLink(digest(secret.encode()), user.email, "/app", at + WELCOME_LIFETIME)
    if not await services.sign_ins.store_link(link, at, MAX_OPEN_LINKS):
        log.warning("no sign-in link was sent: the address has too many unused links")
        return False
    facts = {
        "name": user.name,
        "added_by": added_by,
        "organisation": organisation.name,
        "days": str(WELCOME_LIFETIME.days),
        "address": f"{services.base_url}/app/sign-in/{secret}",
    }
    identity = await services.identities.find(organisation.organisation_id)
    headers = MailEnvelope(
        f"welcome.{user.user_id}@undersign", user.name, user.email, organisation.name, at, identity=identity
    )
    try:
        await services.mailer.send(make_mail("welcome", facts, headers))
    except (MailNotSent, MailRejected) as error:
        log.warning("a sign-in link was not sent", reason=str(error))
        return False
    return True
