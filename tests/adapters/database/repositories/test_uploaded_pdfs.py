"""What the database promises about uploaded PDFs, on the fake and on both databases."""

from dataclasses import replace

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.database.repositories.uploaded_pdfs import DatabaseFiles
from domain.shared.ids import FileId, OrganisationId
from ports.uploads import Files, UploadedFile
from tests.builders import NOON, ORGANISATION, identifier, reference

STRANGER = OrganisationId(identifier("stranger"))


@pytest.fixture
def files(database: AsyncEngine) -> Files:
    return DatabaseFiles(database)


def uploaded(name: str, organisation: OrganisationId = ORGANISATION) -> UploadedFile:
    return UploadedFile(
        organisation_id=organisation,
        file_id=FileId(identifier(name)),
        file_name=f"{name}.pdf",
        page_count=3,
        content=reference(name),
        uploaded_at=NOON,
    )


async def test_what_is_added_is_found_as_it_was(files: Files) -> None:
    logo, plan = uploaded("logo"), uploaded("plan")
    assert await files.add(logo) == logo
    await files.add(plan)
    wanted = [logo.file_id, plan.file_id, identifier("nothing"), "no UUID at all"]
    assert await files.find(ORGANISATION, wanted) == {logo.file_id: logo, plan.file_id: plan}


async def test_of_a_file_that_is_added_twice_the_first_stays(files: Files) -> None:
    first = uploaded("logo")
    await files.add(first)
    assert await files.add(replace(first, file_name="again.pdf")) == first
    assert await files.find(ORGANISATION, [first.file_id]) == {first.file_id: first}


async def test_another_organisation_finds_nothing(files: Files) -> None:
    logo = uploaded("logo")
    await files.add(logo)
    assert await files.find(STRANGER, [logo.file_id]) == {}


async def test_two_organisations_may_have_files_of_one_id(files: Files) -> None:
    own, other = uploaded("logo"), uploaded("logo", STRANGER)
    await files.add(own)
    await files.add(other)
    assert await files.find(STRANGER, [own.file_id]) == {own.file_id: other}


async def test_many_files_are_found_at_once(files: Files) -> None:
    logo = uploaded("logo")
    await files.add(logo)
    many = [identifier(str(number)) for number in range(1200)]
    assert await files.find(ORGANISATION, [*many, logo.file_id]) == {logo.file_id: logo}
    assert await files.find(ORGANISATION, []) == {}
