"""Font subsets: only the glyphs that a document shows, with what PDF wants to know about them."""

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
        name: PostScript name with the tag that PDF asks of subsets.
        program: the TrueType file.
        glyphs: glyph number by code point.
        widths: advance in thousandths by glyph number.
        count: how many glyphs it has, those that others are composed of included.
    """

    name: str
    program: bytes
    glyphs: Mapping[int, int]
    widths: Mapping[int, int]
    count: int


@lru_cache(maxsize=64)
def subset_of(face: Face, characters: frozenset[int]) -> Subset:
    """`face` with `characters` and nothing else. Same set, same bytes."""
    wanted = hb.SubsetInput()
    wanted.unicode_set.update(characters)
    wanted.drop_table_tag_set.update(int.from_bytes(tag.encode(), "big") for tag in LEFT_OUT)
    wanted.flags = hb.SubsetFlags.NO_HINTING | hb.SubsetFlags.NO_LAYOUT_CLOSURE | hb.SubsetFlags.NOTDEF_OUTLINE
    reduced = wanted.subset(_face(face))
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
    """Which glyphs a font has, as PDF's `CIDSet`: a bit for each number, highest bit first."""
    present = set(numbers)
    bits = "".join("1" if number in present else "0" for number in range(-(-(max(present) + 1) // 8) * 8))
    return int(bits, 2).to_bytes(len(bits) // 8, "big")


@cache
def _face(face: Face) -> hb.Face:
    return hb.Face(font_file(face))


def subset_tag(contents: str) -> str:
    """Six capital letters, the same for the same contents."""
    number = int.from_bytes(sha256(contents.encode()).digest()[:8], "big")
    return "".join(chr(ord("A") + number // 26**place % 26) for place in range(6))


_ONLY_FOR_SHAPING = (*LEFT_OUT, "BASE", "STAT", "MVAR", "VORG", "vhea", "vmtx", "morx", "feat")


@dataclass(frozen=True, slots=True)
class GlyphSubset:
    """A cut reduced to some glyphs.

    Attributes:
        name: PostScript name with the tag that PDF asks of subsets.
        program: the font file; of PostScript outlines the bare CFF table.
        is_cff: whether it has PostScript outlines.
        glyphs: the number that each glyph has in it.
        widths: advance in thousandths by that number.
        count: how many glyphs it has, those that others are composed of included.
    """

    name: str
    program: bytes
    is_cff: bool
    glyphs: Mapping[int, int]
    widths: Mapping[int, int]
    count: int


@lru_cache(maxsize=64)
def glyph_subset_of(variant: FontVariant, glyphs: frozenset[int]) -> GlyphSubset:
    """`variant` with `glyphs` and what they are composed of. Same set, same bytes."""
    wanted = hb.SubsetInput()
    wanted.glyph_set.update(glyphs)
    wanted.drop_table_tag_set.update(int.from_bytes(tag.encode(), "big") for tag in _ONLY_FOR_SHAPING)
    wanted.flags = (
        hb.SubsetFlags.NO_HINTING
        | hb.SubsetFlags.NO_LAYOUT_CLOSURE
        | hb.SubsetFlags.NO_BIDI_CLOSURE
        | hb.SubsetFlags.NOTDEF_OUTLINE
        | hb.SubsetFlags.DOWNGRADE_CFF2
        | hb.SubsetFlags.CFF_IDENTITY_CHARSET
    )
    if variant.weight is not None:
        wanted.pin_axis_location(variant.face, "wght", variant.weight)
    plan = hb.SubsetPlan(variant.face, wanted)
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
