"""Batches in SQLite and PostgreSQL."""

from datetime import timedelta

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.database.repositories.batches import DatabaseBatches
from adapters.database.repositories.uploads import DatabaseUploads
from domain.batches.batch import Batch, BatchState, FailedRow, RowIssue
from domain.shared.ids import BatchId, OrganisationId, TemplateId
from domain.shared.limits import MAX_BATCH_ISSUES
from domain.shared.object_names import ObjectReference, batch_prefix
from tests.builders import NOON, ORGANISATION, identifier

LATER = NOON + timedelta(minutes=1)
FAILED = FailedRow(row=0, code="TEMPLATE_ARCHIVED", message="The template is archived.")


def batch(name: str = "Leases", organisation: str = ORGANISATION) -> Batch:
    return Batch(
        organisation_id=OrganisationId(organisation),
        batch_id=BatchId(identifier(f"batch {name}")),
        template_id=TemplateId(identifier("template")),
        name=name,
        is_sent=True,
        total=3,
        per_minute=60,
        created_at=NOON,
        updated_at=NOON,
        content=ObjectReference(name="rows", size=1, sha256="0" * 64),
    )


@pytest.fixture
def batches(database: AsyncEngine) -> DatabaseBatches:
    return DatabaseBatches(database)


async def read(batches: DatabaseBatches) -> Batch:
    found = await batches.find(batch())
    assert found is not None
    return found


async def test_the_first_of_two_batches_with_an_id_stays(batches: DatabaseBatches) -> None:
    assert await batches.add(batch(), LATER) == batch()
    assert await batches.add(batch().model_copy(update={"name": "Other"}), LATER) == batch()
    await batches.add(batch("Later").model_copy(update={"created_at": LATER}), LATER)
    await batches.add(batch("Foreign", identifier("another")), LATER)

    page = await batches.list(OrganisationId(ORGANISATION), 1, 0)
    assert ([one.name for one in page.rows], page.total) == (["Later"], 2)
    assert await batches.find(batch("Foreign")) is None


async def test_a_batch_is_due_until_its_run_is_started(batches: DatabaseBatches) -> None:
    await batches.add(batch(), LATER)

    assert [await batches.to_start(at, 9) for at in (NOON, LATER)] == [(), (batch(),)]
    await batches.mark_started(batch())
    assert await batches.to_start(LATER, 9) == ()


async def test_a_row_is_done_once_whichever_attempt_writes_it(batches: DatabaseBatches) -> None:
    before = await batches.add(batch(), LATER)

    for _ in range(2):
        await batches.record_done(before, FAILED)
    await batches.record_done(await read(batches))

    after = await read(batches)
    assert (after.done, after.failed_count, after.failed, after.created) == (2, 1, (FAILED,), 1)


async def test_rows_are_checked_once_and_the_first_issues_are_kept(batches: DatabaseBatches) -> None:
    before = await batches.add(batch(), LATER)
    issues = [RowIssue(path=f"/rows/0/{number}", message="Wrong.") for number in range(MAX_BATCH_ISSUES - 1)]

    for _ in range(2):
        await batches.record_checked(before, 2, issues)
    await batches.record_checked(await read(batches), 3, issues)

    after = await read(batches)
    assert (after.checked, after.issue_count, len(after.issues)) == (3, 2 * len(issues), MAX_BATCH_ISSUES)


async def test_the_latest_state_stays_and_an_end_deletes_the_rows(
    batches: DatabaseBatches, database: AsyncEngine
) -> None:
    uploads, prefix = DatabaseUploads(database), batch_prefix(batch().organisation_id, batch().batch_id)
    await uploads.expect(prefix, NOON)
    running = (await batches.add(batch(), LATER)).progress().with_state(BatchState.RUNNING)
    paused = running.with_state(BatchState.PAUSED)

    assert await uploads.due(LATER) == ()
    for progress in (paused, running):
        await batches.record_state(progress, LATER)
    assert (await read(batches)).state is BatchState.PAUSED
    assert not await batches.delete(batch())
    await batches.record_state(paused.with_state(BatchState.CANCELLED), LATER)
    assert await uploads.due(LATER) == (prefix,)
    assert await batches.delete(batch())
    assert await batches.find(batch()) is None
