"""Fonts whose glyphs are content streams have the form that all readers draw alike, or are given it, or are refused."""

from collections.abc import Callable, Iterator

import pikepdf
import pytest
from pikepdf import Object, Pdf

from application.uploads.charstrings import OddProgram
from application.uploads.type3_font import codes_of_type3, plain_type3

_USUAL = {
    "/FontMatrix": b"[.001 0 0 .001 0 0]",
    "/FontBBox": b"[0 0 500 700]",
    "/FirstChar": b"97",
    "/LastChar": b"98",
    "/Widths": b"[500 250]",
    "/Encoding": b"<</Differences [97/a/b]>>",
}
_PLAIN = b"500 0 0 0 500 700 d1 0 0 500 700 re f"
Change = Callable[[Object], object]


@pytest.fixture
def pdf() -> Iterator[Pdf]:
    with pikepdf.new() as opened:
        yield opened


def _plain(pdf: Pdf, content: bytes, change: Change = lambda _font: None) -> tuple[Object, set[str]]:
    font = pdf.make_indirect(pikepdf.Dictionary({key: Object.parse(value) for key, value in _USUAL.items()}))
    glyphs = {"/a": pikepdf.Stream(pdf, content), "/b": pikepdf.Stream(pdf, b"250 0 d0 0 0 200 300 re f")}
    font.CharProcs = pikepdf.Dictionary(glyphs)
    change(font)
    found = set[str]()
    plain_type3(font, frozenset(), found)
    return font, found


def _set(key: str, value: bytes) -> Change:
    return lambda font: font.__setitem__(key, Object.parse(value))


@pytest.mark.parametrize(
    "change",
    [
        lambda _font: None,
        _set("/FontMatrix", b"[.002 0 0 -.001 0 0]"),
        _set("/FontBBox", b"[0 0 0 0]"),
        _set("/FontBBox", b"[500 700 0 0]"),
        _set("/Widths", b"[501 250]"),
        _set("/Encoding", b"<</BaseEncoding/WinAnsiEncoding/Differences [98/b 97/a]>>"),
    ],
)
def test_what_readers_draw_alike_stays(pdf: Pdf, change: Change) -> None:
    font, found = _plain(pdf, _PLAIN, change)
    assert font.CharProcs.a.read_bytes() == _PLAIN
    assert codes_of_type3(font) in {b"ab", b"ba"}
    assert not found


@pytest.mark.parametrize(
    ("content", "written"),
    [
        (b"500 0 0 0 90 90 d1 0 0 500 700 re f", b"500 0 0 0 500 700 d1 0 0 500 700 re f"),
        (b"500 0 0 0 0 0 d1 -9.5 0 500 700 re f", b"500 0 -10 0 491 700 d1 -9.5 0 500 700 re f"),
        (b"900 0 d0 0 0 500 700 re f", b"500 0 d0 0 0 500 700 re f"),
        (b"500 300 0 0 500 700 d1 0 0 500 700 re f", b"500 0 0 0 500 700 d1 0 0 500 700 re f"),
    ],
)
def test_glyphs_say_the_width_of_the_font_and_a_box_that_holds_them(pdf: Pdf, content: bytes, written: bytes) -> None:
    font, found = _plain(pdf, content)
    assert font.CharProcs.a.read_bytes() == written
    assert codes_of_type3(font) == b"ab"
    assert found


def test_the_box_of_the_font_holds_its_glyphs(pdf: Pdf) -> None:
    font, found = _plain(pdf, _PLAIN, _set("/FontBBox", b"[0 0 100 100]"))
    assert list(font.FontBBox) == [0, 0, 500, 700]
    assert found


@pytest.mark.parametrize(
    "change",
    [
        _set("/Widths", b"[500 9]"),  # the glyph says another one, but for another code
        _set("/Encoding", b"<</Differences [97/a/.notdef]>>"),
        lambda font: font.CharProcs.__delitem__("/b"),
    ],
)
def test_codes_without_a_glyph_are_told(pdf: Pdf, change: Change) -> None:
    font, _ = _plain(pdf, _PLAIN)
    change(font)
    assert codes_of_type3(font) == b"a"


@pytest.mark.parametrize(
    ("content", "change"),
    [
        (b"0 0 500 700 re f", lambda _font: None),
        (b"500 d0 0 0 500 700 re f", lambda _font: None),
        (b"500 0 0 0 d1 0 0 500 700 re f", lambda _font: None),
        (_PLAIN, lambda font: font.__delitem__("/FontMatrix")),
        (_PLAIN, _set("/FontMatrix", b"[0 0 0 0 0 0]")),
        (_PLAIN, _set("/FontMatrix", b"[.00001 0 0 .00001 0 0]")),
        (_PLAIN, _set("/FontMatrix", b"[.001 0 .0005 .001 0 0]")),
        (_PLAIN, _set("/FontMatrix", b"[0 .001 -.001 0 0 0]")),
        (_PLAIN, _set("/FontMatrix", b"[.001 0 0 .001 .5 0]")),
        (_PLAIN, _set("/FontBBox", b"[0 0 9]")),
        (_PLAIN, _set("/Widths", b"[500]")),
        (_PLAIN, _set("/Widths", b"[500 null]")),
        (_PLAIN, _set("/LastChar", b"(b)")),
        (_PLAIN, _set("/Encoding", b"/WinAnsiEncoding")),
        (_PLAIN, _set("/Encoding", b"<</Differences [97/a 97/b 98/b]>>")),
        (_PLAIN, _set("/Encoding", b"<</Differences [900/a]>>")),
        (_PLAIN, _set("/CharProcs", b"[]")),
    ],
)
def test_odd_fonts_are_refused(pdf: Pdf, content: bytes, change: Change) -> None:
    with pytest.raises(OddProgram):
        _plain(pdf, content, change)
