"""Uploaded images and PDFs and their uses, in SQLite and PostgreSQL."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any, NamedTuple

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.database.repositories.sessions import DatabaseSessionRows
from adapters.database.repositories.uploads import DatabaseFiles, DatabaseImages, DatabaseUploads
from domain.ports.database import SessionRows
from domain.ports.uploads import (
    Files,
    Images,
    UploadedFile,
    UploadedImage,
    UploadInUse,
    UploadKind,
    UploadMissing,
    Uploads,
)
from domain.shared.ids import FileId, OrganisationId
from domain.shared.object_names import make_reference, prefix_of, upload_name, upload_prefix
from tests.builders import NOON, ORGANISATION, created, identifier, reference

STRANGER = OrganisationId(identifier("stranger"))
FILE, IMAGE = UploadKind.FILE, UploadKind.IMAGE
SESSION, OTHER = identifier("a session"), identifier("another session")
LATER = NOON + timedelta(days=31)


class Stored(NamedTuple):
    files: Files
    images: Images
    rows: SessionRows
    uploads: Uploads


@pytest.fixture
def stored(database: AsyncEngine) -> Stored:
    files, images = DatabaseFiles(database), DatabaseImages(database)
    return Stored(files, images, DatabaseSessionRows(database), DatabaseUploads(database))


def terms(copy: str = "1", organisation: OrganisationId = ORGANISATION) -> UploadedFile:
    file_id = FileId(identifier("terms"))
    name = upload_name(upload_prefix(organisation, FILE.value, file_id, copy))
    return UploadedFile(organisation, file_id, "terms.pdf", 3, make_reference(name, b"%PDF"), NOON)


def logo() -> UploadedImage:
    image_id = FileId(identifier("logo"))
    name = upload_name(upload_prefix(ORGANISATION, IMAGE.value, image_id, "1"))
    return UploadedImage(ORGANISATION, image_id, "logo.png", "image/png", 1, 1, make_reference(name, b"PNG"), NOON)


async def found(stored: Stored) -> set[str]:
    ids = [terms().file_id, logo().image_id]
    return {*await stored.files.find(ORGANISATION, ids), *await stored.images.find(ORGANISATION, ids)}


async def test_an_unused_upload_is_deleted_and_its_object_is_due_until_marked_deleted(stored: Stored) -> None:
    file = await stored.files.add(terms())
    prefix = await stored.uploads.delete(FILE, ORGANISATION, file.file_id, NOON)
    assert prefix == prefix_of(file.content.name)
    assert await found(stored) == set()
    assert await stored.uploads.due(NOON) == (prefix,)
    await stored.uploads.mark_deleted([prefix])
    assert await stored.uploads.due(LATER) == ()


async def test_an_upload_in_use_is_not_deleted_until_its_last_user_is_erased(stored: Stored) -> None:
    file = await stored.files.add(terms())
    for user in (SESSION, OTHER, SESSION):
        assert await stored.uploads.use(FILE, ORGANISATION, [file.file_id], user, NOON) == {file.file_id}
    for user in (SESSION, OTHER):
        with pytest.raises(UploadInUse):
            await stored.uploads.delete(FILE, ORGANISATION, file.file_id, NOON)
        assert await stored.uploads.due(NOON) == ()
        await stored.uploads.erase(ORGANISATION, user, NOON)
    assert await found(stored) == set()
    assert await stored.uploads.due(NOON) == (prefix_of(file.content.name),)


async def test_releasing_a_user_that_was_never_created_keeps_its_uploads(stored: Stored) -> None:
    file = await stored.files.add(terms())
    await stored.uploads.use(FILE, ORGANISATION, [file.file_id], SESSION, NOON)
    await stored.uploads.release(ORGANISATION, SESSION)
    assert await found(stored) == {file.file_id}
    await stored.uploads.delete(FILE, ORGANISATION, file.file_id, NOON)


async def test_uploads_of_others_and_of_another_kind_are_missing(stored: Stored) -> None:
    file = await stored.files.add(terms())
    for kind, organisation, upload_id in (
        (FILE, STRANGER, file.file_id),
        (IMAGE, ORGANISATION, file.file_id),
        (FILE, ORGANISATION, identifier("nothing")),
        (FILE, ORGANISATION, "no UUID at all"),
    ):
        assert await stored.uploads.use(kind, organisation, [upload_id], SESSION, NOON) == frozenset()
        with pytest.raises(UploadMissing):
            await stored.uploads.delete(kind, organisation, upload_id, NOON)
    assert await found(stored) == {file.file_id}


async def test_an_upload_after_a_deletion_has_an_object_of_its_own(stored: Stored) -> None:
    file = await stored.files.add(terms("1"))
    await stored.uploads.delete(FILE, ORGANISATION, file.file_id, NOON)
    again = terms("2")
    await stored.uploads.expect(prefix_of(again.content.name), NOON)
    await stored.files.add(again)
    assert await stored.uploads.due(LATER) == (prefix_of(file.content.name),)


async def test_an_object_without_an_upload_is_due_at_its_time(stored: Stored) -> None:
    first, second = terms("1"), terms("2")
    for file in (first, second):
        await stored.uploads.expect(prefix_of(file.content.name), NOON)
        await stored.files.add(file)
    assert await stored.uploads.due(NOON - timedelta(seconds=1)) == ()
    assert await stored.uploads.due(NOON) == (prefix_of(second.content.name),)


async def test_an_unused_upload_expires_unless_it_was_uploaded_again(stored: Stored) -> None:
    await stored.images.add(logo())
    await stored.files.add(terms())
    await stored.files.add(replace(terms("2"), uploaded_at=LATER))
    assert await stored.uploads.expire(LATER, LATER, LATER) == 1
    assert await found(stored) == {terms().file_id}
    assert await stored.uploads.due(LATER) == (prefix_of(logo().content.name),)


async def test_an_upload_expires_only_without_a_use_by_a_created_session(stored: Stored) -> None:
    step = created()
    await stored.rows.record(step.session, step.events)
    await stored.files.add(terms())
    await stored.images.add(logo())
    await stored.uploads.use(FILE, ORGANISATION, [terms().file_id], step.session.session_id, NOON)
    await stored.uploads.use(IMAGE, ORGANISATION, [logo().image_id], identifier("never made"), NOON)
    assert await stored.uploads.expire(LATER, NOON, LATER) == 0  # it may still be made
    assert await stored.uploads.expire(LATER, LATER, LATER) == 1
    assert await found(stored) == {terms().file_id}


async def test_of_a_concurrent_use_and_deletion_one_fails(stored: Stored) -> None:
    for number in range(12):
        file = await stored.files.add(terms())
        user = identifier(f"session {number}")
        used, deleted = await asyncio.gather(
            stored.uploads.use(FILE, ORGANISATION, [file.file_id], user, NOON),
            stored.uploads.delete(FILE, ORGANISATION, file.file_id, NOON),
            return_exceptions=True,
        )
        is_there = file.file_id in await found(stored)
        assert is_there == (used == {file.file_id}) == isinstance(deleted, UploadInUse)
        await stored.uploads.release(ORGANISATION, user)


async def test_of_two_sessions_erased_at_once_the_last_erases_the_upload(stored: Stored) -> None:
    for _ in range(6):
        file = await stored.files.add(terms())
        for user in (SESSION, OTHER):
            await stored.uploads.use(FILE, ORGANISATION, [file.file_id], user, NOON)
        await asyncio.gather(*(stored.uploads.erase(ORGANISATION, user, NOON) for user in (SESSION, OTHER)))
        assert await found(stored) == set()


IMAGE_AND_FILE = pytest.mark.parametrize("kind", [IMAGE, FILE])


def repository(stored: Stored, kind: UploadKind) -> Any:
    return stored.images if kind is IMAGE else stored.files


def upload(kind: UploadKind, name: str, organisation: OrganisationId = ORGANISATION) -> Any:
    key = (organisation, FileId(identifier(name)))
    if kind is IMAGE:
        return UploadedImage(*key, f"{name}.png", "image/png", 640, 480, reference(name), NOON)
    return UploadedFile(*key, f"{name}.pdf", 3, reference(name), NOON)


@IMAGE_AND_FILE
async def test_added_uploads_are_found_unchanged_among_any_number_of_ids(stored: Stored, kind: UploadKind) -> None:
    uploads, logo, plan = repository(stored, kind), upload(kind, "logo"), upload(kind, "plan")
    assert await uploads.add(logo) == logo
    await uploads.add(plan)
    both = {identifier("logo"): logo, identifier("plan"): plan}
    many = [identifier(str(number)) for number in range(1200)]
    assert await uploads.find(ORGANISATION, [*both, *many, "no UUID at all"]) == both
    assert await uploads.find(ORGANISATION, []) == {}


@IMAGE_AND_FILE
async def test_an_id_has_one_upload_in_each_organisation(stored: Stored, kind: UploadKind) -> None:
    uploads, name = repository(stored, kind), identifier("logo")
    first, other = upload(kind, "logo"), upload(kind, "logo", STRANGER)
    await uploads.add(first)
    assert await uploads.add(replace(first, file_name="again")) == first
    assert await uploads.find(STRANGER, [name]) == {}
    await uploads.add(other)
    assert await uploads.find(ORGANISATION, [name]) == {name: first}
    assert await uploads.find(STRANGER, [name]) == {name: other}
