"""The fonts of shaped text as PDF objects: one for each cut, with the glyphs that are shown."""

from collections.abc import Mapping
from typing import Protocol

from layout.pdf.cmaps import CODES_TO_GLYPHS, to_glyphs, to_text
from layout.text.font_fallback import Cut
from layout.text.font_subset import cid_set
from layout.text.glyph_encoding import GlyphCodes, Shown
from layout.text.glyph_subset import GlyphSubset, glyph_subset_of

_SYSTEM = "/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>"


class Objects(Protocol):
    """Where new objects go; each gives its number."""

    def add(self, definition: str) -> int: ...

    def add_stream(self, contents: bytes, entries: str = "") -> int: ...


def add_glyph_fonts(objects: Objects, codes: GlyphCodes) -> dict[str, int]:
    """Embeds the cuts; object numbers by resource name."""
    return {codes.font(cut): _add_font(objects, cut, shown) for cut, shown in codes.by_cut.items()}


def _add_font(objects: Objects, cut: Cut, shown: Mapping[Shown, int]) -> int:
    subset = glyph_subset_of(cut, frozenset(glyph for glyph, _ in shown))
    glyphs = {code: subset.glyphs[glyph] for (glyph, _), code in shown.items()}
    if subset.is_cff:
        encoding = f"{objects.add_stream(to_glyphs(glyphs, length=2), CODES_TO_GLYPHS)} 0 R"
        descendant = _add_postscript(objects, cut, subset)
    else:
        encoding = "/Identity-H"
        descendant = _add_truetype(objects, cut, subset, glyphs)
    unicode = objects.add_stream(to_text({code: text for (_, text), code in shown.items()}, length=2))
    return objects.add(
        f"<< /Type /Font /Subtype /Type0 /BaseFont /{subset.name} /Encoding {encoding} "
        f"/DescendantFonts [{descendant} 0 R] /ToUnicode {unicode} 0 R >>"
    )


def _add_postscript(objects: Objects, cut: Cut, subset: GlyphSubset) -> int:
    program = objects.add_stream(subset.program, "/Subtype /CIDFontType0C")
    present = objects.add_stream(cid_set(range(subset.count)))
    descriptor = _add_descriptor(objects, cut, subset, f"/FontFile3 {program} 0 R /CIDSet {present} 0 R")
    return objects.add(
        f"<< /Type /Font /Subtype /CIDFontType0 /BaseFont /{subset.name} /FontDescriptor {descriptor} 0 R "
        f"{_SYSTEM} /DW 0 /W [{_widths(subset.widths)}] >>"
    )


def _add_truetype(objects: Objects, cut: Cut, subset: GlyphSubset, glyphs: Mapping[int, int]) -> int:
    """With a map from codes to glyphs, not a CMap: some readers copy by what a CMap leads to, and would take the
    several codes of a glyph for one.
    """
    program = objects.add_stream(subset.program, f"/Length1 {len(subset.program)}")
    present = objects.add_stream(cid_set({0, *glyphs}))
    descriptor = _add_descriptor(objects, cut, subset, f"/FontFile2 {program} 0 R /CIDSet {present} 0 R")
    numbers = (glyphs.get(code, 0) for code in range(max(glyphs, default=0) + 1))
    to_glyph = objects.add_stream(b"".join(number.to_bytes(2, "big") for number in numbers))
    widths = {0: subset.widths[0]} | {code: subset.widths[glyph] for code, glyph in glyphs.items()}
    return objects.add(
        f"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /{subset.name} /FontDescriptor {descriptor} 0 R "
        f"/CIDToGIDMap {to_glyph} 0 R {_SYSTEM} /DW 0 /W [{_widths(widths)}] >>"
    )


def _add_descriptor(objects: Objects, cut: Cut, subset: GlyphSubset, program: str) -> int:
    extents = cut.font.get_font_extents("ltr")
    return objects.add(
        f"<< /Type /FontDescriptor /FontName /{subset.name} /Flags 4 /FontBBox [-1000 -1000 3000 2000] "
        f"/ItalicAngle {-12 if 'Italic' in cut.name else 0} /Ascent {extents.ascender} /Descent {extents.descender} "
        f"/CapHeight 700 /StemV {140 if 'Bold' in cut.name else 80} {program} >>"
    )


def _widths(widths: Mapping[int, int]) -> str:
    return " ".join(f"{code} [{width}]" for code, width in widths.items())
