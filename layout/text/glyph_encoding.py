"""Codes of shaped glyphs: two bytes each, one for every pair of a glyph and the text that it is copied as.

The same glyph has several codes if it stands for several texts: so copying gives the text back without any marks around
it. Strings of such codes are hexadecimal, so they need no escaping.
"""

from collections.abc import Iterable, Mapping
from operator import itemgetter

from layout.text.font_fallback import Cut
from layout.text.shaped_lines import Glyphs
from layout.text.shaping import Run

Shown = tuple[int, str]
"""A glyph by its number, and the text it is copied as."""


class GlyphCodes:
    """The codes of one document. The same glyphs and texts always get the same codes."""

    def __init__(self, lines: Iterable[Glyphs], prefix: str = "") -> None:
        shown: dict[Cut, set[Shown]] = {}
        for run in set().union(*(map(itemgetter(1), line.runs) for line in lines)):
            shown.setdefault(run.cut, set()).update(map(itemgetter(0), run.glyphs))
        cuts = sorted(shown, key=lambda cut: cut.name)
        self.by_cut: dict[Cut, Mapping[Shown, int]] = {
            cut: {pair: code for code, pair in enumerate(sorted(shown[cut]), start=1)} for cut in cuts
        }
        self._names = {cut: f"{prefix}G{at}" for at, cut in enumerate(cuts)}
        strings = {cut: {pair: f"<{code:04X}>" for pair, code in codes.items()} for cut, codes in self.by_cut.items()}
        self._written = _Sizes(strings)

    def font(self, cut: Cut) -> str:
        """The resource name of the font for `cut`."""
        return self._names[cut]

    def operators(self, glyphs: Glyphs, size: float) -> str:
        """What shows a line, from where the text stands."""
        pieces: list[str] = []
        written = self._written[size]
        cut = None
        pen = 0
        for x, run in glyphs.runs:
            if run.cut is not cut:
                pieces.append(f"{']TJ ' if cut else ''}/{self._names[run.cut]} {size:g} Tf [")
                cut = run.cut
            shown, end = written[run]
            pieces.append(shown if x == pen else f"{pen - x} {shown}")
            pen = x + end
        return f"{''.join(pieces)}]TJ" if pieces else ""


class _Written(dict[Run, tuple[str, int]]):
    """Runs in one size as elements of an array of strings and distances, and how far the pen is from where the run
    begins after it.
    """

    def __init__(self, size: float, strings: Mapping[Cut, Mapping[Shown, str]]) -> None:
        super().__init__()
        self._size = size
        self._strings = strings

    def __missing__(self, run: Run) -> tuple[str, int]:
        write = _backwards if run.level % 2 else _forwards
        written = self[run] = write(run, self._strings[run.cut], self._size)
        return written


class _Sizes(dict[float, _Written]):
    def __init__(self, strings: Mapping[Cut, Mapping[Shown, str]]) -> None:
        super().__init__()
        self._strings = strings

    def __missing__(self, size: float) -> _Written:
        written = self[size] = _Written(size, self._strings)
        return written


def _forwards(run: Run, codes: Mapping[Shown, str], size: float) -> tuple[str, int]:
    pieces = []
    for shown, x, y, advance, natural in run.glyphs:
        before = f"{-x} " if x else ""
        after = x + natural - advance
        piece = f"{before}{codes[shown]}{f'{after} ' if after else ''}"
        pieces.append(_raised(piece, y, size) if y else piece)
    return "".join(pieces).replace("><", ""), run.width


def _backwards(run: Run, codes: Mapping[Shown, str], size: float) -> tuple[str, int]:
    """From the last glyph to the first, as the text is read, each shown by itself. Readers that go by the order of
    what is shown find the text in order, and so do those that put together what stands side by side and turn it.
    """
    pieces = []
    holder = run.cut.holder
    pen, right = 0, run.width
    for shown, x, y, advance, natural in reversed(run.glyphs):
        right -= advance
        begin = right + x
        piece = f"{pen - begin} {codes[shown]}" if begin != pen else codes[shown]
        if y:
            pieces.append(_raised(piece, y, size))
        elif shown[0] == holder:
            pieces.append(f"]TJ 3 Tr [{piece}]TJ 0 Tr [")
        else:
            pieces.append(f"{piece}]TJ [")
        pen = begin + natural
    return "".join(pieces), pen


def _raised(piece: str, y: int, size: float) -> str:
    return f"]TJ {y * size / 1000:.2f} Ts [{piece}]TJ 0 Ts ["
