"""Codes of shaped glyphs: two bytes each, one for every pair of a glyph and the text that it is copied as.

The same glyph has several codes if it stands for several texts: so copying gives the text back without any marks around
it. Strings of such codes are hexadecimal, so they need no escaping.
"""

from collections.abc import Iterable, Mapping

from layout.cuts import Cut
from layout.shaped_lines import Glyphs
from layout.shaping import Glyph, Run

Shown = tuple[int, str]
"""A glyph by its number, and the text it is copied as."""


class GlyphCodes:
    """The codes of one document. The same glyphs and texts always get the same codes."""

    def __init__(self, lines: Iterable[Glyphs], prefix: str = "") -> None:
        shown: dict[Cut, set[Shown]] = {}
        for run in {run for line in lines for _, run in line.runs}:
            shown.setdefault(run.cut, set()).update((glyph.number, glyph.text) for glyph in run.glyphs)
        cuts = sorted(shown, key=lambda cut: cut.name)
        self.by_cut: dict[Cut, Mapping[Shown, int]] = {
            cut: {pair: code for code, pair in enumerate(sorted(shown[cut]), start=1)} for cut in cuts
        }
        self._names = {cut: f"{prefix}G{at}" for at, cut in enumerate(cuts)}
        self._written: dict[tuple[Run, float], tuple[str, int]] = {}

    def font(self, cut: Cut) -> str:
        """The resource name of the font for `cut`."""
        return self._names[cut]

    def operators(self, glyphs: Glyphs, size: float) -> str:
        """What shows a line, from where the text stands."""
        pieces: list[str] = []
        cut = None
        pen = 0
        for x, run in glyphs.runs:
            if run.cut is not cut:
                cut = run.cut
                pieces.append(f"]TJ /{self._names[cut]} {size:g} Tf [")
            if x != pen:
                pieces.append(f"{pen - x} ")
            shown, end = self._run(run, size)
            pieces.append(shown)
            pen = x + end
        return f"[{''.join(pieces)}]TJ".replace("><", "").replace("[]TJ", "")

    def _run(self, run: Run, size: float) -> tuple[str, int]:
        """One run as elements of an array of strings and distances, and how far the pen is from its begin after it."""
        key = run, size
        written = self._written.get(key)
        if written is None:
            write = _backwards if run.level % 2 else _forwards
            written = self._written[key] = write(run, self.by_cut[run.cut], size)
        return written


def _forwards(run: Run, codes: Mapping[Shown, int], size: float) -> tuple[str, int]:
    pieces = []
    for glyph in run.glyphs:
        before = f"{-glyph.x} " if glyph.x else ""
        after = glyph.x + glyph.natural - glyph.advance
        shown = f"{before}<{codes[glyph[:2]]:04X}>{f'{after} ' if after else ''}"
        pieces.append(_raised(shown, glyph, size) if glyph.y else shown)
    return "".join(pieces), run.width


def _backwards(run: Run, codes: Mapping[Shown, int], size: float) -> tuple[str, int]:
    """From the last glyph to the first, as the text is read, each shown by itself. Readers that go by the order of
    what is shown find the text in order, and so do those that put together what stands side by side and turn it.
    """
    pieces = []
    pen, right = 0, run.width
    for glyph in reversed(run.glyphs):
        right -= glyph.advance
        begin = right + glyph.x
        shown = f"{f'{pen - begin} ' if begin != pen else ''}<{codes[glyph[:2]]:04X}>"
        if glyph.number == run.cut.holder:
            pieces.append(f"]TJ 3 Tr [{shown}]TJ 0 Tr [")
        else:
            pieces.append(_raised(shown, glyph, size) if glyph.y else f"{shown}]TJ [")
        pen = begin + glyph.natural
    return "".join(pieces), pen


def _raised(shown: str, glyph: Glyph, size: float) -> str:
    return f"]TJ {glyph.y * size / 1000:.2f} Ts [{shown}]TJ 0 Ts ["
