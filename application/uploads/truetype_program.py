"""TrueType programs, written in the form that all readers draw alike (ISO/IEC 14496-22, OpenType).

Only the tables that a PDF needs stay, and each glyph is an outline of its own. Some readers run the instructions of
glyphs, which may draw anything, choose among bitmaps, colours and variations, or place glyphs by the box in their
header.
"""

from array import array
from collections.abc import Mapping
from io import BytesIO
from struct import pack, unpack_from
from types import SimpleNamespace
from typing import Any, NamedTuple

from fontTools.ttLib.sfnt import SFNTReader, SFNTWriter
from fontTools.ttLib.tables._g_l_y_f import (
    SCALED_COMPONENT_OFFSET,
    UNSCALED_COMPONENT_OFFSET,
    USE_MY_METRICS,
    Glyph,
    GlyphCoordinates,
)

from application.uploads.charstrings import damaged_is_odd, require

TRUETYPE = (b"\0\1\0\0", b"true")
"""How a TrueType program begins."""

_AS_THEY_ARE = ("cmap", "post")
_MIN_UNITS, _MAX_UNITS = 64, 16_384
_MAX_DEPTH = 8
_MAX_POINTS = 5_000_000
"""Limit of the points of all glyphs: as much as fonts of all Chinese characters have."""

_ON_CURVE = 1
_DATE = 0x7C259DC0
"""1970, in seconds since 1904."""

_BY_NUMBER = SimpleNamespace(getGlyphName=int, extended=False)
_EMPTY_BOX = (0, 0, 0, 0)


_OTHER_LOOKS = frozenset({"CBDT", "CFF ", "CFF2", "COLR", "EBDT", "SVG ", "bdat", "fvar", "gvar", "sbix"})
"""Tables with other looks of the glyphs."""

_NEGLIGIBLE = 50
"""Part of the size of the font by which readers may place a glyph differently."""


class PlainTrueType(NamedTuple):
    """A program in plain form. `is_new`: whether some readers draw the former one differently."""

    program: bytes
    is_new: bool


_plain_forms: dict[bytes, PlainTrueType] = {}


def plain_truetype(program: bytes) -> PlainTrueType:
    """Returns the program in plain form. Raises `OddProgram` if readers may differ in what it draws.

    Results are kept until `forget_programs`: a large program takes ten seconds, and the plain form of a file is checked
    again.
    """
    if program not in _plain_forms:
        plain = _plain_forms[program] = _read(program)
        _plain_forms[plain.program] = PlainTrueType(plain.program, is_new=False)
    return _plain_forms[program]


def forget_programs() -> None:
    _plain_forms.clear()


def _read(program: bytes) -> PlainTrueType:
    require(program.startswith(TRUETYPE))
    with damaged_is_odd():
        opened = _Program(program)
        return PlainTrueType(opened.write(), opened.is_new)


def tables_of(program: bytes) -> dict[str, bytes]:
    """Returns the tables of a program by their tags."""
    reader = SFNTReader(BytesIO(program))
    return {tag: reader[tag] for tag in reader.keys()}  # noqa: SIM118  # no mapping


def outline_places(tables: Mapping[str, bytes | bytearray]) -> list[int]:
    """Returns where the outline of each glyph begins in the table `glyf`, and where the last one ends."""
    (count,) = unpack_from(">H", tables["maxp"], 4)
    kind, unit = ("I", 1) if unpack_from(">h", tables["head"], 50)[0] else ("H", 2)
    return [unit * place for place in unpack_from(f">{count + 1}{kind}", tables["loca"])]


def with_tables(tables: Mapping[str, bytes | bytearray]) -> bytes:
    """Returns a program with these tables."""
    written = BytesIO()
    writer = SFNTWriter(written, len(tables), "\0\1\0\0")
    for tag in sorted(tables):
        writer[tag] = bytes(tables[tag])
    writer.close()
    return written.getvalue()


class _Outline:
    """The points of a glyph: coordinates, flags, and the last point of each contour.

    `shift`: how far readers move it to the left, by its side bearing. `box`: the one in its header.
    """

    def __init__(self, shift: int = 0, box: tuple[int, ...] = _EMPTY_BOX) -> None:
        self.points = GlyphCoordinates()
        self.flags = array("B")
        self.ends: list[int] = []
        self.shift = shift
        self.box = box

    def add(self, part: Any, inner: "_Outline") -> None:  # noqa: ANN401  # fontTools has no types
        """Adds a component, which is the outline `inner`."""
        points, start = inner.points.copy(), len(self.points)
        has_scale = hasattr(part, "transform")
        if has_scale:
            points.transform(part.transform)
        is_scaled = part.flags & SCALED_COMPONENT_OFFSET and not part.flags & UNSCALED_COMPONENT_OFFSET
        require(not hasattr(part, "firstPt") and not (is_scaled and has_scale))
        points.translate((part.x, part.y))
        self.points.extend(points)
        self.flags.extend(inner.flags)
        self.ends.extend(start + end for end in inner.ends)
        if part.flags & USE_MY_METRICS:
            self.shift = inner.shift


class _Program:
    def __init__(self, program: bytes) -> None:
        self._tables = tables_of(program)
        head = self._tables["head"]
        (self._units,) = unpack_from(">H", head, 18)
        (self._count,) = unpack_from(">H", self._tables["maxp"], 4)
        (self._measured,) = unpack_from(">H", self._tables["hhea"], 34)
        require(0 < self._measured <= self._count and _MIN_UNITS <= self._units <= _MAX_UNITS)
        self._places = outline_places(self._tables)
        self.is_new = not _OTHER_LOOKS.isdisjoint(self._tables)
        self._points = 0
        self._outlines = dict[int, _Outline]()

    def write(self) -> bytes:
        glyphs = [self._plain(number) for number in range(self._count)]
        bodies = [one.compile(None) if one.numberOfContours else b"" for one in glyphs]
        bodies = [body + bytes(-len(body) % 4) for body in bodies]
        places = [0]
        for body in bodies:
            places.append(places[-1] + len(body))
        drawn = [one for one in glyphs if one.numberOfContours]
        boxes = [(one.xMin, one.yMin, one.xMax, one.yMax) for one in drawn] or [_EMPTY_BOX]
        box = tuple(choose(edges) for choose, edges in zip((min, min, max, max), zip(*boxes, strict=True), strict=True))
        metrics = [
            (self._metrics(number)[0], one.xMin if one.numberOfContours else 0) for number, one in enumerate(glyphs)
        ]
        widest, least = (choose(column) for choose, column in zip((max, min), zip(*metrics, strict=True), strict=True))
        points = max((len(one.coordinates) for one in drawn), default=0)
        contours = max((one.numberOfContours for one in drawn), default=0)
        tables = {
            "glyf": b"".join(bodies),
            "head": pack(
                ">4I2H2Q4h2H3h", 1 << 16, 1 << 16, 0, 0x5F0F3CF5, 3, self._units, _DATE, _DATE, *box, 0, 8, 2, 1, 0,
            ),
            "hhea": pack(
                ">I3hH3h3h8xhH", 1 << 16, *unpack_from(">3h", self._tables["hhea"], 4), widest, least, 0, box[2], 1, 0,
                0, 0, self._count,
            ),
            "hmtx": b"".join(pack(">Hh", *one) for one in metrics),
            "loca": pack(f">{len(places)}I", *places),
            "maxp": pack(">I14H", 1 << 16, self._count, points, contours, 0, 0, 1, *[0] * 8),
            **{tag: self._tables[tag] for tag in _AS_THEY_ARE if tag in self._tables},
        }  # fmt: skip
        return with_tables(tables)

    def _plain(self, number: int) -> Any:  # noqa: ANN401
        outline, glyph = self._outline(number, 0), Glyph()
        glyph.numberOfContours = len(outline.ends)
        if outline.ends:
            glyph.coordinates = outline.points.copy()
            glyph.coordinates.translate((-outline.shift, 0))
            glyph.coordinates.toInt()
            glyph.flags, glyph.endPtsOfContours = outline.flags, outline.ends
            glyph.removeHinting()
            glyph.recalcBounds(None)
            box = (glyph.xMin + outline.shift, glyph.yMin, glyph.xMax + outline.shift, glyph.yMax)
            apart = [abs(one - other) for one, other in zip(box, outline.box, strict=True)]
            self.is_new = self.is_new or max(*apart, abs(outline.shift)) * _NEGLIGIBLE > self._units
        return glyph

    def _outline(self, number: int, depth: int) -> _Outline:
        found = self._outlines.get(number)
        if found is None:
            require(depth <= _MAX_DEPTH and number < self._count)
            found = self._outlines[number] = self._read(number, depth)
            self._points += len(found.points)
            require(self._points <= _MAX_POINTS)
        return found

    def _read(self, number: int, depth: int) -> _Outline:
        start, end = self._places[number : number + 2]
        require(start <= end <= len(self._tables["glyf"]))
        glyph = Glyph(self._tables["glyf"][start:end])
        glyph.expand(_BY_NUMBER)
        if not glyph.numberOfContours:
            return _Outline()
        box = (glyph.xMin, glyph.yMin, glyph.xMax, glyph.yMax)
        outline = _Outline(glyph.xMin - self._metrics(number)[1], box)
        if glyph.isComposite():
            for part in glyph.components:
                outline.add(part, self._outline(part.glyphName, depth + 1))
        else:
            outline.points, outline.ends = glyph.coordinates, list(glyph.endPtsOfContours)
            outline.flags = array("B", (flag & _ON_CURVE for flag in glyph.flags))
        return outline

    def _metrics(self, number: int) -> tuple[int, int]:
        """Returns the width and the side bearing of a glyph, 0 where the table ends before."""
        data = self._tables["hmtx"]
        last = min(number, self._measured - 1)
        bearing = 4 * last + 2 if number == last else 4 * self._measured + 2 * (number - self._measured)
        width = unpack_from(">H", data, 4 * last)[0] if 4 * last + 4 <= len(data) else 0
        return width, unpack_from(">h", data, bearing)[0] if bearing + 2 <= len(data) else 0
