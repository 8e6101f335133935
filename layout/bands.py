"""The header band at the top of pages, in both styles. Spec: 2.5, 2.6 Theme, 2.7 (pageBreak).

A `line` band is a coloured title with a rule under it, within the margins. A `band` band is filled from edge to edge of
the paper, with a stripe under it. In both, the body begins where the band ends, however many lines it takes.
"""

from dataclasses import dataclass

from layout.blocks.texts import Column, set_lines
from layout.characters import on_one_line, ready
from layout.fonts import FontMetrics, TextStyle
from layout.frames import Fill, Frame, Item, Placed, Role, Rule
from layout.geometry import CONTENT_WIDTH, MARGIN, PAGE_WIDTH, Rect
from layout.lines import Line, wrap
from layout.theme import Theme

_ABOVE_SUBTITLE = 2.0


@dataclass(frozen=True, slots=True)
class _Spacing:
    """Room around the texts of a band, in points: from the page's edge, down to the rule or the end of the fill, the
    thickness of the rule or stripe, and from there to the body.
    """

    top: float
    below_texts: float
    thickness: float
    below: float


_LINE = _Spacing(top=46, below_texts=9, thickness=1, below=22)
_BAND = _Spacing(top=28, below_texts=20, thickness=3, below=24)


@dataclass(frozen=True, slots=True)
class Header:
    """A title and a subtitle, with the JSON pointer of the object that has them."""

    title: str
    subtitle: str | None
    path: str


@dataclass(frozen=True, slots=True)
class Band:
    """A header band as it is drawn, `top` points below the page's edge, and where the body begins below it; without a
    frame at the top margin.
    """

    frame: Frame | None
    body_top: float
    top: float = 0.0


BARE = Band(frame=None, body_top=MARGIN)


def title_lines(header: Header, theme: Theme, fonts: FontMetrics) -> tuple[Line, ...]:
    """The title as it would wrap; more than one line is an issue."""
    return wrap(ready(header.title), theme.title, CONTENT_WIDTH, fonts)


def band_of(header: Header, theme: Theme, fonts: FontMetrics) -> Band:
    """Title, and subtitle in as many lines as it takes. Of a title that wraps, the first line: it is an issue anyway,
    and the body starts where it will start when the title is short enough.
    """
    spacing = _BAND if theme.is_band else _LINE
    parts = [_part(f"{header.path}/title", Role.TITLE, title_lines(header, theme, fonts)[:1], theme.title, fonts)]
    if header.subtitle:
        lines = wrap(on_one_line(header.subtitle), theme.subtitle, CONTENT_WIDTH, fonts)
        parts.append(_part(f"{header.path}/subtitle", Role.PARAGRAPH, lines, theme.subtitle, fonts))
    height = theme.title.leading + _ABOVE_SUBTITLE + sum(part.height for part in parts[1:])
    end = height + spacing.below_texts
    items = (*_ground(end, spacing, theme), *_stacked(parts))
    frame = Frame(CONTENT_WIDTH, end, Role.FURNITURE, header.path, items)
    under = spacing.thickness if theme.is_band else 0
    return Band(frame, spacing.top + end + under + spacing.below, spacing.top)


def _part(path: str, role: Role, lines: tuple[Line, ...], style: TextStyle, fonts: FontMetrics) -> Frame:
    texts = set_lines(lines, style, fonts, Column(CONTENT_WIDTH))
    return Frame(CONTENT_WIDTH, len(lines) * style.leading, role, path, texts)


def _stacked(parts: list[Frame]) -> tuple[Placed, ...]:
    title, *others = parts
    return (Placed(0, 0, title), *(Placed(0, title.height + _ABOVE_SUBTITLE, other) for other in others))


def _ground(end: float, spacing: _Spacing, theme: Theme) -> tuple[Item, ...]:
    """What lies under the texts, or under their end: fill and stripe, or the rule."""
    if not theme.is_band:
        return (Rule(0, end, CONTENT_WIDTH, spacing.thickness, theme.primary),)
    fill = Rect(-MARGIN, -spacing.top, PAGE_WIDTH, spacing.top + end)
    stripe = Rect(-MARGIN, end, PAGE_WIDTH, spacing.thickness)
    return (Fill(fill, theme.primary), Fill(stripe, theme.accent))
