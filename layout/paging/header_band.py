"""The header band at the top of pages, in both styles. Specification 2.5, 2.6, 2.7 (pageBreak).

A `line` band is a coloured title with a rule under it, within the margins. A `band` band is filled from edge to edge of
the paper, with a stripe under it. In both, the body begins where the band ends, however many lines it takes.
"""

from dataclasses import dataclass, replace

from layout.blocks.text_placement import Column, set_lines
from layout.paging.frames import Fill, Frame, Image, Item, Placed, Role, Rule
from layout.paging.geometry import CONTENT_WIDTH, MARGIN, PAGE_WIDTH, Rect
from layout.schema.image_file import Logo
from layout.schema.theme import Theme
from layout.text.characters import prepare_line, prepare_text
from layout.text.fonts import FontMetrics, TextStyle
from layout.text.line_breaking import Line, wrap

_ABOVE_SUBTITLE = 2.0
_BESIDE_LOGO = 20.0
_SMALLEST_TITLE = 18.0  # beside a logo of the full width, some 30 characters fit in any letters but the widest
_STEP = 0.5
_TWO_LINES = 2  # a title of more lines is too long in every size


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
class HeaderBand:
    """A header band as it is drawn, `top` points below the page's edge, and where the body begins below it; without a
    frame at the top margin.
    """

    frame: Frame | None
    body_top: float
    top: float = 0.0


NO_BAND = HeaderBand(frame=None, body_top=MARGIN)


@dataclass(frozen=True, slots=True)
class HeaderDesign:
    """What all bands of a document have in common."""

    theme: Theme
    logo: Logo | None = None

    @property
    def text_width(self) -> float:
        """The room that titles and subtitles have beside the logo."""
        return CONTENT_WIDTH if self.logo is None else CONTENT_WIDTH - self.logo.width - _BESIDE_LOGO


def title_lines(header: Header, design: HeaderDesign, fonts: FontMetrics) -> tuple[Line, ...]:
    """The title as it would wrap; more than one line is an issue."""
    return wrap(prepare_text(header.title), title_style(header, design, fonts), design.text_width, fonts)


def title_style(header: Header, design: HeaderDesign, fonts: FontMetrics) -> TextStyle:
    """The style of the title. Beside a logo it is as much smaller as one line takes, down to 18 points; a title that
    would not fit on a line without the logo does not fit beside it either.
    """
    style, text = design.theme.title, prepare_text(header.title)
    smallest = max(_SMALLEST_TITLE, style.size * design.text_width / CONTENT_WIDTH)
    while style.size - _STEP >= smallest and len(wrap(text, style, design.text_width, fonts)) == _TWO_LINES:
        style = replace(style, size=style.size - _STEP)
    return style


def build_header_band(header: Header, design: HeaderDesign, fonts: FontMetrics) -> HeaderBand:
    """Title, subtitle in as many lines as it takes, and logo. Of a title that wraps, the first line: it is an issue
    anyway, and the body starts where it will start when the title is short enough.
    """
    theme, width = design.theme, design.text_width
    spacing = _BAND if theme.is_band else _LINE
    title, style = title_lines(header, design, fonts)[:1], title_style(header, design, fonts)
    parts = [_part(f"{header.path}/title", Role.TITLE, title, _Setting(style, width, fonts))]
    if header.subtitle:
        setting = _Setting(theme.subtitle, width, fonts)
        lines = wrap(prepare_line(header.subtitle), theme.subtitle, width, fonts)
        parts.append(_part(f"{header.path}/subtitle", Role.PARAGRAPH, lines, setting))
    texts = theme.title.leading + _ABOVE_SUBTITLE + sum(part.height for part in parts[1:])
    height = max(texts, design.logo.height if design.logo else 0)
    end = height + spacing.below_texts
    items: list[Item] = [*_ground(end, spacing, theme), *_stacked(parts, height - texts)]
    if design.logo:
        items.append(_placed_logo(design.logo, height, header.path))
    frame = Frame(CONTENT_WIDTH, end, Role.ARTIFACT, header.path, tuple(items))
    under = spacing.thickness if theme.is_band else 0
    return HeaderBand(frame, spacing.top + end + under + spacing.below, spacing.top)


@dataclass(frozen=True, slots=True)
class _Setting:
    """How texts of a band are set."""

    style: TextStyle
    width: float
    fonts: FontMetrics


def _part(path: str, role: Role, lines: tuple[Line, ...], setting: _Setting) -> Frame:
    texts = set_lines(lines, setting.style, setting.fonts, Column(setting.width))
    return Frame(setting.width, len(lines) * setting.style.leading, role, path, texts)


def _stacked(parts: list[Frame], spare: float) -> tuple[Placed, ...]:
    """The title and what is below it, half of the height that a taller logo leaves above them."""
    title, *others = parts
    below = spare / 2 + title.height + _ABOVE_SUBTITLE
    return (Placed(0, spare / 2, title), *(Placed(0, below, other) for other in others))


def _placed_logo(logo: Logo, height: float, path: str) -> Placed:
    items = (Image(Rect(0, 0, logo.width, logo.height), logo.file),)
    frame = Frame(logo.width, logo.height, Role.FIGURE, f"{path}/logo", items, "Logo")
    return Placed(CONTENT_WIDTH - logo.width, (height - logo.height) / 2, frame)


def _ground(end: float, spacing: _Spacing, theme: Theme) -> tuple[Item, ...]:
    """What lies under the texts, or under their end: fill and stripe, or the rule."""
    if not theme.is_band:
        return (Rule(0, end, CONTENT_WIDTH, spacing.thickness, theme.primary),)
    fill = Rect(-MARGIN, -spacing.top, PAGE_WIDTH, spacing.top + end)
    stripe = Rect(-MARGIN, end, PAGE_WIDTH, spacing.thickness)
    return (Fill(fill, theme.primary), Fill(stripe, theme.accent))
