"""Batches on a real Temporal server: their pace, interruptions and failures (decision 0038)."""

from collections.abc import AsyncIterator

import pytest
from temporalio.api.sdk.v1 import WorkflowMetadata
from temporalio.testing import WorkflowEnvironment

from domain.batches.batch import Batch, BatchState
from domain.workflow_ids import batch_workflow_id
from tests.builders import ORGANISATION
from tests.workflows.batch_stage import BatchStage, batch_stage, row
from tests.workflows.batch_stories import (
    Story,
    cancelled,
    cancelled_in_temporal,
    completed,
    continued,
    paused_and_resumed,
    refused,
)
from tests.workflows.record_histories import histories
from tests.workflows.servers import CONTINUE_EARLY, dev_server
from workflows.session.ui_details import ORGANISATION_ID


@pytest.fixture
async def batches(environment: WorkflowEnvironment) -> AsyncIterator[BatchStage]:
    async with batch_stage(environment.client) as stage:
        yield stage


async def test_a_batch_creates_and_sends_all_sessions_at_its_pace(batches: BatchStage) -> None:
    batch = await completed(batches)

    assert (batch.state, batch.done, batch.failed_count) == (BatchState.COMPLETED, 2, 0)
    assert batches.has_one_session_a_row(batch)
    assert batches.service.sessions.runs.started == batches.service.sessions.held.keys()
    ended = await batches.handle(batch.batch_id).describe()
    assert ended.close_time is not None
    assert (ended.close_time - ended.start_time).total_seconds() >= 3


async def test_a_batch_with_issues_creates_nothing(batches: BatchStage) -> None:
    batch = await refused(batches)

    assert (batch.state, batch.issue_count, batch.done) == (BatchState.REFUSED, 1, 0)
    assert not batches.service.sessions.held


async def test_a_paused_batch_creates_nothing_and_keeps_its_pace_when_it_is_resumed(batches: BatchStage) -> None:
    batch_id = await batches.create(*map(row, range(2)), perMinute=1)
    await batches.done(batch_id, 1)
    paused = await batches.act(batch_id, "pause")
    resumed = await batches.act(batch_id, "resume")
    cancelled = await batches.act(batch_id, "cancel")

    assert [(batch.state, batch.done) for batch in (paused, resumed, cancelled)] == [
        (BatchState.PAUSED, 1),
        (BatchState.RUNNING, 1),
        (BatchState.CANCELLED, 1),
    ]


async def test_resuming_takes_up_the_next_row(batches: BatchStage) -> None:
    batch = await paused_and_resumed(batches)

    assert (batch.state, batch.done) == (BatchState.COMPLETED, 2)
    assert batches.has_one_session_a_row(batch)


@pytest.mark.parametrize("story", [cancelled, cancelled_in_temporal])
async def test_a_cancelled_batch_ends_after_the_row_in_hand(batches: BatchStage, story: Story) -> None:
    batch: Batch = await story(batches)

    assert (batch.state, batch.done) == (BatchState.CANCELLED, 1)
    assert batches.has_one_session_a_row(batch)


@pytest.mark.parametrize("failures", [["before"], ["after"], ["before", "before", "", "after"]], ids=str)
async def test_a_crash_between_creating_and_recording_makes_no_session_twice_and_loses_none(
    batches: BatchStage, failures: list[str]
) -> None:
    batches.batches.failures = failures
    batch_id = await batches.create(*map(row, range(4)), perMinute=600, sendImmediately=True)

    await batches.handle(batch_id).result()

    batch = await batches.find(batch_id)
    assert (batch.state, batch.done, batch.failed_count) == (BatchState.COMPLETED, 4, 0)
    assert batches.has_one_session_a_row(batch)


async def test_a_run_that_an_operator_terminated_goes_on_from_its_row(batches: BatchStage) -> None:
    batch_id = await batches.create(*map(row, range(2)), perMinute=1)
    await batches.done(batch_id, 1)
    await batches.handle(batch_id).terminate()

    await batches.act(batch_id, "resume")

    await batches.handle(batch_id).result()
    assert batches.has_one_session_a_row(await batches.find(batch_id))


async def test_a_long_history_is_continued(batches: BatchStage) -> None:
    del batches
    async with dev_server(CONTINUE_EARLY) as environment, batch_stage(environment.client) as stage:
        batch = await continued(stage)

        assert (batch.state, batch.done) == (BatchState.COMPLETED, 9)
        assert stage.has_one_session_a_row(batch)
        runs = await histories(environment.client, batch_workflow_id(batch.batch_id))
        assert len(runs) > 1


async def test_temporal_shows_name_and_counts_and_no_personal_data(batches: BatchStage) -> None:
    batch = await cancelled_in_temporal(batches)

    handle = batches.handle(batch.batch_id)
    details = await handle.query("__temporal_workflow_metadata", result_type=WorkflowMetadata)
    assert details.current_details == (
        "**cancelled**, at most 1 a minute\n\n- checked: 2 of 2, issues: 0\n- sessions created: 1 of 2\n"
        "- rows failed: 0\n\nTemporal was asked to cancel this run, so the batch was cancelled after the current row."
    )
    described = await handle.describe()
    assert await described.static_summary() == "Leases of July"
    assert described.typed_search_attributes[ORGANISATION_ID] == ORGANISATION
    assert "tenant1@example.com" not in (await handle.fetch_history()).to_json()
