"""Deletes uploads that nothing has used for long, and the objects of uploads that are gone.

What is to be deleted is in the database, so it does not matter which worker does it, nor that one dies at it: two
at once do no harm, and what one has left is done by the next.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import structlog

from ports.object_store import ObjectStore
from ports.uploads import Uploads

log = structlog.get_logger(__name__)

UNUSED_FOR = timedelta(days=30)
"""How long an upload that no session and no template uses is kept after it was last uploaded."""

MADE_WITHIN = timedelta(days=1)
"""After which what was to use an upload, and is not there, was never made."""

SWEEP_EVERY = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class UploadSweep:
    """Finds and deletes them."""

    uploads: Uploads
    objects: ObjectStore

    async def sweep(self, at: datetime) -> int:
        """Deletes what is to be deleted at `at`; returns how many uploads nothing used any more."""
        unused = await self.uploads.expire(at - UNUSED_FOR, at - MADE_WITHIN, at)
        await delete_due(self.uploads, self.objects, at)
        if unused:
            log.info("deleted uploads that nothing used", uploads=unused)
        return unused

    async def sweep_now(self) -> int:
        """Deletes what is to be deleted now; returns how many uploads nothing used any more."""
        return await self.sweep(datetime.now(UTC))


async def delete_due(uploads: Uploads, objects: ObjectStore, at: datetime) -> int:
    """Deletes the objects of uploads that are gone at `at`; returns how many there were."""
    count = 0
    while due := await uploads.due(at):
        for prefix in due:
            count += await objects.delete_prefix(prefix)
        await uploads.mark_deleted(due)
    return count
