"""The header band in both styles, and the footer. Specification 2.5, 2.6, 2.7 (pageBreak), 2.12.

Style `line` is a coloured title above a rule, within the margins. Style `band` is filled from edge to edge of the page,
with a stripe below. The body begins below the band, whose height depends on its texts and logo.
"""

from dataclasses import dataclass, replace
from math import inf

from layout.blocks.alignment import Column, set_lines
from layout.captions import ENGLISH, Captions
from layout.frames import Fill, Frame, Image, Item, Placed, Role, Rule
from layout.geometry import BODY_BOTTOM, CONTENT_WIDTH, MARGIN, PAGE_WIDTH, Rect
from layout.schema.image_file import Logo
from layout.text.bidi import reads_backwards
from layout.text.characters import prepare_line, prepare_text
from layout.text.fonts import FontMetrics, TextStyle
from layout.text.wrap_text import Line, shortened, wrap
from layout.theme_styles import FOOTER, LIGHT_LINE, Theme

_ABOVE_SUBTITLE = 2.0
_BESIDE_LOGO = 20.0
_MIN_TITLE = 18.0  # beside a logo of maximum width, about 30 characters fit
_STEP = 0.5
_FOOTER_TOP = BODY_BOTTOM + 20
_FOOTER_TEXT = 7.0
_TWO_LINES = 2  # a title of more lines is too long in every size


@dataclass(frozen=True, slots=True)
class _Spacing:
    """Vertical spacing of a band in points."""

    top: float  # above the texts
    below_texts: float  # between the texts and the rule or the end of the fill
    thickness: float  # of the rule or stripe
    below: float  # between that and the body


_LINE = _Spacing(top=46, below_texts=9, thickness=1, below=22)
_BAND = _Spacing(top=28, below_texts=20, thickness=3, below=24)


@dataclass(frozen=True, slots=True)
class Header:
    """Title and subtitle, with the JSON pointer of their object."""

    title: str
    subtitle: str | None
    path: str


@dataclass(frozen=True, slots=True)
class HeaderBand:
    """A header band, `top` points below the edge of the page. `frame` is None for a page without a band.

    The body of the page begins at `body_top`.
    """

    frame: Frame | None
    body_top: float
    top: float = 0.0


NO_BAND = HeaderBand(frame=None, body_top=MARGIN)


@dataclass(frozen=True, slots=True)
class HeaderDesign:
    """The common properties of all header bands of a document: theme, logo and captions."""

    theme: Theme
    logo: Logo | None = None
    captions: Captions = ENGLISH

    @property
    def text_width(self) -> float:
        """The width available to title and subtitle beside the logo."""
        return CONTENT_WIDTH if self.logo is None else CONTENT_WIDTH - self.logo.width - _BESIDE_LOGO

    @property
    def is_mirrored(self) -> bool:
        """Whether titles are on the right and the logo is on the left, as in a right-to-left language."""
        return reads_backwards(self.captions.signature)


def title_lines(header: Header, design: HeaderDesign, fonts: FontMetrics) -> tuple[Line, ...]:
    """Returns the lines of the title. More than one line is an issue."""
    return wrap(prepare_text(header.title), title_style(header, design, fonts), design.text_width, fonts)


def title_style(header: Header, design: HeaderDesign, fonts: FontMetrics) -> TextStyle:
    """Returns the style of the title. Beside a logo it shrinks, down to 18 points, to fit on one line."""
    style, text = design.theme.title, prepare_text(header.title)
    smallest = max(_MIN_TITLE, style.size * design.text_width / CONTENT_WIDTH)
    while style.size - _STEP >= smallest and len(wrap(text, style, design.text_width, fonts)) == _TWO_LINES:
        style = replace(style, size=style.size - _STEP)
    return style


def build_header_band(header: Header, design: HeaderDesign, fonts: FontMetrics) -> HeaderBand:
    """Lays out title, subtitle and logo.

    Of a title that wraps, which is an issue, only the first line is shown. So the body keeps its position when the
    title is shortened.
    """
    theme, width = design.theme, design.text_width
    spacing = _BAND if theme.is_band else _LINE
    title, style = title_lines(header, design, fonts)[:1], title_style(header, design, fonts)

    def part(path: str, role: Role, lines: tuple[Line, ...], style: TextStyle) -> Frame:
        texts = set_lines(lines, style, fonts, Column(width, align="right" if design.is_mirrored else "start"))
        return Frame(width, len(lines) * style.leading, role, f"{header.path}/{path}", texts)

    parts = [part("title", Role.TITLE, title, style)]
    if header.subtitle:
        lines = wrap(prepare_line(header.subtitle), theme.subtitle, width, fonts)
        parts.append(part("subtitle", Role.PARAGRAPH, lines, theme.subtitle))
    texts = theme.title.leading + _ABOVE_SUBTITLE + sum(part.height for part in parts[1:])
    height = max(texts, design.logo.height if design.logo else 0)
    end = height + spacing.below_texts
    items: list[Item] = list(_ground(end, spacing, theme))
    x, y = CONTENT_WIDTH - width if design.is_mirrored else 0, (height - texts) / 2  # beside the logo, centred
    for at, frame in enumerate(parts):
        items.append(Placed(x, y + (at and parts[0].height + _ABOVE_SUBTITLE), frame))
    if design.logo:
        logo = design.logo
        shown = (Image(Rect(0, 0, logo.width, logo.height), logo.file),)
        frame = Frame(logo.width, logo.height, Role.FIGURE, f"{header.path}/logo", shown, design.captions.logo)
        x = 0 if design.is_mirrored else CONTENT_WIDTH - logo.width
        items.append(Placed(x, (height - logo.height) / 2, frame))
    frame = Frame(CONTENT_WIDTH, end, Role.ARTIFACT, header.path, tuple(items))
    under = spacing.thickness if theme.is_band else 0
    return HeaderBand(frame, spacing.top + end + under + spacing.below, spacing.top)


def _ground(end: float, spacing: _Spacing, theme: Theme) -> tuple[Item, ...]:
    """Returns the background of the texts: fill and stripe, or the rule below them."""
    if not theme.is_band:
        return (Rule(0, end, CONTENT_WIDTH, spacing.thickness, theme.primary),)
    fill = Rect(-MARGIN, -spacing.top, PAGE_WIDTH, spacing.top + end)
    stripe = Rect(-MARGIN, end, PAGE_WIDTH, spacing.thickness)
    return (Fill(fill, theme.primary), Fill(stripe, theme.accent))


def footer_line(label: str, number: int, total: int, fonts: FontMetrics, captions: Captions = ENGLISH) -> Line:
    """Returns the footer on one line. A label that is too wide is shortened with an ellipsis."""
    text = shortened(
        prepare_line(label), captions.page_of.format(number=number, total=total), FOOTER, CONTENT_WIDTH, fonts
    )
    (line,) = wrap(text, FOOTER, inf, fonts)
    return line


def footer_length(label: str, total: int, fonts: FontMetrics, captions: Captions = ENGLISH) -> int | None:
    """Returns how many characters of `label` fit beside the page numbers of `total` pages; None if all fit."""
    line, end = prepare_line(label), captions.page_of.format(number=total, total=total)
    fitting = shortened(line, end, FOOTER, CONTENT_WIDTH, fonts)
    return None if fitting == line + end else len(fitting) - len(end) - len("…")


def place_footer(line: Line, fonts: FontMetrics) -> Placed:
    rule = Rule(0, 0, CONTENT_WIDTH, 0.5, LIGHT_LINE)
    text = set_lines((line,), FOOTER, fonts, Column(CONTENT_WIDTH, y=_FOOTER_TEXT, align="center"))
    frame = Frame(CONTENT_WIDTH, FOOTER.leading, Role.ARTIFACT, "/footerLabel", (rule, *text))
    return Placed(MARGIN, _FOOTER_TOP, frame)
