"""Deletes uploads that nothing has used for long, and the objects of uploads that are gone.

What is to be deleted is in the database, so it does not matter which worker does it, nor that one dies at it: two
at once do no harm, and what one has left is done by the next.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import structlog

from adapters.database.upload_port import Uploads
from adapters.object_store.port import ObjectStore

log = structlog.get_logger(__name__)

UNUSED_FOR = timedelta(days=30)
"""How long an upload that no session and no template uses is kept after it was last uploaded."""

MADE_WITHIN = timedelta(days=1)
"""After which what was to use an upload, and is not there, was never made."""

EVERY = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class UploadSweep:
    """Looks for uploads to delete while it is `running`."""

    uploads: Uploads
    objects: ObjectStore

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Sweeps at once, and every hour for as long as the block lasts."""
        sweeping = asyncio.create_task(self._keep_on())
        try:
            yield
        finally:
            sweeping.cancel()
            await asyncio.gather(sweeping, return_exceptions=True)

    async def sweep(self, at: datetime) -> int:
        """Deletes what is to be deleted at `at`; returns how many uploads nothing used any more."""
        unused = await self.uploads.expire(at - UNUSED_FOR, at - MADE_WITHIN, at)
        await delete_due(self.uploads, self.objects, at)
        return unused

    async def _keep_on(self) -> None:
        while True:
            try:
                if unused := await self.sweep(datetime.now(UTC)):
                    log.info("deleted uploads that nothing used", uploads=unused)
            except Exception as error:  # noqa: BLE001  # whatever it is, signing goes on
                log.warning("unused uploads are deleted later", error=str(error) or type(error).__name__)
            await asyncio.sleep(EVERY.total_seconds())


async def delete_due(uploads: Uploads, objects: ObjectStore, at: datetime) -> int:
    """Deletes the objects of uploads that are gone at `at`; returns how many there were."""
    count = 0
    while due := await uploads.due(at):
        for prefix in due:
            count += await objects.delete_prefix(prefix)
        await uploads.forget(due)
    return count
