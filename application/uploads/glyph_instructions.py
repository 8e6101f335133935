"""Instructions of TrueType glyphs (OpenType, "The TrueType instruction set"), which fit outlines to the pixels.

Some readers run them, and others do not. Uploads without signatures lose them (`application.uploads.truetype_program`).
Signed ones keep them, so they may move points only as far as fitting needs: prepared ones draw another glyph.
"""

from array import array
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from ctypes import byref, string_at
from itertools import pairwise
from struct import pack, pack_into, unpack_from
from typing import Any, NamedTuple

from freetype import get_handle
from freetype.raw import (
    FT_LOAD_NO_BITMAP,
    FT_LOAD_NO_SCALE,
    FT_LOAD_PEDANTIC,
    FT_LOAD_TARGET_MONO,
    FT_Done_Face,
    FT_Face,
    FT_Load_Glyph,
    FT_New_Memory_Face,
    FT_Set_Pixel_Sizes,
)

from application.uploads.charstrings import damaged_is_odd, require
from application.uploads.truetype_program import outline_places, tables_of, with_tables

_SIZES = (*range(10, 256), *range(256, 1025, 16))
"""Sizes of the em in pixels: those of screens, and of printers up to 600 dpi."""

_PIXELS, _PART = 4, 0.08
"""How far instructions may move a point: so many pixels, and this part of the em besides."""

_MAX_GLYPHS = 1_200
"""Limit of the glyphs with instructions in a program: so many take about 18 s."""

_ANSWERS = ((3, 0, 0), (35, 1 << 12, 0), (40, 1 << 12, 1 << 13))
"""What Ghostscript, FreeType and DirectWrite answer `GETINFO`: version, bit of smooth edges, bit of subpixels."""

_PUSH_BYTES, _PUSH_WORDS = 0x40, 0x41
_FEW_BYTES, _FEW_WORDS = range(0xB0, 0xB8), range(0xB8, 0xC0)
_GETINFO, _FREE = 0x88, 0xA0
_UNUSUAL = frozenset({0x28, 0x4C, 0x4F, 0x7B, 0x7E, 0x7F, 0x83, 0x84, 0x89, *range(0x8F, 0xB0)})
"""Instructions that are undefined, obsolete or for tests, that define others, or return the size in points."""

_LIMIT_OF_DEFINITIONS, _LIMIT_OF_STACK = 22, 24
_WORDS, _SCALES, _MORE, _HAS_INSTRUCTIONS = 0x1, ((0x8, 2), (0x40, 4), (0x80, 8)), 0x20, 0x100

_INVALID_REFERENCE = 0x86
"""Error of an instruction that names a point which the glyph does not have. Some subsets have an empty `.notdef`."""

_UNITS = 64
"""FreeType counts in 64ths of a pixel."""


class _Instructions(NamedTuple):
    """Place of instructions in a table, and the glyph that they belong to."""

    tag: str
    start: int
    end: int
    glyph: int | None = None


def check_instructions(program: bytes) -> None:
    """Raises `OddProgram` if instructions move points of glyphs further than fitting needs."""
    with damaged_is_odd():
        _check(program)


def _check(program: bytes) -> None:
    tables = {tag: bytearray(table) for tag, table in tables_of(program).items()}
    found = list(_find(tables))
    glyphs = {one.glyph for one in found if one.glyph is not None}
    require(len(glyphs) <= _MAX_GLYPHS)
    if not glyphs:
        return
    questions = list[tuple[str, int]]()
    for one in found:
        for place in _places(tables[one.tag], one):
            instruction = tables[one.tag][place]
            require(instruction not in _UNUSUAL)
            if instruction == _GETINFO:
                questions.append((one.tag, place))
    if not questions:
        _check_points(program, glyphs)
        return
    for tag, place in questions:
        tables[tag][place] = _FREE
    for place, more in ((_LIMIT_OF_DEFINITIONS, 1), (_LIMIT_OF_STACK, 8)):
        pack_into(">H", tables["maxp"], place, min(unpack_from(">H", tables["maxp"], place)[0] + more, 0xFFFF))
    shared = tables.get("fpgm", b"")
    for answers in _ANSWERS:
        _check_points(with_tables({**tables, "fpgm": bytearray(_definition(*answers) + shared)}), glyphs)


def _find(tables: Mapping[str, bytearray]) -> Iterator[_Instructions]:
    for tag in ("fpgm", "prep"):
        if tag in tables:
            yield _Instructions(tag, 0, len(tables[tag]))
    outlines = tables["glyf"]
    for glyph, (start, end) in enumerate(pairwise(outline_places(tables))):
        if start == end:
            continue
        contours = unpack_from(">h", outlines, start)[0]
        place = start + 10 + 2 * contours if contours >= 0 else _after_parts(outlines, start + 10)
        length = unpack_from(">H", outlines, place)[0] if place is not None else 0
        if place is not None and length:
            yield _Instructions("glyf", place + 2, place + 2 + length, glyph)


def _after_parts(outlines: bytearray, place: int) -> int | None:
    """Returns where the length of the instructions of a composite glyph stands; None if it has none."""
    flags = _MORE
    while flags & _MORE:
        flags = unpack_from(">H", outlines, place)[0]
        place += 8 if flags & _WORDS else 6
        place += next((size for flag, size in _SCALES if flags & flag), 0)
    return place if flags & _HAS_INSTRUCTIONS else None


def _places(table: bytearray, found: _Instructions) -> Iterator[int]:
    """Yields the place of each instruction, without the data that instructions push."""
    place = found.start
    while place < found.end:
        yield place
        instruction = table[place]
        place += 1
        if instruction in (_PUSH_BYTES, _PUSH_WORDS):
            place += 1 + table[place] * (1 + (instruction == _PUSH_WORDS))
        elif instruction in _FEW_BYTES:
            place += instruction - _FEW_BYTES.start + 1
        elif instruction in _FEW_WORDS:
            place += 2 * (instruction - _FEW_WORDS.start + 1)


def _definition(version: int, smooth: int, subpixels: int) -> bytes:
    """Returns instructions that define `_FREE` as `GETINFO`, with these answers."""

    def answer(selector: int, value: int) -> bytes:
        # DUP, PUSHB selector, EQ, IF, POP, PUSHW value, ELSE
        return b"\x20\xb0%c\x54\x58\x21\xb8%b\x1b" % (selector, pack(">h", value))

    others = b"\x21\xb8" + pack(">h", version | smooth | subpixels)  # POP, PUSHW
    body = answer(1, version) + answer(32, smooth) + answer(64, subpixels) + others + 3 * b"\x59"  # EIF
    return b"\xb0%c\x89%b\x2d" % (_FREE, body)  # PUSHB, IDEF, ENDF


def _check_points(program: bytes, glyphs: set[int]) -> None:
    with _face(program) as face:
        units = face.contents.units_per_EM
        plain = {glyph: _points(face, glyph, FT_LOAD_NO_SCALE) for glyph in glyphs}
        for size in _SIZES:
            require(FT_Set_Pixel_Sizes(face, size, size) == 0)
            scale, most = _UNITS * size / units, _UNITS * (_PIXELS + _PART * size)
            for glyph, wanted in plain.items():
                points = _points(face, glyph, FT_LOAD_TARGET_MONO | FT_LOAD_NO_BITMAP)
                require(len(points) == len(wanted))
                require(all(abs(is_at - scale * was) <= most for is_at, was in zip(points, wanted, strict=True)))


def _points(face: Any, glyph: int, how: int) -> "array[int]":  # noqa: ANN401  # freetype-py has no types
    """Returns x and y of the points of a glyph, one after the other."""
    error = FT_Load_Glyph(face, glyph, how | FT_LOAD_PEDANTIC)
    require(error in (0, _INVALID_REFERENCE))
    require(not error or FT_Load_Glyph(face, glyph, how) == 0)
    outline = face.contents.glyph.contents.outline
    points = array("l")
    points.frombytes(string_at(outline.points, 2 * points.itemsize * outline.n_points) if outline.n_points else b"")
    return points


@contextmanager
def _face(program: bytes) -> Iterator[Any]:
    face = FT_Face()
    require(FT_New_Memory_Face(get_handle(), program, len(program), 0, byref(face)) == 0)
    try:
        yield face
    finally:
        FT_Done_Face(face)
