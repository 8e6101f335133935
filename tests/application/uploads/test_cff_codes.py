"""A CFF program in a PDF shows the same letters, whichever encoding a reader uses."""

from collections.abc import Mapping
from io import BytesIO
from types import SimpleNamespace

import pymupdf
import pytest
from fontTools.cffLib import CFFFontSet
from fontTools.encodings.StandardEncoding import StandardEncoding
from pikepdf import Array, Dictionary, Name

from application.uploads.cff_codes import check_cff_codes
from application.uploads.pdf_limits import PdfRefused

OF_FONTS = SimpleNamespace(recalcBBoxes=False)
ASCII = {code: StandardEncoding[code] for code in range(32, 127)}
OTHER = ASCII | {52: "eight", 56: "four"}
NAMED = Array([39, Name.quotesingle, 52, Name.four, 56, Name.eight, 96, Name.grave])
FEW = {65: "A"}
WINANSI, STANDARD = Name.WinAnsiEncoding, Name.StandardEncoding


def program(own: Mapping[int, str] | None) -> bytes:
    """Letters of Latin with that encoding of their own, the standard one by default."""
    fonts, written = CFFFontSet(), BytesIO()
    fonts.decompile(BytesIO(pymupdf.Font("helv").buffer), OF_FONTS)
    if own is not None:
        fonts.topDictIndex[0].Encoding = [own.get(code, ".notdef") for code in range(256)]
    fonts.compile(written, OF_FONTS)
    return written.getvalue()


def check(own: Mapping[int, str] | None, encoding: Name | Dictionary | None) -> None:
    font = Dictionary(FirstChar=32, Widths=Array([500] * 95))
    if encoding is not None:
        font.Encoding = encoding
    check_cff_codes(font, program(own))


@pytest.mark.parametrize(
    ("own", "encoding"),
    [
        (OTHER, WINANSI),
        (OTHER, STANDARD),
        (OTHER, Dictionary(BaseEncoding=WINANSI, Differences=Array([65, Name.A]))),
        (FEW, None),
        (FEW, Dictionary(Differences=Array([65, Name.A]))),
    ],
)
def test_a_program_that_shows_other_letters_than_its_font_names_is_refused(
    own: Mapping[int, str], encoding: Name | Dictionary | None
) -> None:
    with pytest.raises(PdfRefused, match="different letters"):
        check(own, encoding)


@pytest.mark.parametrize(
    ("own", "encoding"),
    [
        (None, None),
        (None, WINANSI),
        (None, Dictionary(Differences=Array([52, Name.nine]))),
        (ASCII, STANDARD),
        (OTHER, None),
        (
            OTHER,
            Dictionary(BaseEncoding=WINANSI, Differences=NAMED),
        ),
    ],
)
def test_a_program_whose_encodings_agree_is_taken(
    own: Mapping[int, str] | None, encoding: Name | Dictionary | None
) -> None:
    check(own, encoding)


@pytest.mark.parametrize("damaged", [b"", b"\1\0", program(None)[:200]])
def test_a_damaged_program_is_left_to_the_comparison(damaged: bytes) -> None:
    check_cff_codes(Dictionary(), damaged)
