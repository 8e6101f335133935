"""Instructions of glyphs: those that fit outlines to pixels are taken, and those that draw other outlines are not."""

from importlib import import_module
from io import BytesIO

import pytest
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont, newTable
from fontTools.ttLib.tables.ttProgram import Program

from application.uploads.charstrings import OddProgram
from application.uploads.glyph_instructions import check_instructions
from tests.application.uploads.font_programs import truetype

FAR = [word for point in range(3) for word in ("PUSHW[ ]", f"{point} 3000", "SHPIX[ ]")]
NEAR = [word for point in range(3) for word in ("PUSHW[ ]", f"{point} 100", "SHPIX[ ]")]


def instructed(*instructions: str, shared: tuple[str, ...] = ()) -> bytes:
    """Returns a program whose glyph `four` has instructions."""

    def change(font: TTFont) -> None:
        font["fpgm"] = newTable("fpgm")
        font["fpgm"].program = Program()
        font["fpgm"].program.fromAssembly(["PUSHB[ ]", "0", "POP[ ]", *shared])
        program = font["glyf"]["four"].program = Program()
        program.fromAssembly(list(instructions))
        font["maxp"].maxSizeOfInstructions, font["maxp"].maxStackElements = 200, 20
        font["maxp"].maxFunctionDefs = 2

    return truetype(change)


@pytest.mark.parametrize("name", ["NotoSans_Regular", "SpaceMono_Regular", "Ubuntu_Regular", "FiraGO_Italic"])
def test_fonts_of_others_are_taken(name: str) -> None:
    font = TTFont(BytesIO(import_module(f"pymupdf_fonts.{name}").fontbuffer))
    subset = Subsetter(Options(hinting=True))
    subset.populate(text="EUR 48,000.00 Agreement")
    subset.subset(font)
    assert "prep" in font
    written = BytesIO()
    font.save(written)
    check_instructions(written.getvalue())


@pytest.mark.parametrize("axis", ["SVTCA[0]", "SVTCA[1]"])
def test_points_may_move_to_the_next_pixels(axis: str) -> None:
    check_instructions(instructed(axis, *NEAR))


@pytest.mark.parametrize(
    "instructions",
    [
        ("SVTCA[0]", *FAR),
        ("SVTCA[1]", *FAR),
        *[
            ("SVTCA[0]", "PUSHB[ ]", f"{version} 1", "GETINFO[ ]", "EQ[ ]", "IF[ ]", *FAR, "EIF[ ]")
            for version in (3, 35, 40)
        ],
        ("SVTCA[0]", "PUSHB[ ]", "32", "GETINFO[ ]", "IF[ ]", *FAR, "EIF[ ]"),
        *[
            ("SVTCA[0]", "MPPEM[ ]", "PUSHW[ ]", str(size), "EQ[ ]", "IF[ ]", *FAR, "EIF[ ]")
            for size in (10, 37, 200, 400)
        ],
        ("MPS[ ]", "POP[ ]"),
        ("POP[ ]",),
    ],
)
def test_other_outlines_are_found(instructions: tuple[str, ...]) -> None:
    with pytest.raises(OddProgram):
        check_instructions(instructed(*instructions))


def test_a_function_that_moves_points_is_found() -> None:
    shared = ("PUSHB[ ]", "1", "FDEF[ ]", "SVTCA[0]", *FAR, "ENDF[ ]")
    with pytest.raises(OddProgram):
        check_instructions(instructed("PUSHB[ ]", "1", "CALL[ ]", shared=shared))


def test_a_damaged_program_is_odd() -> None:
    with pytest.raises(OddProgram):
        check_instructions(instructed("SVTCA[0]", *NEAR)[:300])
