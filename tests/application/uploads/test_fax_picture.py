"""Facsimile codes of pictures: those of encoders stay, others are replaced."""

from collections.abc import Callable

import pytest
from pikepdf import Dictionary, Name, Pdf, Stream
from PIL import Image, ImageDraw

from application.uploads.fax_picture import fax_codes, plain_parameters
from application.uploads.pdf_limits import PdfRefused
from application.uploads.plain_image import plain_image
from tests.application.uploads.tiff_strips import strip_of

_HOLDER = Pdf.new()
SIZE = WIDTH, HEIGHT = 83, 40


def drawn() -> Image.Image:
    picture = Image.new("1", SIZE, 1)
    ImageDraw.Draw(picture).ellipse((9, 5, 60, 30), fill=0)
    return picture.convert("L")


def picture_of(data: bytes, kind: Name = Name.CCITTFaxDecode, **parameters: object) -> Stream:
    image = Stream(_HOLDER, data)
    image.Width, image.Height = SIZE
    image.BitsPerComponent, image.ColorSpace, image.Filter = 1, Name.DeviceGray, kind
    image.DecodeParms = Dictionary({f"/{name}": value for name, value in parameters.items()})
    return image


@pytest.mark.parametrize("cut", [0, 3])
def test_codes_of_encoders_stay(cut: int) -> None:
    codes = fax_codes(drawn())
    image, found = picture_of(codes[: len(codes) - cut], K=-1, Columns=WIDTH), set[str]()

    plain_image(image, found)

    assert found == set()
    assert image.read_raw_bytes() == codes[: len(codes) - cut]


def test_inverted_codes_stay() -> None:
    codes = strip_of(drawn().convert("1"), "group4")
    image, found = picture_of(codes, K=-1, Columns=WIDTH, BlackIs1=True), set[str]()

    plain_image(image, found)

    assert found == set()


def test_other_codes_are_replaced() -> None:
    codes = strip_of(drawn().point(lambda value: 255 - value, "1"), "group3")
    image, found = picture_of(codes, K=0, Columns=WIDTH, Rows=HEIGHT), set[str]()

    plain_image(image, found)

    assert len(found) == 1
    assert image.read_raw_bytes() == fax_codes(drawn())
    assert image.DecodeParms == plain_parameters(SIZE)


@pytest.mark.parametrize(
    ("change", "parameters"),
    [
        (lambda codes: codes[: len(codes) // 2], {"K": -1, "Columns": WIDTH}),
        (lambda codes: b"\0\0" + codes, {"K": -1, "Columns": WIDTH}),
        (lambda codes: codes, {"K": -1, "Columns": WIDTH - 9}),
        (lambda codes: codes, {"K": -1, "Columns": WIDTH, "EncodedByteAlign": True}),
        (lambda codes: codes, {"K": 0, "Columns": WIDTH}),
    ],
)  # fmt: skip
def test_damaged_codes_do_not_stay(change: Callable[[bytes], bytes], parameters: dict[str, object]) -> None:
    codes = change(fax_codes(drawn()))
    image, found = picture_of(codes, **parameters), set[str]()

    try:
        plain_image(image, found)
    except PdfRefused:
        return
    assert found
    assert image.read_raw_bytes() != codes


def test_jbig2_is_written_as_codes_of_a_facsimile() -> None:
    """A generic region without templates of its own: a page of one white region (ITU-T T.88, 7.4)."""
    page = b"\0\0\0\0\x30\0\1\0\0\0\x13" + WIDTH.to_bytes(4, "big") + HEIGHT.to_bytes(4, "big") + bytes(11)
    image, found = picture_of(page, Name.JBIG2Decode), set[str]()

    plain_image(image, found)

    assert len(found) == 1
    assert image.Filter == Name.CCITTFaxDecode
    assert image.read_raw_bytes() == fax_codes(Image.new("L", SIZE, 255))


def test_codes_are_found_by_the_abbreviation_of_their_filter_too() -> None:
    codes = fax_codes(drawn())
    image = picture_of(codes[: len(codes) // 2], Name.CCF, K=-1, Columns=WIDTH)

    with pytest.raises(PdfRefused):
        plain_image(image, set())
