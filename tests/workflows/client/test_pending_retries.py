"""The retries of a session, on the server of installations."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from temporalio.api.enums.v1 import PendingActivityState
from temporalio.api.failure.v1 import ApplicationFailureInfo, Failure, TimeoutFailureInfo
from temporalio.api.workflow.v1 import PendingActivityInfo
from temporalio.client import Client

from domain.session.session import Session
from domain.session.waiting_for import RetryStatus, SideEffect, waiting_for
from domain.shared.ids import SessionId
from tests.builders import created, identifier, recipient
from tests.workflows.acts import signed_by
from tests.workflows.stage import Stage, invited, seen
from tests.workflows.waiting import eventually
from workflows.client.pending_retries import MAX_ERROR, retries_among
from workflows.client.runs import TemporalRuns
from workflows.sdk.connection import data_converter

FOR_EVER = 1_000_000


async def started(stage: Stage) -> Session:
    return await stage.start(created(recipient("ada"), name=f"Agreement {uuid4()}"))


def retrying(stage: Stage, session: Session) -> Callable[[], Awaitable[tuple[RetryStatus, ...]]]:
    return lambda: stage.runs.retries(session.session_id)


async def test_a_failing_invitation_is_a_retry_with_its_error_until_it_is_sent(stage: Stage) -> None:
    stage.effects.failures["send_invitation"] = FOR_EVER
    before = datetime.now(UTC)
    session = await started(stage)

    [retry] = await eventually(retrying(stage, session), lambda found: any(r.failed >= 2 for r in found))

    assert (retry.effect, retry.error) == (SideEffect.INVITATION, "made to fail by the test")
    assert retry.next_at is None or before < retry.next_at < datetime.now(UTC) + timedelta(minutes=5)
    sentence = waiting_for(await seen(stage, session), [retry])
    assert sentence.startswith("Waiting for the invitation to Ada to be delivered; attempt ")
    stage.effects.failures.clear()
    await invited(stage, session, 1)
    assert await stage.runs.retries(session.session_id) == ()


async def test_a_failing_document_is_a_retry(stage: Stage) -> None:
    stage.effects.failures["generate_document"] = FOR_EVER
    session = await invited(stage, await started(stage), 1)
    await stage.sessions.act(session, signed_by("ada"))

    [retry] = await eventually(retrying(stage, session), lambda found: len(found) == 1)

    assert retry.effect is SideEffect.DOCUMENT
    assert retry.failed >= 1


async def test_an_unknown_session_or_an_unreachable_server_has_no_retries(stage: Stage) -> None:
    nowhere = TemporalRuns(await Client.connect("127.0.0.1:1", lazy=True))
    assert await stage.runs.retries(SessionId(identifier("nothing"))) == ()
    assert await nowhere.retries(SessionId(identifier("nothing"))) == ()


def pending(failure: Failure, **members: object) -> PendingActivityInfo:
    info = PendingActivityInfo(
        attempt=4, state=PendingActivityState.PENDING_ACTIVITY_STATE_SCHEDULED, last_failure=failure
    )
    info.activity_type.name = "send_invitation"
    for member, value in members.items():
        setattr(info, member, value)
    return info


def failed(message: str, kind: str) -> Failure:
    return Failure(message=message, application_failure_info=ApplicationFailureInfo(type=kind))


@pytest.mark.parametrize(
    ("failure", "told"),
    [
        (failed("the outbox did not\ntake the mail", "MailNotSent"), "the outbox did not take the mail"),
        (failed("x" * 1000, "MailNotSent"), "x" * MAX_ERROR),
        (
            failed("ada@example.com", "KeyError"),
            "an unexpected error (KeyError); the log of the worker says more",
        ),
        (failed("", ""), "an unexpected error (unnamed); the log of the worker says more"),
        (Failure(timeout_failure_info=TimeoutFailureInfo()), "it took too long, or its worker ended"),
    ],
)
async def test_only_errors_written_for_readers_keep_their_messages(failure: Failure, told: str) -> None:
    [retry] = await retries_among([pending(failure)], data_converter(()))
    assert (retry.failed, retry.error) == (3, told)


async def test_only_failed_activities_that_a_session_waits_for_are_returned_with_the_next_time_if_any() -> None:
    at = Timestamp(seconds=1_800_000_000)
    waiting, running, first, other = (pending(failed("x", "")) for _ in range(4))
    for info in (waiting, running):
        info.next_attempt_schedule_time.CopyFrom(at)
    running.state = PendingActivityState.PENDING_ACTIVITY_STATE_STARTED
    first.attempt, other.activity_type.name = 1, "record_session"

    found = await retries_among([waiting, running, first, other], data_converter(()))

    assert [retry.next_at for retry in found] == [at.ToDatetime(tzinfo=UTC), None]
