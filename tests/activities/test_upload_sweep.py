"""Unused uploads are deleted with their objects."""

from datetime import timedelta
from unittest.mock import patch

import pytest
from structlog.testing import capture_logs

from activities.maintenance import UNUSED_FOR, UploadSweep
from adapters.database.repositories.uploads import DatabaseFiles, DatabaseUploads
from adapters.database.tables.uploads import FileRow
from domain.ports.uploads import UploadedFile, UploadKind
from domain.shared.ids import FileId
from domain.shared.object_names import upload_name, upload_prefix
from tests.builders import NOON, ORGANISATION, identifier
from tests.databases import MemoryDatabase
from tests.fakes.object_store import MemoryObjectStore


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


async def test_a_sweep_logs_what_it_deleted_and_one_that_failed_is_ended_by_another() -> None:
    sweep, _, objects = await kept()
    full = patch.object(objects, "delete_prefix", side_effect=OSError("full"))
    with capture_logs() as logged, full, pytest.raises(OSError, match="full"):
        await sweep.sweep_now()
    assert logged == []

    with capture_logs() as logged:
        assert await sweep.sweep_now() == 0
    assert (list(objects.objects), logged) == (["organisations/of/others"], [])
    other, _, _ = await kept()
    with capture_logs() as logged:
        assert await other.sweep_now() == 1
    assert [line["uploads"] for line in logged] == [1]
