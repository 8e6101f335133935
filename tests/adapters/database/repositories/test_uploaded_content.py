"""What the database promises about uploaded images and PDFs, in SQLite and PostgreSQL."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.database.repositories.uploads import DatabaseFiles, DatabaseImages
from domain.shared.ids import FileId, OrganisationId
from ports.uploads import UploadedFile, UploadedImage
from tests.builders import NOON, ORGANISATION, identifier, reference

OTHER_ORGANISATION = OrganisationId(identifier("stranger"))


def image(name: str, organisation: OrganisationId = ORGANISATION) -> UploadedImage:
    return UploadedImage(
        organisation_id=organisation,
        image_id=FileId(identifier(name)),
        file_name=f"{name}.png",
        content_type="image/png",
        width=640,
        height=480,
        content=reference(name),
        uploaded_at=NOON,
    )


def file(name: str, organisation: OrganisationId = ORGANISATION) -> UploadedFile:
    return UploadedFile(
        organisation_id=organisation,
        file_id=FileId(identifier(name)),
        file_name=f"{name}.pdf",
        page_count=3,
        content=reference(name),
        uploaded_at=NOON,
    )


@dataclass(frozen=True)
class Kind:
    """Uploads of one kind, and their repository."""

    stored: Any
    make: Callable[..., Any]

    def id_of(self, upload: Any) -> str:
        return str(getattr(upload, "image_id", None) or upload.file_id)


@pytest.fixture(params=[(DatabaseImages, image), (DatabaseFiles, file)], ids=["images", "files"])
def kind(request: pytest.FixtureRequest, database: AsyncEngine) -> Kind:
    repository, make = request.param
    return Kind(repository(database), make)


async def test_added_uploads_are_found_unchanged(kind: Kind) -> None:
    logo, plan = kind.make("logo"), kind.make("plan")
    assert await kind.stored.add(logo) == logo
    await kind.stored.add(plan)
    ids = [kind.id_of(logo), kind.id_of(plan), identifier("nothing"), "no UUID at all"]
    assert await kind.stored.find(ORGANISATION, ids) == {kind.id_of(logo): logo, kind.id_of(plan): plan}


async def test_of_an_upload_that_is_added_twice_the_first_stays(kind: Kind) -> None:
    first = kind.make("logo")
    await kind.stored.add(first)
    assert await kind.stored.add(replace(first, file_name="again")) == first
    assert await kind.stored.find(ORGANISATION, [kind.id_of(first)]) == {kind.id_of(first): first}


async def test_organisations_have_uploads_of_their_own_under_one_id(kind: Kind) -> None:
    own, other = kind.make("logo"), kind.make("logo", OTHER_ORGANISATION)
    await kind.stored.add(own)
    assert await kind.stored.find(OTHER_ORGANISATION, [kind.id_of(own)]) == {}
    await kind.stored.add(other)
    assert await kind.stored.find(OTHER_ORGANISATION, [kind.id_of(own)]) == {kind.id_of(own): other}


async def test_many_uploads_are_found_at_once(kind: Kind) -> None:
    logo = kind.make("logo")
    await kind.stored.add(logo)
    many = [identifier(str(number)) for number in range(1200)]
    assert await kind.stored.find(ORGANISATION, [*many, kind.id_of(logo)]) == {kind.id_of(logo): logo}
    assert await kind.stored.find(ORGANISATION, []) == {}
