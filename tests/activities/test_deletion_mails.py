"""The mails about deleted sessions."""

import pytest
from temporalio.testing import ActivityEnvironment

from activities.deletion_mails import DeletionMailActivities
from activities.interface import EraseRequest
from adapters.database.repositories.organisations import DatabaseSenderIdentities
from adapters.database.repositories.sessions import DatabaseSessionRows
from domain.session.session import Session
from ports.mail import MailNotSent
from tests.activities.sample_mails import IDENTITY
from tests.builders import NOON, ORGANISATION, audit, created, recipient
from tests.databases import MemoryDatabase
from tests.fakes.mail import MemoryMailer


class Office:
    """A session of Ada and Grace that was deleted while it was open."""

    def __init__(self) -> None:
        engine = MemoryDatabase().engine
        self.rows, self.identities = DatabaseSessionRows(engine), DatabaseSenderIdentities(engine)
        self.mailer = MemoryMailer()
        self.activities = DeletionMailActivities(self.rows, self.mailer, self.identities)

    async def delete(self, *, at_all: bool = True) -> EraseRequest:
        step = created(recipient("ada", 1), recipient("grace", 1))
        sent: Session = step.session.send(audit()).session
        for who in sent.recipients:
            sent = sent.with_delivery(who.recipient_id, 1)
        await self.rows.record(sent, ())
        if at_all:
            await self.rows.erase(ORGANISATION, sent.session_id, NOON)
        return EraseRequest(organisation_id=ORGANISATION, session_id=sent.session_id, erased_at=NOON)


async def test_everyone_is_told_once_as_the_organisation_appears_now() -> None:
    office = Office()
    await office.identities.store(ORGANISATION, IDENTITY)
    request = await office.delete()
    for _ in range(2):
        await ActivityEnvironment().run(office.activities.send_deletion_mails, request)
    assert [mail.to_email for mail in office.mailer.sent] == ["ada@example.com", "grace@example.com"]
    assert {mail.from_name for mail in office.mailer.sent} == {"Northwind via Undersign"}


async def test_a_rejected_address_is_no_reason_to_stop_and_an_outage_is() -> None:
    office = Office()
    office.mailer.refused = {"ada@example.com"}
    request = await office.delete()
    await ActivityEnvironment().run(office.activities.send_deletion_mails, request)
    assert [mail.to_email for mail in office.mailer.sent] == ["grace@example.com"]
    office.mailer.failure = MailNotSent("421 4.3.2 going down")
    with pytest.raises(MailNotSent):
        await ActivityEnvironment().run(office.activities.send_deletion_mails, request)


async def test_a_later_attempt_goes_on_after_those_who_were_told() -> None:
    office, environment = Office(), ActivityEnvironment()
    request = await office.delete()
    beats: list[dict[str, None]] = []
    environment.on_heartbeat = lambda done: beats.append(dict(done))
    office.mailer.failures = [MailNotSent("421 4.3.2 going down")]
    with pytest.raises(MailNotSent):
        await environment.run(office.activities.send_deletion_mails, request)
    assert beats == []
    await environment.run(office.activities.send_deletion_mails, request)
    assert [len(beat) for beat in beats] == [1, 2]


async def test_without_mails_nothing_is_sent() -> None:
    office = Office()
    await ActivityEnvironment().run(office.activities.send_deletion_mails, await office.delete(at_all=False))
    assert office.mailer.sent == []
