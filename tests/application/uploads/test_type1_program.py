"""Type 1 programs say each thing once, in the words of fonts."""

from collections.abc import Callable

import pytest

from application.uploads.charstrings import OddProgram
from application.uploads.type1_program import read_type1
from tests.application.uploads.font_programs import HINTS, LETTERS, STANDARD, charstring, encoding, outline, type1

EIGHT = charstring(outline("eight"))
SWAPPED = encoding(LETTERS | {ord("4"): "eight", ord("8"): "four"})


def put(before: bytes, added: bytes) -> Callable[[bytes], bytes]:
    def change(data: bytes) -> bytes:
        assert before in data
        return data.replace(before, added + before)

    return change


def test_the_encoding_and_the_names_of_a_program_are_read() -> None:
    read = read_type1(type1(own=SWAPPED))

    assert read.encoding[ord("4")] == "eight"
    assert read.names == set(LETTERS.values())


@pytest.mark.parametrize(
    "own",
    [
        STANDARD.replace(b" def", b"\r\nreadonly   def"),
        b"% the usual one\n" + STANDARD,
        SWAPPED.replace(b"\n", b"\r"),
        SWAPPED.replace(b"{1 index", b"{ 1  index"),
    ],
)
def test_white_space_and_remarks_do_not_matter(own: bytes) -> None:
    read_type1(type1(own=own))


@pytest.mark.parametrize(
    "own",
    [
        STANDARD + SWAPPED,
        SWAPPED + STANDARD,
        STANDARD + b"% /Encoding 256 array\n",
        STANDARD + b"/Notice (\n/Encoding 256 array\ndup 52 /eight put) def\n",
        SWAPPED.replace(b"readonly def", b"dup 52 /four put\nreadonly def"),
        SWAPPED.replace(b"dup 52 ", b"dup 8#64 "),
        SWAPPED.replace(b"dup 52 ", b"dup 308 "),
        b"/Encoding [" + b"/eight " * 256 + b"] def\n",
        STANDARD + b"Encoding 52 /eight put\n",
        STANDARD + b"/Metrics 1 dict dup begin /four [300 600] def end def\n",
        STANDARD + b"/FontMatrix [0.002 0 0 0.001 0 0] def\n",
        b"",
    ],
)
def test_what_says_something_else_too_is_refused(own: bytes) -> None:
    with pytest.raises(OddProgram):
        read_type1(type1(own=own))


@pytest.mark.parametrize(
    "clear",
    [
        lambda data: data.replace(b"/PaintType 0", b"/PaintType 2"),
        lambda data: data.replace(b"/FontType 1", b"/FontType 3"),
        lambda data: data.replace(b"%!PS", b"PS"),
        lambda data: data.replace(b"currentfile eexec", b"currentfile"),
        put(b"currentdict end", b"/FontBBox {0 0 1 1} def\n"),
        put(b"currentdict end", b"userdict /x 1 put\n"),
    ],
)
def test_another_beginning_is_refused(clear: Callable[[bytes], bytes]) -> None:
    with pytest.raises(OddProgram):
        read_type1(type1(clear=clear))


@pytest.mark.parametrize(
    "private",
    [
        put(b"2 index /CharStrings", SWAPPED),
        put(b"2 index /CharStrings", b"/lenIV 0 def\n"),
        put(b"/OtherSubrs", b"/lenIV -1 def\n"),
        put(b"/Subrs", b"CharStrings /four CharStrings /eight get put\n"),
        put(b"dup /FontName get", b"dup /CharStrings get begin end\n"),
        lambda data: data.replace(HINTS, b"/OtherSubrs [{}{}{}{pop 4}] ND\n"),
        lambda data: data.replace(b"readstring pop", b"readstring exch pop"),
        lambda data: data.replace(b"noaccess put\ndup /FontName", b"dup /FontName"),
        lambda data: data.replace(b"/CharStrings 11", b"/CharStrings 3"),
        lambda data: data.replace(b"dup 4 ", b"dup 3 "),
        lambda data: data.replace(b"closefile", b""),
    ],
)
def test_another_private_part_is_refused(private: Callable[[bytes], bytes]) -> None:
    plain, changed = type1(), type1(private=private)
    assert plain != changed
    with pytest.raises(OddProgram):
        read_type1(changed)


def test_a_glyph_is_there_once() -> None:
    with pytest.raises(OddProgram):
        read_type1(type1(more=[("four", EIGHT)]))


@pytest.mark.parametrize(
    "added", [b"/Encoding StandardEncoding def\n", b"currentfile eexec\n", b"00 dup 52 /eight put"]
)
def test_nothing_follows_the_end(added: bytes) -> None:
    with pytest.raises(OddProgram):
        read_type1(type1() + added)
