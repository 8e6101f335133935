"""Pictures of uploads have the entries that all readers take alike."""

from collections.abc import Iterator
from io import BytesIO

import pikepdf
import pytest
from pikepdf import Pdf, Stream
from PIL import Image

from application.uploads.pdf_limits import PdfRefused
from application.uploads.plain_image import plain_image
from tests.application.uploads.test_plain_jpeg import SIZE, jpeg

_SAMPLES = bytes(SIZE[0] * SIZE[1])


@pytest.fixture
def pdf() -> Iterator[Pdf]:
    with pikepdf.new() as opened:
        yield opened


def _image(pdf: Pdf, data: bytes, entries: bytes) -> Stream:
    stream = Stream(pdf, data)
    size = b"/Width %d/Height %d" % SIZE
    for key, value in pikepdf.Object.parse(b"<<%b%b>>" % (size, entries)).items():
        stream[key] = value
    return stream


_USUAL = b"/ColorSpace/DeviceGray/BitsPerComponent 8"
_JPEG = b"/Filter/DCTDecode"


@pytest.mark.parametrize(
    ("data", "entries"),
    [
        (_SAMPLES, _USUAL),
        (_SAMPLES, _USUAL + b"/Decode [1 0]/Mask [0 9]"),
        (_SAMPLES, b"/ImageMask true"),
        (_SAMPLES, b"/BitsPerComponent 8/ColorSpace [/Indexed/DeviceRGB 1 <000000ffffff>]"),
        (jpeg(), _USUAL + _JPEG),
        (jpeg(mode="RGB"), b"/ColorSpace/DeviceRGB/BitsPerComponent 8/DecodeParms <</ColorTransform 1>>" + _JPEG),
    ],
)
def test_usual_pictures_stay(pdf: Pdf, data: bytes, entries: bytes) -> None:
    image, found = _image(pdf, data, entries), set[str]()
    plain_image(image, found)
    assert image.read_raw_bytes() == data
    assert not found


@pytest.mark.parametrize(
    ("data", "entries"),
    [
        (jpeg(progressive=True), _USUAL + _JPEG),
        (jpeg(), b"/ColorSpace/DeviceGray" + _JPEG),
        (jpeg(), b"/ColorSpace/DeviceGray/BitsPerComponent 1" + _JPEG),
    ],
)
def test_pictures_that_decoders_take_otherwise_are_made_plain(pdf: Pdf, data: bytes, entries: bytes) -> None:
    image, found = _image(pdf, data, entries), set[str]()
    plain_image(image, found)
    assert found
    assert image.BitsPerComponent == 8
    again = set[str]()
    plain_image(image, again)
    assert not again


def test_many_pictures_are_written_anew_unchecked(pdf: Pdf) -> None:
    image, found = _image(pdf, jpeg(), _USUAL + _JPEG), set[str]()
    checked = plain_image(image, found, checked=9_999_900)
    assert checked > 10_000_000
    assert found == {"more pictures than can be checked"}
    assert plain_image(image, set(), checked=5) == 5 + len(image.read_raw_bytes())


@pytest.mark.parametrize(
    ("data", "entries"),
    [
        (_SAMPLES, b"/ColorSpace/DeviceGray"),
        (_SAMPLES, b"/ColorSpace/DeviceGray/BitsPerComponent 3"),
        (_SAMPLES, b"/ImageMask true/BitsPerComponent 8"),
        (_SAMPLES, _USUAL + b"/Decode [1]"),
        (_SAMPLES, _USUAL + b"/Decode [1 (a)]"),
        (_SAMPLES, _USUAL + b"/Mask [0 9 0 9]"),
        (_SAMPLES, b"/BitsPerComponent 8/ColorSpace [/Indexed/DeviceRGB 2 <000000ffffff>]"),
        (_SAMPLES, b"/BitsPerComponent 8/ColorSpace [/Indexed/DeviceRGB 300 <000000ffffff>]"),
        (_SAMPLES * 3, b"/BitsPerComponent 8/ColorSpace [/Lab<</WhitePoint [.95 1 1.09]>>]"),
        (_SAMPLES[:-99], _USUAL),
        (jpeg(), b"/ColorSpace/DeviceRGB/BitsPerComponent 8" + _JPEG),
        (jpeg(mode="RGB"), b"/ColorSpace/DeviceRGB/BitsPerComponent 8/DecodeParms <</ColorTransform 0>>" + _JPEG),
        (jpeg()[:-99], _USUAL + _JPEG),
        (jpeg(), _USUAL + b"/Filter [/DCTDecode/DCTDecode]"),
    ],
)
def test_pictures_that_readers_take_otherwise_are_refused(pdf: Pdf, data: bytes, entries: bytes) -> None:
    with pytest.raises(PdfRefused, match="picture"):
        plain_image(_image(pdf, data, entries), set())


def _jpeg_2000() -> bytes:
    written = BytesIO()
    Image.new("RGB", SIZE, "white").save(written, "JPEG2000")
    return written.getvalue()


def test_jpeg_2000_pictures_have_plain_colours(pdf: Pdf) -> None:
    data = _jpeg_2000()
    plain_image(_image(pdf, data, b"/Filter/JPXDecode"), set())
    rgb, other = b"colr\x01\0\0\0\0\0\x10", b"colr\x01\0\0\0\0\0\x12"
    assert rgb in data
    for changed, entries in ((data.replace(rgb, other), b""), (data, b"/SMaskInData 1"), (data, b"/Decode [1 0]")):
        with pytest.raises(PdfRefused):
            plain_image(_image(pdf, changed, b"/Filter/JPXDecode" + entries), set())
