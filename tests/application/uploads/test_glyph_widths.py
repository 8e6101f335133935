"""Each letter of a font has one width, which all readers take."""

import pytest
from pikepdf import Name, Object

from application.uploads.charstrings import OddProgram
from application.uploads.glyph_widths import codes_with_width, plain_cid_widths, plain_widths

_EMBEDDED = b"<</FirstChar 32/LastChar 34/Widths [%b]>>"


def test_widths_of_embedded_fonts_are_whole() -> None:
    font = Object.parse(_EMBEDDED % b"250.4 0 600")
    found = set[str]()
    plain_widths(font, found, is_embedded=True)
    assert list(font.Widths) == [250, 0, 600]
    assert not found
    assert codes_with_width(font) == b' !"'


@pytest.mark.parametrize(
    "font",
    [
        b"<<>>",
        b"<</FirstChar 32/Widths [1 2 3]>>",
        b"<</LastChar 34/Widths [1 2 3]>>",
        b"<</FirstChar 32.0/LastChar 34/Widths [1 2 3]>>",
        b"<</FirstChar -1/LastChar 1/Widths [1 2 3]>>",
        b"<</FirstChar 254/LastChar 256/Widths [1 2 3]>>",
        _EMBEDDED % b"1 2",
        _EMBEDDED % b"1 2 3 4",
        _EMBEDDED % b"1 null 3",
        _EMBEDDED % b"1 (2) 3",
        _EMBEDDED % b"1 [2] 3",
        _EMBEDDED % b"1 -2 3",
    ],
)
def test_widths_that_readers_replace_are_refused(font: bytes) -> None:
    with pytest.raises(OddProgram):
        plain_widths(Object.parse(font), set(), is_embedded=True)


@pytest.mark.parametrize(
    ("font", "name", "is_changed"),
    [
        (b"<</BaseFont/Helvetica>>", "/Helvetica", False),
        (b"<</BaseFont/Helvetica/FirstChar 32/LastChar 34/Widths [1 2 3]>>", "/Helvetica", True),
        (b"<</BaseFont/Arial,Bold>>", "/Helvetica-Bold", True),
        (b"<</BaseFont/CourierNew>>", "/Courier", True),
        (b"<</BaseFont/Own>>", "/Helvetica", True),
        (b"<<>>", "/Helvetica", True),
    ],
)
def test_a_font_without_descriptor_becomes_a_standard_one(font: bytes, name: str, is_changed: bool) -> None:
    parsed, found = Object.parse(font), set[str]()
    plain_widths(parsed, found, is_embedded=False)
    assert parsed.BaseFont == name
    assert Name.Widths not in parsed
    assert bool(found) is is_changed
    assert codes_with_width(parsed) is None


def test_widths_of_cids_are_whole() -> None:
    font = Object.parse(b"<</DW 600.4/W [5 [1 2.6] 0 4 300 9 9 1]>>")
    plain_cid_widths(font)
    assert font.DW == 600
    assert Object.parse(b"[5 [1 3] 0 4 300 9 9 1]") == font.W


@pytest.mark.parametrize(
    "entries",
    [
        b"/DW -1", b"/DW (a)", b"/W 5", b"/W [5]", b"/W [5 9]", b"/W [[600] 5]", b"/W [0 20 null]",
        b"/W [0 20 600 21]", b"/W [5 [null 9]]", b"/W [20 0 600]", b"/W [0 20 600 5 8 900]", b"/W [5 [1 2] 5 [3]]",
        b"/W [0 70000 600]", b"/W [5.5 [9]]", b"/W [-1 [9]]",
    ],
)  # fmt: skip
def test_cids_with_several_widths_or_none_are_refused(entries: bytes) -> None:
    with pytest.raises(OddProgram):
        plain_cid_widths(Object.parse(b"<<%b>>" % entries))
