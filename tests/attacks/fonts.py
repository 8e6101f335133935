"""Font programs that readers may draw or name differently: outlines, tables, encodings, charstrings."""

import zlib
from collections.abc import Callable
from random import Random
from typing import Any

from fontTools.ttLib import TTFont, newTable
from fontTools.ttLib.tables._g_l_y_f import Glyph, GlyphComponent
from fontTools.ttLib.tables.DefaultTable import DefaultTable
from fontTools.ttLib.tables.ttProgram import Program

from tests.application.uploads.font_programs import (
    HINTS,
    LETTERS,
    OPERATORS,
    STANDARD,
    Item,
    cff,
    charstring,
    encoding,
    outline,
    truetype,
    type1,
)
from tests.attacks.draft import SHOWN, Draft, stream, text
from tests.attacks.tricks import Trick, into

_DESCRIBED = b"""<</Type/FontDescriptor/FontName/Letters/FontBBox [-210 -299 1032 1075]/ItalicAngle 0/Ascent 729
/Descent -218/CapHeight 729/StemV 85/Flags %d/%b %d 0 R>>"""
_FONT = b"<</Type/Font/Subtype/%b/BaseFont/Letters/FirstChar 32/LastChar 126/Widths [%b]/FontDescriptor %d 0 R%b>>"
_NAMES = (
    "four", "eight", "one", "A", "uni0034", "uni0038", "u0038", "g4", "g8", "glyph9", "cid10", "four.alt", "Odd",
    ".notdef",
)  # fmt: skip
_CODE = {code: glyph for code, glyph in LETTERS.items() if chr(code) in "EUR"}
_SWAPPED = LETTERS | {ord("4"): "eight", ord("8"): "four"}
_OTHER_SHAPE: tuple[Item, ...] = (100, 0, "rmoveto", 300, 0, "rlineto", 0, 500, "rlineto")


PLAIN = "fonts of all three formats"
"""What must be accepted."""

PROGRAMS: dict[str, Trick] = {}
"""What draws the sum with a font, by name."""

program = into(PROGRAMS)


def _use(draft: Draft, random: Random, kind: bytes, file: tuple[bytes, bytes], *, is_plain: bool = False) -> None:
    """Draws the sum with a program, which is `file`: the key of a descriptor and the program."""
    key, program = file
    entries = b"/Filter/FlateDecode" + {b"FontFile3": b"/Subtype/Type1C"}.get(key, b"/Length1 %d" % len(program))
    number = draft.add(stream(zlib.compress(program), entries))
    flags = 32 if is_plain else random.choice((4, 32, 32, 36, 0))
    described = draft.add(_DESCRIBED % (flags, key, number))
    chosen = b"/Encoding/WinAnsiEncoding" if is_plain else _encoding(random)
    draft.resource(b"Font", b"F9", b"%d 0 R" % draft.add(_FONT % (kind, b" ".join([b"600"] * 95), described, chosen)))
    draft.draw(text(SHOWN, 300, font="F9"))


def _encoding(random: Random) -> bytes:
    base = random.choice((b"", b"/WinAnsiEncoding", b"/WinAnsiEncoding", b"/StandardEncoding", b"/MacRomanEncoding"))
    if random.random() < 0.6:
        return b"/Encoding" + base if base else b""
    named = b" ".join(b"%d/%b" % (code, random.choice(_NAMES).encode()) for code in b"48" if random.random() < 0.7)
    return b"/Encoding<</Type/Encoding%b/Differences[%b]>>" % (b"/BaseEncoding" + base if base else b"", named)


def _own(random: Random) -> dict[int, str]:
    return random.choice((LETTERS, LETTERS, _SWAPPED, _CODE))


@program(PLAIN)
def _plain(draft: Draft, random: Random) -> None:
    kind, file = random.choice((
        (b"Type1", (b"FontFile", type1())), (b"Type1", (b"FontFile3", cff())),
        (b"TrueType", (b"FontFile2", truetype())),
    ))  # fmt: skip
    _use(draft, random, kind, file, is_plain=True)


# Charstrings


def _items(random: Random) -> list[Item]:
    """Returns some operators with some operands, most of them as they should be."""
    items: list[Item] = []
    for _ in range(random.randrange(1, 6)):
        count = random.choice((0, 1, 2, 2, 2, 4, 6, 6, 7))
        items += [random.randrange(-300, 300) for _ in range(count)]
        items.append(random.choice(("rlineto", "rmoveto", "rrcurveto", *OPERATORS)))
    return items


def _charstring(random: Random, start: tuple[Item, ...], end: tuple[Item, ...]) -> list[Item]:
    way = random.randrange(4)
    if way == 0:
        return [*start, *_items(random), *end]
    if way == 1:
        return [*start, *_OTHER_SHAPE, *_items(random), *end]
    known = [*start, *_OTHER_SHAPE, *end]
    place = random.randrange(len(known))
    if way == 2:
        return [*known[:place], *_items(random), *known[place:]]
    return known[:place] + known[place + 1 :]


@program("a Type 1 charstring")
def _type1_charstring(draft: Draft, random: Random) -> None:
    items = _charstring(random, (0, 600, "hsbw"), ("closepath", "endchar"))
    _use(draft, random, b"Type1", (b"FontFile", type1({"four": charstring(items)})), is_plain=True)


@program("a CFF charstring")
def _cff_charstring(draft: Draft, random: Random) -> None:
    code = charstring(_charstring(random, (), ("endchar",)), is_type2=True)

    def change(top: Any) -> None:
        top.CharStrings["four"].setBytecode(code)

    _use(draft, random, b"Type1", (b"FontFile3", cff(change)), is_plain=True)


# Programs


@program("a CFF program with an encoding of its own")
def _cff_encoding(draft: Draft, random: Random) -> None:
    own = _own(random)

    def change(top: Any) -> None:
        top.Encoding = [own.get(code, ".notdef") for code in range(256)]

    _use(draft, random, b"Type1", (b"FontFile3", cff(change)))


@program("a CFF program that is odd")
def _cff_program(draft: Draft, random: Random) -> None:
    name, value = random.choice((
        ("PaintType", 2), ("CharstringType", 1), ("StrokeWidth", 50), ("FontBBox", [0, 0, 10, 10]), ("isFixedPitch", 1),
        ("FontMatrix", [0.002, 0, 0, 0.001, 0, 0]), ("FontMatrix", [0.001, 0, 0.0004, 0.001, 0, 0]),
        ("FontMatrix", [0.001, 0, 0, 0.001, 100, 0]),
    ))  # fmt: skip

    def change(top: Any) -> None:
        top.rawDict[name] = value
        setattr(top, name, value)

    _use(draft, random, b"Type1", (b"FontFile3", cff(change)), is_plain=True)


@program("a Type 1 program with an encoding of its own")
def _type1_encoding(draft: Draft, random: Random) -> None:
    _use(draft, random, b"Type1", (b"FontFile", type1(own=random.choice((STANDARD, encoding(_own(random)))))))


@program("a Type 1 program that is odd")
def _type1_program(draft: Draft, random: Random) -> None:
    swapped, eight = encoding(_SWAPPED), charstring(outline("eight"))
    before: dict[bytes, tuple[bytes, ...]] = {
        b"currentdict end": (
            swapped, b"Encoding 52 /eight put\n", b"/Metrics 1 dict dup begin /four [300 600] def end def\n",
            b"/FontMatrix [0.002 0 0 0.001 0 0] def\n", b"/StrokeWidth 20 def\n", b"(\n/Encoding 256 array\n) pop\n",
        ),
        b"/PaintType 0": (b"% /PaintType 2\n", b"/PaintType 2 def\n", swapped),
        b"/OtherSubrs": (swapped, b"/lenIV 4 def\n", b"/lenIV 0 def\n", b"/BlueValues [0 20] def\n"),
        b"2 index /CharStrings": (swapped, b"/Subrs 1 array ND\n", b"/lenIV 0 def\n"),
        b"dup /FontName get": (
            b"dup /CharStrings get /four 1 index /eight get put\n", b"dup /Encoding get 52 /eight put\n",
        ),
    }  # fmt: skip
    place = random.choice(sorted(before))
    added = random.choice(before[place])

    def change(data: bytes) -> bytes:
        return data.replace(place, added + place)

    more = random.choice(([], [], [("four", eight)]))
    clear = random.choice((change, change, lambda data: data.replace(b"/FontType 1", b"/FontType 1 def\n/UniqueID 5")))
    private = random.choice((change, change, lambda data: data.replace(HINTS, b"/OtherSubrs [{}{}{}{pop 4}] ND\n")))
    own = random.choice((STANDARD, encoding(LETTERS)))
    _use(draft, random, b"Type1", (b"FontFile", type1(own=own, clear=clear, private=private, more=more)), is_plain=True)


def _instructions(font: TTFont, random: Random) -> None:
    glyph, font["fpgm"] = font["glyf"]["four"], newTable("fpgm")
    font["fpgm"].program = glyph.program = Program()
    moved = [word for point in range(4) for word in ("PUSHW[ ]", f"{point} {random.randrange(-900, 900)}", "SHPIX[ ]")]
    glyph.program.fromAssembly([random.choice(("SVTCA[0]", "SVTCA[1]")), *moved])
    font["maxp"].maxSizeOfInstructions, font["maxp"].maxStackElements = 200, 20


def _composite(font: TTFont, random: Random) -> None:
    glyph, part = Glyph(), GlyphComponent()
    part.glyphName = random.choice(("eight", "one", "four", "A"))
    part.flags = random.choice((2, 2, 0x802, 0x1002, 0x1802, 0x202, 0x400, 0))
    if random.random() < 0.2:
        part.firstPt, part.secondPt = random.randrange(3), random.randrange(3)
    else:
        part.x, part.y = random.randrange(-300, 300), random.randrange(-300, 300)
    if random.random() < 0.4:
        part.transform = random.choice(([[0.5, 0], [0, 0.5]], [[0, 0.7], [-0.7, 0]], [[1.5, 0], [0.3, 1]]))
    glyph.numberOfContours, glyph.components = -1, [part]
    glyph.xMin, glyph.yMin, glyph.xMax, glyph.yMax = 0, 0, random.choice((600, 10)), 700
    font["glyf"]["four"] = glyph


def _metrics(font: TTFont, random: Random) -> None:
    width, bearing = font["hmtx"]["four"]
    font["hmtx"]["four"] = (width, bearing + random.randrange(-500, 500))


def _box(font: TTFont, random: Random) -> None:
    setattr(font["glyf"]["four"], random.choice(("xMin", "yMin", "xMax", "yMax")), random.randrange(-500, 500))


def _table(font: TTFont, random: Random) -> None:
    tag = random.choice(("CFF ", "EBDT", "sbix", "SVG ", "COLR", "fvar", "kern", "cvt ", "prep"))
    font.tables[tag] = DefaultTable(tag)
    font.tables[tag].data = cff() if tag == "CFF " else random.randbytes(12)


def _number(font: TTFont, random: Random) -> None:
    table, name, most = random.choice((
        ("head", "unitsPerEm", 3000), ("hhea", "numberOfHMetrics", 12), ("head", "xMin", 900), ("head", "flags", 64),
        ("maxp", "maxPoints", 9), ("hhea", "ascent", 900),
    ))  # fmt: skip
    setattr(font[table], name, random.randrange(most))


_CHANGES: tuple[Callable[[TTFont, Random], None], ...] = (_instructions, _composite, _metrics, _box, _number, _table)


@program("a TrueType program that is odd")
def _truetype_program(draft: Draft, random: Random) -> None:
    chosen = sorted(random.sample(_CHANGES, random.choice((1, 1, 2))), key=_CHANGES.index)

    def change(font: TTFont) -> None:
        for one in chosen:
            one(font, random)

    _use(draft, random, b"TrueType", (b"FontFile2", truetype(change)), is_plain=True)


@program("a TrueType program whose tables disagree")
def _truetype_tables(draft: Draft, random: Random) -> None:
    def change(font: TTFont) -> None:
        (first, *_) = font["cmap"].tables
        font["cmap"].tables = []
        for platform, kind, start in random.sample(((1, 0, 0), (3, 0, 0xF000), (3, 1, 0), (0, 3, 0)), 2):
            table = type(first)(4)
            table.platformID, table.platEncID, table.language = platform, kind, 0
            table.cmap = {start + code: glyph for code, glyph in _own(random).items()}
            font["cmap"].tables.append(table)

    _use(draft, random, b"TrueType", (b"FontFile2", truetype(change)))
