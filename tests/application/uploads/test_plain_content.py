"""Content streams keep only what all readers interpret alike."""

import pytest

from application.uploads.content_state import Named, Space
from application.uploads.pdf_limits import PdfRefused
from application.uploads.plain_content import ends_inside_token, plain_content
from application.uploads.text_strings import Font

NAMED = Named(spaces={"/Space": Space(3, samples=3)}, fonts={"/F": Font()}, states={"/S"})


def plain(content: bytes) -> bytes:
    return plain_content(content, NAMED)


@pytest.mark.parametrize(
    "content",
    [
        b"q 1 0 0 1 72 720 cm BT /F 12 Tf -.5 Tc 0 Tw (a) Tj ET Q",
        b"0.5 g % a comment 1 2 3\n10 20 30. +40 re f",
        b"[1 2] 0 d /S gs BT /F 9 Tf [(a) -250 (b)] TJ ET 1 0 0 RG",
    ],
)
def test_plain_content_stays_as_it_is(content: bytes) -> None:
    assert plain(content) is content


@pytest.mark.parametrize(
    "content", [b"1e9 Tc", b"--5 Tc", b"5- w", b"1 l", b"1 2 3 m", b"(a) w", b"1..2 g", b"0 q", b"/F 1 2 Td"]
)
def test_operators_with_other_operands_are_refused(content: bytes) -> None:
    with pytest.raises(PdfRefused, match="drawing instructions"):
        plain(content)


def test_states_are_balanced() -> None:
    assert plain(b"Q 1 w q").split() == [b"1", b"w", b"q", b"Q"]


def test_an_unknown_operator_goes_with_its_operands() -> None:
    assert plain(b"1 w 5 unknown 2 w").split() == [b"1", b"w", b"2", b"w"]


@pytest.mark.parametrize("entry", [b"/CS /Odd", b"/F /Odd", b"/CS /Sp#61cf", b"/Odd 1", b"/Interpolate /Odd"])
def test_a_small_picture_with_unknown_names_is_refused(entry: bytes) -> None:
    with pytest.raises(PdfRefused, match="small picture"):
        plain(b"BI /W 1 /H 1 /BPC 8 %b ID \xff\nEI" % entry)


def test_a_small_picture_may_have_a_colour_space_of_the_resources() -> None:
    content = b"BI /W 1 /H 1 /BPC 8 /CS /Sp#61ce ID \xff\xff\xff\nEI"
    assert plain(content) is content


@pytest.mark.parametrize(
    ("part", "following", "is_inside"),
    [
        (b"BT (EUR 4,8", b"00) Tj ET", True),
        (b"BT (EUR \\) 4", b") Tj", True),
        (b"BT (a (b) c) Tj ET\n", b"q", False),
        (b"<4142", b"> Tj", True),
        (b"1 0 0", b"5 rg", True),
        (b"1 0 0\n", b"rg", False),
        (b"1 0 0 rg % red", b" 0 g", True),
        (b"% red\n1 0 0 rg\n", b"0 g", False),
        (b"/P <</MCID 0>>BDC\n", b"EMC", False),
        (b"(a)", b"(b)", False),
        (b"", b"q", False),
    ],
)
def test_a_stream_that_ends_inside_a_token_is_told(part: bytes, following: bytes, *, is_inside: bool) -> None:
    assert ends_inside_token(part, following) is is_inside
