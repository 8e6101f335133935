"""Values in callbacks: read for each attempt, and stored with no callback."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from temporalio.exceptions import ApplicationError
from temporalio.testing import ActivityEnvironment

from activities.interface import DeliveryState
from application.schemas.values import ValuesRead
from domain.callbacks.callback import Callback, callbacks_of, signer_of
from domain.callbacks.delivery_schedule import Delivery
from domain.ports.object_store import ObjectMissing
from domain.session.reported_values import InputValue
from domain.session.session import Session
from domain.shared.object_names import zones_name
from layout.zone import ZONES
from tests.activities.office import Office, delivery_of, office
from tests.builders import audit, created, file, recipient, submit
from tests.fakes.receivers import says
from tests.web.desk import zones_of

MARK = "Zanzibar-7731"
BLOCKS = [
    {"type": "field", "fieldType": "text", "label": "Account", "name": "account", "recipient": "ada"},
    {"type": "field", "fieldType": "number", "label": "Fee", "name": "fee", "recipient": "grace"},
    {"type": "field", "fieldType": "date", "label": "Starts", "name": "starts", "recipient": "ada"},
]


async def signed(made: Office, **settings: Any) -> tuple[Session, Callback]:
    """A session that Ada has just signed, and its recorded callback."""
    zones = ZONES.dump_json(ZONES.validate_python(zones_of(BLOCKS)))
    agreement = file("Agreement")
    kept = await made.objects.put(zones_name("sessions/s/", agreement.file_id, zones), zones, "application/json")
    agreement = agreement.model_copy(update={"zones": kept})
    people = (recipient("ada", 1), recipient("grace", 2))
    draft = created(*people, name="Values", files=(agreement,), callback_url=made.callback.url, **settings).session
    sent = draft.send(audit()).session
    submission = await submit(made.objects, sent, "ada", {"account": [MARK], "starts": ["01/07/2026"]})
    step = sent.sign(people[0].recipient_id, submission, audit())
    (callback,) = callbacks_of(sent, step.session, step.events)
    await made.record(step, callback)
    return step.session, callback


def entered(body: dict[str, Any]) -> list[tuple[str, InputValue]]:
    """The values in a callback."""
    members = {"sessionId": body["data"]["sessionId"], "sessionStatus": "inProgress", "files": body["data"]["files"]}
    read = ValuesRead.model_validate_json(json.dumps(members))
    return [(value.name, value.value) for found in read.files for value in found.values]


async def test_a_callback_holds_what_its_recipient_entered_at_every_try(tmp_path: Path) -> None:
    async with office(tmp_path, says(500)) as (made, receiver):
        session, callback = await signed(made, callback_values=True)
        delivery = delivery_of(session, callback)
        await made.delivering.attempt_first(delivery)
        environment = ActivityEnvironment()
        environment.info = replace(environment.info, started_time=datetime.now(UTC) + timedelta(days=30))
        with pytest.raises(ApplicationError, match="answered 500"):
            await environment.run(made.delivering.deliver_callback, delivery)

        assert len(receiver.received) == 2
        bodies = {received.body for received in receiver.received}
        assert len(bodies) == 1
        assert entered(json.loads(bodies.pop())) == [("account", MARK), ("starts", "2026-07-01")]


async def test_values_are_in_no_row_and_in_no_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with office(tmp_path, says(204)) as (made, receiver):
        session, callback = await signed(made, callback_values=True)
        assert await made.delivering.attempt_first(delivery_of(session, callback)) is DeliveryState.DELIVERED
        kept = b"".join(path.read_bytes() for path in tmp_path.glob("undersign.db*"))

    assert MARK.encode() in receiver.received[0].body
    assert MARK not in callback.body
    assert MARK.encode() not in kept
    assert MARK not in caplog.text


async def test_values_are_in_callbacks_about_signatures_to_clients_that_requested_them_only(tmp_path: Path) -> None:
    async with office(tmp_path, says(204)) as (made, receiver):
        session, callback = await signed(made)
        await made.delivering.attempt_first(delivery_of(session, callback))
        declined = session.decline(session.recipients[1].recipient_id, '"files":null', audit())
        others = callbacks_of(session, declined.session, declined.events)

    assert receiver.received[0].body == callback.body.encode()
    assert "files" not in json.loads(callback.body)["data"]
    assert [signer_of(other.type, other.body) for other in others] == [None] * len(others)


async def test_while_the_store_is_away_nothing_is_sent_and_no_try_is_counted(tmp_path: Path) -> None:
    async with office(tmp_path, says(204)) as (made, receiver):
        session, callback = await signed(made, callback_values=True)
        delivery = delivery_of(session, callback)
        held = made.objects.objects.copy()
        made.objects.objects.clear()
        with pytest.raises(ObjectMissing):
            await made.delivering.attempt_first(delivery)
        assert receiver.received == []
        made.objects.objects.update(held)

        assert await made.delivering.attempt_first(delivery) is DeliveryState.DELIVERED


async def test_of_a_session_that_was_erased_nothing_is_sent(tmp_path: Path) -> None:
    async with office(tmp_path, says(204)) as (made, receiver):
        session, callback = await signed(made, callback_values=True)
        delivery: Delivery = delivery_of(session, callback)
        taken = await made.callbacks.find(delivery, "")
        await made.rows.erase(session.organisation_id, session.session_id, audit().at, lambda _: None)

        assert await made.delivering.attempt_first(delivery, taken) is DeliveryState.ERASED
        assert receiver.received == []
