"""Font subsets: only the glyphs that a document shows, with what PDF wants to know about them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from hashlib import sha256

import uharfbuzz as hb  # type: ignore[import-untyped]  # it ships no types

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
