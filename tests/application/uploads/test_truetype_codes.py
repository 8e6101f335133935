"""A TrueType program in a PDF shows the same letters, whichever table a reader uses."""

from collections.abc import Mapping
from functools import cache
from io import BytesIO

import pytest
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables._c_m_a_p import CmapSubtable
from pikepdf import Array, Dictionary, Name

from application.uploads.pdf_limits import PdfRefused
from application.uploads.truetype_codes import check_truetype_codes
from layout import handwriting
from tests import ROOT

SAME = {code: code for code in range(32, 127)}
OTHER = SAME | {ord("4"): ord("9"), ord("8"): ord("1")}
SYMBOLS = {0xF000 + code: shown for code, shown in SAME.items()}
OTHER_SYMBOLS = {0xF000 + code: shown for code, shown in OTHER.items()}
MACINTOSH, SYMBOL, WINDOWS, UNICODE = (1, 0, 0), (3, 0, 4), (3, 1, 4), (0, 3, 4)
WINANSI = Name.WinAnsiEncoding
DIFFERENCES = Dictionary(BaseEncoding=WINANSI, Differences=Array([52, Name.four, 56, Name.eight]))
SWAPPED = Dictionary(Differences=Array([52, Name.nine, 56, Name.one]))
SYMBOLIC, NONSYMBOLIC = 4, 32

Maps = Mapping[tuple[int, int, int], Mapping[int, int]]


@cache
def _letters() -> bytes:
    opened = TTFont(ROOT / handwriting.__name__.replace(".", "/") / "Caveat-Regular.ttf")
    subsetter = Subsetter(Options())
    subsetter.populate(unicodes=SAME)
    subsetter.subset(opened)
    written = BytesIO()
    opened.save(written)
    return written.getvalue()


def program(maps: Maps) -> bytes:
    """A font of ASCII letters whose tables map as in `maps`: by platform, encoding and format, codes to characters."""
    opened = TTFont(BytesIO(_letters()))
    glyphs = opened.getBestCmap()
    opened["cmap"].tables = []
    for (platform, encoding, form), characters in maps.items():
        table = CmapSubtable.newSubtable(form)
        table.platformID, table.platEncID, table.language = platform, encoding, 0
        table.cmap = {code: glyphs[shown] for code, shown in characters.items() if shown in glyphs}
        opened["cmap"].tables.append(table)
    written = BytesIO()
    opened.save(written)
    return written.getvalue()


def check(maps: Maps, flags: int, encoding: Name | Dictionary | None) -> None:
    font = Dictionary(
        Type=Name.Font, Subtype=Name.TrueType, FirstChar=32, Widths=Array([500] * 95),
        FontDescriptor=Dictionary(Flags=flags),
    )  # fmt: skip
    if encoding is not None:
        font.Encoding = encoding
    check_truetype_codes(font, program(maps))


@pytest.mark.parametrize(
    ("maps", "flags", "encoding"),
    [
        ({MACINTOSH: SAME, WINDOWS: OTHER}, SYMBOLIC, None),
        ({MACINTOSH: SAME, WINDOWS: OTHER}, SYMBOLIC, DIFFERENCES),
        ({MACINTOSH: SAME, WINDOWS: OTHER}, NONSYMBOLIC, None),
        ({MACINTOSH: SAME, WINDOWS: OTHER}, 36, WINANSI),
        ({MACINTOSH: SAME, SYMBOL: OTHER_SYMBOLS}, SYMBOLIC, WINANSI),
        ({MACINTOSH: SAME, SYMBOL: OTHER_SYMBOLS}, NONSYMBOLIC, None),
        ({MACINTOSH: SAME, SYMBOL: OTHER}, 36, None),
        ({SYMBOL: SYMBOLS, WINDOWS: OTHER}, SYMBOLIC, SWAPPED),
        ({UNICODE: OTHER, WINDOWS: SAME}, NONSYMBOLIC, WINANSI),
        ({WINDOWS: SAME, SYMBOL: SYMBOLS}, 0, SWAPPED),
    ],
)
def test_a_program_whose_tables_show_other_letters_is_refused(
    maps: Maps, flags: int, encoding: Name | Dictionary | None
) -> None:
    with pytest.raises(PdfRefused, match="different letters"):
        check(maps, flags, encoding)


@pytest.mark.parametrize("encoding", [None, WINANSI, DIFFERENCES], ids=["none", "named", "differences"])
@pytest.mark.parametrize("flags", [0, SYMBOLIC, NONSYMBOLIC, 36])
def test_a_program_whose_tables_agree_is_taken(flags: int, encoding: Name | Dictionary | None) -> None:
    check({MACINTOSH: SAME, SYMBOL: SYMBOLS, WINDOWS: SAME}, flags, encoding)


def test_letters_that_readers_find_in_unicode_need_no_other_table() -> None:
    check({MACINTOSH: OTHER, WINDOWS: SAME}, NONSYMBOLIC, WINANSI)


def test_symbols_by_their_codes_may_have_names_of_letters() -> None:
    check({MACINTOSH: SAME, SYMBOL: SYMBOLS}, SYMBOLIC, SWAPPED)


@pytest.mark.parametrize("damaged", [b"", b"no font", program({MACINTOSH: SAME})[:200]])
def test_a_damaged_program_is_refused(damaged: bytes) -> None:
    with pytest.raises(PdfRefused):
        check_truetype_codes(Dictionary(FontDescriptor=Dictionary(Flags=SYMBOLIC)), damaged)


def named(name: str) -> Dictionary:
    return Dictionary(BaseEncoding=WINANSI, Differences=Array([52, Name("/" + name)]))


@pytest.mark.parametrize(
    ("name", "flags"),
    [("uni0039", SYMBOLIC), ("uni0039", 0), ("g3", SYMBOLIC), ("g3", NONSYMBOLIC), ("leaf", NONSYMBOLIC), ("leaf", 36)],
)
def test_a_name_in_no_list_must_not_lead_to_another_glyph(name: str, flags: int) -> None:
    with pytest.raises(PdfRefused, match="different letters"):
        check({WINDOWS: SAME, MACINTOSH: SAME}, flags, named(name))


@pytest.mark.parametrize(("name", "flags"), [("uni0039", NONSYMBOLIC), ("leaf", SYMBOLIC)])
def test_a_name_in_no_list_may_lead_all_readers_to_one_glyph(name: str, flags: int) -> None:
    check({WINDOWS: SAME, MACINTOSH: SAME}, flags, named(name))


def test_a_table_of_symbols_in_a_font_of_letters_is_refused() -> None:
    with pytest.raises(PdfRefused, match="different letters"):
        check({SYMBOL: SYMBOLS, UNICODE: SAME}, NONSYMBOLIC, None)


def test_tables_that_share_their_characters_are_compared() -> None:
    check({(0, 3, 12): SAME, (3, 10, 12): SAME, MACINTOSH: SAME}, SYMBOLIC, None)
    with pytest.raises(PdfRefused, match="different letters"):
        check({(0, 3, 12): SAME, (3, 10, 12): SAME, MACINTOSH: OTHER}, SYMBOLIC, None)


def test_a_table_of_more_characters_than_there_are_is_refused_at_once() -> None:
    large = program({(3, 10, 12): SAME, MACINTOSH: SAME})
    group = bytes.fromhex("00000020")
    at = large.index(group, large.index(b"\x00\x0c\x00\x00"))
    font = Dictionary(FontDescriptor=Dictionary(Flags=SYMBOLIC))
    with pytest.raises(PdfRefused, match="different letters"):
        check_truetype_codes(font, large[: at + 4] + b"\xff\xff\xff\xf0" + large[at + 8 :])
