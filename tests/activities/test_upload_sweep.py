"""Uploads that nothing uses are deleted in the background, with their objects."""

import asyncio
from collections.abc import MutableMapping
from datetime import UTC, datetime, timedelta
from typing import Any

from structlog.testing import capture_logs

from activities.upload_sweep import UNUSED_FOR, UploadSweep
from adapters.database.files import DatabaseFiles
from adapters.database.port import UploadedFile
from adapters.database.tables import FileRow
from adapters.database.upload_port import UploadKind
from adapters.database.uploads import DatabaseUploads
from domain.ids import FileId
from domain.objects import upload_name, upload_prefix
from tests.builders import NOON, ORGANISATION, identifier
from tests.databases import MemoryDatabase
from tests.fakes.object_store import MemoryObjectStore
from tests.web import PATIENCE


async def kept() -> tuple[UploadSweep, MemoryDatabase, MemoryObjectStore]:
    database, objects = MemoryDatabase(), MemoryObjectStore()
    file_id = FileId(identifier("terms"))
    name = upload_name(upload_prefix(ORGANISATION, UploadKind.FILE.value, file_id, "1"))
    content = await objects.put(name, b"%PDF", "application/pdf")
    await DatabaseFiles(database.engine).add(UploadedFile(ORGANISATION, file_id, "terms.pdf", 1, content, NOON))
    await objects.put("organisations/of/others", b"%PDF", "application/pdf")
    return UploadSweep(DatabaseUploads(database.engine), objects), database, objects


async def test_an_upload_is_kept_for_thirty_days_and_then_deleted_with_its_object() -> None:
    sweep, database, objects = await kept()

    assert await sweep.sweep(NOON + UNUSED_FOR) == 0
    assert len(await database.read(FileRow)) == 1
    assert await sweep.sweep(NOON + UNUSED_FOR + timedelta(seconds=1)) == 1
    assert await database.read(FileRow) == []
    assert list(objects.objects) == ["organisations/of/others"]


async def test_objects_that_a_worker_left_when_it_died_are_deleted_by_the_next() -> None:
    sweep, database, objects = await kept()
    [file] = await database.read(FileRow)
    await sweep.uploads.delete(UploadKind.FILE, ORGANISATION, file.file_id, NOON)

    assert await sweep.sweep(NOON) == 0
    assert list(objects.objects) == ["organisations/of/others"]


class Signalling(MemoryObjectStore):
    """Sets `deleted` when objects were deleted, and `told` when a line was logged; fails `failures` times first."""

    def __init__(self, failures: int = 0) -> None:
        super().__init__()
        self.deleted, self.told = asyncio.Event(), asyncio.Event()
        self._failures = failures

    def tell(self, logger: object, name: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        self.told.set()
        return line

    async def delete_prefix(self, prefix: str) -> int:
        if self._failures:
            self._failures -= 1
            raise OSError
        count = await super().delete_prefix(prefix)
        self.deleted.set()
        return count


async def unused_for_long(objects: Signalling) -> UploadSweep:
    database = MemoryDatabase()
    file_id = FileId(identifier("terms"))
    name = upload_name(upload_prefix(ORGANISATION, UploadKind.FILE.value, file_id, "1"))
    content = await objects.put(name, b"%PDF", "application/pdf")
    long_ago = datetime.now(UTC) - 2 * UNUSED_FOR
    await DatabaseFiles(database.engine).add(UploadedFile(ORGANISATION, file_id, "terms.pdf", 1, content, long_ago))
    return UploadSweep(DatabaseUploads(database.engine), objects)


async def test_while_it_runs_it_sweeps_at_once_and_says_what_it_deleted() -> None:
    objects = Signalling()
    sweep = await unused_for_long(objects)

    with capture_logs(processors=[objects.tell]) as logged:
        async with sweep.running():
            await asyncio.wait_for(objects.told.wait(), PATIENCE)

    assert objects.objects == {}
    assert [line["uploads"] for line in logged] == [1]


async def test_a_sweep_that_fails_is_told_and_another_ends_its_work() -> None:
    objects = Signalling(failures=1)
    sweep = await unused_for_long(objects)

    with capture_logs(processors=[objects.tell]) as logged:
        async with sweep.running():
            await asyncio.wait_for(objects.told.wait(), PATIENCE)

    assert [(line["log_level"], line["error"]) for line in logged] == [("warning", "OSError")]
    assert list(objects.objects)
    async with sweep.running():
        await asyncio.wait_for(objects.deleted.wait(), PATIENCE)
    assert objects.objects == {}
