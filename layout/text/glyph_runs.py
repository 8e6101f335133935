"""Glyph runs of shaped text, by font, script and direction, cached for the life of the process."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate, groupby, pairwise
from typing import NamedTuple

import uharfbuzz as hb  # type: ignore[import-untyped]  # it ships no types

from layout.text.font_fallback import EAST_ASIAN, FontFallback, FontVariant, fallback_fonts
from layout.text.fonts import Face, Han
from layout.text.unicode_properties import COMMON, cluster_ends, script_of

_CLUSTERS = hb.BufferClusterLevel.MONOTONE_CHARACTERS
_FLAGS = hb.BufferFlags.REMOVE_DEFAULT_IGNORABLES
_KEPT = 20_000
_MAX_KEPT = 100
_LONG = 1_000
_DOUBLED = 110  # Poppler and MuPDF drop a letter that is within a tenth of the size of its equal

SPACES = " \u3000"
"""Characters that take no space at the end of a line."""

_NOTHING = "\u200b"
"""Text of a glyph whose letters are all assigned to the glyphs before it."""


class Glyph(NamedTuple):
    """A glyph. `key` is its number and the text that it is copied as. Lengths are in thousandths of the size."""

    key: tuple[int, str]
    x: int  # offset from the pen position
    y: int
    advance: int  # distance that the pen moves
    natural: int  # advance width in the font, before shaping

    @property
    def text(self) -> str:
        return self.key[1]


class _Glyphs(dict[tuple[tuple[int, str], int, int, int, int], Glyph]):
    """Interned glyphs, because cached texts consist of few distinct ones."""

    def __missing__(self, key: tuple[tuple[int, str], int, int, int, int]) -> Glyph:
        if len(self) >= _KEPT:
            self.clear()
        glyph = self[key] = Glyph(*key)
        return glyph


_GLYPHS = _Glyphs()


@dataclass(slots=True, eq=False)  # not frozen, which takes three times as long to create
class Run:
    """A text as glyphs of one font from left to right, of one level. An odd `level` reads from right to left."""

    text: str
    variant: FontVariant
    level: int
    glyphs: tuple[Glyph, ...]
    width: int

    def part(self, text: str, reading: Sequence[Glyph]) -> "Run":
        """Returns the run of `text`, a part of this one, whose glyphs are `reading` in reading order."""
        glyphs = tuple(reversed(reading)) if self.level % 2 else tuple(reading)
        return Run(text, self.variant, self.level, glyphs, sum(glyph.advance for glyph in glyphs))


@lru_cache(_KEPT)
def divided(run: Run, at: int) -> tuple[Run, Run]:
    """Splits `run` after `at` characters. A glyph for characters of both parts goes to the second."""
    reading = run.glyphs[::-1] if run.level % 2 else run.glyphs
    ends = accumulate(len(glyph.text) if glyph.text != _NOTHING else 0 for glyph in reading)
    count = sum(end <= at for end in ends)
    return run.part(run.text[:at], reading[:count]), run.part(run.text[at:], reading[count:])


class Shaped(NamedTuple):
    """A text and its trailing spaces as runs in reading order, with the width of each."""

    width: int
    gap: int
    runs: tuple[Run, ...]

    def places(self) -> list[int]:
        """Returns the distance from the beginning of the text to each position in it, in reading order."""
        places = [0]
        end = 0
        for run in self.runs:
            for glyph in run.glyphs[::-1] if run.level % 2 else run.glyphs:
                place = places[-1] + glyph.advance
                if glyph.text == _NOTHING:
                    places[-1] = place
                else:
                    places += [places[-1]] * (len(glyph.text) - 1)
                    places.append(place)
            end += len(run.text)
            places += [places[-1]] * (end + 1 - len(places))  # invisible characters alone have no glyphs
        return places


class Shaper(dict[tuple[str, bytes], Shaped]):
    """Cache of texts shaped in one face, keyed by the text and the levels of its characters."""

    def __init__(self, face: Face, han: Han) -> None:
        super().__init__()
        self._fallback = fallback_fonts(face, han)
        self._short_run = lru_cache(_KEPT)(shape)  # of this face: the fonts of another one are equal, but not the same
        self._longest: dict[tuple[str, bytes], Shaped] = {}  # the last long text, which is shaped again to be broken

    def __missing__(self, key: tuple[str, bytes]) -> Shaped:
        if key in self._longest:
            return self._longest[key]
        text, levels = key
        if len(text) == 1 and EAST_ASIAN.match(text) and text in self._fallback.east_asian.covers:
            run = _nominal(self._fallback.east_asian, levels[0], text)
            shaped = Shaped(run.width, 0, (run,))
        else:
            shaped = self._shape(text, levels)
        if len(text) <= _MAX_KEPT:
            if len(self) >= _KEPT:
                self.clear()
            self[key] = shaped
        elif len(text) > _LONG:
            self._longest = {key: shaped}
        return shaped

    def _shape(self, text: str, levels: bytes) -> Shaped:
        parts = _itemised(text, levels, self._fallback) if text else ()
        runs = tuple([self._short_run(*part) if len(part[-1]) <= _MAX_KEPT else shape(*part) for part in parts])
        width = sum([run.width for run in runs])
        gap = _gap(runs, len(text) - len(text.rstrip(SPACES))) if text and text[-1] in SPACES else 0
        return Shaped(width - gap, gap, runs)


def _gap(runs: tuple[Run, ...], spaces: int) -> int:
    """Returns the width of `spaces` spaces at the end of `runs`."""
    gap = 0
    for run in reversed(runs):
        for glyph in run.glyphs if run.level % 2 else reversed(run.glyphs):
            if not spaces:
                return gap
            gap += glyph.advance
            spaces -= 1
    return gap


def _itemised(text: str, levels: bytes, variants: FontFallback) -> Iterator[tuple[FontVariant, str, int, str]]:
    """Yields `text` in parts of one font, one script (empty if no letter has one) and one level."""
    if variants.letters.issuperset(text) and min(levels) == max(levels):
        scripts = {script_of(character) for character in text} - COMMON
        if len(scripts) < 2:
            yield variants.main, "".join(scripts), levels[0], text
            return
    begin = start = 0
    variant, script, level = None, "", 0
    for end, drawn, next_script in _drawn(text, variants):
        next_level = levels[start]
        same = drawn is variant and next_level == level and (not script or not next_script or next_script == script)
        if variant is not None and not same:
            yield variant, script, level, text[begin:start]
            begin, script = start, ""
        variant, script, level = drawn, next_script or script, next_level
        start = end
    if variant is not None:
        yield variant, script, level, text[begin:]


def _drawn(text: str, variants: FontFallback) -> Iterator[tuple[int, FontVariant, str]]:
    """Yields the end of each cluster with its font and its script.

    For a cluster that no font has completely, yields the same of each character; the main font if no font has it.
    """
    start = 0
    for end in cluster_ends(text):
        cluster = text[start:end]
        if (variant := variants.of(cluster)) is not None:
            yield end, variant, _script(cluster)
        else:
            for at, one in enumerate(cluster, start=start + 1):
                yield at, variants.of(one) or variants.main, _script(one)
        start = end


@lru_cache(_KEPT)
def _script(cluster: str) -> str:
    return next((own for character in cluster if (own := script_of(character)) not in COMMON), "")


@cache
def _buffer() -> hb.Buffer:
    buffer = hb.Buffer()
    buffer.cluster_level = _CLUSTERS
    buffer.flags = _FLAGS
    return buffer


def _nominal(variant: FontVariant, level: int, character: str) -> Run:
    """Returns the run of an East Asian character, which fonts show as it is: shaping would give the same."""
    number = variant.font.get_nominal_glyph(ord(character))
    advance = variant.advances[number]
    return Run(character, variant, level, (Glyph((number, character), 0, 0, advance, advance),), advance)


def shape(variant: FontVariant, script: str, level: int, text: str) -> Run:
    """Shapes `text`, which is of one font, one script (empty if no letter has one) and one level."""
    backwards = level % 2 == 1
    buffer = _buffer()
    buffer.clear_contents()
    buffer.add_str(text)
    buffer.direction = "rtl" if backwards else "ltr"
    buffer.script = script or "Zyyy"
    buffer.language = "und"
    hb.shape(variant.font, buffer)
    infos = buffer.glyph_infos
    clusters = [info.cluster for info in infos]
    texts = _texts(text, clusters, backwards=backwards)
    glyphs: list[Glyph] = []
    natural = variant.advances
    width = 0
    for info, at, copied in zip(infos, buffer.glyph_positions, texts, strict=True):
        number, advance = info.codepoint, at.x_advance
        width += advance
        glyphs.append(_GLYPHS[(number, copied), at.x_offset, at.y_offset, advance, natural[number]])
    if backwards and len(clusters) < len(text):
        glyphs = _apart(glyphs, variant)
    return Run(text, variant, level, tuple(glyphs), width)


def _texts(text: str, clusters: Sequence[int], *, backwards: bool) -> list[str]:
    """Returns the text of each glyph. Characters of a cluster are distributed in order: joined, they are the text."""
    if len(clusters) == len(set(clusters)) and 0 in clusters:
        ends = [len(text), *clusters[:-1]] if backwards else [*clusters[1:], len(text)]
        return [text[start:end] for start, end in zip(clusters, ends, strict=True)]
    texts: list[str] = []
    groups = [(start, len(list(group))) for start, group in groupby(reversed(clusters) if backwards else clusters)]
    ends = [*(start for start, _ in groups[1:]), len(text)]
    for (start, count), end in zip(groups, ends, strict=False):  # invisible characters alone have no glyphs
        letters = text[0 if not texts else start : end]  # nothing before the first glyph is lost
        texts += letters[: count - 1]
        texts.append(letters[count - 1 :])
        texts += [""] * (count - 1 - len(letters))
    texts = [copied or _NOTHING for copied in texts]
    return texts[::-1] if backwards else texts


def _apart(glyphs: list[Glyph], variant: FontVariant) -> list[Glyph]:
    """Returns right-to-left glyphs of at most one character each.

    PDF readers that reverse right-to-left text would reverse the letters of a ligature too. All letters but the first
    therefore get an invisible glyph without width, each slightly further left than the one before. The glyph has an
    outline, as some readers skip glyphs without one. A letter that follows the same letter gets more distance, as some
    readers take two at one place for bold type.
    """
    holder = variant.zero_width_glyph
    if holder is None or all(len(glyph.text) == 1 for glyph in glyphs):
        return glyphs
    apart: list[Glyph] = []
    for glyph in glyphs:
        others, left = list[Glyph](), 0
        for before, letter in pairwise(glyph.text):
            left -= _DOUBLED if letter == before else 1
            others.append(_GLYPHS[(holder, letter), left, 0, 0, 0])
        apart += (*reversed(others), glyph._replace(key=(glyph.key[0], glyph.text[0])))
    return apart
