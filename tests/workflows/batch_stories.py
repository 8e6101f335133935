"""What may happen to a batch, for recorded histories and their tests. Each story returns the batch at its end."""

from collections.abc import Awaitable, Callable, Mapping

from domain.batches.batch import Batch
from tests.workflows.batch_stage import BatchStage, row

Story = Callable[[BatchStage], Awaitable[Batch]]


async def completed(stage: BatchStage) -> Batch:
    """Two slices, the second at the pace of the batch."""
    batch_id = await stage.create(*map(row, range(2)), perMinute=20, sendImmediately=True)
    await stage.handle(batch_id).result()
    return await stage.find(batch_id)


async def refused(stage: BatchStage) -> Batch:
    batch_id = await stage.create(row(0), row(1, tenant="W" * 90))
    await stage.handle(batch_id).result()
    return await stage.find(batch_id)


async def paused_and_resumed(stage: BatchStage) -> Batch:
    batch_id = await stage.create(*map(row, range(2)), perMinute=4)
    await stage.done(batch_id, 1)
    assert (await stage.act(batch_id, "pause")).state == "paused"
    assert (await stage.act(batch_id, "resume")).state == "running"
    await stage.handle(batch_id).result()
    return await stage.find(batch_id)


async def cancelled(stage: BatchStage) -> Batch:
    batch_id = await stage.create(*map(row, range(2)), perMinute=1)
    await stage.done(batch_id, 1)
    assert (await stage.act(batch_id, "cancel")).state == "cancelled"
    await stage.handle(batch_id).result()
    return await stage.find(batch_id)


async def cancelled_in_temporal(stage: BatchStage) -> Batch:
    batch_id = await stage.create(*map(row, range(2)), perMinute=1)
    await stage.done(batch_id, 1)
    await stage.handle(batch_id).cancel()
    await stage.handle(batch_id).result()
    return await stage.find(batch_id)


BATCH_STORIES: Mapping[str, Story] = {
    "batch_completed": completed,
    "batch_refused": refused,
    "batch_paused_and_resumed": paused_and_resumed,
    "batch_cancelled": cancelled,
    "batch_cancelled_in_temporal": cancelled_in_temporal,
}


async def continued(stage: BatchStage) -> Batch:
    """Its history is continued as new after a few slices."""
    batch_id = await stage.create(*map(row, range(9)), perMinute=23)
    for _ in range(8):
        batch = await stage.find(batch_id)
        batch = await stage.done(batch_id, min(batch.done + 1, 9))
        if batch.done < 9:
            await stage.act(batch_id, "pause")
            await stage.act(batch_id, "resume")
    await stage.handle(batch_id).result()
    return await stage.find(batch_id)
