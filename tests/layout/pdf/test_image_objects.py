"""Pictures inside the file: stored once, JPEG as it is, transparency kept, the same bytes each time."""

from io import BytesIO

import pytest
from PIL import Image, ImageChops

from adapters.processes.job_limits import JobLimits
from adapters.processes.pool import ForkServerPool
from layout.engine import render
from layout.pdf.image_objects import DOTS_TO_THE_INCH
from layout.pdf.pymupdf_file import open_file
from layout.schema.image_file import ImageFile
from tests.layout.documents import document, paragraph, rendered_pdf
from tests.layout.pictures import encoded, image_file, shades
from tests.layout.reading import check, images_of, structure_of

SIZE = (120, 80)


def pdf_of(*files: ImageFile, **members: object) -> bytes:
    """A document that shows each file at a point for a pixel, one below the other."""
    known = {f"file-{at}": file for at, file in enumerate(files)}
    pdf = rendered_pdf(*({"type": "image", "fileId": name} for name in known), images=known, **members)
    check(pdf)
    return pdf


def file(content: bytes, name: str = "") -> ImageFile:
    with Image.open(BytesIO(content)) as picture:
        return ImageFile(content, picture.width, picture.height, name)


def drawn(pdf: bytes) -> Image.Image:
    """The first page at a pixel for a point, cut to where the first picture stands."""
    with open_file(pdf) as opened:
        page = opened[0]
        box = page.get_image_rects(page.get_images()[0][0])[0]
        pixels = page.get_pixmap(dpi=72, clip=box)
    return Image.frombytes("RGB", (pixels.width, pixels.height), pixels.samples)


def differ(one: Image.Image, other: Image.Image) -> int:
    """The greatest difference of any pixel, without the edge that renderers blend."""
    inner = (2, 2, SIZE[0] - 2, SIZE[1] - 2)
    bands = ImageChops.difference(one.crop(inner), other.crop(inner)).getextrema()
    return max(most for _, most in bands)  # type: ignore[misc]  # one pair a band


@pytest.mark.parametrize("mode", ["1", "L", "P", "RGB", "LA", "RGBA", "see-through palette"])
def test_a_png_of_any_kind_looks_in_the_file_as_it_does_outside(mode: str) -> None:
    content = encoded(shades(*SIZE, mode) if len(mode) <= 4 else shades(*SIZE, "RGBA").quantize())
    with Image.open(BytesIO(content)) as reread:
        paper = Image.new("RGBA", SIZE, "white")
        expected = Image.alpha_composite(paper, reread.convert("RGBA")).convert("RGB")
    box = drawn(pdf_of(file(content))).crop((0, 0, *SIZE))
    assert differ(box, expected) <= 3


@pytest.mark.poppler
@pytest.mark.parametrize("mode", ["RGB", "L"])
def test_a_jpeg_is_stored_byte_for_byte(mode: str) -> None:
    content = encoded(shades(*SIZE, mode), "JPEG", quality=80)
    pdf = pdf_of(file(content))
    assert content in pdf
    assert images_of(pdf)[0].split()[8] == "jpeg"
    with Image.open(BytesIO(content)) as picture:
        assert differ(drawn(pdf).crop((0, 0, *SIZE)), picture.convert("RGB")) <= 6


@pytest.mark.poppler
def test_transparency_becomes_a_soft_mask_and_what_is_opaque_has_none() -> None:
    clear = encoded(shades(*SIZE, "RGBA"))
    opaque = encoded(shades(*SIZE, "RGB").convert("RGBA"))
    kinds = [line.split()[2] for line in images_of(pdf_of(file(clear), file(opaque)))]
    assert kinds == ["image", "smask", "image"]


@pytest.mark.poppler
def test_a_picture_is_stored_once_however_often_it_is_shown() -> None:
    content = encoded(shades(300, 300))
    pages = [{"type": "pageBreak"}, paragraph("x")] * 5
    blocks = [{"type": "image", "fileId": "a"}, *pages, {"type": "image", "fileId": "b"}]
    pdf = rendered_pdf(*blocks, images={"a": file(content), "b": file(content)}, logo={"fileId": "b"})
    lines = [line.split() for line in images_of(pdf)]
    assert len(lines) == 8  # the logo on six pages, and two pictures
    assert len({line[10] for line in lines}) == 1  # the number of the object


def test_the_same_pictures_give_the_same_bytes_and_others_give_others() -> None:
    one, other = file(encoded(shades(*SIZE))), file(encoded(shades(*SIZE).transpose(Image.Transpose.ROTATE_180)))
    assert pdf_of(one) == pdf_of(one)
    assert pdf_of(one) != pdf_of(other)


@pytest.mark.poppler
def test_a_picture_is_a_figure_with_words_to_whoever_has_it_read_aloud() -> None:
    pdf = pdf_of(file(encoded(shades(*SIZE)), "Floor plan.png"), logo={"fileId": "file-0"})
    tree = "\n".join(structure_of(pdf))
    assert tree.count("Figure") == 2
    assert tree.count("BBox") == 2


@pytest.mark.poppler
def test_a_file_without_pictures_names_none() -> None:
    assert images_of(rendered_pdf(paragraph("x"))) == []


def shown(file: ImageFile, *widths: float) -> list[list[str]]:
    """What poppler says of the pictures of a document that shows `file` so wide."""
    blocks = ({"type": "image", "fileId": "x", "width": width} for width in widths)
    return [row.split() for row in images_of(rendered_pdf(*blocks, images={"x": file}))]


@pytest.mark.poppler
@pytest.mark.parametrize(
    ("size", "widths", "pixels"),
    [
        ((3000, 1500), (72,), (DOTS_TO_THE_INCH, DOTS_TO_THE_INCH // 2)),  # no more than can be printed
        ((3000, 1500), (72, 144, 36), (1200, 600)),  # the widest place counts
        ((590, 300), (72,), (590, 300)),  # fewer stay as they are
    ],
)
def test_a_picture_has_the_pixels_that_can_be_printed(
    size: tuple[int, int], widths: tuple[float, ...], pixels: tuple[int, int]
) -> None:
    rows = shown(image_file(*size), *widths)
    assert {(int(row[3]), int(row[4])) for row in rows} == {pixels}
    assert len({row[10] for row in rows}) == 1


@pytest.mark.poppler
def test_a_large_photograph_stays_as_it_is_and_a_mask_is_as_large_as_its_picture() -> None:
    (photograph,) = shown(ImageFile(encoded(shades(1300, 700), "JPEG"), 1300, 700), 72)
    assert (photograph[3:5], photograph[8]) == (["1300", "700"], "jpeg")
    clear = shown(ImageFile(encoded(shades(1300, 700, "RGBA")), 1300, 700), 72)
    assert [row[2:5] for row in clear] == [["image", "600", "323"], ["smask", "600", "323"]]


async def test_a_picture_of_twenty_megapixels_takes_little_more_memory_than_it_takes_to_decode_it() -> None:
    pool = ForkServerPool(1, limits=JobLimits(seconds=60, memory=320 * 1024**2), warm_modules=("layout.engine",))
    large = ImageFile(encoded(shades(4472, 4472, "RGBA"), compress_level=1), 4472, 4472)
    rendered = await pool.run(render, document({"type": "image", "fileId": "x", "width": 200}), (), {"x": large})
    await pool.close()
    assert rendered.pdf
