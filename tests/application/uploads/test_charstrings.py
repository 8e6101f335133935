"""Charstrings that readers may draw differently are found, and others are not."""

import pytest

from application.uploads.cff_program import read_cff
from application.uploads.charstrings import OddProgram
from application.uploads.type1_program import read_type1
from tests.application.uploads.font_programs import Item, cff_with, charstring, outline, type1

START: tuple[Item, ...] = (0, 600, "hsbw")
MOVE: tuple[Item, ...] = (100, 0, "rmoveto")
LINES: tuple[Item, ...] = (300, 0, "rlineto", 0, 500, "rlineto")
END: tuple[Item, ...] = ("closepath", "endchar")
SHAPE = (*MOVE, *LINES, *END)
FLEX: tuple[Item, ...] = (
    1, "callsubr", 100, 0, "rmoveto", 2, "callsubr", 0, 100, "rmoveto", 2, "callsubr", 50, 0, "rmoveto", 2, "callsubr",
    50, 0, "rmoveto", 2, "callsubr", 50, 0, "rmoveto", 2, "callsubr", 50, -100, "rmoveto", 2, "callsubr",
    0, 0, "rmoveto", 2, "callsubr",
)  # fmt: skip

TYPE_1_TAKEN = {
    "a shape": (*START, *SHAPE),
    "a side bearing in both directions": (0, 20, 600, 0, "sbw", *SHAPE),
    "hints": (*START, 0, 20, "hstem", *MOVE, *LINES, 10, 20, "vstem", *END),
    "other hints inside": (*START, *MOVE, 4, 1, 3, "callothersubr", "pop", "callsubr", *LINES, *END),
    "a quotient": (*START, 1000, 10, "div", 0, "rmoveto", *LINES, *END),
    "flex": (*START, *MOVE, *FLEX, 50, 400, 0, 0, "callsubr", *LINES, *END),
    "an accent": (*START, 0, 100, 200, 65, 44, "seac"),
    "curves": (*START, *MOVE, 1, 2, 3, 4, "hvcurveto", 1, 2, 3, 4, "vhcurveto", 5, "hlineto", 5, "vlineto", *END),
}  # fmt: skip
TYPE_1_REFUSED = {
    "no side bearing": SHAPE,
    "two side bearings": (*START, *START, *SHAPE),
    "no end": (*START, *MOVE, *LINES, "closepath"),
    "more after the end": (*START, *SHAPE, *SHAPE),
    "a line without a point": (*START, *LINES, *END),
    "an unknown operator": (*START, "unknown", *SHAPE),
    "an operator of Type 2": (*START, 50, 50, "add", 0, "rmoveto", *LINES, *END),
    "too many operands": (*START, 7, *SHAPE),
    "too few operands": (*START, 100, "rmoveto", *LINES, *END),
    "an operand of another line": (*START, *MOVE, 300, 0, 100, "rlineto", *END),
    "a point that is set": (*START, *MOVE, 0, 0, "setcurrentpoint", *LINES, *END),
    "flex that ends elsewhere": (*START, *MOVE, *FLEX, 50, 400, 10, 0, "callsubr", *LINES, *END),
    "flex of few points": (*START, *MOVE, *FLEX[:7], 50, 200, 0, 0, "callsubr", *LINES, *END),
    "drawing among other hints": (*START, *MOVE, 0, 1, 3, "callothersubr", "pop", "callsubr", *LINES, *END),
    "a procedure of its own": (*START, 100, 0, 2, 9, "callothersubr", "pop", "pop", "rmoveto", *LINES, *END),
    "nothing to take": (*START, "pop", *SHAPE),
    "a division by zero": (*START, 100, 0, "div", 0, "rmoveto", *LINES, *END),
    "a subroutine that is not there": (*START, 77, "callsubr", *SHAPE),
    "an endless subroutine": (*START, *SHAPE[:-1], "return"),
    "an accent that is not there": (*START, 0, 100, 200, 65, 200, "seac"),
    "an accent on a letter that has one": (*START, 0, 100, 200, 52, 44, "seac"),
    "a number outside of the font": (*START, 100_000, 0, "rmoveto", *LINES, *END),
}  # fmt: skip
MOVE_2, LINES_2 = (100, 0, "rmoveto"), (300, 0, 0, 500, "rlineto")
TYPE_2_TAKEN = {
    "a shape": (*MOVE_2, *LINES_2, "endchar"),
    "a width": (500, *MOVE_2, *LINES_2, "endchar"),
    "nothing": ("endchar",),
    "hints": (500, 0, 20, "hstemhm", 0, 20, "hintmask", 53, *MOVE_2, *LINES_2, "endchar"),
    "curves": (*MOVE_2, 1, 2, 3, 4, "hvcurveto", 1, 2, 3, 4, 5, "vvcurveto", *range(8), "rcurveline", "endchar"),
    "the dot of an i": ("dotsection", *MOVE_2, *LINES_2, "endchar"),
    "an accent": (0, 200, 65, 200, "endchar"),
}  # fmt: skip
TYPE_2_REFUSED = {
    "no end": (*MOVE_2, *LINES_2),
    "more after the end": (*MOVE_2, *LINES_2, "endchar", *MOVE_2, "endchar"),
    "a line without a point": (*LINES_2, "endchar"),
    "a random number": (100, "random", "rmoveto", *LINES_2, "endchar"),
    "an unknown operator": ("unknown", *MOVE_2, "endchar"),
    "a width later": (*MOVE_2, *LINES_2, 7, *MOVE_2, "endchar"),
    "too many operands": (7, 7, *MOVE_2, *LINES_2, "endchar"),
    "an operand of another line": (*MOVE_2, 300, 0, 100, "rlineto", "endchar"),
    "hints after a path": (*MOVE_2, *LINES_2, 0, 20, "hstem", *LINES_2, "endchar"),
    "a return": (*MOVE_2, *LINES_2, "return"),
    "a dot inside a path": (*MOVE_2, *LINES_2, "dotsection", *LINES_2, "endchar"),
    "a subroutine that is not there": (5000, "callsubr", *MOVE_2, "endchar"),
    "too many numbers": (*[1] * 49, *MOVE_2, "endchar"),
    "an accent that is not there": (0, 200, 65, 190, "endchar"),
}  # fmt: skip


@pytest.mark.parametrize("items", TYPE_1_TAKEN.values(), ids=TYPE_1_TAKEN)
def test_charstrings_of_type_1_are_taken(items: tuple[Item, ...]) -> None:
    read_type1(type1({"four": charstring(items)}))


@pytest.mark.parametrize("items", TYPE_1_REFUSED.values(), ids=TYPE_1_REFUSED)
def test_charstrings_of_type_1_are_refused(items: tuple[Item, ...]) -> None:
    with pytest.raises(OddProgram):
        read_type1(type1({"four": charstring(items), "one": charstring(TYPE_1_TAKEN["an accent"])}))


def test_an_accent_on_a_letter_with_an_accent_is_refused() -> None:
    accent = charstring(TYPE_1_TAKEN["an accent"])
    nested = charstring((*START, 0, 100, 200, 52, 44, "seac"))

    with pytest.raises(OddProgram):
        read_type1(type1({"four": accent, "one": nested}))


@pytest.mark.parametrize("items", TYPE_2_TAKEN.values(), ids=TYPE_2_TAKEN)
def test_charstrings_of_type_2_are_taken(items: tuple[Item, ...]) -> None:
    read_cff(cff_with("four", charstring(items, is_type2=True)))


@pytest.mark.parametrize("items", TYPE_2_REFUSED.values(), ids=TYPE_2_REFUSED)
def test_charstrings_of_type_2_are_refused(items: tuple[Item, ...]) -> None:
    with pytest.raises(OddProgram):
        read_cff(cff_with("four", charstring(items, is_type2=True)))


@pytest.mark.parametrize("glyph", ["four", "eight", "R"])
def test_an_outline_may_end_at_no_other_byte(glyph: str) -> None:
    one, two = charstring(outline(glyph)), charstring(outline(glyph, None), is_type2=True)
    for end in range(1, len(one)):
        with pytest.raises(OddProgram):
            read_type1(type1({glyph: one[:end]}))
    for end in range(1, len(two)):
        with pytest.raises(OddProgram):
            read_cff(cff_with(glyph, two[:end]))
