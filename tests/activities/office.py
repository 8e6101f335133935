"""Deliveries with a real log, a real client, and a receiver."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from temporalio.exceptions import ApplicationError
from temporalio.testing import ActivityEnvironment

from activities.callback_dispatcher import CallbackDispatcher, DispatchLimits
from activities.callbacks import CallbackActivities
from activities.interface import DeliveryState, RecordRequest
from activities.session_records import RecordActivities
from adapters.database.engine import make_engine
from adapters.database.repositories.callback_outbox import DatabaseCallbackOutbox
from adapters.database.repositories.callbacks import DatabaseCallbacks
from adapters.database.repositories.sessions import DatabaseSessionRows
from adapters.database.repositories.webhook_secrets import DatabaseWebhookSecrets
from adapters.webhooks.http_sender import HttpSender
from domain.callbacks.callback import Callback, CallbackStatus, callbacks_of, receiver_of
from domain.callbacks.delivery_schedule import Delivery, ReceiverPause
from domain.session.session import Session, Transition
from tests.builders import ORGANISATION, audit, created
from tests.databases import LIMITS, copy_sqlite
from tests.fakes.deliveries import FakeDeliveries
from tests.fakes.effects import FakeEffects
from tests.fakes.object_store import MemoryObjectStore
from tests.fakes.receivers import Answer, Receiver, receiving


class Office:
    """Everything that delivers, and a sent session whose one callback goes to `receiver`."""

    def __init__(self, address: str, receiver: Receiver, **limits: Any) -> None:
        engine = make_engine(address, LIMITS)
        self.dispose = engine.dispose
        self.rows, self.callbacks = DatabaseSessionRows(engine), DatabaseCallbacks(engine)
        self.secrets = DatabaseWebhookSecrets(engine, b"k" * 32)
        self.warnings: list[ReceiverPause] = []
        self.objects = MemoryObjectStore()
        sender = HttpSender(private=True, try_seconds=3)
        self.delivering = CallbackActivities(self.callbacks, self.secrets, sender, self.warn, self.rows, self.objects)
        draft = created(callback_url=receiver.url).session
        self.step = draft.send(audit())
        (self.callback,) = callbacks_of(draft, self.step.session, self.step.events)
        self.begun = FakeDeliveries()
        self.outbox = DatabaseCallbackOutbox(engine)
        self.announcer = self.new_announcer(**limits)

    @property
    def session(self) -> Session:
        return self.step.session

    @property
    def delivery(self) -> Delivery:
        return delivery_of(self.session, self.callback)

    def new_announcer(self, **limits: Any) -> CallbackDispatcher:
        """It polls often by default."""
        changed = DispatchLimits(**{"at_once": 20, "poll_seconds": 0.01, **limits})
        return CallbackDispatcher(self.outbox, self.begun, self.delivering, self.has_time, changed)

    async def record(self, step: Transition | None = None, callback: Callback | None = None) -> Delivery:
        step, callback = step or self.step, callback or self.callback
        request = RecordRequest(session=step.session, events=step.events, callbacks=(callback,))
        recording = RecordActivities(self.rows, self.announcer, FakeEffects())
        await ActivityEnvironment().run(recording.record_session, request)
        return delivery_of(step.session, callback)

    async def announce_another(self, name: str = "Another agreement", url: str | None = None) -> Delivery:
        """Records a second session, whose one callback goes to the same receiver or to `url`."""
        draft = created(name=name, callback_url=url or self.callback.url).session
        step = draft.send(audit())
        (callback,) = callbacks_of(draft, step.session, step.events)
        return await self.record(step, callback)

    async def warn(self, pause: ReceiverPause) -> None:
        self.warnings.append(pause)

    async def has_time(self) -> bool:
        return True

    async def deliver(self, asked: bool = False, after: timedelta = timedelta(days=30)) -> DeliveryState | timedelta:
        """One attempt of the activity, in so long; how the delivery ended, or the wait for the next attempt."""
        environment = ActivityEnvironment()
        environment.info = replace(environment.info, started_time=datetime.now(UTC) + after)
        delivery = self.delivery.model_copy(update={"was_asked_for": asked})
        try:
            return await environment.run(self.delivering.deliver_callback, delivery)
        except ApplicationError as error:
            return error.next_retry_delay or timedelta()

    async def status(self) -> CallbackStatus:
        (logged,) = await self.callbacks.log(ORGANISATION, self.session.session_id)
        return logged.status


def delivery_of(session: Session, callback: Callback) -> Delivery:
    """The delivery of a session's callback."""
    return Delivery(
        organisation_id=session.organisation_id,
        session_id=session.session_id,
        event_id=callback.event_id,
        type=callback.type,
        receiver=receiver_of(callback.url),
    )


@asynccontextmanager
async def office(folder: Path, answer: Answer, **limits: Any) -> AsyncIterator[tuple[Office, Receiver]]:
    """An office whose one callback was recorded, and not attempted."""
    address = copy_sqlite(folder / "undersign.db")
    async with receiving(answer) as receiver:
        made = Office(address, receiver, **limits)
        await made.record()
        yield made, receiver
        await made.dispose()
