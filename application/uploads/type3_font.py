"""Fonts of Type 3, whose glyphs are content streams, in the one form that all readers draw alike.

ISO 32000-2, 9.6.4. Readers differ about codes without a width or a glyph, turned or shifted glyphs, glyphs that say
another width than the font, and boxes that are smaller than what is drawn: some clip to them, others do not.
"""

import math
import re
from collections.abc import Iterator

from pikepdf import Array, Dictionary, Name, Object, Stream

from application.uploads.charstrings import OddProgram
from application.uploads.content_state import REGULAR
from application.uploads.font_encodings import differences_of
from application.uploads.glyph_bounds import Box, bounds_of, united
from application.uploads.pdf_keys import is_numbers
from application.uploads.text_strings import SPACES

_OTHER_WIDTHS = "fonts that say two widths for a letter"
_CUT_OFF = "fonts whose glyphs are larger than their boxes"
_LAST_CODE = 255
_MIN_UNIT, _MAX_UNIT = 1e-4, 2.0
"""The size of a unit of a glyph, as a part of the size of the font."""

_ROUNDED = 0.02
"""What rounding changes in a width or a box, as a part of the size of the font."""

_FAR = 20
"""The distance that a glyph of unknown bounds may reach, in sizes of the font."""

_BEGIN = re.compile(rb"[%b]*+((?:[0-9.+\-]++[%b]++){2,6}?)d([01])(?!%b)" % (SPACES, SPACES, REGULAR))


def codes_of_type3(font: Object) -> bytes:
    """Returns the codes that have a glyph which says the same width as the font. Raises `OddProgram`."""
    tolerance = _ROUNDED / _check_entries(font)
    codes = bytearray()
    for code, _, glyph, width in _widths(font):
        across, upwards, *_ = _beginning(glyph.read_bytes())[0]
        if abs(across - width) <= tolerance and not upwards:
            codes.append(code)
    return bytes(codes)


def plain_type3(font: Object, images: frozenset[str], found: set[str]) -> None:
    """Makes the boxes of a font and of its glyphs as large as what they draw, and gives glyphs the widths of the font.

    `images`: the names of the XObjects of the font that are images. Raises `OddProgram`.
    """
    unit = _check_entries(font)
    boxes = []
    for glyph, width in {name: (glyph, width) for _, name, glyph, width in _widths(font)}.values():
        box = bounds_of(glyph, images) or (-_FAR / unit, -_FAR / unit, _FAR / unit, _FAR / unit)
        boxes.append(box)
        _plain_beginning(glyph, width, box, _ROUNDED / unit, found)
    around = united(boxes)
    declared = _numbers(font.FontBBox, 4)
    if around is not None and any(declared) and not _is_within(around, declared, _ROUNDED / unit):
        found.add(_CUT_OFF)
        font.FontBBox = Array([*map(math.floor, around[:2]), *map(math.ceil, around[2:])])


def _widths(font: Object) -> Iterator[tuple[int, str, Stream, float]]:
    """Yields code, name, content and width of the glyphs."""
    widths = list(map(float, font.Widths))
    for code, name in differences_of(font.Encoding).items():
        glyph, place = font.CharProcs.get(Name("/" + name)), code - int(font.FirstChar)
        if isinstance(glyph, Stream) and 0 <= place < len(widths):
            yield code, name, glyph, widths[place]


def _check_entries(font: Object) -> float:
    """Returns the size of a unit of the glyphs, as a part of the size of the font."""
    across, *others, upwards, right, up = _numbers(font.get(Name.FontMatrix), 6)
    if any(others) or right or up or not all(_MIN_UNIT <= size <= _MAX_UNIT for size in (across, abs(upwards))):
        raise OddProgram
    _numbers(font.get(Name.FontBBox), 4)
    first, last = font.get(Name.FirstChar), font.get(Name.LastChar)
    if not isinstance(first, int) or not isinstance(last, int):
        raise OddProgram
    _numbers(font.get(Name.Widths), last - first + 1)
    encoding = font.get(Name.Encoding)
    listed = encoding.get(Name.Differences) if isinstance(encoding, Dictionary) else None
    if not isinstance(listed, Array) or not isinstance(font.get(Name.CharProcs), Dictionary):
        raise OddProgram
    names = [one for one in listed if isinstance(one, Name)]
    if len(names) != len(differences_of(encoding)):
        raise OddProgram  # a code with two glyphs
    if not all(isinstance(one, Name) or (isinstance(one, int) and 0 <= one <= _LAST_CODE) for one in listed):
        raise OddProgram
    return min(across, abs(upwards))


def _plain_beginning(glyph: Stream, width: float, box: Box, tolerance: float, found: set[str]) -> None:
    """Makes the box that a glyph says as large as what it draws, and its width that of the font."""
    content = glyph.read_bytes()
    (across, upwards, *declared), end = _beginning(content)
    is_width = not upwards and abs(across - width) <= tolerance
    is_box = not declared or _is_within(box, declared, tolerance)
    if not is_width or not is_box:
        found.add(_OTHER_WIDTHS if is_box else _CUT_OFF)
        around = [] if not declared else [*map(math.floor, box[:2]), *map(math.ceil, box[2:])]
        begin = " ".join(f"{one:.9g}" for one in (width, 0, *around))
        glyph.write(b"%b d%d%b" % (begin.encode(), bool(around), content[end:]))


def _beginning(content: bytes) -> tuple[list[float], int]:
    """Returns the numbers of the first instruction of a glyph, and where it ends.

    These are the width across and upwards, and the box if it has one.
    """
    begins = _BEGIN.match(content)
    numbers = [float(one) for one in begins[1].replace(b"\0", b" ").split()] if begins else []
    if begins is None or len(numbers) != (6 if begins[2] == b"1" else 2):
        raise OddProgram
    return numbers, begins.end()


def _is_within(inner: Box, outer: list[float], tolerance: float) -> bool:
    (left, right), (bottom, top) = sorted(outer[::2]), sorted(outer[1::2])
    return (
        left - tolerance <= inner[0]
        and bottom - tolerance <= inner[1]
        and inner[2] <= right + tolerance
        and inner[3] <= top + tolerance
    )


def _numbers(values: Object | None, count: int) -> list[float]:
    if values is None or not is_numbers(values, count):
        raise OddProgram
    return [float(value) for value in values]
