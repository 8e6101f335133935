"""Content that PDF readers draw in different ways is refused, or written so that they draw it alike."""

import pytest

from application.uploads.content_state import Drawn, Named, Role, Space
from application.uploads.pdf_limits import PdfRefused
from application.uploads.plain_content import plain_content
from application.uploads.text_strings import Font

NAMED = Named(
    spaces={"/Tinted": Space(3, is_pattern=True), "/Ink": Space(1)},
    patterns={"/Coloured": False, "/Uncoloured": True},
    shadings={"/Shading"},
    drawn={"/Form": Drawn.FORM, "/Image": Drawn.PICTURE, "/Mask": Drawn.STENCIL},
    fonts={"/F": Font(), "/Drawn": Font(is_type3=True)},
    states={"/S"},
)


@pytest.mark.parametrize(
    "content",
    [
        b"0 0 9 9 re 1 g f",  # several programs choose the colour late
        b"0 0 9 9 re W n",
        b"0 0 9 9 re q Q n",
        b"BT /F 9 Tf 7 Tr (a) Tj ET 0 0 9 9 re f",
        b"/DeviceRGB cs 1 0 0 sc 0 0 9 9 re f",
        b"/DeviceRGB cs /Image Do",
        b"/Ink cs 1 scn /Form Do",
        b"/Pattern cs /Coloured scn 0 0 9 9 re f",
        b"/Tinted cs 1 0 0 /Uncoloured scn 0 0 9 9 re f",
        b"q /Pattern cs Q 0 0 9 9 re f",
        b"/S gs /Shading sh [3 0] 1 d [] 0 d",
        b'BT /F 9 Tf [(a) -9 <62>] TJ 1 2 (c) " ET',
        b"BI /W 1 /H 1 /IM true ID \x00\nEI",
    ],
)
def test_what_readers_draw_alike_stays_as_it_is(content: bytes) -> None:
    assert plain_content(content, NAMED) is content


@pytest.mark.parametrize(
    "content",
    [
        b"9 9 l 9 0 l f",
        b"0 0 m f 9 9 l S",
        b"0 0 9 9 re q f Q",
        b"0 0 9 9 re 1 0 0 1 0 9 cm f",
        b"0 0 9 9 re /Form Do",
        b"0 0 9 9 re BT ET n",
        b"BT BT ET ET",
        b"ET",
        b"BT q ET",
        b"BT 0 0 m ET",
        b"/F 9 Tf (a) Tj",
        b"BT (a) Tj ET",
        b"q BT /F 9 Tf ET Q BT (a) Tj ET",
        b"BT 7 Tr ET",
        b"7 Tr /Form Do",
        b"1 scn 0 0 9 9 re f ID",
        b"BI q ID",
        b"/Pattern cs /Coloured scn /Mask Do",
        b"BT /Drawn 9 Tf 7 Tr (a) Tj ET",
    ],
)
def test_an_order_that_readers_take_differently_is_refused(content: bytes) -> None:
    with pytest.raises(PdfRefused):
        plain_content(content, NAMED)


@pytest.mark.parametrize(
    "content",
    [
        b"/Other cs", b"/Other CS", b"/Pattern cs /Other scn", b"BT /Other 9 Tf ET",
        b"/Pattern cs 0 0 9 9 re f", b"/Pattern CS 0 0 9 9 re S", b"/Ink cs 0 0 9 9 re f", b"/Ink cs /Form Do",
        b"/Ink cs BI /W 1 /H 1 /IM true ID \x00\nEI", b"/Pattern CS BT /F 9 Tf 1 Tr (a) Tj ET",
    ],
)  # fmt: skip
def test_what_the_resources_do_not_have_is_refused(content: bytes) -> None:
    with pytest.raises(PdfRefused, match="does not have"):
        plain_content(content, NAMED)


@pytest.mark.parametrize(
    "content",
    [
        b"/DeviceRGB cs 1 scn", b"/DeviceGray cs 0 1 1 scn", b"/DeviceCMYK CS 0 SC", b"1 0 sc", b"/Ink cs 1 1 scn",
        b"/Coloured scn", b"/Pattern cs 1 scn", b"/Pattern cs 1 /Coloured scn", b"/Tinted cs /Uncoloured scn",
        b"/Tinted cs 1 /Uncoloured scn", b"9 Tr", b"1.5 Tr", b"3 J",
        b"[-1 2] 0 d", b"[0 0] 0 d", b"[1] -1 d", b"-1 w", b"BT /F 9 Tf <414> Tj ET",
        b"[1 (a)] 0 d", b"(a) (b) Tj",
        b"(a) TJ", b"[/A] TJ", b"/A /B Do", b"(a) gs", b"/F 1 2 Tf",
    ],
)  # fmt: skip
def test_operands_that_readers_take_differently_are_refused(content: bytes) -> None:
    with pytest.raises(PdfRefused):
        plain_content(content, NAMED)


def test_a_form_takes_no_colour_of_a_space_that_it_does_not_choose() -> None:
    with pytest.raises(PdfRefused):
        plain_content(b"1 scn 0 0 9 9 re f", NAMED, Role.FORM)


@pytest.mark.parametrize(
    ("content", "wanted"),
    [
        (b"/DeviceRGB cs 0 0 9 9 re f", b"/DeviceRGB cs 0 0 9 9 re 0 0 0 sc f"),
        (b"/DeviceCMYK CS 0 0 9 9 re S S", b"/DeviceCMYK CS 0 0 9 9 re 0 0 0 1 SC S S"),
        (b"1 g /DeviceGray cs /Form Do", b"1 g /DeviceGray cs 0 sc /Form Do"),
        (b"W n 1 w", b"n 1 w"),
        (b"/Other gs /Other sh /Other Do 1 w", b"1 w"),
        (b"1 w 9 0 d0", b"1 w"),
        (b"q BT 0 0 Td", b"q BT 0 0 Td ET Q"),
        (b"q 0 0 m 9 9 l", b"q 0 0 m 9 9 l n Q"),
    ],
)
def test_what_readers_add_themselves_is_written(content: bytes, wanted: bytes) -> None:
    assert plain_content(content, NAMED).split() == wanted.split()


@pytest.mark.parametrize(
    "content",
    [b"1 0 0 rg 9 0 d0", b"9 0 d0 9 0 d0", b"9 0 d0 BT /F 9 Tf (a) Tj ET", b"9 0 0 0 9 9 d1 /Image Do"],
)
def test_a_glyph_that_readers_colour_differently_is_refused(content: bytes) -> None:
    with pytest.raises(PdfRefused):
        plain_content(content, NAMED, Role.GLYPH)


@pytest.mark.parametrize(("role", "begin"), [(Role.PATTERN, b""), (Role.GLYPH, b"9 0 0 0 9 9 d1")])
def test_what_has_no_colour_of_its_own_chooses_none(role: Role, begin: bytes) -> None:
    content = begin + b" 1 0 0 rg /DeviceRGB cs 0 0 0 sc 0 0 9 9 re f"
    assert plain_content(content, NAMED, role).split() == [*begin.split(), *b"0 0 9 9 re f".split()]


def test_a_glyph_says_its_width() -> None:
    content = b"9 0 0 0 9 9 d1 0 0 9 9 re f"
    assert plain_content(content, NAMED, Role.GLYPH) is content
