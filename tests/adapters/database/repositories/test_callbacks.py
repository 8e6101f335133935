"""What both databases promise about callbacks and the secrets that sign them."""

import asyncio
import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.database.engine import transaction
from adapters.database.repositories.callbacks import DatabaseCallbacks
from adapters.database.repositories.sessions import DatabaseSessionRows
from adapters.database.repositories.webhook_secrets import DatabaseWebhookSecrets
from adapters.database.tables.callbacks import CallbackRow, WebhookSecretRow
from adapters.keys.secret_keys import KeysUnusable, ensure_key
from domain.callbacks.callback import Callback, CallbackStatus, callback_of_deletion, callbacks_of, receiver_of
from domain.callbacks.delivery_schedule import PAUSE_AFTER, Attempt, Delivery
from domain.ports.callbacks import SECRET_OVERLAP, CallbackAttempt, PausedReceiver
from domain.session.session import Session
from domain.shared.ids import OrganisationId
from tests.builders import NOON, ORGANISATION, audit, created, identifier

URL = "https://hooks.example.com/undersign"
STRANGER = OrganisationId(identifier("stranger"))
HOUR = timedelta(hours=1)


class Log:
    """The rows of one sent session with one callback, and tries of it."""

    def __init__(self, engine: AsyncEngine, name: str = "Consulting agreement", url: str = URL) -> None:
        self.rows, self.callbacks = DatabaseSessionRows(engine), DatabaseCallbacks(engine)
        self.step = created(name=name, callback_url=url).session.send(audit())
        (self.callback,) = callbacks_of(created(name=name).session, self.step.session, self.step.events)
        self.delivery = Delivery(
            organisation_id=ORGANISATION,
            session_id=self.session.session_id,
            event_id=self.callback.event_id,
            type=self.callback.type,
            receiver=receiver_of(url),
        )

    @property
    def session(self) -> Session:
        return self.step.session

    async def record(self) -> None:
        await self.rows.record(self.session, self.step.events, [self.callback])

    def farewell(self) -> Callback:
        """What is announced when the session is deleted for ever."""
        farewell = callback_of_deletion(self.session, self.session.status)
        assert farewell is not None
        return farewell

    async def tried(self, number: int, error: str | None = "it broke", **changes: Any) -> datetime | None:
        """Keeps a try that came `number` hours after noon."""
        attempt = Attempt(
            at=NOON + changes.pop("after", number * HOUR),
            status_code=200 if error is None else 500,
            error=error,
            duration_ms=7,
        )
        standard: dict[str, Any] = {"run_id": "run", "wait": HOUR}
        tried = CallbackAttempt(self.delivery, number=number, attempt=attempt, **{**standard, **changes})
        return await self.callbacks.record_attempt(tried)

    async def found(self) -> Any:
        (logged,) = await self.callbacks.log(ORGANISATION, self.session.session_id)
        return logged


@pytest.fixture
async def log(database: AsyncEngine) -> Log:
    log = Log(database)
    await log.record()
    return log


async def test_a_callback_is_written_with_its_event_once_and_never_changed(log: Log) -> None:
    other = log.callback.model_copy(update={"body": "another body"})
    await log.rows.record(log.session, log.step.events, [other])
    outgoing = await log.callbacks.find(log.delivery, "run")
    assert outgoing is not None
    assert (outgoing.url, outgoing.body, outgoing.paused_since) == (URL, log.callback.body, None)
    found = await log.found()
    assert (found.status, found.attempts, found.next_attempt_at) == (CallbackStatus.PENDING, (), NOON)


async def test_another_organisation_finds_no_callback(log: Log) -> None:
    assert await log.callbacks.find(log.delivery.model_copy(update={"organisation_id": STRANGER}), "run") is None
    assert await log.callbacks.log(STRANGER, log.session.session_id) == ()
    assert await log.callbacks.resume(STRANGER) == []


async def test_tries_are_logged_in_order_until_one_succeeds(log: Log) -> None:
    for _ in range(2):  # recording it again has no effect
        await log.tried(1)
    waiting = await log.found()
    await log.tried(2, None, wait=None)
    done = await log.found()
    assert (waiting.status, waiting.next_attempt_at) == (CallbackStatus.PENDING, NOON + 2 * HOUR)
    assert (done.status, done.next_attempt_at) == (CallbackStatus.DELIVERED, None)
    assert [(a.at, a.status_code, a.error) for a in done.attempts] == [
        (NOON + HOUR, 500, "it broke"),
        (NOON + 2 * HOUR, 200, None),
    ]


async def test_a_receiver_that_has_failed_for_three_days_is_paused_until_it_is_resumed(log: Log) -> None:
    pauses = [await log.tried(number, after=number * 24 * HOUR) for number in range(4)]
    found = await log.found()
    assert pauses == [None, None, None, NOON + PAUSE_AFTER]
    assert (found.status, found.next_attempt_at) == (CallbackStatus.PENDING, None)
    assert found.paused_since == NOON + PAUSE_AFTER
    outgoing = await log.callbacks.find(log.delivery, "run")
    assert outgoing
    assert outgoing.paused_since == NOON + PAUSE_AFTER

    for _ in range(2):  # whoever is interrupted asks again
        assert await log.callbacks.resume(ORGANISATION) == [log.delivery]
    outgoing = await log.callbacks.find(log.delivery, "run")
    assert outgoing
    assert outgoing.paused_since is None
    assert not await log.tried(5, after=80 * HOUR)
    assert await log.callbacks.resume(ORGANISATION) == []


async def test_one_paused_receiver_of_several_is_shown_and_resumed(database: AsyncEngine, log: Log) -> None:
    other = Log(database, "Another agreement", "http://10.0.0.7:8080/")
    await other.record()
    for number in range(4):
        await log.tried(number, after=number * 24 * HOUR)
        await other.tried(number, after=(number * 24 + 1) * HOUR)
    mine = PausedReceiver("https://hooks.example.com:443", NOON, NOON + PAUSE_AFTER, 1)
    theirs = PausedReceiver("http://10.0.0.7:8080", NOON + HOUR, NOON + PAUSE_AFTER + HOUR, 1)
    assert await log.callbacks.paused(ORGANISATION) == (theirs, mine)
    assert await log.callbacks.paused(STRANGER) == ()

    assert await log.callbacks.resume(ORGANISATION, theirs.receiver) == [other.delivery]
    assert await log.callbacks.paused(ORGANISATION) == (mine,)
    assert {d.receiver for d in await log.callbacks.resume(ORGANISATION)} == {mine.receiver, theirs.receiver}
    assert await log.callbacks.paused(ORGANISATION) == ()


async def test_the_last_failure_ends_a_delivery_until_another_run_succeeds(log: Log) -> None:
    await log.tried(1, wait=None)
    assert (await log.found()).status is CallbackStatus.FAILED
    await log.tried(1, None, run_id="another", after=5 * HOUR, wait=None)
    assert (await log.found()).status is CallbackStatus.DELIVERED


@pytest.mark.parametrize("others", [{48: None}, {}])
async def test_failures_with_a_success_or_a_long_time_between_them_pause_no_receiver(
    log: Log, others: dict[int, None]
) -> None:
    await log.tried(1, after=HOUR)
    for hours, error in others.items():
        await log.tried(2, error, after=hours * HOUR)
    assert not await log.tried(3, after=(90 if others else 30 * 24) * HOUR)


async def test_callbacks_to_a_paused_receiver_are_held(database: AsyncEngine, log: Log) -> None:
    other = Log(database, "Another agreement")
    await other.record()
    for number in range(4):
        await log.tried(number, after=number * 24 * HOUR)
    await other.callbacks.pause(other.delivery)
    assert (await other.found()).paused_since == NOON + PAUSE_AFTER
    assert {d.event_id for d in await log.callbacks.resume(ORGANISATION)} == {
        log.delivery.event_id,
        other.delivery.event_id,
    }


async def test_an_erasure_leaves_one_callback_until_it_is_delivered(database: AsyncEngine, log: Log) -> None:
    await log.tried(1)
    farewell = log.farewell()
    for _ in range(2):
        await log.rows.erase(ORGANISATION, log.session.session_id, NOON, lambda _: farewell)
        await log.record()  # what a late try of the workflow would do
    assert not await log.tried(2)  # and of the delivery
    assert await log.callbacks.find(log.delivery, "run") is None
    assert [c.type for c in await log.callbacks.log(ORGANISATION, log.session.session_id)] == ["session.deleted"]

    last = log.delivery.model_copy(update={"event_id": farewell.event_id})
    attempt = Attempt(at=NOON, status_code=200, error=None, duration_ms=7)
    await log.callbacks.record_attempt(CallbackAttempt(last, "run", 1, attempt, None))
    await log.rows.erase(
        ORGANISATION, log.session.session_id, NOON, lambda _: farewell
    )  # a late second try of the burial
    async with transaction(database) as rows:
        assert await rows.get(CallbackRow, (ORGANISATION, farewell.event_id)) is None


# Secrets


@pytest.fixture
def secrets(database: AsyncEngine) -> DatabaseWebhookSecrets:
    return DatabaseWebhookSecrets(database, b"k" * 32)


async def test_a_secret_signs_a_day_beside_its_successor(secrets: DatabaseWebhookSecrets) -> None:
    results = await asyncio.gather(*(secrets.signing(ORGANISATION, NOON) for _ in range(5)))
    assert len(set(results)) == 1
    assert results[0][0].startswith("whsec_")
    assert await secrets.signing(STRANGER, NOON) != results[0]

    new = await secrets.rotate(ORGANISATION, NOON)
    assert await secrets.signing(ORGANISATION, NOON) == (new, *results[0])
    assert await secrets.signing(ORGANISATION, NOON + SECRET_OVERLAP) == (new,)


async def test_rotations_at_once_leave_one_newest_secret(secrets: DatabaseWebhookSecrets) -> None:
    results = await asyncio.gather(*(secrets.rotate(ORGANISATION, NOON) for _ in range(3)))
    assert (await secrets.signing(ORGANISATION, NOON + SECRET_OVERLAP))[0] in results
    assert len(await secrets.signing(ORGANISATION, NOON + SECRET_OVERLAP)) == 1
    assert len(await secrets.signing(ORGANISATION, NOON)) == 4


async def test_secrets_are_encrypted_for_their_organisation(
    database: AsyncEngine, secrets: DatabaseWebhookSecrets, tmp_path: Path
) -> None:
    (secret,) = await secrets.signing(ORGANISATION, NOON)
    async with transaction(database) as rows:
        row = await rows.get_one(WebhookSecretRow, (ORGANISATION, 1))
        assert secret not in json.dumps(row.model_dump(mode="json"))
        rows.add(WebhookSecretRow(organisation_id=STRANGER, number=1, sealed=row.sealed))
    with pytest.raises(KeysUnusable, match=r"webhook\.key"):
        await secrets.signing(STRANGER, NOON)
    with pytest.raises(KeysUnusable):
        await DatabaseWebhookSecrets(database, ensure_key(tmp_path, "webhook.key")).signing(ORGANISATION, NOON)
    assert ensure_key(tmp_path, "webhook.key") == ensure_key(tmp_path, "webhook.key")
