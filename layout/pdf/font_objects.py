"""Fonts as PDF objects: subsets of the glyphs that a document uses, and their CMaps. ISO 32000-1, 9.7 and 9.10.3."""

from collections.abc import Iterable, Mapping

from layout.pdf.file_writer import PdfObjects
from layout.text.character_codes import FontEncoding, GlyphKey
from layout.text.font_fallback import FontVariant
from layout.text.font_subset import Subset, cid_set, glyph_subset_of, subset_of
from layout.text.fonts import Face

_SYSTEM = "/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>"
_CODES_TO_GLYPHS = f"/Type /CMap /CMapName /Codes {_SYSTEM}"
"""Entries of a stream with a CMap from codes to glyphs."""


def _glyph_cmap(glyphs: Mapping[int, int], length: int = 1) -> bytes:
    """Returns a CMap from codes of `length` bytes to glyph numbers."""
    return _cmap("cid", {code: str(glyph) for code, glyph in glyphs.items()}, length)


def _text_cmap(texts: Mapping[int, str], length: int = 1) -> bytes:
    """Returns a ToUnicode CMap from codes of `length` bytes to text."""
    return _cmap("bf", {code: f"<{text.encode('utf-16-be').hex()}>" for code, text in texts.items()}, length)


def _cmap(kind: str, entries: Mapping[int, str], length: int) -> bytes:
    name, ordering, type_ = ("Codes", "Identity", 1) if kind == "cid" else ("Text", "UCS", 2)
    lines = [
        "/CIDInit /ProcSet findresource begin",
        "12 dict begin",
        "begincmap",
        f"/CIDSystemInfo << /Registry (Adobe) /Ordering ({ordering}) /Supplement 0 >> def",
        f"/CMapName /{name} def",
        f"/CMapType {type_} def",
        "1 begincodespacerange",
        f"<{'00' * length}> <{'FF' * length}>",
        "endcodespacerange",
    ]
    ordered = sorted(entries.items())
    for start in range(0, len(ordered), 100):
        block = ordered[start : start + 100]
        lines.append(f"{len(block)} begin{kind}char")
        lines += [f"<{code:0{2 * length}X}> {to}" for code, to in block]
        lines.append(f"end{kind}char")
    lines += ["endcmap", "CMapName currentdict /CMap defineresource pop", "end", "end"]
    return "\n".join(lines).encode("ascii")


def embed_fonts(
    objects: PdfObjects, characters: Mapping[Face, Iterable[str]], encoding: FontEncoding
) -> dict[str, int]:
    """Embeds the subset of each face with its `characters`, and the fonts of shaped text.

    Returns object numbers by resource name.
    """
    fonts: dict[str, int] = {}
    for face in sorted(characters):
        code_points = frozenset(map(ord, characters[face]))
        for at, page in enumerate(encoding.pages):
            used = {code: byte for code, byte in page.items() if code in code_points}
            if used:
                fonts[encoding.font(face, at)] = _add_plain_font(objects, subset_of(face, frozenset(used)), used)
    glyphs = encoding.glyphs
    return fonts | {
        glyphs.font(variant): _add_glyph_font(objects, variant, keys) for variant, keys in glyphs.by_variant.items()
    }


def _add_plain_font(objects: PdfObjects, subset: Subset, codes: Mapping[int, int]) -> int:
    program = objects.add_stream(subset.program, f"/Length1 {len(subset.program)}")
    present = objects.add_stream(cid_set(range(subset.count)))
    descriptor = objects.add(
        f"<< /Type /FontDescriptor /FontName /{subset.name} /Flags 32 /FontBBox [-500 -300 1700 1000] "
        f"/ItalicAngle {-12 if 'Italic' in subset.name else 0} /Ascent 935 /Descent -265 /CapHeight 689 "
        f"/StemV {140 if 'Bold' in subset.name else 80} /FontFile2 {program} 0 R /CIDSet {present} 0 R >>"
    )
    descendant = objects.add(
        f"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /{subset.name} /FontDescriptor {descriptor} 0 R "
        f"{_SYSTEM} /CIDToGIDMap /Identity /DW 0 /W [{_widths(subset.widths)}] >>"
    )
    glyphs = {byte: subset.glyphs[code] for code, byte in codes.items()}
    encoding = f"{objects.add_stream(_glyph_cmap(glyphs), _CODES_TO_GLYPHS)} 0 R"
    return _add_font(
        objects, subset, encoding, descendant, _text_cmap({byte: chr(code) for code, byte in codes.items()})
    )


def _add_glyph_font(objects: PdfObjects, variant: FontVariant, keys: Mapping[GlyphKey, int]) -> int:
    subset = glyph_subset_of(variant, frozenset(glyph for glyph, _ in keys))
    glyphs = {code: subset.glyphs[glyph] for (glyph, _), code in keys.items()}
    if subset.is_cff:
        encoding = f"{objects.add_stream(_glyph_cmap(glyphs, length=2), _CODES_TO_GLYPHS)} 0 R"
        descendant = _add_postscript(objects, variant, subset)
    else:
        encoding = "/Identity-H"
        descendant = _add_truetype(objects, variant, subset, glyphs)
    texts = _text_cmap({code: text for (_, text), code in keys.items()}, length=2)
    return _add_font(objects, subset, encoding, descendant, texts)


def _add_font(objects: PdfObjects, subset: Subset, encoding: str, descendant: int, texts: bytes) -> int:
    unicode = objects.add_stream(texts)
    return objects.add(
        f"<< /Type /Font /Subtype /Type0 /BaseFont /{subset.name} /Encoding {encoding} "
        f"/DescendantFonts [{descendant} 0 R] /ToUnicode {unicode} 0 R >>"
    )


def _add_postscript(objects: PdfObjects, variant: FontVariant, subset: Subset) -> int:
    program = objects.add_stream(subset.program, "/Subtype /CIDFontType0C")
    present = objects.add_stream(cid_set(range(subset.count)))
    descriptor = _add_descriptor(objects, variant, subset, f"/FontFile3 {program} 0 R /CIDSet {present} 0 R")
    return objects.add(
        f"<< /Type /Font /Subtype /CIDFontType0 /BaseFont /{subset.name} /FontDescriptor {descriptor} 0 R "
        f"{_SYSTEM} /DW 0 /W [{_widths(subset.widths)}] >>"
    )


def _add_truetype(objects: PdfObjects, variant: FontVariant, subset: Subset, glyphs: Mapping[int, int]) -> int:
    """Adds the descendant font with a CIDToGIDMap.

    A CMap would not do: some readers extract text by glyph, and would not distinguish the codes of one glyph.
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


def _add_descriptor(objects: PdfObjects, variant: FontVariant, subset: Subset, program: str) -> int:
    extents = variant.font.get_font_extents("ltr")
    return objects.add(
        f"<< /Type /FontDescriptor /FontName /{subset.name} /Flags 4 /FontBBox [-1000 -1000 3000 2000] "
        f"/ItalicAngle {-12 if 'Italic' in variant.name else 0} "
        f"/Ascent {extents.ascender} /Descent {extents.descender} "
        f"/CapHeight 700 /StemV {140 if 'Bold' in variant.name else 80} {program} >>"
    )


def _widths(widths: Mapping[int, int]) -> str:
    return " ".join(f"{code} [{width}]" for code, width in widths.items())
