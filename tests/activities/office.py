"""Everything that delivers callbacks: a real log, a real client, and a receiver that answers as it is told to."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

from temporalio.testing import ActivityEnvironment

from activities.delivering import Delivering
from activities.interface import DeliverRequest, DeliveryOutcome, RecordRequest
from activities.recording import Recording
from adapters.database.callbacks import DatabaseCallbacks
from adapters.database.engine import make_engine, migrate
from adapters.database.sessions import DatabaseSessionRows
from adapters.database.webhook_secrets import DatabaseWebhookSecrets
from adapters.webhooks.sending import HttpSender
from domain.callbacks import CallbackStatus, callbacks_of
from domain.deliveries import Delivery
from domain.session import Session
from tests.builders import ORGANISATION, created, occasion
from tests.fakes.deliveries import FakeDeliveries, FakeWarnings
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
        self.delivering = Delivering(
            self.callbacks, self.secrets, HttpSender(private=True, try_seconds=0.5), self.warned
        )
        draft = created(callback_url=receiver.url).session
        self.step = draft.send(occasion())
        (self.callback,) = callbacks_of(draft, self.step.session, self.step.events)
        self.begun = FakeDeliveries()

    @property
    def session(self) -> Session:
        return self.step.session

    @property
    def delivery(self) -> Delivery:
        return self.begun.begun[0]

    async def record(self) -> None:
        request = RecordRequest(session=self.session, events=self.step.events, callbacks=(self.callback,))
        await ActivityEnvironment().run(Recording(self.rows, self.begun, self.callbacks).record_session, request)

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
async def office(folder: Path, answer: Answer) -> AsyncIterator[tuple[Office, Receiver]]:
    address = f"sqlite+aiosqlite:///{folder / 'undersign.db'}"
    await migrate(address)
    async with receiving(answer) as receiver:
        made = Office(address, receiver)
        await made.record()
        yield made, receiver
        await made.dispose()
