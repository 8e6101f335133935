"""Shaping: pieces of text as glyphs, in the font and the direction of each part, with what copying them gives back.

What was shaped is kept for the life of the process: a word costs its shaping once.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby
from typing import NamedTuple

import uharfbuzz as hb  # type: ignore[import-untyped]  # it ships no types

from layout.cuts import Cut, Cuts, cuts_of
from layout.fonts import Face, Han
from layout.unicode_rules import COMMON, cluster_ends, script_of

_KEPT = 100_000
_LONGEST_KEPT = 60
_NOTHING = "\u200b"
"""What a glyph is copied as whose letters have all been given to the glyphs before it."""


class Glyph(NamedTuple):
    """One glyph, with the text it stands for. Lengths in thousandths of the size: where it is drawn from the pen, how
    far the pen moves, and how far it would move by the font alone.
    """

    number: int
    text: str
    x: int
    y: int
    advance: int
    natural: int


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """A text as glyphs of one cut from left to right, all of one level; an odd `level` reads from right to left."""

    text: str
    cut: Cut
    level: int
    glyphs: tuple[Glyph, ...]
    width: int

    def divided(self, at: int) -> tuple["Run", "Run"]:
        """The glyphs of the first `at` characters, and the others; a glyph for some of both is with these."""
        reading = self.glyphs[::-1] if self.level % 2 else self.glyphs
        ends = accumulate(len(glyph.text) if glyph.text != _NOTHING else 0 for glyph in reading)
        count = sum(end <= at for end in ends)
        return self._of(self.text[:at], reading[:count]), self._of(self.text[at:], reading[count:])

    def _of(self, text: str, reading: Sequence[Glyph]) -> "Run":
        glyphs = tuple(reversed(reading)) if self.level % 2 else tuple(reading)
        return Run(text, self.cut, self.level, glyphs, sum(glyph.advance for glyph in glyphs))


class Shaper:
    """Shapes in one face, with one kind of ideographs."""

    def __init__(self, face: Face, han: Han) -> None:
        self._cuts = cuts_of(face, han)
        self._kept: dict[tuple[str, bytes], tuple[tuple[Run, ...], int]] = {}

    def shape(self, text: str, levels: Sequence[int]) -> tuple[tuple[Run, ...], int]:
        """`text` as runs in the order it is read, and their width. `levels` has one for each character."""
        key = text, bytes(levels)
        found = self._kept.get(key)
        if found is None:
            runs = tuple(self._runs(text, levels))
            found = runs, sum(run.width for run in runs)
            if len(text) <= _LONGEST_KEPT:
                if len(self._kept) >= _KEPT:
                    self._kept.clear()
                self._kept[key] = found
        return found

    def _runs(self, text: str, levels: Sequence[int]) -> Iterator[Run]:
        for cut, script, level, part in _itemised(text, levels, self._cuts):
            yield _run(cut, script, level, part)


def _itemised(text: str, levels: Sequence[int], cuts: Cuts) -> Iterator[tuple[Cut, str, int, str]]:
    """`text` in parts of one cut, one script (empty where no letter has one) and one level."""
    begin = start = 0
    cut, script, level = None, "", 0
    for end in _drawn_ends(text, cuts):
        cluster = text[start:end]
        next_cut, next_script, next_level = cuts.of(cluster) or cuts.main, _script(cluster), levels[start]
        same = next_cut is cut and next_level == level and (not script or next_script in {"", script})
        if cut is not None and not same:
            yield cut, script, level, text[begin:start]
            begin, script = start, ""
        cut, script, level = next_cut, next_script or script, next_level
        start = end
    if cut is not None:
        yield cut, script, level, text[begin:]


def _drawn_ends(text: str, cuts: Cuts) -> Iterator[int]:
    """The ends of clusters; of one that no cut has whole, the ends of its characters."""
    start = 0
    for end in cluster_ends(text):
        if cuts.of(text[start:end]) is None:
            yield from range(start + 1, end)
        yield end
        start = end


def _script(cluster: str) -> str:
    return next((script for character in cluster if (script := script_of(character)) not in COMMON), "")


def _run(cut: Cut, script: str, level: int, text: str) -> Run:
    backwards = level % 2 == 1
    buffer = hb.Buffer()
    buffer.cluster_level = hb.BufferClusterLevel.MONOTONE_CHARACTERS
    buffer.flags = hb.BufferFlags.REMOVE_DEFAULT_IGNORABLES
    buffer.add_str(text)
    buffer.direction = "rtl" if backwards else "ltr"
    buffer.script = script or "Zyyy"
    buffer.language = "und"
    hb.shape(cut.font, buffer)
    infos, positions = buffer.glyph_infos, buffer.glyph_positions
    texts = _texts(text, [info.cluster for info in (reversed(infos) if backwards else infos)])
    natural = cut.font.get_glyph_h_advance
    glyphs = tuple(
        Glyph(info.codepoint, copied, at.x_offset, at.y_offset, at.x_advance, natural(info.codepoint))
        for info, at, copied in zip(infos, positions, reversed(texts) if backwards else texts, strict=True)
    )
    if backwards:
        glyphs = _apart(glyphs, cut)
    return Run(text, cut, level, glyphs, sum(glyph.advance for glyph in glyphs))


def _texts(text: str, clusters: Sequence[int]) -> list[str]:
    """What each glyph is copied as, glyphs in reading order: the characters of a cluster are shared out in order, so
    that the glyphs together give the text back whatever order shaping has put them in.
    """
    texts: list[str] = []
    groups = [(start, len(list(group))) for start, group in groupby(clusters)]
    ends = [*(start for start, _ in groups[1:]), len(text)]
    for (start, count), end in zip(groups, ends, strict=False):  # invisible characters alone have no glyphs
        letters = text[0 if not texts else start : end]  # nothing before the first glyph is lost
        texts += letters[: count - 1]
        texts.append(letters[count - 1 :])
        texts += [""] * (count - 1 - len(letters))
    return [copied or _NOTHING for copied in texts]


def _apart(glyphs: tuple[Glyph, ...], cut: Cut) -> tuple[Glyph, ...]:
    """Glyphs that read from right to left, none with more than one character.

    Readers that turn round what runs from right to left would turn the letters of a ligature too. So all but its first
    are given to a glyph that is not drawn and has no width, each a hair further left than the one before. It has an
    outline all the same: some readers pass over glyphs without one.
    """
    holder = cut.holder
    if holder is None or all(len(glyph.text) == 1 for glyph in glyphs):
        return glyphs
    apart: list[Glyph] = []
    for glyph in glyphs:
        others = [Glyph(holder, letter, -at, 0, 0, 0) for at, letter in enumerate(glyph.text) if at]
        apart += (*reversed(others), glyph._replace(text=glyph.text[0]))
    return tuple(apart)
