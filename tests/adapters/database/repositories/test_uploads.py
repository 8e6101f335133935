"""What the database promises about who uses which uploads, on both databases."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import NamedTuple

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.database.repositories.sessions import DatabaseSessionRows
from adapters.database.repositories.uploads import DatabaseFiles, DatabaseImages, DatabaseUploads
from domain.shared.ids import FileId, OrganisationId
from domain.shared.object_names import make_reference, prefix_of, upload_name, upload_prefix
from ports.database import SessionRows
from ports.uploads import Files, Images, UploadedFile, UploadedImage, UploadInUse, UploadKind, UploadMissing, Uploads
from tests.builders import NOON, ORGANISATION, created, identifier

STRANGER = OrganisationId(identifier("stranger"))
FILE, IMAGE = UploadKind.FILE, UploadKind.IMAGE
SESSION, OTHER = identifier("a session"), identifier("another session")
LATER = NOON + timedelta(days=31)


class Kept(NamedTuple):
    files: Files
    images: Images
    rows: SessionRows
    uploads: Uploads


@pytest.fixture
def kept(database: AsyncEngine) -> Kept:
    return on(database)


def on(engine: AsyncEngine) -> Kept:
    return Kept(DatabaseFiles(engine), DatabaseImages(engine), DatabaseSessionRows(engine), DatabaseUploads(engine))


def terms(copy: str = "1", organisation: OrganisationId = ORGANISATION) -> UploadedFile:
    file_id = FileId(identifier("terms"))
    name = upload_name(upload_prefix(organisation, FILE.value, file_id, copy))
    return UploadedFile(organisation, file_id, "terms.pdf", 3, make_reference(name, b"%PDF"), NOON)


def logo() -> UploadedImage:
    image_id = FileId(identifier("logo"))
    name = upload_name(upload_prefix(ORGANISATION, IMAGE.value, image_id, "1"))
    return UploadedImage(ORGANISATION, image_id, "logo.png", "image/png", 1, 1, make_reference(name, b"PNG"), NOON)


async def found(kept: Kept) -> set[str]:
    ids = [terms().file_id, logo().image_id]
    return {*await kept.files.find(ORGANISATION, ids), *await kept.images.find(ORGANISATION, ids)}


async def test_what_nothing_uses_is_deleted_and_its_object_is_due_until_it_is_forgotten(kept: Kept) -> None:
    file = await kept.files.add(terms())
    prefix = await kept.uploads.delete(FILE, ORGANISATION, file.file_id, NOON)
    assert prefix == prefix_of(file.content.name)
    assert await found(kept) == set()
    assert await kept.uploads.due(NOON) == (prefix,)
    await kept.uploads.mark_deleted([prefix])
    assert await kept.uploads.due(LATER) == ()


async def test_what_is_used_is_not_deleted_until_its_last_user_is_erased(kept: Kept) -> None:
    file = await kept.files.add(terms())
    for user in (SESSION, OTHER, SESSION):
        assert await kept.uploads.use(FILE, ORGANISATION, [file.file_id], user, NOON) == {file.file_id}
    for user in (SESSION, OTHER):
        with pytest.raises(UploadInUse):
            await kept.uploads.delete(FILE, ORGANISATION, file.file_id, NOON)
        assert await kept.uploads.due(NOON) == ()
        await kept.uploads.erase(ORGANISATION, user, NOON)
    assert await found(kept) == set()
    assert await kept.uploads.due(NOON) == (prefix_of(file.content.name),)


async def test_a_user_that_was_not_made_leaves_what_it_used(kept: Kept) -> None:
    file = await kept.files.add(terms())
    await kept.uploads.use(FILE, ORGANISATION, [file.file_id], SESSION, NOON)
    await kept.uploads.release(ORGANISATION, SESSION)
    assert await found(kept) == {file.file_id}
    await kept.uploads.delete(FILE, ORGANISATION, file.file_id, NOON)


async def test_uploads_of_others_and_of_another_kind_are_missing(kept: Kept) -> None:
    file = await kept.files.add(terms())
    for kind, organisation, upload_id in (
        (FILE, STRANGER, file.file_id),
        (IMAGE, ORGANISATION, file.file_id),
        (FILE, ORGANISATION, identifier("nothing")),
        (FILE, ORGANISATION, "no UUID at all"),
    ):
        assert await kept.uploads.use(kind, organisation, [upload_id], SESSION, NOON) == frozenset()
        with pytest.raises(UploadMissing):
            await kept.uploads.delete(kind, organisation, upload_id, NOON)
    assert await found(kept) == {file.file_id}


async def test_what_is_uploaded_again_after_it_was_deleted_has_an_object_of_its_own(kept: Kept) -> None:
    file = await kept.files.add(terms("1"))
    await kept.uploads.delete(FILE, ORGANISATION, file.file_id, NOON)
    again = terms("2")
    await kept.uploads.expect(prefix_of(again.content.name), NOON)
    await kept.files.add(again)
    assert await kept.uploads.due(LATER) == (prefix_of(file.content.name),)


async def test_an_object_that_no_upload_was_added_with_is_due_in_time(kept: Kept) -> None:
    first, second = terms("1"), terms("2")
    for file in (first, second):
        await kept.uploads.expect(prefix_of(file.content.name), NOON)
        await kept.files.add(file)
    assert await kept.uploads.due(NOON - timedelta(seconds=1)) == ()
    assert await kept.uploads.due(NOON) == (prefix_of(second.content.name),)


async def test_what_nothing_has_used_for_long_expires_unless_it_was_uploaded_again(kept: Kept) -> None:
    await kept.images.add(logo())
    await kept.files.add(terms())
    await kept.files.add(replace(terms("2"), uploaded_at=LATER))
    assert await kept.uploads.expire(LATER, LATER, LATER) == 1
    assert await found(kept) == {terms().file_id}
    assert await kept.uploads.due(LATER) == (prefix_of(logo().content.name),)


async def test_what_a_session_uses_does_not_expire_and_what_was_to_be_used_by_none_does(kept: Kept) -> None:
    step = created()
    await kept.rows.record(step.session, step.events)
    await kept.files.add(terms())
    await kept.images.add(logo())
    await kept.uploads.use(FILE, ORGANISATION, [terms().file_id], step.session.session_id, NOON)
    await kept.uploads.use(IMAGE, ORGANISATION, [logo().image_id], identifier("never made"), NOON)
    assert await kept.uploads.expire(LATER, NOON, LATER) == 0  # it may still be made
    assert await kept.uploads.expire(LATER, LATER, LATER) == 1
    assert await found(kept) == {terms().file_id}


async def test_of_one_who_uses_and_one_who_deletes_at_the_same_time_one_comes_too_late(database: AsyncEngine) -> None:
    kept = on(database)
    for number in range(12):
        file = await kept.files.add(terms())
        user = identifier(f"session {number}")
        used, deleted = await asyncio.gather(
            kept.uploads.use(FILE, ORGANISATION, [file.file_id], user, NOON),
            kept.uploads.delete(FILE, ORGANISATION, file.file_id, NOON),
            return_exceptions=True,
        )
        is_there = file.file_id in await found(kept)
        assert is_there == (used == {file.file_id}) == isinstance(deleted, UploadInUse)
        await kept.uploads.release(ORGANISATION, user)


async def test_of_two_sessions_that_are_erased_at_once_the_last_takes_the_upload_with_it(
    database: AsyncEngine,
) -> None:
    kept = on(database)
    for _ in range(6):
        file = await kept.files.add(terms())
        for user in (SESSION, OTHER):
            await kept.uploads.use(FILE, ORGANISATION, [file.file_id], user, NOON)
        await asyncio.gather(*(kept.uploads.erase(ORGANISATION, user, NOON) for user in (SESSION, OTHER)))
        assert await found(kept) == set()
