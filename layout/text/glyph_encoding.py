"""Codes of shaped glyphs: two bytes each, one for every pair of a glyph and the text that it is copied as.

The same glyph has several codes if it stands for several texts: so copying gives the text back without any marks around
it. Strings of such codes are hexadecimal, so they need no escaping.
"""

from collections.abc import Iterable, Mapping
from operator import itemgetter

from layout.text.font_fallback import FontVariant
from layout.text.shaped_lines import Glyphs
from layout.text.shaping import Run

GlyphKey = tuple[int, str]
"""A glyph by its number, and the text it is copied as."""


class GlyphEncoding:
    """The codes of one document. The same glyphs and texts always get the same codes."""

    def __init__(self, lines: Iterable[Glyphs], prefix: str = "") -> None:
        shown: dict[FontVariant, set[GlyphKey]] = {}
        for run in set().union(*(map(itemgetter(1), line.runs) for line in lines)):
            shown.setdefault(run.variant, set()).update(map(itemgetter(0), run.glyphs))
        variants = sorted(shown, key=lambda variant: variant.name)
        self.by_variant: dict[FontVariant, Mapping[GlyphKey, int]] = {
            variant: {pair: code for code, pair in enumerate(sorted(shown[variant]), start=1)} for variant in variants
        }
        self._names = {variant: f"{prefix}G{at}" for at, variant in enumerate(variants)}
        strings = {
            variant: {pair: f"<{code:04X}>" for pair, code in codes.items()}
            for variant, codes in self.by_variant.items()
        }
        self._written = _Sizes(strings)

    def font(self, variant: FontVariant) -> str:
        """The resource name of the font for `variant`."""
        return self._names[variant]

    def operators(self, glyphs: Glyphs, size: float) -> str:
        """What shows a line, from where the text stands."""
        pieces: list[str] = []
        written = self._written[size]
        variant = None
        pen = 0
        for x, run in glyphs.runs:
            if run.variant is not variant:
                pieces.append(f"{']TJ ' if variant else ''}/{self._names[run.variant]} {size:g} Tf [")
                variant = run.variant
            shown, end = written[run]
            pieces.append(shown if x == pen else f"{pen - x} {shown}")
            pen = x + end
        return f"{''.join(pieces)}]TJ" if pieces else ""


class _Written(dict[Run, tuple[str, int]]):
    """Runs in one size as elements of an array of strings and distances, and how far the pen is from where the run
    begins after it.
    """

    def __init__(self, size: float, strings: Mapping[FontVariant, Mapping[GlyphKey, str]]) -> None:
        super().__init__()
        self._size = size
        self._strings = strings

    def __missing__(self, run: Run) -> tuple[str, int]:
        write = _backwards if run.level % 2 else _forwards
        written = self[run] = write(run, self._strings[run.variant], self._size)
        return written


class _Sizes(dict[float, _Written]):
    def __init__(self, strings: Mapping[FontVariant, Mapping[GlyphKey, str]]) -> None:
        super().__init__()
        self._strings = strings

    def __missing__(self, size: float) -> _Written:
        written = self[size] = _Written(size, self._strings)
        return written


def _forwards(run: Run, codes: Mapping[GlyphKey, str], size: float) -> tuple[str, int]:
    pieces = []
    for shown, x, y, advance, natural in run.glyphs:
        before = f"{-x} " if x else ""
        after = x + natural - advance
        piece = f"{before}{codes[shown]}{f'{after} ' if after else ''}"
        pieces.append(_raised(piece, y, size) if y else piece)
    return "".join(pieces).replace("><", ""), run.width


def _backwards(run: Run, codes: Mapping[GlyphKey, str], size: float) -> tuple[str, int]:
    """From the last glyph to the first, as the text is read, each shown by itself. Readers that go by the order of
    what is shown find the text in order, and so do those that put together what stands side by side and turn it.
    """
    pieces = []
    holder = run.variant.zero_width_glyph
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
