"""Annotations without an appearance get a plain one, which becomes a part of the page in all readers alike."""

import pytest
from PIL import Image

from application.uploads.pdf_limits import PdfRefused
from application.uploads.validate_pdf import validate_pdf
from layout.pdf.compare_pages import find_disagreement
from layout.pdf.pdfium_file import open_pdfium
from tests.foreign_pdfs.pdf_builder import file, page

_RED = "/C [1 0 0] /Rect [100 100 300 200]"
_QUAD = "/QuadPoints [100 200 300 200 100 180 300 180]"
_WORDS = "/Subtype /FreeText /Rect [100 100 300 200] /DA (/Helv 12 Tf 0 g)"

_DRAWN = {
    "square": f"/Subtype /Square {_RED} /IC [0 0 1] /BS << /W 4 >>",
    "dashed square": f"/Subtype /Square {_RED} /BS << /W 2 /S /D /D [6 2] >>",
    "circle": f"/Subtype /Circle {_RED} /Border [0 0 3]",
    "line": f"/Subtype /Line {_RED} /L [110 110 290 190]",
    "polygon": f"/Subtype /Polygon {_RED} /Vertices [110 110 290 110 200 190] /IC [0 1 0]",
    "polyline": f"/Subtype /PolyLine {_RED} /Vertices [110 110 290 110 200 190]",
    "ink": f"/Subtype /Ink {_RED} /InkList [[110 110 200 190 290 110] [120 190 280 190]]",
    "highlight": f"/Subtype /Highlight {_RED} {_QUAD}",
    "underline": f"/Subtype /Underline {_RED} {_QUAD}",
    "squiggly line": f"/Subtype /Squiggly {_RED} {_QUAD}",
    "struck out": f"/Subtype /StrikeOut {_RED} {_QUAD} /CA 0.5",
    "points around": f"/Subtype /Highlight {_RED} /QuadPoints [100 180 300 180 300 200 100 200]",
    "without a colour": "/Subtype /Square /Rect [100 100 300 200]",
    "in four inks": "/Subtype /Circle /C [0 1 1 0] /Rect [100 100 300 200]",
    "words": f"{_WORDS} /C [1 1 0] /Contents (Approved by Ada, with thanks for the many words of this remark)",
    "words in lines": f"{_WORDS} /Contents (one\\rtwo\\r\\nthree)",
}
_EMPTY = {
    "a note": "/Subtype /Text /Rect [100 100 120 120] /Contents (see below)",
    "a sound": "/Subtype /Sound /Rect [100 100 120 120]",
    "a line without points": f"/Subtype /Line {_RED}",
    "a line of words": f"/Subtype /Line {_RED} /L [(a) (b) (c) (d)]",
    "an odd number of sides": f"/Subtype /Polygon {_RED} /Vertices [1 2 3 4 5]",
    "transparent": "/Subtype /Square /C [] /Rect [100 100 300 200]",
    "without a border": f"/Subtype /Circle {_RED} /BS << /W 0 >>",
    "no words": f"{_WORDS} /Contents ( )",
}
_REFUSED = {
    "a stamp": "/Subtype /Stamp /Name /Approved /Rect [100 100 300 200]",
    "words that do not fit": f"{_WORDS} /Contents ({'word ' * 500})",
    "words of another script": f"{_WORDS} /Contents <FEFF4F60>",
}


def _with(annotation: str) -> bytes:
    return file(page(entries=b"/Annots [6 0 R]"), _6=f"<< /Type /Annot /F 4 {annotation} >>".encode())


def _picture(pdf: bytes) -> Image.Image:
    with open_pdfium(pdf) as drawn:
        return drawn.picture(1, 400, 560)


@pytest.mark.parametrize("annotation", _DRAWN.values(), ids=_DRAWN)
def test_it_is_drawn_where_it_stands_in_all_readers(annotation: str) -> None:
    stored = validate_pdf(_with(annotation)).rewritten
    assert stored
    assert b"/Annot" not in stored
    assert find_disagreement(stored) is None
    assert _picture(stored) != _picture(validate_pdf(file()).rewritten or b"")


@pytest.mark.parametrize("annotation", _EMPTY.values(), ids=_EMPTY)
def test_what_shows_nothing_is_left_out(annotation: str) -> None:
    stored = validate_pdf(_with(annotation)).rewritten
    assert stored
    assert _picture(stored) == _picture(validate_pdf(file()).rewritten or b"")


@pytest.mark.parametrize("annotation", _REFUSED.values(), ids=_REFUSED)
def test_words_that_cannot_be_drawn_are_not_lost(annotation: str) -> None:
    with pytest.raises(PdfRefused, match="Page 1 of the PDF has a remark"):
        validate_pdf(_with(annotation))
