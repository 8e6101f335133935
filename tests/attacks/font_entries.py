"""Entries of fonts that readers may take otherwise: widths, descriptors, CMaps, glyphs that are content streams."""

import zlib
from collections.abc import Sequence
from functools import cache
from io import BytesIO
from random import Random
from struct import pack

from fontTools.ttLib import TTFont

from tests.application.uploads.font_programs import LETTERS, cff, truetype, type1
from tests.attacks.draft import FONT, SHOWN, Draft, stream
from tests.attacks.fonts import program
from tests.attacks.tricks import usually

_BOX = b"/FontBBox [-210 -299 1032 1075]"


def _described(draft: Draft, random: Random, key: bytes, data: bytes) -> int:
    """Adds a descriptor with a program, which may lack what readers need, or say something else."""
    kind = {b"FontFile3": b"/Subtype/Type1C"}.get(key, b"/Length1 %d" % len(data))
    file = draft.add(stream(zlib.compress(data), b"/Filter/FlateDecode" + kind))
    box = usually(random, _BOX, (b"", b"/FontBBox null", b"/FontBBox [0 0 9 9]", b"/FontBBox [0 0 (a) 9]"))
    said = usually(
        random, b"/ItalicAngle 0/Ascent 729/Descent -218/CapHeight 729/StemV 85",
        (b"", b"/Ascent -700", b"/MissingWidth 900", b"/MissingWidth 900/StemV -5", b"/ItalicAngle 400/FontWeight 900"),
    )  # fmt: skip
    return draft.add(b"<</Type/FontDescriptor/FontName/Letters/Flags 32%b%b/%b %d 0 R>>" % (box, said, key, file))


def _show(draft: Draft, random: Random, font: bytes, shown: Sequence[bytes]) -> None:
    draft.resource(b"Font", b"F9", b"%d 0 R" % draft.add(font))
    state = usually(random, b"", (b"150 Tz ", b"5 Tc ", b"5 Tw ", b"1 Tr ", b"-100 Tz ", b"5 Ts ", b"2 Tr "))
    size = usually(random, b"36", (b"-36", b"300", b"1"))
    text = usually(random, shown[0], shown)
    draft.draw(b"q BT %b/F9 %b Tf 100 300 Td %b\n/F1 20 Tf (after) Tj ET Q\n" % (state, size, text))


# Simple fonts

_ROW = b"600 " * 95
_WIDTHS = (
    b"", b"/FirstChar 32/Widths[%b]" % _ROW, b"/LastChar 126/Widths[%b]" % _ROW,
    b"/FirstChar 32/LastChar 126/Widths[%b]" % _ROW[:80], b"/FirstChar 32/LastChar 51/Widths[%b]" % _ROW[:80],
    b"/FirstChar 32/LastChar 51/Widths[%b]" % _ROW,
    b"/FirstChar 32/LastChar 126/Widths[%b]" % _ROW.replace(b"6", b"-6"),
    b"/FirstChar 32/LastChar 126/Widths[%b]" % (b"(6) " * 95), b"/FirstChar 32.5/LastChar 126/Widths[%b]" % _ROW,
    b"/FirstChar 32/LastChar 126/Widths[%b]" % (b"null " * 20 + _ROW[80:]), b"/DW 900/W[0[9 9]]",
    b"/FirstChar -5/LastChar 89/Widths[%b]" % _ROW, b"/FirstChar 32/LastChar 126/Widths[%b]" % _ROW.replace(b"6", b"3"),
)  # fmt: skip
_TEXTS = (
    b"(EUR 48,000) Tj", rb"(\505UR 48,000) Tj", b"(EUR 4\\\n8,000) Tj", b"(EUR 4\r8,000) Tj", rb"(EUR 4\8,000) Tj",
    b"(\200EUR 48,000) Tj", b"[(EUR)-1000.5 .5( 48,000)] TJ", b"<4555522034382C303030> Tj", rb"(EUR 4\1) Tj",
    b"(EUR (4) 8) Tj", b'1 2 (EUR 48,000) "',
)  # fmt: skip


@program("a font whose widths are odd")
def _widths(draft: Draft, random: Random) -> None:
    kind, key, data = random.choice((
        (b"TrueType", b"FontFile2", truetype()), (b"Type1", b"FontFile3", cff()), (b"Type1", b"FontFile", type1()),
    ))  # fmt: skip
    widths = usually(random, b"/FirstChar 32/LastChar 126/Widths[%b]" % _ROW, _WIDTHS)
    encoding = usually(random, b"/Encoding/WinAnsiEncoding", (b"/Encoding/Identity-H", b"/Encoding/WinAnsi"))
    described = _described(draft, random, key, data)
    entries = b"/Subtype/%b/BaseFont/Letters%b%b/FontDescriptor %d 0 R" % (kind, widths, encoding, described)
    _show(draft, random, b"<</Type/Font%b>>" % entries, _TEXTS)


# Composite fonts


@cache
def _glyphs() -> tuple[dict[int, int], int]:
    order = TTFont(BytesIO(truetype())).getGlyphOrder()
    return {code: order.index(name) for code, name in LETTERS.items()}, len(order)


_CID_WIDTHS = (
    b"", b"/DW 1000/W[0[600 600]]", b"/W[0 20 600 5 8 900]", b"/W[5[900 900] 5[600 600]]", b"/W[20 0 600]", b"/W[5 9]",
    b"/DW -600", b"/W[0 20 null]", b"/DW 600/W[5[null 900]]", b"/DW 600.4/W[5.5[900]]", b"/DW 600/DW2[500 -300]",
)  # fmt: skip
_SYSTEMS = (
    b"", b"/CIDSystemInfo<</Registry(Adobe)/Ordering(Japan1)/Supplement 2>>", b"/CIDSystemInfo<</Ordering(UCS)>>",
    b"/CIDSystemInfo<</Registry(Adobe)/Ordering(GB1)/Supplement 2>>",
)  # fmt: skip
_CMAP = b"""/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CIDSystemInfo 3 dict dup begin
/Registry (Adobe) def /Ordering (Identity) def /Supplement 0 def end def /CMapName /Own def /CMapType 1 def %b
1 begincodespacerange <0000> <FFFF> endcodespacerange %b
endcmap CMapName currentdict /CMap defineresource pop end end"""


def _encoding(draft: Draft, random: Random) -> bytes:
    if random.random() < 0.5:
        others = b"/Identity-V /UniGB-UCS2-H /Identity /90ms-RKSJ-H /WinAnsiEncoding /H".split()
        return usually(random, b"/Identity-H", others)
    places, count = _glyphs()
    four, eight = places[ord("4")], places[ord("8")]
    all_of = b"1 begincidrange <0000> <%04x> 0 endcidrange" % count
    body = usually(random, all_of, (
        all_of + b" 1 begincidchar <%04x> %d endcidchar" % (four, eight), b"%b %b" % (all_of, all_of),
        b"1 begincidchar <%04x> %d endcidchar %b" % (four, eight, all_of), all_of.replace(b"1 b", b"2 b"),
        all_of + b" 1 beginnotdefrange <0000> <ffff> %d endnotdefrange" % eight, b"/x {%b} def" % all_of,
        all_of.replace(b"cidrange", b"bfrange"), b"", b"%% " + all_of, all_of.replace(b" 0 ", b" 0.0 "),
    ))  # fmt: skip
    head = usually(random, b"", (b"/WMode 1 def", b"/Identity-H usecmap", b"% usecmap\n"))
    entries = usually(random, b"", (b"/WMode 1", b"/UseCMap/Identity-V"))
    return b"%d 0 R" % draft.add(stream(_CMAP % (head, body), b"/Type/CMap/CMapName/Own" + entries))


@program("a composite font")
def _composite(draft: Draft, random: Random) -> None:
    places, count = _glyphs()
    is_truetype = random.random() < 0.6
    mapped = b"/CIDToGIDMap/Identity" if is_truetype else b""
    straight = b"".join(pack(">H", glyph) for glyph in range(count))
    maps = [stream(straight), stream(straight[:-5]), stream(b""), stream(straight[::-1])]
    others = [b"", b"/CIDToGIDMap/Other", b"/CIDToGIDMap %d 0 R" % draft.add(random.choice(maps))]
    system = b"/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>"
    inner = draft.add(b"<</Type/Font/Subtype/CIDFontType%b/BaseFont/Letters%b%b%b/FontDescriptor %d 0 R>>" % (
        b"2" if is_truetype else b"0", usually(random, system, _SYSTEMS), usually(random, mapped, others),
        usually(random, b"/DW 600", _CID_WIDTHS),
        _described(draft, random, *((b"FontFile2", truetype()) if is_truetype else (b"FontFile3", cff()))),
    ))  # fmt: skip
    named = usually(random, b"[%d 0 R]" % inner, (b"[%d 0 R %d 0 R]" % (inner, FONT), b"%d 0 R" % inner))
    font = b"<</Type/Font/Subtype/Type0/BaseFont/Letters/Encoding %b/DescendantFonts %b>>"
    shown = b"".join(b"%04x" % places[ord(one)] for one in SHOWN)
    texts = (b"<%b> Tj" % shown, b"<%b> Tj" % shown[:-2], b"[<%b><%b>] TJ" % (shown[:10], shown[10:]))
    _show(draft, random, font % (_encoding(draft, random), named), texts)


# Glyphs that are content streams

_DRAWINGS = (
    b"500 0 0 0 500 700 d1 0 0 500 700 re f", b"500 0 d0 0 0 1 rg 0 0 500 700 re f", b"0 0 500 700 re f",
    b"500 0 0 0 250 350 d1 0 0 500 700 re f", b"500 0 0 0 0 0 d1 0 0 500 700 re f",
    b"900 0 0 0 500 700 d1 0 0 500 700 re f", b"500 300 0 0 500 700 d1 0 0 500 700 re f",
    b"500 0 500 700 0 0 d1 0 0 500 700 re f", b"500 0 -100 -100 -1 -1 d1 0 0 500 700 re f",
    b"500 0 d0 q 500 0 0 700 0 0 cm BI /W 2 /H 2 /CS /G /BPC 8 ID abcd EI Q", b"500 0 d0 60 w 100 100 m 400 600 l S",
    b"500 0 d0 5 0 0 5 0 0 cm 0 0 100 140 re f", b"500 0 d0 0 0 500 700 re W n 0 0 2000 300 re f",
    b"500 0 0 0 500 700 d1 BT /F1 900 Tf (4) Tj ET", b"500 0 d0 q 0 1 0 RG 1 1 0 rg 40 w 0 0 500 700 re B Q",
)  # fmt: skip
_MATRICES = (
    b"[.002 0 0 .001 0 0]", b"[.001 0 0 -.001 0 0]", b"[.001 0 .0005 .001 0 0]", b"[.001 0 0 .001 .5 0]", b"null",
    b"[0 .001 -.001 0 0 0]", b"[.00001 0 0 .00001 0 0]", b"[0 0 0 0 0 0]",
)  # fmt: skip
_BOXES = (b"[0 0 0 0]", b"[0 0 100 100]", b"[500 700 0 0]", b"[0 0 1 1]", b"[1000 1000 2000 2000]", b"null")
_CODES = (
    b"97/a 98/b", b"97/b/a", b"97/a 97/b 98/b", b"98/b 97/a", b"97/a/.notdef", b"97/uni0061/b", b"/x " * 97 + b"/a/b",
)  # fmt: skip


@program("a font of drawings")
def _drawings(draft: Draft, random: Random) -> None:
    first, second = draft.add(stream(random.choice(_DRAWINGS))), draft.add(stream(b"250 0 d0 0 0 200 300 re f"))
    glyphs = b"/a %d 0 R/b %d 0 R" % (first, second)
    widths = (b"[0 250]", b"[500]", b"[-300 250]", b"[500 250 9]", b"[500 null]")
    font = (
        b"<</Type/Font/Subtype/Type3/CharProcs<<%b>>%b/FontMatrix %b/FontBBox %b/FirstChar 97/LastChar 98/Widths %b"
        b"/Encoding<</Differences [%b]>>>>"
    ) % (
        usually(random, glyphs, (b"/a %d 0 R" % first, b"/b %d 0 R" % first)),
        random.choice((b"", b"/Resources<<>>", b"/Resources<</Font<</F1 %d 0 R>>>>" % FONT)),
        usually(random, b"[.001 0 0 .001 0 0]", _MATRICES), usually(random, b"[0 0 500 700]", _BOXES),
        usually(random, b"[500 250]", widths), usually(random, b"97/a/b", _CODES),
    )  # fmt: skip
    _show(draft, random, font, (b"(abab) Tj", b"(aacb) Tj", b"(a b) Tj", b"<61006200> Tj"))
