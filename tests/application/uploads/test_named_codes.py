"""A program that names its glyphs shows the same letters in a PDF, whichever encoding a reader uses."""

from collections.abc import Mapping
from typing import Any

import pytest
from fontTools.encodings.StandardEncoding import StandardEncoding
from pikepdf import Array, Dictionary, Name

from application.uploads.cff_program import read_cff
from application.uploads.named_codes import check_named_codes
from application.uploads.pdf_limits import PdfRefused
from application.uploads.type1_program import read_type1
from tests.application.uploads.font_programs import cff, encoding, type1

ASCII = {code: StandardEncoding[code] for code in range(32, 127)}
OTHER = ASCII | {52: "eight", 56: "four"}
NAMED = Array([39, Name.quotesingle, 52, Name.four, 56, Name.eight, 96, Name.grave])
FEW = {65: "A"}
WINANSI, STANDARD = Name.WinAnsiEncoding, Name.StandardEncoding


def program(own: Mapping[int, str] | None) -> bytes:
    """Letters of Latin with that encoding of their own, the standard one by default."""

    def change(top: Any) -> None:
        if own is not None:
            top.Encoding = [own.get(code, ".notdef") for code in range(256)]

    return cff(change)


def font_with(chosen: Name | Dictionary | None, flags: int = 32) -> Dictionary:
    font = Dictionary(FirstChar=32, Widths=Array([500] * 95), FontDescriptor=Dictionary(Flags=flags))
    if chosen is not None:
        font.Encoding = chosen
    return font


def check(own: Mapping[int, str] | None, chosen: Name | Dictionary | None, flags: int = 32) -> None:
    glyphs = read_cff(program(own))
    assert glyphs is not None
    check_named_codes(font_with(chosen, flags), glyphs)


@pytest.mark.parametrize(
    ("own", "chosen"),
    [
        (OTHER, WINANSI),
        (OTHER, STANDARD),
        (OTHER, Dictionary(BaseEncoding=WINANSI, Differences=Array([65, Name.A]))),
        (FEW, None),
        (FEW, Dictionary(Differences=Array([65, Name.A]))),
    ],
)
def test_a_program_that_shows_other_letters_than_its_font_names_is_refused(
    own: Mapping[int, str], chosen: Name | Dictionary | None
) -> None:
    with pytest.raises(PdfRefused, match="different letters"):
        check(own, chosen)


@pytest.mark.parametrize(
    ("own", "chosen"),
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
    own: Mapping[int, str] | None, chosen: Name | Dictionary | None
) -> None:
    check(own, chosen)


def test_readers_differ_about_codes_that_a_program_of_symbols_lacks() -> None:
    with pytest.raises(PdfRefused, match="different letters"):
        check(FEW, WINANSI, flags=4)


def test_all_readers_take_the_encoding_of_a_type_1_program_of_symbols() -> None:
    few = read_type1(type1(own=encoding({ord("E"): "E"})))

    check_named_codes(font_with(None, flags=4), few)
    with pytest.raises(PdfRefused, match="different letters"):
        check_named_codes(font_with(None, flags=32), few)


@pytest.mark.parametrize("name", ["four.alt", "uni0034", "u0034"])
def test_a_name_that_only_some_readers_find_is_refused(name: str) -> None:
    chosen = Dictionary(BaseEncoding=WINANSI, Differences=Array([52, Name("/" + name)]))
    with pytest.raises(PdfRefused, match="different letters"):
        check(None, chosen)


def test_names_of_glyphs_that_are_not_there_are_left_to_the_comparison() -> None:
    check_named_codes(font_with(Dictionary(Differences=Array([52, Name.aleph]))), read_type1(type1()))
