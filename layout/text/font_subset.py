"""Font subsets: the glyphs that a document uses, with their widths. Deterministic."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from hashlib import sha256

import uharfbuzz as hb  # type: ignore[import-untyped]  # it ships no types

from layout.text.font_fallback import FontVariant
from layout.text.fonts import Face, font_file

LEFT_OUT = ("GSUB", "GPOS", "GDEF", "name", "DSIG", "kern", "FFTM")


@dataclass(frozen=True, slots=True)
class Subset:
    """A face reduced to some characters.

    Attributes:
        name: PostScript name with the subset tag of PDF.
        program: the TrueType file.
        glyphs: glyph number by code point.
        widths: advance in thousandths by glyph number.
        count: number of glyphs, components of composite glyphs included.
    """

    name: str
    program: bytes
    glyphs: Mapping[int, int]
    widths: Mapping[int, int]
    count: int


@lru_cache(maxsize=64)
def subset_of(face: Face, characters: frozenset[int]) -> Subset:
    """Returns `face` reduced to `characters`."""
    options = hb.SubsetInput()
    options.unicode_set.update(characters)
    options.drop_table_tag_set.update(int.from_bytes(tag.encode(), "big") for tag in LEFT_OUT)
    options.flags = hb.SubsetFlags.NO_HINTING | hb.SubsetFlags.NO_LAYOUT_CLOSURE | hb.SubsetFlags.NOTDEF_OUTLINE
    reduced = options.subset(_face(face))
    font = hb.Font(reduced)
    glyphs = {code: glyph for code in sorted(characters) if (glyph := font.get_nominal_glyph(code)) is not None}
    tag = subset_tag(f"{face}:{sorted(characters)}")
    return Subset(
        name=f"{tag}+{face.value}",
        program=reduced.blob.data,
        glyphs=glyphs,
        widths={glyph: font.get_glyph_h_advance(glyph) for glyph in sorted({0, *glyphs.values()})},
        count=reduced.glyph_count,
    )


def cid_set(numbers: Iterable[int]) -> bytes:
    """Returns the `CIDSet` of a font: a bit for each glyph, highest bit first."""
    present = set(numbers)
    bits = "".join("1" if number in present else "0" for number in range(-(-(max(present) + 1) // 8) * 8))
    return int(bits, 2).to_bytes(len(bits) // 8, "big")


@cache
def _face(face: Face) -> hb.Face:
    return hb.Face(font_file(face))


def subset_tag(contents: str) -> str:
    """Returns a subset tag: six capital letters derived from `contents`."""
    number = int.from_bytes(sha256(contents.encode()).digest()[:8], "big")
    return "".join(chr(ord("A") + number // 26**place % 26) for place in range(6))


_ONLY_FOR_SHAPING = (*LEFT_OUT, "BASE", "STAT", "MVAR", "VORG", "vhea", "vmtx", "morx", "feat")


@dataclass(frozen=True, slots=True)
class GlyphSubset:
    """A font variant reduced to some glyphs.

    Attributes:
        name: PostScript name with the subset tag of PDF.
        program: the font file; for PostScript outlines, the bare CFF table.
        is_cff: whether it has PostScript outlines.
        glyphs: glyph number in the subset by original number.
        widths: advance in thousandths by number in the subset.
        count: number of glyphs, components of composite glyphs included.
    """

    name: str
    program: bytes
    is_cff: bool
    glyphs: Mapping[int, int]
    widths: Mapping[int, int]
    count: int


@lru_cache(maxsize=64)
def glyph_subset_of(variant: FontVariant, glyphs: frozenset[int]) -> GlyphSubset:
    """Returns `variant` reduced to `glyphs` and their components, at its weight, without layout tables."""
    options = hb.SubsetInput()
    options.glyph_set.update(glyphs)
    options.drop_table_tag_set.update(int.from_bytes(tag.encode(), "big") for tag in _ONLY_FOR_SHAPING)
    options.flags = (
        hb.SubsetFlags.NO_HINTING
        | hb.SubsetFlags.NO_LAYOUT_CLOSURE
        | hb.SubsetFlags.NO_BIDI_CLOSURE
        | hb.SubsetFlags.NOTDEF_OUTLINE
        | hb.SubsetFlags.DOWNGRADE_CFF2
        | hb.SubsetFlags.CFF_IDENTITY_CHARSET
    )
    if variant.weight is not None:
        options.pin_axis_location(variant.face, "wght", variant.weight)
    plan = hb.SubsetPlan(variant.face, options)
    reduced = plan.execute()
    numbers = plan.old_to_new_glyph_mapping
    own = {glyph: numbers[glyph] for glyph in sorted(glyphs)}
    font = hb.Font(reduced)
    font.scale = (1000, 1000)
    is_cff = "CFF " in reduced.table_tags
    return GlyphSubset(
        name=f"{subset_tag(f'{variant.name}:{sorted(glyphs)}')}+{variant.name}",
        program=(reduced.reference_table("CFF ") if is_cff else reduced.blob).data,
        is_cff=is_cff,
        glyphs=own,
        widths={glyph: font.get_glyph_h_advance(glyph) for glyph in sorted({0, *own.values()})},
        count=reduced.glyph_count,
    )
