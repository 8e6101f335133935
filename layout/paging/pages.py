"""Pages with header band and footer, and their zones. Specification 2.5, 2.7 (pageBreak), 2.12."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf

from layout.blocks.alignment import Column, set_lines
from layout.paging.frames import Choice, Frame, Placed, Role, Rule, UnplacedZone, frames_of
from layout.paging.geometry import BODY_BOTTOM, CONTENT_WIDTH, MARGIN
from layout.paging.header_and_footer import HeaderBand
from layout.schema.theme import FOOTER, LIGHT_LINE
from layout.text.characters import prepare_line
from layout.text.fonts import FontMetrics
from layout.text.line_breaks import Line, shortened, wrap
from layout.zones.zone import Zone, ZoneOption

_FOOTER_TOP = BODY_BOTTOM + 20
_FOOTER_TEXT = 7.0
_ROLES_WITH_ZONES = (Role.INPUT, Role.ROW, Role.SIGNATURE)


@dataclass(frozen=True, slots=True)
class PageBody:
    """The content of a page without its footer: its header band and the frames of its body."""

    band: HeaderBand
    placed: tuple[Placed, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """A complete page, its frames in reading order. `number` counts from 1."""

    number: int
    placed: tuple[Placed, ...]

    def frames(self) -> Iterator[Placed]:
        """Yields all frames in reading order, nested frames included."""
        return (inner for at in self.placed for inner in frames_of(at))


def zones_of(number: int, placed: Sequence[Placed]) -> Iterator[Zone]:
    """Yields the zones of page `number`, with coordinates on the page."""
    for inputs in placed:
        if inputs.frame.role in _ROLES_WITH_ZONES:
            for at in frames_of(inputs):
                yield from (_zone(item, at, number) for item in at.frame.items if isinstance(item, UnplacedZone))


def footer_line(label: str, number: int, total: int, fonts: FontMetrics) -> Line:
    """Returns the footer on one line. A label that is too wide is shortened with an ellipsis."""
    text = shortened(prepare_line(label), f" — page {number} of {total}", FOOTER, CONTENT_WIDTH, fonts)
    (line,) = wrap(text, FOOTER, inf, fonts)
    return line


def footer_length(label: str, total: int, fonts: FontMetrics) -> int | None:
    """Returns None if `label` fits beside the page numbers of `total` pages, otherwise how many characters fit."""
    line, end = prepare_line(label), f" — page {total} of {total}"
    fitting = shortened(line, end, FOOTER, CONTENT_WIDTH, fonts)
    return None if fitting == line + end else len(fitting) - len(end) - len("…")


def pages_of(bodies: Sequence[PageBody], label: str, fonts: FontMetrics) -> tuple[Page, ...]:
    """Returns the pages with header bands and footers, which need the total number of pages."""
    return tuple(
        Page(number, (*_band(body), *body.placed, _footer(footer_line(label, number, len(bodies), fonts), fonts)))
        for number, body in enumerate(bodies, start=1)
    )


def _band(body: PageBody) -> tuple[Placed, ...]:
    band = body.band
    return () if band.frame is None else (Placed(MARGIN, band.top, band.frame),)


def _footer(line: Line, fonts: FontMetrics) -> Placed:
    rule = Rule(0, 0, CONTENT_WIDTH, 0.5, LIGHT_LINE)
    text = set_lines((line,), FOOTER, fonts, Column(CONTENT_WIDTH, y=_FOOTER_TEXT, align="center"))
    return Placed(
        MARGIN, _FOOTER_TOP, Frame(CONTENT_WIDTH, FOOTER.leading, Role.ARTIFACT, "/footerLabel", (rule, *text))
    )


def _zone(zone: UnplacedZone, at: Placed, page: int) -> Zone:
    rect = zone.rect.moved(at.x, at.y)
    return Zone(
        name=zone.name,
        type=zone.type,
        label=zone.label,
        recipient=zone.recipient,
        page=page,
        x=round(rect.x, 2),
        y=round(rect.y, 2),
        w=round(rect.w, 2),
        h=round(rect.h, 2),
        required=zone.required,
        path=at.frame.path,
        placeholder=zone.placeholder,
        options=tuple(_option(choice, at) for choice in zone.options),
        date_format=zone.date_format,
    )


def _option(choice: Choice, at: Placed) -> ZoneOption:
    rect = choice.rect.moved(at.x, at.y)
    return ZoneOption(text=choice.text, x=round(rect.x, 2), y=round(rect.y, 2), w=round(rect.w, 2), h=round(rect.h, 2))
