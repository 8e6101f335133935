"""What the database promises about uploaded images, on the fake and on both databases."""

from dataclasses import replace

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.database.repositories.uploaded_images import DatabaseImages
from domain.shared.ids import FileId, OrganisationId
from ports.uploads import Images, UploadedImage
from tests.builders import NOON, ORGANISATION, identifier, reference

STRANGER = OrganisationId(identifier("stranger"))


@pytest.fixture
def images(database: AsyncEngine) -> Images:
    return DatabaseImages(database)


def uploaded(name: str, organisation: OrganisationId = ORGANISATION) -> UploadedImage:
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


async def test_what_is_added_is_found_as_it_was(images: Images) -> None:
    logo, plan = uploaded("logo"), uploaded("plan")
    assert await images.add(logo) == logo
    await images.add(plan)
    wanted = [logo.image_id, plan.image_id, identifier("nothing"), "no UUID at all"]
    assert await images.find(ORGANISATION, wanted) == {logo.image_id: logo, plan.image_id: plan}


async def test_of_an_image_that_is_added_twice_the_first_stays(images: Images) -> None:
    first = uploaded("logo")
    await images.add(first)
    assert await images.add(replace(first, file_name="again.png")) == first
    assert await images.find(ORGANISATION, [first.image_id]) == {first.image_id: first}


async def test_another_organisation_finds_nothing(images: Images) -> None:
    logo = uploaded("logo")
    await images.add(logo)
    assert await images.find(STRANGER, [logo.image_id]) == {}


async def test_two_organisations_may_have_images_of_one_id(images: Images) -> None:
    own, other = uploaded("logo"), uploaded("logo", STRANGER)
    await images.add(own)
    await images.add(other)
    assert await images.find(STRANGER, [own.image_id]) == {own.image_id: other}


async def test_many_images_are_found_at_once(images: Images) -> None:
    logo = uploaded("logo")
    await images.add(logo)
    many = [identifier(str(number)) for number in range(1200)]
    assert await images.find(ORGANISATION, [*many, logo.image_id]) == {logo.image_id: logo}
    assert await images.find(ORGANISATION, []) == {}
