"""Composite fonts have the entries that all readers take alike."""

import pikepdf
import pytest
from pikepdf import Object

from application.uploads.charstrings import OddProgram
from application.uploads.composite_font import codes_of_composite, inner_font
from tests.application.uploads.test_cmap import CMAP

_SYSTEM = b"/CIDSystemInfo<</Registry(Adobe)/Ordering(%b)/Supplement 0>>"
_INNER = b"/Subtype/CIDFontType2" + _SYSTEM % b"Identity"
_PAIRS = (None, 2)


def _font(encoding: bytes, inner: bytes) -> Object:
    return Object.parse(b"<</Encoding/%b/DescendantFonts [<<%b>>]>>" % (encoding, inner))


@pytest.mark.parametrize(
    ("encoding", "inner", "codes"),
    [
        (b"Identity-H", _INNER, _PAIRS),
        (b"Identity-V", _INNER + b"/CIDToGIDMap/Identity", _PAIRS),
        (b"Identity-H", b"/Subtype/CIDFontType0" + _SYSTEM % b"Identity", _PAIRS),
        (b"GBK-EUC-H", b"/Subtype/CIDFontType0" + _SYSTEM % b"GB1", (None, 0)),
    ],
)
def test_usual_fonts_stay(encoding: bytes, inner: bytes, codes: tuple[bytes | None, int]) -> None:
    font = _font(encoding, inner)
    assert inner_font(font).Subtype in {"/CIDFontType0", "/CIDFontType2"}
    assert codes_of_composite(font) == codes


@pytest.mark.parametrize(
    "font",
    [
        b"<<>>",
        b"<</Encoding/Identity-H/DescendantFonts []>>",
        b"<</Encoding/Identity-H/DescendantFonts [<<%b>> <<%b>>]>>" % (_INNER, _INNER),
        b"<</Encoding/Identity-H/DescendantFonts <<%b>>>>" % _INNER,
        b"<</DescendantFonts [<<%b>>]>>" % _INNER,
        b"<</Encoding/Identity/DescendantFonts [<<%b>>]>>" % _INNER,
        b"<</Encoding/WinAnsiEncoding/DescendantFonts [<<%b>>]>>" % _INNER,
        b"<</Encoding/GBK-EUC-H/DescendantFonts [<<%b>>]>>" % _INNER,
        b"<</Encoding/H/DescendantFonts [<<%b>>]>>" % (_SYSTEM % b"GB1"),
        b"<</Encoding/Identity-H/DescendantFonts [<</Subtype/CIDFontType2>>]>>",
        b"<</Encoding/Identity-H/DescendantFonts [<</CIDSystemInfo<</Registry(A)>>>>]>>",
        b"<</Encoding/Identity-H/DescendantFonts [<<%b/CIDToGIDMap/Other>>]>>" % _INNER,
        b"<</Encoding/Identity-H/DescendantFonts [<<%b/CIDToGIDMap (a)>>]>>" % _INNER,
    ],
)
def test_odd_entries_are_refused(font: bytes) -> None:
    with pytest.raises(OddProgram):
        inner_font(Object.parse(font))


@pytest.mark.parametrize(
    ("subtype", "data", "is_plain"), [(b"2", b"\0\1\0\2", True), (b"2", b"\0\1\0", False), (b"0", b"\0\1\0\2", False)]
)
def test_only_truetype_fonts_have_maps_of_pairs(subtype: bytes, data: bytes, is_plain: bool) -> None:
    with pikepdf.new() as pdf:
        font = pdf.make_indirect(_font(b"Identity-H", b"/Subtype/CIDFontType%b" % subtype + _SYSTEM % b"Identity"))
        font.DescendantFonts[0].CIDToGIDMap = pikepdf.Stream(pdf, data)
        if is_plain:
            inner_font(font)
        else:
            with pytest.raises(OddProgram):
                inner_font(font)


@pytest.mark.parametrize(
    ("head", "entries", "is_plain"),
    [
        (b"", {}, True),
        (b"/WMode 1 def", {"/WMode": 1}, True),
        (b"", {"/WMode": 1}, False),
        (b"/WMode 1 def", {}, False),
        (b"", {"/UseCMap": pikepdf.Name("/Identity-H")}, False),
    ],
)
def test_a_cmap_and_its_entries_agree(head: bytes, entries: dict[str, Object | int], is_plain: bool) -> None:
    data = CMAP % (head, b"<20> <97>", b"1 begincidchar <20> 1 endcidchar")
    with pikepdf.new() as pdf:
        font = pdf.make_indirect(_font(b"Identity-H", _INNER))
        font.Encoding = pikepdf.Stream(pdf, data, entries)
        if is_plain:
            inner_font(font)
            assert codes_of_composite(font) == (bytes(range(0x20, 0x98)), 1)
        else:
            with pytest.raises(OddProgram):
                inner_font(font)
