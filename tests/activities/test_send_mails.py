"""Mails of a session: one link, one mail for each cause, the same at every attempt."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from temporalio.exceptions import ApplicationError
from temporalio.testing import ActivityEnvironment

from activities.interface import MAIL_REJECTED, EraseRequest, OutcomeMailRequest
from activities.send_mails import DeletionMailActivities, SessionMailActivities
from adapters.database.repositories.organisations import DatabaseOrganisations, DatabaseSenderIdentities
from adapters.database.repositories.sessions import DatabaseSessionRows
from adapters.database.repositories.users import DatabaseUsers
from adapters.mail.smtp import SmtpMailer
from adapters.mail.smtp_url import SmtpServer
from domain.ports.database import Organisation, User
from domain.ports.mail import Mail, MailNotSent, MailRejected
from domain.session.outcome_mail_kinds import OutcomeMailKind
from domain.session.session import Session
from domain.session.signing_links import link_hash, link_secret, read_token
from domain.shared.ids import UserId
from domain.shared.roles import Role
from tests.activities.sample_mails import IDENTITY, LINK, invitation, notice, reminder, to_user
from tests.adapters.smtp_server import Behaviour, smtp_server
from tests.builders import NOON, ORGANISATION, audit, created, identifier, recipient
from tests.databases import MemoryDatabase
from tests.fakes.mail import MemoryMailer

RUN = ActivityEnvironment().run


@pytest.fixture
def mailer() -> MemoryMailer:
    return MemoryMailer()


@pytest.fixture
def mails(mailer: MemoryMailer) -> SessionMailActivities:
    return SessionMailActivities(mailer, b"k" * 32, "https://sign.example.com")


async def test_the_link_in_the_mail_is_that_of_the_invitation(
    mails: SessionMailActivities, mailer: MemoryMailer
) -> None:
    for _ in range(2):  # a second attempt sends the same mail, which arrives once
        await RUN(mails.send_invitation, invitation())
    [mail] = mailer.sent
    address = link_in(mail)
    link = read_token(address.removeprefix("https://sign.example.com/sign/"))
    assert (link.organisation_id, link.session_id) == (ORGANISATION, LINK.session_id)
    assert link.link_hash == link_hash(link_secret(b"k" * 32, LINK.session_id, LINK.recipient_id, LINK.invitation))
    assert address in mail.html


async def test_a_reminder_is_a_mail_of_its_own_with_the_link_of_the_invitation(
    mails: SessionMailActivities, mailer: MemoryMailer
) -> None:
    await RUN(mails.send_invitation, invitation())
    for _ in range(2):
        await RUN(mails.send_reminder, reminder())

    first, second = mailer.sent
    assert second.message_id.startswith(f"reminder.{LINK.session_id}.{LINK.recipient_id}.3@undersign-")
    assert (second.subject, second.sent_at) == ("Reminder: please sign: Consulting agreement", reminder().due_at)
    assert link_in(first) == link_in(second)


async def test_the_mail_about_the_signed_documents_holds_the_link_of_the_invitation(
    mails: SessionMailActivities, mailer: MemoryMailer
) -> None:
    await RUN(mails.send_invitation, invitation())
    for to_sender in (False, True):
        request = notice(OutcomeMailKind.COMPLETED, to_sender=to_sender)
        await RUN(mails.send_outcome_mail, request)

    invited, completed, sender = mailer.sent
    assert link_in(invited) == link_in(completed)
    assert "/sign/" not in sender.text
    assert f"/app/sessions/{request.session_id}" in sender.text


@pytest.mark.parametrize("kind", [OutcomeMailKind.DECLINED, OutcomeMailKind.EXPIRED, OutcomeMailKind.CANCELLED])
async def test_a_mail_about_a_session_that_ended_otherwise_holds_no_link(
    mails: SessionMailActivities, mailer: MemoryMailer, kind: OutcomeMailKind
) -> None:
    await RUN(mails.send_outcome_mail, notice(kind))
    assert "https://" not in mailer.sent[0].text


async def test_only_a_permanently_rejected_mail_is_not_retried(
    mails: SessionMailActivities, mailer: MemoryMailer
) -> None:
    mailer.failure = MailRejected("550 5.1.1 no such user")
    with pytest.raises(ApplicationError, match=r"550 5\.1\.1 no such user") as raised:
        await RUN(mails.send_outcome_mail, notice(OutcomeMailKind.CANCELLED))
    assert (raised.value.type, raised.value.non_retryable) == (MAIL_REJECTED, True)
    mailer.failure = MailNotSent("421 4.3.2 going down")
    with pytest.raises(MailNotSent):
        await RUN(mails.send_outcome_mail, notice(OutcomeMailKind.CANCELLED))


OLIVIA = User(
    user_id=UserId(identifier("olivia")),
    organisation_id=ORGANISATION,
    email="olivia@northwind.example",
    name="Olivia",
    role=Role.SENDER,
)


async def told(mailer: MemoryMailer, user: User, request: OutcomeMailRequest) -> list[str]:
    """The addresses that `request` is sent to, with `user` in the database."""
    engine = MemoryDatabase().engine
    await DatabaseOrganisations(engine).add(Organisation(ORGANISATION, "Northwind Trading"))
    await DatabaseUsers(engine).add(user)
    mails = SessionMailActivities(mailer, b"k" * 32, "https://sign.example.com", users=DatabaseUsers(engine))
    await RUN(mails.send_outcome_mail, request)
    return [mail.to_email for mail in mailer.sent]


async def test_times_are_in_the_zone_of_the_organisation(mailer: MemoryMailer) -> None:
    organisations = DatabaseOrganisations(MemoryDatabase().engine)
    await organisations.add(Organisation(ORGANISATION, "Northwind Trading", time_zone="Australia/Perth"))
    mails = SessionMailActivities(mailer, b"k" * 32, "https://sign.example.com", organisations=organisations)

    until = datetime(2026, 12, 10, 16, 28, tzinfo=UTC)
    await RUN(mails.send_invitation, invitation(expires_at=until))
    await RUN(mails.send_outcome_mail, notice(OutcomeMailKind.EXPIRED, expires_at=until))

    asked, expired = mailer.sent
    assert "Please sign by Friday 11 December 2026, 00:28 GMT+8." in asked.text
    assert "11 December 2026, 00:28 GMT+8" in expired.text


async def test_the_user_who_sent_it_gets_the_emails_that_they_chose(mailer: MemoryMailer) -> None:
    assert await told(mailer, OLIVIA, to_user(OutcomeMailKind.DECLINED, to_name="", to_email="")) == [OLIVIA.email]
    assert mailer.sent[0].to_name == "Olivia"
    assert f"/app/sessions/{LINK.session_id}" in mailer.sent[0].text


@pytest.mark.parametrize(
    ("user", "request_"),
    [
        (OLIVIA, to_user(OutcomeMailKind.SIGNED)),
        (replace(OLIVIA, notifications=()), to_user(OutcomeMailKind.COMPLETED)),
        (replace(OLIVIA, disabled_at=NOON), to_user(OutcomeMailKind.COMPLETED)),
        (replace(OLIVIA, user_id=UserId(identifier("other"))), to_user(OutcomeMailKind.COMPLETED)),
        (OLIVIA, to_user(OutcomeMailKind.COMPLETED, also_to="Olivia@Northwind.example")),
    ],
    ids=["not chosen", "none chosen", "disabled", "removed", "told at the address of the sender"],
)
async def test_no_email_goes_to_a_user_who_does_not_want_it_or_has_it_already(
    mailer: MemoryMailer, user: User, request_: OutcomeMailRequest
) -> None:
    assert await told(mailer, user, request_) == []


@pytest.mark.parametrize("kind", ["invitation", "reminder", *OutcomeMailKind])
async def test_after_a_lost_response_of_the_mail_server_the_same_mail_is_sent_again(kind: str) -> None:
    behaviour = Behaviour(hangs_up_after_data=1)
    async with smtp_server(behaviour) as port:
        mailer = SmtpMailer(SmtpServer.at(f"smtp-plain://127.0.0.1:{port}"), "undersign@sign.example.com")
        mails = SessionMailActivities(mailer, b"k" * 32, "https://sign.example.com")
        requests = {"invitation": invitation(), "reminder": reminder()}
        request = requests.get(kind) or notice(OutcomeMailKind(kind))
        with pytest.raises(MailNotSent):
            await mails.send(request)
        await mails.send(request)

    first, second = behaviour.taken
    assert first.content == second.content
    assert isinstance(first.content, bytes)
    assert f"Message-ID: <{kind}.{LINK.session_id}".encode() in first.content


def link_in(mail: Mail) -> str:
    return next(line for line in mail.text.splitlines() if line.startswith("https://"))


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
