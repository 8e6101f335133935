"""Pages as pictures: outlines without text, pixels of a bounded size, and no page that is not there."""

from io import BytesIO
from xml.etree import ElementTree as ET

import pytest
from PIL import Image

from layout.pdf.draw_page_images import page_png, page_svg
from tests.application.uploads import pdfs
from tests.layout.documents import paragraph, rendered_pdf

HELLO = rendered_pdf(paragraph("Hello"))


def test_a_page_is_outlines_of_the_size_of_paper_without_letters_or_programs() -> None:
    svg = ET.fromstring(page_svg(HELLO, 1))  # noqa: S314  # our own
    assert (svg.get("width"), svg.get("height")) == ("595", "842")
    kinds = {element.tag.rpartition("}")[2] for element in svg.iter()}
    assert "path" in kinds
    assert not kinds & {"text", "script", "foreignObject", "a"}


def test_the_same_page_is_the_same_picture() -> None:
    assert page_svg(HELLO, 1) == page_svg(HELLO, 1)
    assert page_png(HELLO, 1) == page_png(HELLO, 1)


def test_a_picture_of_pixels_is_two_to_the_point() -> None:
    with Image.open(BytesIO(page_png(HELLO, 1))) as picture:
        assert picture.format == "PNG"
        assert picture.width in (1189, 1190)
        assert picture.mode == "RGB"


@pytest.mark.parametrize("page", [0, 2, -1])
def test_a_page_that_is_not_there_is_an_error(page: int) -> None:
    with pytest.raises(IndexError):
        page_svg(HELLO, page)
    with pytest.raises(IndexError):
        page_png(pdfs.of_pages(1), page)
