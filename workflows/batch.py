"""The workflow of a batch, `batch/<batchId>`. Temporal replays this code.

The rows are in the object store, and their results are in the database: the history holds counts only.

    checking    -> `check_rows`, slice by slice; with issues, the batch is refused
    running     -> `create_rows`, slice by slice, at the pace of the batch
    each state  -> `record_batch`, before the next slice begins

A session is created by at most one row, and a row creates at most one session (decision 0038).
"""

import asyncio
from datetime import timedelta

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from activities.interface import BATCHES_QUEUE, RowSlice, check_rows, create_rows, record_batch
    from domain.batches.batch import BatchProgress, BatchState
    from workflows.activity_options import (
        HEARTBEAT,
        RECORD_RETRY,
        RECORD_TIMEOUT,
        ROWS_RETRY,
        ROWS_TIMEOUT,
    )
    from workflows.session.ignore_cancellation import is_cancellation_request

CHECKED_AT_ONCE = 50
"""Rows that one activity checks, in a few seconds."""

SLICES_PER_MINUTE = 12
"""Number of slices in which the sessions of one minute are created."""

_CANCELLED_IN_TEMPORAL = "Temporal was asked to cancel this run, so the batch was cancelled after the current row."


@workflow.defn(name="Batch")
class BatchWorkflow:
    """Checks all rows of a batch, then creates their sessions."""

    @workflow.init
    def __init__(self, start: BatchProgress) -> None:
        self._batch = start
        self._recorded = start.revision
        self._note = ""
        self._show()

    @workflow.run
    async def run(self, start: BatchProgress) -> BatchProgress:  # noqa: ARG002  # the signature of `__init__`
        """Returns the final counts. Cancelling the run cancels the batch."""
        working = asyncio.create_task(self._work())
        try:
            # Cancelling the run ends the batch between two sessions, not within one.
            await asyncio.shield(working)
            await workflow.wait_condition(workflow.all_handlers_finished)
        except asyncio.CancelledError as error:
            if not is_cancellation_request(error):
                raise
            self._note = _CANCELLED_IN_TEMPORAL
            await self._enter(BatchState.CANCELLED)
            await working
            await workflow.wait_condition(workflow.all_handlers_finished)
        if not self._batch.has_ended:
            workflow.continue_as_new(self._batch)
        return self._batch

    @workflow.update(description="Creates no sessions until it is resumed.")
    async def pause(self) -> BatchProgress:
        return await self._enter(BatchState.PAUSED)

    @pause.validator
    def _validate_pause(self) -> None:
        self._batch.check_may_enter(BatchState.PAUSED)

    @workflow.update(description="Goes on with the next row.")
    async def resume(self) -> BatchProgress:
        return await self._enter(BatchState.RUNNING)

    @resume.validator
    def _validate_resume(self) -> None:
        self._batch.check_may_enter(BatchState.RUNNING)

    @workflow.update(description="Cancels the batch after the current row.")
    async def cancel(self) -> BatchProgress:
        return await self._enter(BatchState.CANCELLED)

    @cancel.validator
    def _validate_cancel(self) -> None:
        self._batch.check_may_enter(BatchState.CANCELLED)

    async def _enter(self, state: BatchState) -> BatchProgress:
        """Changes the state, and returns once it is recorded. An ended batch stays as it is."""
        self._batch = self._batch.with_state(state)
        self._show()
        recording = self._batch
        if recording.revision > self._recorded:
            await workflow.execute_activity(
                record_batch,
                recording,
                start_to_close_timeout=RECORD_TIMEOUT,
                retry_policy=RECORD_RETRY,
                summary=f"Record that the batch is {recording.state.value}",
            )
            self._recorded = max(self._recorded, recording.revision)
        return self._batch

    async def _work(self) -> None:
        """Processes slices until the batch has ended, or until Temporal suggests to continue as new."""
        while not self._batch.has_ended and not workflow.info().is_continue_as_new_suggested():
            await workflow.wait_condition(self._may_proceed)
            if self._batch.state is BatchState.CHECKING:
                await self._check_slice()
            elif self._batch.state is BatchState.RUNNING:
                await self._create_slice()

    def _may_proceed(self) -> bool:
        """Whether the next slice may begin. The state must be recorded first, because the activity reads it."""
        is_recorded = self._recorded == self._batch.revision
        return self._batch.has_ended or (is_recorded and self._batch.state is not BatchState.PAUSED)

    async def _check_slice(self) -> None:
        until = min(self._batch.checked + CHECKED_AT_ONCE, self._batch.total)
        self._count(
            await workflow.execute_activity(
                check_rows,
                self._slice(until),
                task_queue=BATCHES_QUEUE,
                start_to_close_timeout=ROWS_TIMEOUT,
                heartbeat_timeout=HEARTBEAT,
                retry_policy=ROWS_RETRY,
                summary=f"Check the documents up to row {until}",
            )
        )
        if self._batch.checked == self._batch.total:
            await self._enter(BatchState.REFUSED if self._batch.issue_count else BatchState.RUNNING)

    async def _create_slice(self) -> None:
        began, before = workflow.now(), self._batch.done
        until = min(before + max(1, self._batch.per_minute // SLICES_PER_MINUTE), self._batch.total)
        self._count(
            await workflow.execute_activity(
                create_rows,
                self._slice(until),
                task_queue=BATCHES_QUEUE,
                start_to_close_timeout=ROWS_TIMEOUT,
                heartbeat_timeout=HEARTBEAT,
                retry_policy=ROWS_RETRY,
                summary=f"Create sessions up to row {until}",
            )
        )
        if self._batch.done == self._batch.total:
            await self._enter(BatchState.COMPLETED)
            return
        wait = timedelta(minutes=(self._batch.done - before) / self._batch.per_minute) - (workflow.now() - began)
        await self._pace(wait)

    async def _pace(self, wait: timedelta) -> None:
        """Waits so that sessions are created at the pace of the batch, or until it has ended."""
        if wait <= timedelta():
            return
        try:
            await workflow.wait_condition(
                lambda: self._batch.has_ended,
                timeout=wait,
                timeout_summary=f"Keep to {self._batch.per_minute} a minute",
            )
        except TimeoutError:
            return

    def _slice(self, until: int) -> RowSlice:
        batch = self._batch
        return RowSlice(organisation_id=batch.organisation_id, batch_id=batch.batch_id, until=until)

    def _count(self, counted: BatchProgress) -> None:
        counts = ("checked", "issue_count", "done", "failed_count")
        self._batch = self._batch.model_copy(update={name: getattr(counted, name) for name in counts})
        self._show()

    def _show(self) -> None:
        workflow.set_current_details(f"{current_details(self._batch)}\n\n{self._note}".strip())


def current_details(batch: BatchProgress) -> str:
    """Returns the state and the counts of a batch as Markdown."""
    lines = [
        f"**{batch.state.value}**, at most {batch.per_minute} a minute",
        "",
        f"- checked: {batch.checked} of {batch.total}, issues: {batch.issue_count}",
        f"- sessions created: {batch.done - batch.failed_count} of {batch.total}",
        f"- rows failed: {batch.failed_count}",
    ]
    return "\n".join(lines)
