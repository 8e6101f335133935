"""The fonts of shaped text as PDF objects: one for each cut, with the glyphs that are shown."""

from collections.abc import Mapping
from typing import Protocol

from layout.pdf.cmaps import CODES_TO_GLYPHS, to_glyphs, to_text
from layout.text.font_fallback import FontVariant
from layout.text.font_subset import cid_set
from layout.text.glyph_encoding import GlyphEncoding, GlyphKey
from layout.text.glyph_subset import GlyphSubset, glyph_subset_of

_SYSTEM = "/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>"


class Objects(Protocol):
    """Where new objects go; each gives its number."""

    def add(self, definition: str) -> int: ...

    def add_stream(self, contents: bytes, entries: str = "") -> int: ...


def add_glyph_fonts(objects: Objects, codes: GlyphEncoding) -> dict[str, int]:
    """Embeds the cuts; object numbers by resource name."""
    return {codes.font(variant): _add_font(objects, variant, keys) for variant, keys in codes.by_variant.items()}


def _add_font(objects: Objects, variant: FontVariant, keys: Mapping[GlyphKey, int]) -> int:
    subset = glyph_subset_of(variant, frozenset(glyph for glyph, _ in keys))
    glyphs = {code: subset.glyphs[glyph] for (glyph, _), code in keys.items()}
    if subset.is_cff:
        encoding = f"{objects.add_stream(to_glyphs(glyphs, length=2), CODES_TO_GLYPHS)} 0 R"
        descendant = _add_postscript(objects, variant, subset)
    else:
        encoding = "/Identity-H"
        descendant = _add_truetype(objects, variant, subset, glyphs)
    unicode = objects.add_stream(to_text({code: text for (_, text), code in keys.items()}, length=2))
    return objects.add(
        f"<< /Type /Font /Subtype /Type0 /BaseFont /{subset.name} /Encoding {encoding} "
        f"/DescendantFonts [{descendant} 0 R] /ToUnicode {unicode} 0 R >>"
    )


def _add_postscript(objects: Objects, variant: FontVariant, subset: GlyphSubset) -> int:
    program = objects.add_stream(subset.program, "/Subtype /CIDFontType0C")
    present = objects.add_stream(cid_set(range(subset.count)))
    descriptor = _add_descriptor(objects, variant, subset, f"/FontFile3 {program} 0 R /CIDSet {present} 0 R")
    return objects.add(
        f"<< /Type /Font /Subtype /CIDFontType0 /BaseFont /{subset.name} /FontDescriptor {descriptor} 0 R "
        f"{_SYSTEM} /DW 0 /W [{_widths(subset.widths)}] >>"
    )


def _add_truetype(objects: Objects, variant: FontVariant, subset: GlyphSubset, glyphs: Mapping[int, int]) -> int:
    """With a map from codes to glyphs, not a CMap: some readers copy by what a CMap leads to, and would take the
    several codes of a glyph for one.
    """
    program = objects.add_stream(subset.program, f"/Length1 {len(subset.program)}")
    present = objects.add_stream(cid_set({0, *glyphs}))
    descriptor = _add_descriptor(objects, variant, subset, f"/FontFile2 {program} 0 R /CIDSet {present} 0 R")
    numbers = (glyphs.get(code, 0) for code in range(max(glyphs, default=0) + 1))
    to_glyph = objects.add_stream(b"".join(number.to_bytes(2, "big") for number in numbers))
    widths = {0: subset.widths[0]} | {code: subset.widths[glyph] for code, glyph in glyphs.items()}
    return objects.add(
        f"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /{subset.name} /FontDescriptor {descriptor} 0 R "
        f"/CIDToGIDMap {to_glyph} 0 R {_SYSTEM} /DW 0 /W [{_widths(widths)}] >>"
    )


def _add_descriptor(objects: Objects, variant: FontVariant, subset: GlyphSubset, program: str) -> int:
    extents = variant.font.get_font_extents("ltr")
    return objects.add(
        f"<< /Type /FontDescriptor /FontName /{subset.name} /Flags 4 /FontBBox [-1000 -1000 3000 2000] "
        f"/ItalicAngle {-12 if 'Italic' in variant.name else 0} "
        f"/Ascent {extents.ascender} /Descent {extents.descender} "
        f"/CapHeight 700 /StemV {140 if 'Bold' in variant.name else 80} {program} >>"
    )


def _widths(widths: Mapping[int, int]) -> str:
    return " ".join(f"{code} [{width}]" for code, width in widths.items())
