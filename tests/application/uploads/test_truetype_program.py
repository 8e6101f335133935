"""TrueType programs are written so that all readers draw the same outlines."""

from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
from fontTools.ttLib import TTFont, newTable
from fontTools.ttLib.tables._g_l_y_f import Glyph, GlyphComponent
from fontTools.ttLib.tables.DefaultTable import DefaultTable
from fontTools.ttLib.tables.ttProgram import Program

from application.uploads.charstrings import OddProgram
from application.uploads.truetype_program import forget_programs, plain_truetype
from tests.application.uploads.font_programs import truetype

KEPT = {"cmap", "glyf", "head", "hhea", "hmtx", "loca", "maxp", "post"}


def opened(program: bytes) -> TTFont:
    return TTFont(BytesIO(program))


def points_of(program: bytes, glyph: str) -> list[tuple[int, int]]:
    font = opened(program)
    return list(font["glyf"][glyph].getCoordinates(font["glyf"])[0])


def composite(flags: int = 2, part: str = "eight", **changes: object) -> Callable[[TTFont], None]:
    """Draws a four as another glyph."""

    def change(font: TTFont) -> None:
        glyph, inner = Glyph(), GlyphComponent()
        inner.glyphName, inner.flags, inner.x, inner.y = part, flags, 100, 50
        for name, value in changes.items():
            setattr(inner, name, value)
        if "firstPt" in changes:
            del inner.x, inner.y
        glyph.numberOfContours, glyph.components = -1, [inner]
        glyph.xMin, glyph.yMin, glyph.xMax, glyph.yMax = 0, 0, 600, 700
        font["glyf"]["four"] = glyph

    return change


def moved_by_instructions(font: TTFont) -> None:
    glyph, font["fpgm"] = font["glyf"]["four"], newTable("fpgm")
    font["fpgm"].program = glyph.program = Program()
    glyph.program.fromAssembly(["SVTCA[1]", "PUSHW[ ]", "0 800", "SHPIX[ ]"])


def other_table(font: TTFont) -> None:
    font.tables["sbix"] = DefaultTable("sbix")
    font.tables["sbix"].data = bytes(8)


def other_bearing(font: TTFont) -> None:
    width, bearing = font["hmtx"]["four"]
    font["hmtx"]["four"] = (width, bearing + 300)


def other_box(font: TTFont) -> None:
    font["glyf"]["four"].yMax = 10


def test_a_plain_program_stays() -> None:
    plain = plain_truetype(truetype())

    assert not plain.is_new
    assert set(opened(plain.program).keys()) - {"GlyphOrder"} == KEPT
    forget_programs()
    assert plain_truetype(plain.program) == (plain.program, False)
    assert points_of(plain.program, "four") == points_of(truetype(), "four")


def test_instructions_are_left_out() -> None:
    plain = plain_truetype(truetype(moved_by_instructions))

    assert plain.program == plain_truetype(truetype()).program


def test_a_composite_glyph_is_drawn() -> None:
    plain = plain_truetype(truetype(composite())).program

    assert not opened(plain)["glyf"]["four"].isComposite()
    moved = opened(plain)["glyf"]["four"].xMin - opened(plain)["glyf"]["eight"].xMin
    assert [(x + moved, y + 50) for x, y in points_of(truetype(), "eight")] == points_of(plain, "four")


@pytest.mark.parametrize("change", [other_table, other_bearing, other_box])
def test_what_readers_draw_differently_is_told(change: Callable[[TTFont], None]) -> None:
    plain = plain_truetype(truetype(change))

    assert plain.is_new
    forget_programs()
    assert not plain_truetype(plain.program).is_new


def test_a_glyph_stands_where_its_side_bearing_says() -> None:
    plain = plain_truetype(truetype(other_bearing)).program

    assert [(x + 300, y) for x, y in points_of(truetype(), "four")] == points_of(plain, "four")


def units(number: int) -> Callable[[Any], None]:
    def change(font: TTFont) -> None:
        font["head"].unitsPerEm = number

    return change


@pytest.mark.parametrize(
    "change",
    [
        units(0),
        units(16),
        units(20_000),
        composite(part="four"),
        composite(0, firstPt=0, secondPt=3),
        composite(0x802, transform=[[0.5, 0], [0, 0.5]]),
    ],
)
def test_what_has_no_one_look_is_refused(change: Callable[[TTFont], None]) -> None:
    with pytest.raises(OddProgram):
        plain_truetype(truetype(change))


@pytest.mark.parametrize(
    "damaged", [b"", b"\0\1\0\0", b"OTTO", truetype()[:200], truetype()[:-400], b"ttcf" + bytes(99)]
)
def test_a_damaged_program_is_refused(damaged: bytes) -> None:
    with pytest.raises(OddProgram):
        plain_truetype(damaged)
