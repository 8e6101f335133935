"""A receiver that fails for three days: real attempts on a server whose time is skipped."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path

from temporalio.testing import WorkflowEnvironment
from temporalio.worker import Worker

from activities.interface import CALLBACKS_QUEUE, SESSIONS_QUEUE
from activities.send_mails import PauseMailActivities
from adapters.database.repositories.organisations import DatabaseOrganisations, DatabaseSenderIdentities
from adapters.database.repositories.users import DatabaseUsers
from application.sessions.redeliver import resume
from domain.callbacks.delivery_schedule import PAUSE_AFTER, ReceiverPause
from domain.ports.database import Organisation, User
from domain.ports.mail import MailNotSent
from domain.shared.ids import UserId
from domain.shared.roles import Role
from domain.workflow_ids import callback_id, pause_id
from tests.activities.office import Office, office
from tests.builders import NOON, ORGANISATION, identifier
from tests.databases import MemoryDatabase
from tests.fakes.mail import MemoryMailer
from tests.fakes.receivers import Answer, says
from tests.workflows.post import OnServerTime
from tests.workflows.servers import time_skipping_server
from workflows.client.deliveries import TemporalDeliveries, start_pause_warning
from workflows.workflow_types import CALLBACK_WORKFLOWS, WORKFLOWS

ADA = User(UserId(identifier("ada")), ORGANISATION, "ada@example.com", "Ada Lovelace", Role.ADMINISTRATOR)
GRACE = replace(ADA, user_id=UserId(identifier("grace")), email="grace@example.com", name="Grace Hopper")
IDA = replace(ADA, user_id=UserId(identifier("ida")), email="ida@example.com", role=Role.SENDER)
GONE = replace(ADA, user_id=UserId(identifier("gone")), email="gone@example.com", disabled_at=NOON)


class Scene:
    """A delivery to a receiver, and the mails about it."""

    def __init__(self, environment: WorkflowEnvironment, made: Office) -> None:
        self.environment, self.office, self.mailer = environment, made, MemoryMailer()
        self.deliveries = TemporalDeliveries(environment.client)
        engine = MemoryDatabase().engine
        self.users, self.organisations = DatabaseUsers(engine), DatabaseOrganisations(engine)
        sender = OnServerTime(made.delivering.sender)
        warn = partial(start_pause_warning, environment.client)
        self.delivering = replace(made.delivering, sender=sender, start_pause_warning=warn)
        base = "https://sign.example.com"
        identities = DatabaseSenderIdentities(engine)
        self.alerting = PauseMailActivities(
            self.users, self.organisations, identities, self.mailer, base, "operator@example.com"
        )

    async def add(self, *users: User) -> None:
        """The organisation has these people."""
        await self.organisations.add(Organisation(ORGANISATION, "Northwind Trading"))
        for user in users:
            await self.users.add(user)

    async def deliver(self) -> str:
        """The result of the delivery after all its time has passed."""
        await self.deliveries.start(self.office.delivery)
        await self.environment.sleep(timedelta(days=5))
        return str(await self.environment.client.get_workflow_handle(self.workflow).result())

    async def told(self) -> int:
        """The number of users who got a mail about the pause."""
        (paused,) = await self.office.callbacks.paused(ORGANISATION)
        pause = ReceiverPause(organisation_id=ORGANISATION, receiver=paused.receiver, at=paused.paused_since)
        return int(await self.environment.client.get_workflow_handle(pause_id(pause)).result())

    @property
    def workflow(self) -> str:
        return callback_id(self.office.callback.event_id)


@asynccontextmanager
async def scene(folder: Path, answer: Answer, *users: User) -> AsyncIterator[Scene]:
    async with office(folder, answer) as (made, _), time_skipping_server() as environment:
        scene = Scene(environment, made)
        await scene.add(*users)
        callbacks = Worker(
            environment.client,
            task_queue=CALLBACKS_QUEUE,
            workflows=CALLBACK_WORKFLOWS,
            activities=[scene.delivering.deliver_callback],
        )
        sessions = Worker(
            environment.client,
            task_queue=SESSIONS_QUEUE,
            workflows=WORKFLOWS,
            activities=[scene.alerting.list_users, scene.alerting.send_pause_mail],
        )
        async with callbacks, sessions:
            yield scene


async def test_every_active_administrator_gets_one_mail_with_the_address_for_resuming(tmp_path: Path) -> None:
    async with scene(tmp_path, says(500), ADA, GRACE, IDA, GONE) as played:
        assert await played.deliver() == "held"
        (paused,) = await played.office.callbacks.paused(ORGANISATION)
        await resume(played.office.callbacks, played.deliveries, ORGANISATION)
        await played.environment.sleep(timedelta(days=1))

    assert paused.paused_since - paused.failing_since >= PAUSE_AFTER
    assert {mail.to_email for mail in played.mailer.sent} == {"ada@example.com", "grace@example.com"}
    assert len(played.mailer.sent) == 2
    mail = played.mailer.sent[0]
    assert paused.receiver.removeprefix("http://") in mail.subject
    assert "https://sign.example.com/app/organisation/webhooks" in mail.text
    assert "https://sign.example.com/app/organisation/webhooks" in mail.html


async def test_without_active_administrators_the_operator_gets_the_mail(tmp_path: Path) -> None:
    async with scene(tmp_path, says(500), IDA, GONE) as played:
        await played.deliver()
    assert [mail.to_email for mail in played.mailer.sent] == ["operator@example.com"]


async def test_a_receiver_that_recovers_in_time_causes_no_mail(tmp_path: Path) -> None:
    answers = [says(500)] * 9

    async def recovers(writer: object) -> None:
        await (answers.pop() if answers else says(200))(writer)  # type: ignore[arg-type]

    async with scene(tmp_path, recovers, ADA) as played:
        assert await played.deliver() == "delivered"
    assert played.mailer.sent == []


async def test_an_outage_delays_mails_and_a_rejected_address_stops_no_other(tmp_path: Path) -> None:
    async with scene(tmp_path, says(500), ADA, GRACE) as played:
        played.mailer.refused.add(ADA.email)
        played.mailer.failures = [MailNotSent("not now")] * 4
        assert await played.deliver() == "held"
        assert await played.told() == 1
    assert played.mailer.failures == []
    assert [mail.to_email for mail in played.mailer.sent] == ["grace@example.com"]
