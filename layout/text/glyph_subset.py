"""Subsets by glyph, for shaped text: the outlines that a document shows, of one weight, with nothing that shapes."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import uharfbuzz as hb  # type: ignore[import-untyped]  # it ships no types

from layout.text.font_fallback import FontVariant
from layout.text.font_subset import LEFT_OUT, subset_tag

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
