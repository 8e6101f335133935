"""Finds, pauses, resumes, cancels and deletes batches, and reads their results."""

import csv
from collections.abc import Mapping, Sequence
from io import StringIO

from application.errors import BatchNotFound
from application.schemas.batches import BatchResults
from application.services import Services
from domain.batches.batch import Batch, BatchKey, BatchState, session_of_row
from domain.ports.batches import BatchAction
from domain.ports.temporal import NotRunning
from domain.shared.errors import BatchNotEnded, Unavailable
from domain.shared.ids import BatchId, OrganisationId, is_identifier

TARGETS: Mapping[BatchAction, BatchState] = {
    "pause": BatchState.PAUSED,
    "resume": BatchState.RUNNING,
    "cancel": BatchState.CANCELLED,
}
"""The state to which each action leads."""


async def get_batch(services: Services, organisation_id: OrganisationId, batch_id: str) -> Batch:
    """Returns the batch of the organisation. Raises `BatchNotFound`."""
    key = BatchKey(organisation_id=organisation_id, batch_id=BatchId(batch_id))
    batch = await services.batches.find(key) if is_identifier(batch_id) else None
    if batch is None:
        raise BatchNotFound
    return batch


async def act_on_batch(services: Services, batch: Batch, act: BatchAction) -> Batch:
    """Pauses, resumes or cancels a batch, and returns it. It takes effect after the current row.

    A run that an operator has stopped is started again first. Raises `BatchEnded`, `BatchBeingChecked` or
    `Unavailable`.
    """
    batch.check_may_enter(TARGETS[act])
    if not batch.has_ended:
        try:
            await services.batch_runs.act(batch.batch_id, act)
        except NotRunning:
            await services.batch_runs.start(batch)
            try:
                await services.batch_runs.act(batch.batch_id, act)
            except NotRunning as error:
                raise Unavailable from error
    return await get_batch(services, batch.organisation_id, batch.batch_id)


async def delete_batch(services: Services, batch: Batch) -> None:
    """Deletes a batch that has ended; its sessions stay. Raises `BatchNotEnded`."""
    if not await services.batches.delete(batch):
        raise BatchNotEnded


async def read_results(services: Services, batch: Batch, rows: Sequence[int] | None = None) -> BatchResults:
    """Returns the results of `rows` (from 0); None: of all."""
    wanted = range(batch.total) if rows is None else rows
    ids = [session_of_row(batch.batch_id, row) for row in wanted]
    return BatchResults.of(batch, wanted, await services.batches.statuses(batch.organisation_id, ids))


def to_csv(results: BatchResults) -> str:
    """Returns the results as CSV (RFC 4180): row, sessionId, status, error. No cell is a formula of a spreadsheet."""
    written = StringIO()
    rows = csv.writer(written)
    rows.writerow(("row", "sessionId", "status", "error"))
    rows.writerows(
        (one.row, one.session_id or "", one.status.value, _as_text(one.error or "")) for one in results.results
    )
    return written.getvalue()


def _as_text(cell: str) -> str:
    """Returns `cell` behind an apostrophe if a spreadsheet would compute it."""
    return f"'{cell}" if cell.startswith(("=", "+", "-", "@", "\t", "\r")) else cell
