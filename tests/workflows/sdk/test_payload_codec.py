"""Payloads are unreadable at the server, and readable with the keys."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from uuid import uuid4

import pytest
import structlog
from temporalio import activity
from temporalio.api.common.v1 import Payload
from temporalio.client import Client
from temporalio.converter import ActivitySerializationContext, SerializationContext, WorkflowSerializationContext
from temporalio.exceptions import ApplicationError
from temporalio.testing import WorkflowEnvironment
from temporalio.worker import Worker

from activities.interface import CALLBACKS_QUEUE, DeliveryState
from domain.callbacks.delivery_schedule import Delivery
from domain.session.session import Session
from domain.session.waiting_for import RetryStatus, SideEffect
from domain.shared.errors import Unavailable
from domain.shared.ids import EventId, SessionId
from domain.workflow_ids import callback_id, session_workflow_id
from tests.builders import ORGANISATION, created, file, identifier, recipient
from tests.fakes.effects import FakeEffects
from tests.workflows.acts import signed_by
from tests.workflows.servers import dev_server
from tests.workflows.stage import Stage, invited, seen, set_stage
from tests.workflows.waiting import eventually
from workflows.client.deliveries import TemporalDeliveries
from workflows.client.replay_check import ReplayReport, replay_running
from workflows.client.runs import TemporalRuns
from workflows.sdk.connection import connect, data_converter
from workflows.sdk.payload_codec import BOUND_TO, ENCODING, KEY_ID, EncryptionCodec, PayloadUnreadable
from workflows.sdk.payload_keys_setting import PayloadKey, new_payload_key, read_payload_keys
from workflows.sdk.temporal_settings import TemporalConfig
from workflows.workflow_types import CALLBACK_WORKFLOWS

KEY = new_payload_key()
OLD, NEW = read_payload_keys(f"{new_payload_key()},{new_payload_key()}")
[PLAIN] = read_payload_keys("none")
TEXT = Payload(metadata={"encoding": b"json/plain"}, data=b'"Ada Lovelace"')


async def test_encrypted_payloads_hide_their_content_and_decrypt_to_it() -> None:
    encryption = EncryptionCodec([OLD])

    sealed = await encryption.encode([TEXT, TEXT])

    assert [b"Ada Lovelace" in payload.SerializeToString() for payload in sealed] == [False, False]
    assert [dict(payload.metadata) for payload in sealed] == [
        {"encoding": ENCODING, KEY_ID: OLD.key_id.encode(), BOUND_TO: b""} for _ in range(2)
    ]
    assert sealed[0].data != sealed[1].data
    assert await encryption.decode(sealed) == [TEXT, TEXT]


async def test_payloads_are_compressed_if_the_key_says_so_and_read_under_either_key() -> None:
    long = Payload(metadata={"encoding": b"json/plain"}, data=b"Ada Lovelace " * 1000)
    earlier = replace(OLD, compresses=False)
    [small], [large] = await EncryptionCodec([NEW]).encode([long]), await EncryptionCodec([earlier]).encode([long])

    assert len(small.data) < 200 < len(long.data) < len(large.data)
    assert await EncryptionCodec([NEW, earlier]).decode([small, large]) == [long, long]


async def test_the_first_key_encrypts_all_decrypt_and_a_missing_key_is_named() -> None:
    [sealed], both = await EncryptionCodec([OLD]).encode([TEXT]), EncryptionCodec([NEW, OLD])
    assert await both.decode([sealed]) == [TEXT]
    assert (await both.encode([TEXT]))[0].metadata[KEY_ID] == NEW.key_id.encode()
    with pytest.raises(PayloadUnreadable, match=rf"{OLD.key_id}.*UNDERSIGN_PAYLOAD_KEYS"):
        await EncryptionCodec([NEW]).decode([sealed])
    prepared = EncryptionCodec(read_payload_keys(f"none,{KEY}"))
    assert await prepared.encode([TEXT]) == [TEXT]
    assert await prepared.decode(await EncryptionCodec(read_payload_keys(KEY)).encode([TEXT])) == [TEXT]


async def test_a_plain_payload_is_refused() -> None:
    with pytest.raises(PayloadUnreadable, match=r"is not encrypted.*none"):
        await EncryptionCodec([OLD]).decode([TEXT])


@pytest.mark.parametrize("keys", [f"none,{KEY}", f"{KEY},none"], ids=["first", "last"])
async def test_a_plain_payload_is_read_where_the_keys_include_none(keys: str) -> None:
    assert await EncryptionCodec(read_payload_keys(keys)).decode([TEXT]) == [TEXT]


PLACES = [
    WorkflowSerializationContext("default", "session/1"),
    WorkflowSerializationContext("default", "session/2"),
    *(
        ActivitySerializationContext("default", None, "seal", "documents", workflow, None, False)
        for workflow in ("session/1", "session/2")
    ),
]


@pytest.mark.parametrize("written", PLACES)
@pytest.mark.parametrize("read", PLACES)
async def test_a_payload_is_read_only_where_it_was_written_for(
    written: SerializationContext, read: SerializationContext
) -> None:
    encryption = EncryptionCodec([OLD])
    sealed = await encryption.with_context(written).encode([TEXT])
    if written == read:
        assert await encryption.with_context(read).decode(sealed) == [TEXT]
    else:
        with pytest.raises(PayloadUnreadable, match="another workflow"):
            await encryption.with_context(read).decode(sealed)


async def test_the_place_that_a_payload_names_cannot_be_changed() -> None:
    [sealed] = await EncryptionCodec([OLD]).with_context(PLACES[0]).encode([TEXT])
    [other] = await EncryptionCodec([OLD]).with_context(PLACES[1]).encode([TEXT])
    moved = Payload(metadata={**sealed.metadata, BOUND_TO: other.metadata[BOUND_TO]}, data=sealed.data)

    with pytest.raises(PayloadUnreadable, match="was changed"):
        await EncryptionCodec([OLD]).with_context(PLACES[1]).decode([moved])


@pytest.mark.parametrize("place", [0, 20, 40, -1])
async def test_a_changed_payload_is_refused(place: int) -> None:
    [sealed] = await EncryptionCodec([OLD]).encode([TEXT])
    changed = bytearray(sealed.data)
    changed[place] ^= 1
    with pytest.raises(PayloadUnreadable, match="was changed"):
        await EncryptionCodec([OLD]).decode([Payload(metadata=sealed.metadata, data=bytes(changed))])


@pytest.mark.parametrize("length", [0, 5, 20, 30])
async def test_a_truncated_payload_is_refused(length: int) -> None:
    [sealed] = await EncryptionCodec([OLD]).encode([TEXT])
    with pytest.raises(PayloadUnreadable):
        await EncryptionCodec([OLD]).decode([Payload(metadata=sealed.metadata, data=sealed.data[:length])])


@pytest.fixture(scope="module")
async def server() -> AsyncIterator[WorkflowEnvironment]:
    async with dev_server() as environment:
        yield environment


def under(server: WorkflowEnvironment, *keys: PayloadKey) -> Client:
    config = server.client.config()
    config["data_converter"] = data_converter(keys)
    return Client(**config)


async def started(stage: Stage) -> Session:
    step = created(recipient("lovelace"), recipient("hopper", 2), files=(file("Divorce"),), name=f"Secret {uuid4()}")
    return await stage.start(step)


async def told(client: Client, workflow_id: str) -> bytes:
    """The history and description of a run, as the server returns them."""
    handle = client.get_workflow_handle(workflow_id)
    history = [event.SerializeToString() for event in (await handle.fetch_history()).events]
    described = (await handle.describe()).raw_description
    return b"\n".join([*history, described.SerializeToString()])


PRIVATE = ("ovelace", "opper", "example.com", "Divorce", "Secret", "Northwind", "a browser", "192.0.2.7")
"""Words of the session."""


def words_in(content: bytes) -> list[str]:
    return [word for word in PRIVATE if word.encode() in content]


async def signed(client: Client) -> tuple[Session, bytes]:
    """A session that one of two recipients has signed, and what the server returns of it."""
    effects = FakeEffects()
    effects.failures["send_invitation"] = 1
    async with set_stage(client, effects=effects) as stage:
        session = await started(stage)
        await invited(stage, session, 1)
        await stage.sessions.act(session, signed_by("lovelace"))
        return session, await told(client, session_workflow_id(session.session_id))


async def test_a_session_is_unreadable_at_the_server_only_with_a_key(server: WorkflowEnvironment) -> None:
    client = under(server, OLD)
    session, content = await signed(client)

    assert words_in(content) == []
    assert b"OrganisationId" in content
    assert session.organisation_id in await _attribute(client, session, "OrganisationId")
    assert await _attribute(client, session, "SessionName") == ""
    _, plain = await signed(under(server))
    assert words_in(plain) == list(PRIVATE)


async def _attribute(client: Client, session: Session, name: str) -> str:
    described = await client.get_workflow_handle(f"session/{session.session_id}").describe()
    return next((str(pair.value) for pair in described.typed_search_attributes if pair.key.name == name), "")


async def test_a_failing_activity_and_the_session_are_readable_with_the_key_only(server: WorkflowEnvironment) -> None:
    effects, keyless = FakeEffects(), TemporalRuns(under(server, NEW))
    effects.failures["send_invitation"] = 1_000_000
    async with set_stage(under(server, OLD), effects=effects) as stage:
        session = await started(stage)

        async def retries() -> Sequence[RetryStatus]:
            return await stage.runs.retries(session.session_id)

        [retry] = await eventually(retries, bool)
        assert await keyless.retries(session.session_id) == ()
        with pytest.raises(Unavailable):
            await keyless.read_session(session.session_id)

    assert retry.effect is SideEffect.INVITATION
    assert retry.error != ""
    assert "Encoded" not in retry.error


@pytest.mark.parametrize(
    ("before", "after"), [((), (OLD, PLAIN)), ((OLD,), (NEW, OLD))], ids=["not encrypted before", "a new key"]
)
async def test_a_running_session_continues_under_another_key(
    server: WorkflowEnvironment, before: tuple[PayloadKey, ...], after: tuple[PayloadKey, ...]
) -> None:
    effects = FakeEffects()
    async with set_stage(under(server, *before), effects=effects) as stage:
        session = await started(stage)
        await invited(stage, session, 1)
        await stage.sessions.act(session, signed_by("lovelace"))

    async with set_stage(under(server, *after), effects=effects) as stage:
        await invited(stage, session, 2)
        await stage.sessions.act(session, signed_by("hopper"))
        done = await eventually(lambda: seen(stage, session), lambda now: now.status == "completedAndGenerated")

    assert [recipient.submission is not None for recipient in done.recipients] == [True, True]


async def test_running_workflows_are_replayed_with_the_keys() -> None:
    async with dev_server() as environment, set_stage(under(environment, OLD)) as stage:
        session = await started(stage)
        await invited(stage, session, 1)
        address = environment.client.service_client.config.target_host

        async def replayed() -> ReplayReport:
            return await replay_running(TemporalConfig(address, payload_keys=(NEW, OLD)), limit=10)

        assert await eventually(replayed, lambda found: found.total == 1) == ReplayReport(1, ())


class Going:
    """Tries of a delivery, which tell how far they have come and fail while `is_failing`."""

    def __init__(self, *, is_failing: bool = False) -> None:
        self.is_failing, self.found, self.request_ids = is_failing, list[object](), list[object]()

    @activity.defn
    async def deliver_callback(self, delivery: Delivery) -> DeliveryState:
        self.found.extend(activity.info().heartbeat_details)
        self.request_ids.append(structlog.contextvars.get_contextvars().get("request_id"))
        if self.is_failing:
            activity.heartbeat("as far as this")
            raise ApplicationError("made to fail by the test")
        return DeliveryState.DELIVERED


def going(client: Client, tries: Going) -> Worker:
    return Worker(client, task_queue=CALLBACKS_QUEUE, workflows=CALLBACK_WORKFLOWS, activities=[tries.deliver_callback])


def to_deliver(name: str) -> Delivery:
    return Delivery(
        organisation_id=ORGANISATION,
        session_id=SessionId(identifier("session")),
        event_id=EventId(identifier(name)),
        type="session.sent",
        receiver="https://receiver.example.com",
    )


async def test_the_id_of_a_request_is_for_those_who_have_the_key(server: WorkflowEnvironment) -> None:
    address = server.client.service_client.config.target_host
    client = await connect(TemporalConfig(address, payload_keys=(OLD,)))
    delivery, tries = to_deliver("asked for"), Going()
    with structlog.contextvars.bound_contextvars(request_id="for-ada-lovelace"):
        await TemporalDeliveries(client).start(delivery)
    async with going(client, tries):
        await client.get_workflow_handle(callback_id(delivery.event_id)).result()

    assert tries.request_ids == ["for-ada-lovelace"]
    assert words_in(await told(client, callback_id(delivery.event_id))) == []


async def test_an_activity_waits_for_the_key_of_its_heartbeat_details(server: WorkflowEnvironment) -> None:
    delivery = to_deliver("waiting")
    old, new = under(server, OLD), under(server, NEW, OLD)
    await TemporalDeliveries(old).start(delivery)
    handle = new.get_workflow_handle(callback_id(delivery.event_id), result_type=str)

    async def failed() -> Sequence[str]:
        pending = (await handle.describe()).raw_description.pending_activities
        return [step.last_failure.application_failure_info.type for step in pending]

    async with going(new, Going(is_failing=True)):
        await eventually(failed, lambda kinds: kinds == [""])
    async with going(old, Going()):
        await eventually(failed, lambda kinds: kinds != [""])
        waits = await failed()
    tries = Going()
    async with going(new, tries):
        assert await handle.result() == "delivered"

    assert waits == ["PayloadUnreadable"]
    assert tries.found == ["as far as this"]
