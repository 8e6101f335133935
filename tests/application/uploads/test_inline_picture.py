"""Inline pictures are as plain as others, and all readers find the end of their data."""

import zlib
from base64 import a85encode
from io import BytesIO

import pytest
from pikepdf import Dictionary, Pdf
from PIL import Image

from application.uploads.content_state import Space
from application.uploads.fax_picture import fax_codes
from application.uploads.inline_picture import check_inline
from application.uploads.pdf_limits import PdfRefused
from application.uploads.validate_pdf import validate_pdf
from tests.attacks.draft import new_draft

RAW = bytes(range(32, 48))
FAX = fax_codes(Image.linear_gradient("L").resize((8, 8)))
GREY = b"/W 4/H 4/BPC 8/CS/G"


@pytest.mark.parametrize(
    ("entries", "data"),
    [
        (GREY, RAW), (GREY, RAW + b"\n"), (b" /Width 4 /Height 4 /BitsPerComponent 8 /ColorSpace /DeviceGray", RAW),
        (GREY + b"/F/Fl", zlib.compress(RAW)), (GREY + b"/Filter[/A85/Fl]/D[1 0]", b""),
        (GREY + b"/F/AHx", RAW.hex().encode() + b">"), (b"/W 8/H 16/IM true", RAW), (b"/W 8/H 16/IM true/D[1 0]", RAW),
        (b"/W 4/H 4/BPC 8/CS/Own", RAW), (b"/W 4/H 4/BPC 8/CS[/I/RGB 47<" + b"00" * 144 + b">]", RAW),
        (GREY + b"/L 16", RAW), (b"/W 8/H 8/IM true/F/CCF/DP<</K -1/Columns 8>>", FAX),
        (b"/W 8/H 8/BPC 1/CS/G/F[/CCF]/DP[<</K -1/Columns 8>>]", FAX + b"\n"),
    ],
)  # fmt: skip
def test_plain_pictures_are_taken(entries: bytes, data: bytes) -> None:
    check_inline(entries, data or a85encode(zlib.compress(RAW)) + b"~>", {"/Own": Space(1, samples=1)})


@pytest.mark.parametrize(
    ("entries", "data"),
    [
        (GREY, RAW[:-1]), (GREY, RAW + b"0 g"), (GREY, RAW + b"   "), (GREY + b"/W 2", RAW), (GREY + b"/Width 2", RAW),
        (GREY + b"/L 15", RAW), (GREY + b"/D[0 .4]", RAW), (GREY + b"/D[1]", RAW), (GREY + b"/D", RAW), (b"", RAW),
        (GREY + b"/F/Fl", zlib.compress(RAW)[:-2]), (GREY + b"/F/Fl", zlib.compress(RAW)[:-2] + b"  "),
        (GREY + b"/F/Fl", zlib.compress(RAW)[:-9]), (GREY + b"/F/Fl", zlib.compress(RAW) + b" 0 g EI 1 g"),
        (GREY + b"/F/AHx", RAW.hex().encode() + b"> q EI Q"), (b"/W 4/H 4/BPC 8/CS/Pattern", RAW),
        (b"/W 4/H 4/CS/G", RAW), (b"/W 4/H 4/BPC 8/CS[/I/RGB 47<000000>]", RAW), (b"(/W) 4/H 4/BPC 8/CS/G", RAW),
        (b"/W 8/H 8/BPC 1/CS/G/F/CCF/DP<</K -1/Columns 8>>", b"\x55\x55"), (GREY + b" Q q", RAW),
    ],
)  # fmt: skip
def test_others_are_refused(entries: bytes, data: bytes) -> None:
    with pytest.raises(PdfRefused):
        check_inline(entries, data, {})


def with_space(space: bytes, name: bytes = b"Own") -> bytes:
    """Returns a PDF with an inline picture in a colour space of the resources."""
    draft = new_draft()
    draft.resource(b"ColorSpace", name, space)
    draft.draw(b"q 9 0 0 9 9 9 cm BI /W 4/H 4/BPC 8/CS/%b ID %b\nEI Q\n" % (name, RAW))
    return draft.write()


def test_a_whole_indexed_space_of_the_resources_is_taken() -> None:
    assert validate_pdf(with_space(b"[/Indexed/DeviceRGB 47 <%b>]" % (b"00" * 144))).page_count == 1


def test_a_space_of_the_resources_with_the_name_of_another_is_refused() -> None:
    with pytest.raises(PdfRefused, match="picture"):
        validate_pdf(with_space(b"[/Indexed/DeviceRGB 47 <%b>]" % (b"00" * 144), b"G"))


@pytest.mark.parametrize(
    "space", [b"[/Indexed/DeviceRGB 47 <000000>]", b"[/Lab<</WhitePoint[.95 1 1.09]>>]", b"/Pattern", b"/DeviceRGB"]
)
def test_others_that_the_samples_do_not_fit_are_refused(space: bytes) -> None:
    with pytest.raises(PdfRefused, match="picture"):
        validate_pdf(with_space(space))


def test_a_device_space_is_not_looked_for_in_the_resources() -> None:
    """Poppler alone draws with the entry."""
    inverted = b"[/Separation/Ink/DeviceGray<</FunctionType 2/Domain[0 1]/C0[1]/C1[0]/N 1>>]"
    rewritten = validate_pdf(with_space(inverted, b"DeviceGray")).rewritten

    assert rewritten
    with Pdf.open(BytesIO(rewritten)) as pdf:
        assert "/DeviceGray" not in pdf.pages[0].Resources.get("/ColorSpace", Dictionary())
