"""Font programs of a few letters, of which any part can be written otherwise."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from io import BytesIO
from types import SimpleNamespace
from typing import Any

import pymupdf
from fontTools.cffLib import CFFFontSet
from fontTools.fontBuilder import FontBuilder
from fontTools.misc.eexec import encrypt
from fontTools.pens.cu2quPen import Cu2QuPen
from fontTools.pens.recordingPen import RecordingPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont

LETTERS = {
    ord(character): name
    for character, name in zip(
        " EURA,0148", ["space", "E", "U", "R", "A", "comma", "zero", "one", "four", "eight"], strict=True
    )
}
OF_FONTS = SimpleNamespace(recalcBBoxes=False)

_OPERATORS = {
    "hstem": b"\1", "vstem": b"\3", "vmoveto": b"\4", "rlineto": b"\5", "hlineto": b"\6", "vlineto": b"\7",
    "rrcurveto": b"\x08", "closepath": b"\x09", "callsubr": b"\x0a", "return": b"\x0b", "hsbw": b"\x0d",
    "endchar": b"\x0e", "hstemhm": b"\x12", "hintmask": b"\x13", "rmoveto": b"\x15", "hmoveto": b"\x16",
    "rcurveline": b"\x18", "rlinecurve": b"\x19", "vvcurveto": b"\x1a", "hhcurveto": b"\x1b", "callgsubr": b"\x1d",
    "vhcurveto": b"\x1e", "hvcurveto": b"\x1f", "dotsection": b"\x0c\0", "seac": b"\x0c\6", "sbw": b"\x0c\7",
    "add": b"\x0c\x0a", "div": b"\x0c\x0c", "callothersubr": b"\x0c\x10", "pop": b"\x0c\x11", "random": b"\x0c\x17",
    "setcurrentpoint": b"\x0c\x21", "flex": b"\x0c\x23", "unknown": b"\x0c\x7e",
}  # fmt: skip
OPERATORS = tuple(_OPERATORS)

Item = int | str


def charstring(items: Sequence[Item], *, is_type2: bool = False) -> bytes:
    """Returns numbers and operators as the bytes of a charstring."""
    return b"".join(_OPERATORS[one] if isinstance(one, str) else _number(one, is_type2=is_type2) for one in items)


def _number(value: int, *, is_type2: bool) -> bytes:
    if -107 <= value <= 107:
        return bytes([value + 139])
    if is_type2:
        return b"\x1c" + value.to_bytes(2, "big", signed=True)
    return b"\xff" + value.to_bytes(4, "big", signed=True)


@cache
def outline(glyph: str, width: int | None = 600) -> tuple[Item, ...]:
    """Returns the outline of a glyph as a charstring, of Type 1 if it has a width."""
    pen, items, at = RecordingPen(), list[Item](), (0, 0)
    _letters().CharStrings[glyph].draw(pen)
    closing: tuple[Item, ...] = ("closepath",)
    if width is None:
        closing = ()
    else:
        items += [0, width, "hsbw"]
    for name, points in pen.value:
        for x, y in points:
            items += [round(x) - at[0], round(y) - at[1]]
            at = (round(x), round(y))
        items += {"moveTo": ("rmoveto",), "lineTo": ("rlineto",), "curveTo": ("rrcurveto",)}.get(name, closing)
    return (*items, "endchar")


def _fonts() -> Any:
    fonts = CFFFontSet()
    fonts.decompile(BytesIO(pymupdf.Font("helv").buffer), OF_FONTS)
    return fonts


@cache
def _letters() -> Any:
    return _fonts().topDictIndex[0]


def cff(change: Callable[[Any], object] = lambda _top: None) -> bytes:
    """A CFF program of all letters of Latin; `change` changes its top dictionary."""
    fonts, written = _fonts(), BytesIO()
    change(fonts.topDictIndex[0])
    fonts.compile(written, OF_FONTS)
    return written.getvalue()


def cff_with(glyph: str, code: bytes) -> bytes:
    """A CFF program that draws a glyph by a charstring."""

    def change(top: Any) -> None:
        top.CharStrings[glyph].setBytecode(code)

    return cff(change)


HINTS = (
    b"/OtherSubrs [{}{}{}{systemdict /internaldict known not {pop 3} {1183615869 systemdict /internaldict get exec "
    b"dup /startlock known {/startlock get exec} {dup /strtlck known {/strtlck get exec} {pop 3} ifelse} ifelse} "
    b"ifelse} executeonly] ND\n"
)
STANDARD = b"/Encoding StandardEncoding def\n"
SUBROUTINES = (
    (3, 0, "callothersubr", "pop", "pop", "setcurrentpoint", "return"),
    (0, 1, "callothersubr", "return"),
    (0, 2, "callothersubr", "return"),
    ("return",),
    (10, 20, "hstem", "return"),
)


def encoding(codes: Mapping[int, str]) -> bytes:
    """An encoding of a Type 1 program."""
    return b"/Encoding 256 array\n0 1 255 {1 index exch /.notdef put} for\n%breadonly def\n" % b"".join(
        b"dup %d /%b put\n" % (code, glyph.encode()) for code, glyph in codes.items()
    )


def type1(
    glyphs: Mapping[str, bytes] = {},
    *,
    own: bytes = STANDARD,
    clear: Callable[[bytes], bytes] = lambda data: data,
    private: Callable[[bytes], bytes] = lambda data: data,
    more: Sequence[tuple[str, bytes]] = (),
) -> bytes:
    """A Type 1 program. `clear` and `private` change its two parts, and `more` are further glyphs."""
    drawn = {name: charstring(outline(name)) for name in (".notdef", *LETTERS.values())} | glyphs
    listed = [*drawn.items(), *more]
    first = (
        b"%%!PS-AdobeFont-1.0: Letters\n11 dict begin\n/FontInfo 2 dict dup begin\n"
        b"/FullName (Letters) readonly def\nend readonly def\n/FontName /Letters def\n"
        b"%b/PaintType 0 def\n/FontType 1 def\n"
        b"/FontMatrix [0.001 0 0 0.001 0 0] readonly def\n/FontBBox {-210 -299 1032 1075} readonly def\n"
        b"currentdict end\ncurrentfile eexec\n"
    ) % own
    subroutines = [_encrypted(charstring(one)) for one in SUBROUTINES]
    second = (
        b"dup /Private 8 dict dup begin\n/RD {string currentfile exch readstring pop} executeonly def\n"
        b"/ND {noaccess def} executeonly def\n/NP {noaccess put} executeonly def\n/BlueValues [] def\n"
        b"/MinFeature {16 16} def\n/password 5839 def\n%b/Subrs %d array\n%bND\n"
        b"2 index /CharStrings %d dict dup begin\n"
        b"%bend\nend\nreadonly put\nnoaccess put\ndup /FontName get exch definefont pop\nmark currentfile closefile\n"
    ) % (
        HINTS,
        len(subroutines),
        b"".join(b"dup %d %d RD %b NP\n" % (at, len(one), one) for at, one in enumerate(subroutines)),
        len(listed),
        b"".join(b"/%b %d RD %b ND\n" % (name.encode(), len(one) + 4, _encrypted(one)) for name, one in listed),
    )
    hidden, _ = encrypt(bytes(4) + private(second), 55_665)
    return clear(first) + hidden + b"0" * 512 + b"\ncleartomark\n"


def _encrypted(code: bytes) -> bytes:
    hidden: bytes = encrypt(bytes(4) + code, 4_330)[0]
    return hidden


@cache
def _truetype() -> bytes:
    builder, order = FontBuilder(1000, isTTF=True), [".notdef", *LETTERS.values()]
    glyphs = {}
    for name in order:
        pen = TTGlyphPen(None)
        _letters().CharStrings[name].draw(Cu2QuPen(pen, 1))
        glyphs[name] = pen.glyph()
    builder.setupGlyphOrder(order)
    builder.setupCharacterMap(LETTERS)
    builder.setupGlyf(glyphs)
    builder.setupHorizontalMetrics({name: (600, getattr(glyphs[name], "xMin", 0)) for name in order})
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupPost()
    written = BytesIO()
    builder.font.recalcTimestamp = False
    builder.save(written)
    return written.getvalue()


def truetype(change: Callable[[TTFont], object] = lambda _font: None) -> bytes:
    """A TrueType program; `change` changes it. Boxes stay as they are written."""
    font = TTFont(BytesIO(_truetype()), recalcBBoxes=False, recalcTimestamp=False)
    change(font)
    written = BytesIO()
    font.save(written, reorderTables=None)
    return written.getvalue()
