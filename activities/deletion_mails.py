"""Sends the mails about deleted sessions."""

from dataclasses import dataclass

import structlog
from temporalio import activity

from activities.heartbeats import heartbeats
from activities.interface import EraseRequest
from activities.mail_facts import deletion_mail
from ports.database import SessionRows
from ports.mail import Mailer, MailRejected
from ports.sender_identity import SenderIdentities

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class DeletionMailActivities:
    rows: SessionRows
    mailer: Mailer
    identities: SenderIdentities

    @activity.defn
    async def send_deletion_mails(self, request: EraseRequest) -> None:
        """Does not repeat a mail that an earlier attempt reported as sent. Raises `MailNotSent`."""
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
                activity.heartbeat(done)  # the last one is kept when the attempt fails
