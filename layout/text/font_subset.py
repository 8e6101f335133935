"""Font subsets: the glyphs that a document uses, with their widths, and the fonts of HTML. Deterministic."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from hashlib import sha256

import uharfbuzz as hb  # type: ignore[import-untyped]  # it ships no types

from layout.text.font_fallback import FontVariant
from layout.text.fonts import Face, font_file

LEFT_OUT = ("GSUB", "GPOS", "GDEF", "name", "DSIG", "kern", "FFTM")
_ONLY_FOR_SHAPING = (*LEFT_OUT, "BASE", "STAT", "MVAR", "VORG", "vhea", "vmtx", "morx", "feat")


@dataclass(frozen=True, slots=True)
class Subset:
    """A font reduced to some glyphs. `name` is its PostScript name with the subset tag of PDF."""

    name: str
    program: bytes  # the TrueType file; for PostScript outlines, the bare CFF table
    glyphs: Mapping[int, int]  # glyph number in the subset, by code point or by original glyph number
    widths: Mapping[int, int]  # advance in thousandths by number in the subset
    count: int  # number of glyphs, components of composite glyphs included
    is_cff: bool = False  # whether it has PostScript outlines


@lru_cache(maxsize=64)
def subset_of(face: Face, characters: frozenset[int]) -> Subset:
    """Returns `face` reduced to `characters`, by code point."""
    options = _options(LEFT_OUT)
    options.unicode_set.update(characters)
    reduced = options.subset(_face(face))
    font = hb.Font(reduced)
    glyphs = {code: glyph for code in sorted(characters) if (glyph := font.get_nominal_glyph(code)) is not None}
    name = f"{_tag(f'{face}:{sorted(characters)}')}+{face.value}"
    return Subset(name, reduced.blob.data, glyphs, _widths(font, glyphs), reduced.glyph_count)


@lru_cache(maxsize=64)
def glyph_subset_of(variant: FontVariant, glyphs: frozenset[int]) -> Subset:
    """Returns `variant` reduced to `glyphs` and their components, at its weight, without layout tables."""
    options = _options(_ONLY_FOR_SHAPING)
    options.glyph_set.update(glyphs)
    more = (hb.SubsetFlags.NO_BIDI_CLOSURE, hb.SubsetFlags.DOWNGRADE_CFF2, hb.SubsetFlags.CFF_IDENTITY_CHARSET)
    for flag in more:
        options.flags |= flag
    if variant.weight is not None:
        options.pin_axis_location(variant.face, "wght", variant.weight)
    plan = hb.SubsetPlan(variant.face, options)
    reduced = plan.execute()
    numbers = plan.old_to_new_glyph_mapping
    own = {glyph: numbers[glyph] for glyph in sorted(glyphs)}
    font = hb.Font(reduced)
    font.scale = (1000, 1000)
    is_cff = "CFF " in reduced.table_tags
    program = (reduced.reference_table("CFF ") if is_cff else reduced.blob).data
    name = f"{_tag(f'{variant.name}:{sorted(glyphs)}')}+{variant.name}"
    return Subset(name, program, own, _widths(font, own), reduced.glyph_count, is_cff)


def _options(left_out: Iterable[str]) -> hb.SubsetInput:
    options = hb.SubsetInput()
    options.drop_table_tag_set.update(int.from_bytes(tag.encode(), "big") for tag in left_out)
    options.flags = hb.SubsetFlags.NO_HINTING | hb.SubsetFlags.NO_LAYOUT_CLOSURE | hb.SubsetFlags.NOTDEF_OUTLINE
    return options


def _widths(font: hb.Font, glyphs: Mapping[int, int]) -> Mapping[int, int]:
    return {glyph: font.get_glyph_h_advance(glyph) for glyph in sorted({0, *glyphs.values()})}


def cid_set(numbers: Iterable[int]) -> bytes:
    """Returns the `CIDSet` of a font: a bit for each glyph, highest bit first."""
    present = set(numbers)
    bits = "".join("1" if number in present else "0" for number in range(-(-(max(present) + 1) // 8) * 8))
    return int(bits, 2).to_bytes(len(bits) // 8, "big")


@cache
def _face(face: Face) -> hb.Face:
    return hb.Face(font_file(face))


def _tag(contents: str) -> str:
    """Returns a subset tag: six capital letters derived from `contents`."""
    number = int.from_bytes(sha256(contents.encode()).digest()[:8], "big")
    return "".join(chr(ord("A") + number // 26**place % 26) for place in range(6))


WEB_WEIGHTS: Mapping[Face, str] = {Face.REGULAR: "400", Face.BOLD: "600 700"}
"""The faces that HTML uses, each with the weights (CSS) that it is shown for."""


def web_font(face: Face, characters: frozenset[int], features: tuple[str, ...]) -> bytes:
    """Returns `face` as a TrueType file with those code points and OpenType features, without hints."""
    options = hb.SubsetInput()
    options.unicode_set.update(characters)
    options.flags = hb.SubsetFlags.NO_HINTING
    options.layout_feature_tag_set.clear()
    options.layout_feature_tag_set.update(int.from_bytes(tag.encode(), "big") for tag in features)
    content: bytes = options.subset(hb.Face(font_file(face))).blob.data
    return content
