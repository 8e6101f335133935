"""Pictures of many pixels: as sharp as print where they are widest, and never much memory."""

import pytest

from adapters.processes.pool import JobLimits, SpawnedProcessPool
from layout.engine import render
from layout.pdf.image_objects import DOTS_TO_THE_INCH
from layout.schema.image_file import ImageFile
from tests.layout.documents import document
from tests.layout.pictures import encoded, image_file, shades
from tests.layout.reading import images_of


def shown(file: ImageFile, *widths: float) -> list[list[str]]:
    """What poppler says of the pictures of a document that shows `file` so wide, masks left out."""
    rendered = render(
        document(*({"type": "image", "fileId": "x", "width": width} for width in widths)), (), {"x": file}
    )
    assert rendered.pdf
    return [row for row in map(str.split, images_of(rendered.pdf)) if row[2] == "image"]


@pytest.mark.poppler
def test_a_picture_has_no_more_pixels_than_can_be_printed() -> None:
    (picture,) = shown(image_file(3000, 1500), 72)

    assert picture[3:5] == [str(DOTS_TO_THE_INCH), str(DOTS_TO_THE_INCH // 2)]


@pytest.mark.poppler
def test_the_widest_place_of_a_picture_counts() -> None:
    pictures = shown(image_file(3000, 1500), 72, 144, 36)

    assert {(row[3], row[4]) for row in pictures} == {("1200", "600")}
    assert len({row[10] for row in pictures}) == 1


@pytest.mark.poppler
def test_a_picture_with_fewer_pixels_keeps_them_all() -> None:
    (picture,) = shown(image_file(590, 300), 72)

    assert picture[3:5] == ["590", "300"]


@pytest.mark.poppler
def test_a_photograph_stays_as_it_was_uploaded() -> None:
    jpeg = encoded(shades(1300, 700), "JPEG")
    (picture,) = shown(ImageFile(jpeg, 1300, 700), 72)

    assert (picture[3:5], picture[8]) == (["1300", "700"], "jpeg")


@pytest.mark.poppler
def test_what_can_be_seen_through_a_large_picture_is_no_larger_either() -> None:
    rendered = render(
        document({"type": "image", "fileId": "x", "width": 72}),
        (),
        {"x": ImageFile(encoded(shades(1300, 700, "RGBA")), 1300, 700)},
    )
    assert rendered.pdf

    kinds = [row.split()[2:5] for row in images_of(rendered.pdf)]

    assert kinds == [["image", "600", "323"], ["smask", "600", "323"]]


async def test_a_picture_of_twenty_megapixels_takes_little_more_memory_than_it_takes_to_decode_it() -> None:
    pool = SpawnedProcessPool(1, limits=JobLimits(seconds=60, memory=320 * 1024**2), warm_modules=("layout.engine",))
    large = ImageFile(encoded(shades(4472, 4472, "RGBA"), compress_level=1), 4472, 4472)

    rendered = await pool.run(render, document({"type": "image", "fileId": "x", "width": 200}), (), {"x": large})
    await pool.close()

    assert rendered.pdf
