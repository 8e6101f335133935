"""Everything that delivers callbacks: a real log, a real client, and a receiver that answers as it is told to."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

from temporalio.testing import ActivityEnvironment

from activities.announcing import Announcer
from activities.delivering import Delivering
from activities.interface import DeliverRequest, DeliveryOutcome, RecordRequest
from activities.recording import Recording
from adapters.database.announcements import DatabaseAnnouncements
from adapters.database.callbacks import DatabaseCallbacks
from adapters.database.engine import make_engine
from adapters.database.sessions import DatabaseSessionRows
from adapters.database.webhook_secrets import DatabaseWebhookSecrets
from adapters.webhooks.sending import HttpSender
from domain.callbacks import CallbackStatus, callbacks_of
from domain.deliveries import Delivery
from domain.session import Session
from tests.builders import ORGANISATION, created, occasion
from tests.databases import copy_sqlite
from tests.fakes.deliveries import FakeDeliveries, FakeWarnings
from tests.fakes.effects import FakeEffects
from tests.fakes.receivers import Answer, Receiver, receiving

FIVE_SECONDS = timedelta(seconds=5)


class Office:
    """Everything that delivers, and a sent session whose one callback goes to `receiver`."""

    def __init__(self, address: str, receiver: Receiver) -> None:
        engine = make_engine(address)
        self.dispose = engine.dispose
        self.rows, self.callbacks = DatabaseSessionRows(engine), DatabaseCallbacks(engine)
        self.secrets = DatabaseWebhookSecrets(engine, b"k" * 32)
        self.warned = FakeWarnings()
        self.delivering = Delivering(self.callbacks, self.secrets, HttpSender(private=True, try_seconds=3), self.warned)
        draft = created(callback_url=receiver.url).session
        self.step = draft.send(occasion())
        (self.callback,) = callbacks_of(draft, self.step.session, self.step.events)
        self.begun = FakeDeliveries()
        self.announcements = DatabaseAnnouncements(engine)
        self.announcer = Announcer(self.announcements, self.begun, self.has_time)

    @property
    def session(self) -> Session:
        return self.step.session

    @property
    def delivery(self) -> Delivery:
        return self.begun.begun[0]

    async def record(self) -> None:
        request = RecordRequest(session=self.session, events=self.step.events, callbacks=(self.callback,))
        await ActivityEnvironment().run(Recording(self.rows, self.announcer, FakeEffects()).record_session, request)

    async def announce_another(self, name: str = "Another agreement", url: str | None = None) -> None:
        """Records a second session, whose one callback goes to the same receiver or to `url`."""
        draft = created(name=name, callback_url=url or self.callback.url).session
        step = draft.send(occasion())
        callbacks = callbacks_of(draft, step.session, step.events)
        request = RecordRequest(session=step.session, events=step.events, callbacks=callbacks)
        await ActivityEnvironment().run(Recording(self.rows, self.announcer, FakeEffects()).record_session, request)

    async def has_time(self) -> bool:
        return True

    async def begin(self) -> None:
        """Has all deliveries begun that are due."""
        for failing in (False, True):
            while await self.announcer.begin_some(10, failing=failing):
                pass

    async def deliver(
        self, number: int = 1, planned: timedelta | None = FIVE_SECONDS, asked: bool = False
    ) -> DeliveryOutcome:
        delivery = self.delivery.model_copy(update={"was_asked_for": asked})
        request = DeliverRequest(delivery=delivery, number=number, planned_wait=planned)
        return await ActivityEnvironment().run(self.delivering.deliver_callback, request)

    async def status(self) -> CallbackStatus:
        (logged,) = await self.callbacks.log(ORGANISATION, self.session.session_id)
        return logged.status


@asynccontextmanager
async def office(folder: Path, answer: Answer, *, begin: bool = True) -> AsyncIterator[tuple[Office, Receiver]]:
    address = copy_sqlite(folder / "undersign.db")
    async with receiving(answer) as receiver:
        made = Office(address, receiver)
        await made.record()
        if begin:
            await made.begin()
        yield made, receiver
        await made.dispose()
